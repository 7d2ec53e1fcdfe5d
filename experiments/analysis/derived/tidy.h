/* The points of an experiment as a table: a row per point, or tidy, a row per point and quantity.
 */
#ifndef MAXPOOL_TIDY_H
#define MAXPOOL_TIDY_H

#include "experiments/analysis/analysis.h"
#include "experiments/common/frame.h"

/* The derived points as they stand in R/analysis/NAME.points.csv, without such a file. */
enum status tidy_points(struct frame *out, const struct analysis *a, struct failure *f);

/* The same points: columns that say which point it is, then quantity, unit, value, lower, upper.
 * Quantities that a point has not are left out. */
void tidy_write(FILE *stream, const struct frame *points);

/* As they are. */
void tidy_write_wide(FILE *stream, const struct frame *points);

#endif
