/* Widening in registers: the maxima of 2, 4, 8 ... neighbouring elements, each step computed from
 * the one before, a vector at a time. */
#ifndef MAXPOOL_MAXIMA_WIDEN_H
#define MAXPOOL_MAXIMA_WIDEN_H

#include "kernels/maxpool/maxima/maxima_strip.h"

/* Returns the reach of widening in registers: the largest power of two up to k and LANES. */
MAXIMA_INLINE int64_t maxima_reach(int64_t k)
{
    int64_t reach = 1;
    while (2 * reach <= k && 2 * reach <= LANES)
        reach *= 2;
    return reach;
}

/* The previous vector of each widening step: of elements, and of maxima of 2, 4 and 8 elements.
 * Members instead of an array, so that they stay in registers. */
struct widening {
    vec one, two, four, eight;
};

/* Returns the maximum of each lane of x and the element `shift` elements before it. x becomes the
 * previous vector. */
MAXIMA_INLINE vec widen_once(vec *before, vec x, int64_t shift)
{
    const vec delayed = vec_delay(*before, x, shift);
    *before = x;
    return vec_max(x, delayed);
}

/* Takes the next vector and returns the maxima of the `reach` elements that end at each lane, over
 * 2, 4, 8 ... elements in one step each. */
MAXIMA_INLINE vec widen_step(struct widening *w, vec x, int64_t reach)
{
    if (reach > 1)
        x = widen_once(&w->one, x, 1);
    if (reach > 2)
        x = widen_once(&w->two, x, 2);
    if (reach > 4)
        x = widen_once(&w->four, x, 4);
    if (reach > 8)
        x = widen_once(&w->eight, x, 8);
    return x;
}

MAXIMA_INLINE struct widening widening_begin(void)
{
    return (struct widening){vec_zero(), vec_zero(), vec_zero(), vec_zero()};
}

/* Replaces elements [first, end) of a line by the maximum of the `reach` elements that begin at
 * each, in whole vectors: elements beyond `end` are replaced too, up to a multiple of LANES from
 * `first`. */
MAXIMA_INLINE void widen_by(float *elements, int64_t first, int64_t end, int64_t reach)
{
    struct widening before = widening_begin();
    widen_step(&before, vec_load(elements + first + reach - 1 - LANES), reach);
    for (int64_t i = first; i < end; i += LANES)
        vec_store(elements + i, widen_step(&before, vec_load(elements + i + reach - 1), reach));
}

MAXIMA_INLINE void widen(float *elements, int64_t first, int64_t end, int64_t reach)
{
    switch (reach) {
    case 1:
        break;
    case 2:
        widen_by(elements, first, end, 2);
        break;
    case 4:
        widen_by(elements, first, end, 4);
        break;
    case 8:
        widen_by(elements, first, end, 8);
        break;
    default:
        widen_by(elements, first, end, 16);
        break;
    }
}

#endif
