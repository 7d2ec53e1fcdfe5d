/* Writes the definitions of the experiments that samples of `study lab` belong to. */
#ifndef MAXPOOL_LAB_SWEEP_DEFINITION_H
#define MAXPOOL_LAB_SWEEP_DEFINITION_H

#include "experiments/lab/lab.h"

/* Writes the definition that report and charts need to show the samples, DIR/NAME.ini: for a sweep
 * a new one, otherwise a copy of labs/lab.ini if the file does not exist yet. Status 5. */
enum status lab_definition_write(const struct lab_report *report, const char *results,
                                 struct failure *f);

#endif
