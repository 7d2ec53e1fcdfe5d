/* Strips, the parts of the padded image that the no-product methods work on. Element 0 is where the
 * first output's window begins; it may be in the padding, and so may whole rows of the strip.
 * Elements outside the image are loaded as the pad value (0, or -FLT_MAX, which never wins), so
 * that only the loads deal with padding. */
#ifndef MAXPOOL_MAXIMA_STRIP_H
#define MAXPOOL_MAXIMA_STRIP_H

#include "kernels/maxpool/maxima/maxima_scratch.h"
#include "kernels/method_call.h"
#include "kernels/min_max.h"
#include "kernels/vector.h"

#include <float.h>

#define MAXIMA_INLINE VECTOR_TEMPLATE

struct strip {
    const struct maxpool_call *call;
    int64_t kernel, stride;
    int64_t col, outputs; /* output columns [col, col + outputs) */
    int64_t elements;     /* (outputs - 1) * stride + kernel */
    int64_t left;         /* image column of element 0 */
    int64_t inside, end;  /* elements [inside, end) are within the image's columns */
    int64_t top, rows;    /* image row of row 0; number of rows that the block's windows cover */
    float pad;
    const float *padding; /* a row of pad values, for rows outside the image */
    int64_t ahead;        /* prefetch distance in elements; 0: no prefetch */
    bool stream;          /* the map is too large for the caches: store past them */
};

MAXIMA_INLINE int64_t maxima_clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* Returns row `row` of the strip, its element 0. Elements outside [inside, end) must not be
 * accessed, unless the row is outside the image. */
MAXIMA_INLINE const float *strip_row(const struct strip *p, int64_t row)
{
    const int64_t r = p->top + row;
    if (r < 0 || r >= p->call->geometry->rows)
        return p->padding;
    return view_row(&p->call->image, r) + p->left;
}

/* Returns element i of row `row` of the strip, with padding. */
MAXIMA_INLINE float strip_element(const struct strip *p, int64_t row, int64_t i)
{
    return i < p->inside || i >= p->end ? p->pad : strip_row(p, row)[i];
}

MAXIMA_INLINE float larger_of(float a, float b)
{
    return a > b ? a : b;
}

/* Loads a vector of elements from element i on; `edge`: some of them may be outside the image. */
MAXIMA_INLINE vec strip_load(const struct strip *p, const float *row, int64_t i, bool edge)
{
    if (!edge)
        return vec_load(row + i);
    const int64_t first = maxima_clamp(p->inside - i, 0, LANES);
    const int64_t end = maxima_clamp(p->end - i, first, LANES);
    return vec_load_lanes(row + i, first, end, vec_all(p->pad));
}

/* The vectors of elements [first, end) form three parts: a left part that needs edge loads, a
 * middle part that does not, and a right part that does. */
struct parts {
    int64_t left, middle; /* where the first two end */
};

MAXIMA_INLINE struct parts strip_parts(const struct strip *p, int64_t first, int64_t end)
{
    const int64_t outside = p->inside > first ? p->inside - first : 0;
    const int64_t left = first + (outside + LANES - 1) / LANES * LANES;
    const int64_t room = p->end < end ? p->end : end;
    const int64_t whole = room > left ? (room - left) / LANES * LANES : 0;
    return (struct parts){left < end ? left : end, left < end ? left + whole : end};
}

/* Images and maps of at least this size do not fit a worker's share of the caches. */
static const int64_t maxima_stream_bytes = (int64_t)4 << 20;

MAXIMA_INLINE bool maxima_streams(const struct geometry *g)
{
    return g->planes * g->out_rows * g->out_cols * (int64_t)sizeof(float) >= maxima_stream_bytes;
}

/* Ends a call: makes stores that bypassed the caches visible to others. */
MAXIMA_INLINE void maxima_finish(const struct geometry *g)
{
    if (maxima_streams(g))
        vec_fence();
}

/* Returns the prefetch distance: the elements from a row to the same row of the next row of
 * windows. 0 if the image stays in the caches, or if these rows would not. */
MAXIMA_INLINE int64_t strip_ahead(const struct maxpool_call *call)
{
    const struct geometry *g = call->geometry;
    const int64_t image = geometry_elements(g->planes, g->rows, g->cols);
    if (image * (int64_t)sizeof(float) < maxima_stream_bytes)
        return 0;
    return prefetch_distance(&call->image, g->stride, 128 * 1024, 0);
}

/* Returns the strip that begins `col` outputs into the block. `padding` is a row of the scratch,
 * filled here if the block has rows outside the image. */
MAXIMA_INLINE struct strip strip_make(const struct maxpool_call *call, struct maxima_room room,
                                      int64_t col, float *padding)
{
    const struct geometry *g = call->geometry;
    const struct block *o = &call->block;
    const int64_t outputs = smaller(room.outputs, o->cols - col);
    struct strip p = {.call = call,
                      .kernel = g->kernel,
                      .stride = g->stride,
                      .col = o->col + col,
                      .outputs = outputs,
                      .elements = (outputs - 1) * g->stride + g->kernel,
                      .left = (o->col + col) * g->stride - g->padding,
                      .top = o->row * g->stride - g->padding,
                      .rows = (o->rows - 1) * g->stride + g->kernel,
                      .pad = geometry_pad_value(g),
                      .padding = padding};
    p.inside = maxima_clamp(-p.left, 0, p.elements);
    p.end = maxima_clamp(g->cols - p.left, p.inside, p.elements);
    p.stream = maxima_streams(g);
    p.ahead = strip_ahead(call);
    if (p.top < 0 || p.top + p.rows > g->rows)
        for (int64_t i = 0; i < p.elements; i++)
            padding[i] = p.pad;
    return p;
}

/* Returns row `index` of the scratch, its element 0. */
MAXIMA_INLINE float *room_row(struct maxima_room room, void *scratch, int64_t index)
{
    return (float *)scratch + index * room.pitch + MAXIMA_FRONT;
}

#endif
