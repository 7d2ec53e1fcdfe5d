/* The ladder as tables: one row per method, in the order of the method table, and one column per
 * problem. Each cell has the time, how many times as fast as the previous rung it is, and the share
 * of the machine's limit. */
#ifndef MAXPOOL_LADDER_H
#define MAXPOOL_LADDER_H

#include "experiments/analysis/analysis.h"
#include "experiments/report/page/format.h"

/* Writes the serial points of an analysis: product methods and no-product methods with windows
 * apart (s = k) and overlapping (s = 1), then matmul. Each k is shown at the size that most methods
 * were measured at, and of those at the largest. Tables without a point are left out. */
void ladder_write(const struct report_format *format, const struct document *d,
                  const struct analysis *a);

#endif
