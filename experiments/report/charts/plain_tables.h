/* gnuplot reads plain text: of a packed table, R/NAME.training.csv.gz, a copy is made in
 * R/analysis/unpacked. */
#ifndef MAXPOOL_CHARTS_PLAIN_TABLES_H
#define MAXPOOL_CHARTS_PLAIN_TABLES_H

#include "experiments/common/results.h"
#include "harness/base/failure.h"

/* Path of a table of an experiment: results_layers, results_training or results_timeline. */
typedef struct results_path table_path(const char *folder, const char *experiment);

/* The path for gnuplot: the table itself, or its copy. */
struct results_path plain_table(table_path *path_of, const char *folder, const char *experiment);

/* Makes copies of the experiment's packed tables. A table gets no copy and status 2 if it cannot be
 * unpacked, has a line longer than any table of ours or contains more than 256 MiB; status 5 if the
 * copy cannot be written. */
enum status plain_tables_make(const char *folder, const char *experiment, struct failure *f);

#endif
