/* A chart of two columns that the user chose, from derived points or from the user's own file. */
#ifndef MAXPOOL_CHARTS_CUSTOM_CHART_H
#define MAXPOOL_CHARTS_CUSTOM_CHART_H

#include "experiments/common/frame.h"
#include "experiments/report/charts/plots.h"

/* Keeps the rows of the methods in a list "a,b"; "": keeps all. Status 2 if a method has no row;
 * the message lists those that have. */
enum status own_chart_choose(struct frame *points, const char *methods, struct failure *f);

/* Keeps the rows of one operator, so that no chart mixes two: `operator`, or "": that of most
 * rows, and others are named on standard error. Status 2 if it has no row. */
enum status own_chart_choose_operator(struct frame *points, const char *operator,
                                      struct failure * f);

/* Status 2 if a row of the file has a word in the column `status` that is no trust word: its mark
 * would say what nobody said. */
enum status own_chart_check_trust(const struct frame *points, const char *file, struct failure *f);

/* Draws column y against column x of `points` in all requested formats, as NAME-Y-over-X.* in the
 * folder of figures, and prints their paths. "speedup" means one_total, "seconds" total_s. Where
 * some series have several values of x, those with only one are left out of `points`. Status 2 if a
 * column is missing or contains no numbers; the message lists those that can be used. */
enum status own_chart_draw(struct drawing *d, const char *folder, const char *name,
                           struct frame *points, const char *x, const char *y, struct failure *f);

#endif
