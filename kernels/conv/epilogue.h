/* The epilogue: what is done to the sum of an output before it is stored. Included once per
 * instruction set. */
#ifndef MAXPOOL_CONV_EPILOGUE_H
#define MAXPOOL_CONV_EPILOGUE_H

#include "kernels/clamp.h"
#include "kernels/conv/conv.h"
#include "kernels/min_max.h"

#define FINISH_INLINE VECTOR_TEMPLATE

/* The residual of output (f, y, x) of the call's map, followed by those of the next columns; NULL
 * if there is none. */
FINISH_INLINE const float *residual_at(const struct conv_call *call, int64_t f, int64_t y,
                                       int64_t x)
{
    const struct view *r = &call->finish.residual;
    return r->data ? view_row(r, y) + f * r->plane_stride + x : NULL;
}

/* The clamp of outputs, in registers: read from the call once, before a loop that stores. */
struct clamp_limits {
    bool clamped;
    vec least, most;
};

FINISH_INLINE struct clamp_limits clamp_limits_of(const struct conv_call *call)
{
    const struct conv_finish *e = &call->finish;
    return (struct clamp_limits){e->clamped, vec_all(e->least), vec_all(e->most)};
}

FINISH_INLINE vec apply_clamp(const struct clamp_limits *e, vec v)
{
    return e->clamped ? vec_clamp(v, e->least, e->most) : v;
}

/* Finishes `count` outputs, whose sums are in v; `added` is their residual, as residual_at()
 * returns it. */
FINISH_INLINE vec add_and_clamp(const struct clamp_limits *e, vec v, const float *added,
                                int64_t count)
{
    return apply_clamp(e, added ? vec_add(v, vec_load_part(added, count, vec_zero())) : v);
}

FINISH_INLINE vec apply_epilogue(const struct conv_call *call, vec v, const float *added,
                                 int64_t count)
{
    const struct clamp_limits e = clamp_limits_of(call);
    return add_and_clamp(&e, v, added, count);
}

#endif
