/* The definitions of the experiments that samples of the laboratory belong to. */
#ifndef MAXPOOL_LAB_SWEEP_DEFINITION_H
#define MAXPOOL_LAB_SWEEP_DEFINITION_H

#include "experiments/lab/lab.h"

/* Writes the definition that report and charts need to show the samples, DIR/NAME.ini: that of a
 * sweep anew, and a copy of labs/lab.ini where there is none yet. Status 5. */
enum status lab_definition_write(const struct lab_report *report, const char *results,
                                 struct failure *f);

#endif
