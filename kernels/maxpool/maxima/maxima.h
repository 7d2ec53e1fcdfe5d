/* What the methods without a product share. Each computes its block strip by strip
 * (maxima_strip.h); in a strip the vertical maxima of an output row (maxima_fold.h) become a `line`
 * of full resolution, and along the line (maxima_line.h) the horizontal maxima are found, of which
 * every stride-th is an output: by widening (maxima_widen.h, maxima_cover.h), or in registers
 * (maxima_slide.h). Small windows need no line (small_windows.h). The methods differ in how they
 * find vertical maxima, and in how they take long horizontal ones.
 *
 * Included by files that are compiled once per instruction set (kernels/isa.h). */
#ifndef MAXPOOL_MAXIMA_H
#define MAXPOOL_MAXIMA_H

#include "kernels/maxpool/maxima/maxima_fold.h"
#include "kernels/maxpool/maxima/small_windows.h"

/* Windows that share no element and hardly a cache line: nothing that these methods do helps there.
 */
MAXIMA_INLINE bool maxima_far_apart(const struct geometry *g)
{
    return g->stride > g->kernel && g->stride > MAXIMA_FAR;
}

#endif
