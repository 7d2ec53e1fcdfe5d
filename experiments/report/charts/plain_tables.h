/* What gnuplot reads is plain text: of a table that lies packed, R/NAME.training.csv.gz, it is
 * given a copy in R/analysis/unpacked. */
#ifndef MAXPOOL_CHARTS_PLAIN_TABLES_H
#define MAXPOOL_CHARTS_PLAIN_TABLES_H

#include "experiments/common/results.h"
#include "harness/base/failure.h"

/* Where a table of an experiment lies: results_layers, results_training or results_timeline. */
typedef struct results_path table_place(const char *folder, const char *experiment);

/* Where gnuplot finds it: there, or its copy. */
struct results_path plain_table(table_place *place, const char *folder, const char *experiment);

/* Makes the copies of those tables of the experiment that lie packed. Status 2 where one cannot be
 * unpacked, has a longer line than any table of ours or holds more than 256 MiB, 5 where a copy
 * cannot be written; then there is no copy of that one. */
enum status plain_tables_make(const char *folder, const char *experiment, struct failure *f);

#endif
