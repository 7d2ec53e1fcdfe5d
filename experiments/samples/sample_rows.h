/* The rows of one experiment of a results folder, from every file that has some. */
#ifndef MAXPOOL_SAMPLE_ROWS_H
#define MAXPOOL_SAMPLE_ROWS_H

#include "harness/records/record.h"

/* Visits each row once, with the experiment's name, also where it was measured for another one.
 * Warm-ups and launches that did not finish are there too. Status 2 if the experiment has no
 * samples, 4 if memory runs out. */
enum status sample_rows_visit(const char *folder, const char *experiment, record_visitor *visit,
                              void *context, struct failure *f);

/* A column that our programs fill in all samples of such a kind, in every version, and this one
 * lacks: somebody deleted it, and points would become one. NULL: none. */
const char *sample_lost_column(const struct record *r);

#endif
