/* Windows of 3 x 3 at stride 1 in AVX-512, where a whole plane has few outputs in short rows: its
 * rows follow one another, so that the plane is one row of outputs and vectors cross its rows. The
 * elements under the window's middle column are loaded, those of the rows above and below from a
 * row further up and down; those under the other columns are moved in from the neighbouring lane,
 * and are 0 beyond the ends of a row. Terms are added in the same order as elsewhere. Included once
 * per instruction set. */
#ifndef MAXPOOL_CONV_SMALL_PLANES_H
#define MAXPOOL_CONV_SMALL_PLANES_H

#include "kernels/conv/depthwise_elements.h"

#if VECTOR_PICKS == 1
/* The vectors of a plane, and its most columns. */
enum { PLANE_VECTORS = 4, PLANE_COLS = 8 };

/* What all planes have in common: of each vector, the lanes that are inside the image for each row
 * of the window, those that have a left and a right neighbour, and those that are outputs. */
struct small_plane {
    int64_t cols;
    struct clamp_limits end;
    vec_mask inside[3][PLANE_VECTORS], left[PLANE_VECTORS], right[PLANE_VECTORS];
    vec_mask stored; /* of the last vector */
};

/* The lanes of vector v whose output q satisfies low <= q < high, and is not in column `but`. */
WINDOWS_INLINE vec_mask plane_lanes(int64_t v, int64_t low, int64_t high, int64_t cols, int64_t but)
{
    uint32_t lanes = 0;
    for (int64_t i = 0; i < LANES; i++) {
        const int64_t q = v * LANES + i;
        lanes |= (uint32_t)(q >= low && q < high && q % cols != but) << i;
    }
    return (vec_mask)lanes;
}

WINDOWS_INLINE struct small_plane small_plane_of(const struct conv_call *call)
{
    const struct conv_shape *s = call->shape;
    const int64_t cols = s->cols, all = s->rows * cols;
    struct small_plane p = {.cols = cols, .end = limits_of_all(call)};
    for (int64_t v = 0; v < PLANE_VECTORS; v++) {
        for (int64_t i = 0; i < 3; i++)
            p.inside[i][v] = plane_lanes(v, cols * (1 - i), all + cols * (1 - i), cols, -1);
        p.left[v] = plane_lanes(v, 0, all, cols, 0);
        p.right[v] = plane_lanes(v, 0, all, cols, cols - 1);
    }
    p.stored = plane_lanes(PLANE_VECTORS - 1, 0, all, cols, -1);
    return p;
}

/* Whether all lanes of vector v are inside the image for row i of the windows, in any plane that
 * has more outputs than three vectors. */
WINDOWS_INLINE bool lanes_are_inside(int v, int i)
{
    return v < PLANE_VECTORS - 1 && !(i == 0 && v == 0) && !(i == 2 && v == PLANE_VECTORS - 2);
}

/* Loads the elements under the middle column of row i of the windows. */
WINDOWS_INLINE void load_plane_row(const struct small_plane *p, const float *plane, int i,
                                   vec middle[PLANE_VECTORS])
{
    const float *from = plane + (i - 1) * p->cols;
    VECTOR_UNROLLED
    for (int v = 0; v < PLANE_VECTORS; v++, from += LANES)
        middle[v] =
            vec_keep(lanes_are_inside(v, i) ? vec_load(from)
                                            : vec_load_masked(from, p->inside[i][v], vec_zero()));
}

/* Adds a row of the windows, whose elements under the middle column are given. */
WINDOWS_INLINE void add_plane_row(const struct small_plane *p, const vec weights[3],
                                  const vec middle[PLANE_VECTORS], vec sums[PLANE_VECTORS])
{
    VECTOR_UNROLLED
    for (int v = 0; v < PLANE_VECTORS; v++) {
        const vec before = v > 0 ? middle[v - 1] : vec_zero();
        sums[v] =
            vec_multiply_add(weights[0], vec_up_one_if(p->left[v], before, middle[v]), sums[v]);
    }
    VECTOR_UNROLLED
    for (int v = 0; v < PLANE_VECTORS; v++)
        sums[v] = vec_multiply_add(weights[1], middle[v], sums[v]);
    VECTOR_UNROLLED
    for (int v = 0; v < PLANE_VECTORS; v++) {
        const vec after = v + 1 < PLANE_VECTORS ? middle[v + 1] : vec_zero();
        sums[v] =
            vec_multiply_add(weights[2], vec_down_one_if(p->right[v], middle[v], after), sums[v]);
    }
}

WINDOWS_INLINE void compute_small_plane(const struct small_plane *p, const struct conv_call *call,
                                        int64_t c)
{
    const struct window w = window_of(call, c, true);
    const float *plane = view_row(&call->image, 0) + c * call->image.plane_stride;
    float *to = map_row(&call->map, 0) + c * call->map.plane_stride;
    vec sums[PLANE_VECTORS], middle[PLANE_VECTORS];
    VECTOR_UNROLLED
    for (int v = 0; v < PLANE_VECTORS; v++)
        sums[v] = w.bias;
    VECTOR_UNROLLED
    for (int i = 0; i < 3; i++) {
        load_plane_row(p, plane, i, middle);
        add_plane_row(p, w.weights + 3 * i, middle, sums);
    }
    VECTOR_UNROLLED
    for (int v = 0; v < PLANE_VECTORS - 1; v++)
        vec_store(to + v * LANES, apply_clamp(&p->end, sums[v]));
    vec_store_masked(to + (PLANE_VECTORS - 1) * LANES,
                     apply_clamp(&p->end, sums[PLANE_VECTORS - 1]), p->stored);
}

/* Whether all planes of a call are computed so. A residual may be where the outputs go. */
WINDOWS_INLINE bool has_small_planes(const struct conv_call *call)
{
    const struct conv_shape *s = call->shape;
    return s->kernel == 3 && s->stride == 1 && s->padding == 1 && s->cols <= PLANE_COLS &&
           s->rows * s->cols > (PLANE_VECTORS - 1) * LANES &&
           s->rows * s->cols <= PLANE_VECTORS * LANES && call->rows == s->rows &&
           call->image.row_stride == s->cols && call->map.row_stride == s->cols &&
           !call->finish.residual.data;
}

static void compute_small_planes(const struct conv_call *call)
{
    const struct small_plane p = small_plane_of(call);
    for (int64_t c = 0; c < call->shape->channels; c++)
        compute_small_plane(&p, call, c);
}
#else
WINDOWS_INLINE bool has_small_planes(const struct conv_call *call)
{
    (void)call;
    return false;
}

WINDOWS_INLINE void compute_small_planes(const struct conv_call *call)
{
    (void)call;
}
#endif

#endif
