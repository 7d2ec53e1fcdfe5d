/* A chart of two columns that the user chose, of derived points or of a file of theirs. */
#ifndef MAXPOOL_CHARTS_CUSTOM_CHART_H
#define MAXPOOL_CHARTS_CUSTOM_CHART_H

#include "experiments/common/frame.h"
#include "experiments/report/charts/plots.h"

/* Drops the rows of other methods than those of a list "a,b"; "": keeps all. Status 2 where a
 * method has no row; the message lists those that have. */
enum status own_chart_choose(struct frame *points, const char *methods, struct failure *f);

/* Draws column y against column x of `points` in all formats asked for, as charts/NAME-Y-over-X.*,
 * and prints their paths. "speedup" stands for one_total, "seconds" for total_s. Status 2 where a
 * column is not there or holds no numbers; the message lists those that are. */
enum status own_chart_draw(struct drawing *d, const char *folder, const char *name,
                           const struct frame *points, const char *x, const char *y,
                           struct failure *f);

#endif
