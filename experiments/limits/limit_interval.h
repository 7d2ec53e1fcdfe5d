/* Quotients of numbers that are known only within an interval, first of all the share of a limit
 * that a time reaches: limit / time, 1 the best possible. The logarithm of a quotient is a
 * difference of logarithms; the distances from each value to the end of its interval that acts in
 * the same direction add up as squares. Source: Zou & Donner (2008), Statistics in Medicine 27,
 * 1693-1702. */
#ifndef MAXPOOL_LIMIT_INTERVAL_H
#define MAXPOOL_LIMIT_INTERVAL_H

#include <stdbool.h>

/* A value and its interval. */
struct bounded {
    double value, lower, upper;
};

/* True for a value above 0 with a finite interval above 0. */
bool has_interval(struct bounded b);

/* Returns a / b of independent a and b. Its interval is NaN if one of them has none. */
struct bounded bounded_quotient(struct bounded a, struct bounded b);

/* Returns limit / time. Its interval is NaN if the time has none. If the limit has none, as with
 * ceilings of few visits, the interval is that of the time alone. */
struct bounded share_of_limit(struct bounded limit, struct bounded time);

/* True if the whole interval of the share is above 1. Then the limit is not known, because the
 * machine has just done better. */
bool limit_is_passed(struct bounded limit, struct bounded time);

#endif
