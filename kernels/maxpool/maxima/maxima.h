/* The code that the no-product methods share. Each method computes its block strip by strip
 * (maxima_strip.h). In a strip, the vertical maxima of an output row (maxima_fold.h) form a `line`
 * of full resolution. Along the line (maxima_line.h), horizontal maxima are taken by widening
 * (maxima_widen.h, maxima_cover.h) or in registers (maxima_slide.h); every stride-th of them is an
 * output. Small windows need no line (small_windows.h). The methods differ in how they compute
 * vertical maxima, and horizontal maxima of long windows.
 *
 * Included by files that are compiled once per instruction set (kernels/isa.h). */
#ifndef MAXPOOL_MAXIMA_H
#define MAXPOOL_MAXIMA_H

#include "kernels/maxpool/maxima/maxima_fold.h"
#include "kernels/maxpool/maxima/small_windows.h"

/* True if windows share no element and hardly a cache line: these methods then save nothing. */
MAXIMA_INLINE bool maxima_far_apart(const struct geometry *g)
{
    return g->stride > g->kernel && g->stride > MAXIMA_FAR;
}

#endif
