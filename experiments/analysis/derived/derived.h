/* The derived data that charts read, one CSV file each in R/analysis:
 *   NAME.points.csv  one row per point: estimates, speedups, status
 *   NAME.fits.csv    one row per curve, metric and model: parameters with intervals, or why none
 *   NAME.model.csv   the fitted curves, the ideal one and Amdahl's of the measured share, as points
 *   NAME.ceilings.csv  the lines of a roofline chart: highest bandwidth of each level of memory
 *                      (bytes per second), peak of each instruction set (operations per second)
 *   NAME.ratios.csv  one row per peer and problem: its time over that of our fastest method
 */
#ifndef MAXPOOL_DERIVED_H
#define MAXPOOL_DERIVED_H

#include "experiments/analysis/analysis.h"

/* Writes all of them into `folder`, which must exist. Status 5 if one cannot be written. */
enum status derived_write(const struct analysis *a, const char *folder, struct failure *f);

/* True if NAME.ceilings.csv has that ceiling: the peak of multiply-adds, the best pass of a level.
 */
bool derived_is_line(const struct ceilings *c, const struct ceiling *row);

/* Write only the points, or only the ratios. */
void derived_write_points(FILE *stream, const struct analysis *a);
void derived_write_ratios(FILE *stream, const struct analysis *a);

/* The number of a point in that column of NAME.points.csv; NaN if the file leaves it empty, or has
 * no such column of numbers. */
double derived_point_number(const struct analysis *a, const struct point *p, const char *column);

/* The field of a point in that column, DERIVED_TEXT bytes; "" if it is empty or there is none. */
void derived_point_text(const struct analysis *a, const struct point *p, const char *column,
                        char *text);

/* Writes the point's name in its column `point`: the same for the same key (point_key). */
enum { DERIVED_NAME = 18 }; /* bytes */
void derived_point_name(const struct point *p, char *text);

#endif
