/* The share of a limit that a time reaches: limit / time, 1 the best possible. Both are known to
 * within an interval. Logarithms of a quotient subtract, and the distances from value to interval's
 * end that work the same way add up as squares. Source: Zou & Donner (2008), Statistics in Medicine
 * 27, 1693-1702. */
#ifndef MAXPOOL_LIMIT_INTERVAL_H
#define MAXPOOL_LIMIT_INTERVAL_H

#include <stdbool.h>

/* A value and its interval. */
struct bounded {
    double value, lower, upper;
};

/* limit / time. Its interval is NaN where the time has none; the time's alone where the limit has
 * none, as in ceilings of few visits. */
struct bounded share_of_limit(struct bounded limit, struct bounded time);

/* True where the share lies above 1 with all of its interval: then the limit is not known, because
 * the machine has just done better. */
bool limit_is_passed(struct bounded limit, struct bounded time);

#endif
