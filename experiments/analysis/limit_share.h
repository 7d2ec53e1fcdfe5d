/* The share of this machine's limit that points reach (limit_interval.h). */
#ifndef MAXPOOL_ANALYSIS_LIMIT_SHARE_H
#define MAXPOOL_ANALYSIS_LIMIT_SHARE_H

#include "experiments/analysis/analysis.h"
#include "experiments/limits/limit_interval.h"

/* The interval of limit / time. */
struct interval limit_share_interval(struct bounded limit, struct bounded time);

/* The share of a point; NaN if its limit is unknown. */
double point_share(const struct point *p);

/* Its interval relative to its roof. */
struct interval point_share_interval(const struct point *p);

/* See limit_is_passed. */
bool point_passes_limit(const struct point *p);

#endif
