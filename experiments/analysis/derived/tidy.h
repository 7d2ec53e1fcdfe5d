/* The points of an experiment as a table: one row per point, or tidy, one row per point and
 * quantity. */
#ifndef MAXPOOL_TIDY_H
#define MAXPOOL_TIDY_H

#include "experiments/analysis/analysis.h"
#include "experiments/common/frame.h"

/* Makes the derived points, the same as in R/analysis/NAME.points.csv, without that file. */
enum status tidy_points(struct frame *out, const struct analysis *a, struct failure *f);

/* Writes them tidy: columns that identify the point, then quantity, unit, value, lower, upper.
 * Quantities that a point lacks are left out. */
void tidy_write(FILE *stream, const struct frame *points);

/* Writes them unchanged. */
void tidy_write_wide(FILE *stream, const struct frame *points);

#endif
