/* The share of this machine's limit: the seconds of a roof over measured ones, 1 the best possible.
 * Both are known to within an interval. Logarithms of a quotient subtract, and the distances from
 * value to interval's end that work the same way add up as squares. Source: Zou & Donner (2008),
 * Statistics in Medicine 27, 1693-1702. */
#ifndef MAXPOOL_ANALYSIS_LIMIT_SHARE_H
#define MAXPOOL_ANALYSIS_LIMIT_SHARE_H

#include "experiments/analysis/analysis.h"

#include <stdbool.h>

/* A value and its interval, in seconds. */
struct bounded {
    double value, lower, upper;
};

/* The interval of limit / time: NaN where the time has none; the time's alone where the limit has
 * none, as in ceilings of few visits. */
struct interval limit_share_interval(struct bounded limit, struct bounded time);

/* Of a point, against its roof, and against the one of methods that compute windows apart. */
struct interval point_share_interval(const struct point *p);
struct interval point_apart_interval(const struct point *p);

/* True where the share lies above 1 with all of its interval: then the limit is not known, because
 * the machine has just done better. */
bool limit_is_passed(struct bounded limit, struct bounded time);
bool point_passes_limit(const struct point *p);

#endif
