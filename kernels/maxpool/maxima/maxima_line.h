/* Processes a line while it grows: outputs are stored as soon as their windows are complete. */
#ifndef MAXPOOL_MAXIMA_LINE_H
#define MAXPOOL_MAXIMA_LINE_H

#include "kernels/maxpool/maxima/maxima_slide.h"

/* How a method takes the maxima of long windows: replaces, in place, the maxima of `reach` elements
 * in [0, elements) by maxima of more elements, at least half of `kernel`. Returns the new reach.
 * `spare` is a row of scratch. */
typedef int64_t maxima_grow(float *line, int64_t elements, int64_t reach, int64_t kernel,
                            float *spare);

/* How a method takes horizontal maxima. */
struct along {
    int64_t reach;     /* elements that widening in registers combines: 1 (none) .. LANES */
    maxima_grow *grow; /* NULL: long windows are covered by as many pieces as needed */
    float *spare;
};

enum { MAXIMA_PIECES = 8 }; /* windows of more pieces than this are long */

/* Widens the line as far as its elements [0, ready) allow. Only whole vectors, because their
 * neighbours to the right must not be replaced before they are widened themselves. */
MAXIMA_INLINE void line_widen(const struct strip *p, struct line *l, int64_t ready, int64_t reach)
{
    int64_t end = ready - reach + 1;
    if (ready < p->elements)
        end = l->widened + (end > l->widened ? (end - l->widened) / LANES * LANES : 0);
    widen(l->elements, l->widened, end, reach);
    l->widened = end;
}

/* Returns `end`, rounded down to where a cache line of the map begins. */
MAXIMA_INLINE int64_t whole_lines(const struct line *l, int64_t end)
{
    return end - (int64_t)((uintptr_t)(l->out + end) / sizeof(float) % 16);
}

/* Returns the number of outputs that elements [0, done) complete, in whole cache lines of the map:
 * output i needs elements up to i * stride + last. All outputs if the line is `complete`. */
MAXIMA_INLINE int64_t outputs_within(const struct strip *p, const struct line *l, int64_t done,
                                     int64_t last, bool complete)
{
    if (complete)
        return p->outputs;
    return done > last ? whole_lines(l, (done - 1 - last) / p->stride + 1) : 0;
}

/* Moves elements [first, end) to the beginning of the line's room. */
MAXIMA_INLINE void line_move(struct line *l, int64_t first, int64_t end)
{
    if (first <= 0)
        return;
    float *moved = l->room - first;
    for (int64_t i = first; i < end; i += LANES)
        vec_store(moved + i, vec_load(l->elements + i));
    l->elements = moved;
}

/* Stores the outputs that elements [0, ready) of the line complete, up to where a cache line of the
 * map begins unless the line is complete. */
MAXIMA_INLINE void line_advance(const struct strip *p, struct line *l, int64_t ready,
                                struct along along)
{
    struct cover c = maxima_cover(p->kernel, along.reach);
    const bool complete = ready >= p->elements, grows = c.pieces > MAXIMA_PIECES && along.grow;
    const bool slides =
        p->stride <= 2 && (c.pieces <= 2 || (c.pieces <= SLIDE_PIECES && c.reach == LANES));
    if (grows && !complete)
        return;
    if (!slides)
        line_widen(p, l, ready, c.reach);
    if (grows)
        c = maxima_cover(p->kernel,
                         along.grow(l->elements, p->elements, c.reach, p->kernel, along.spare));
    const int64_t end = slides ? outputs_within(p, l, ready, p->kernel - 1, complete)
                               : outputs_within(p, l, l->widened, c.last, complete);
    if (end <= l->emitted)
        return;
    if (slides)
        slide_outputs_of(l, l->emitted, end, c, p->stride, p->stream);
    else
        emit_outputs(l, l->emitted, end, c, p->stride, p->stream);
    l->emitted = end;
    if (slides && !complete && l->room)
        line_move(l, end * p->stride - LANES, ready);
}

/* Returns the empty line of output row `row` of the block. A streamed row begins and ends within
 * cache lines that it shares with its neighbours. These lines are prefetched now, because a store
 * that waits for its line delays all stores after it. */
MAXIMA_INLINE struct line line_new(const struct strip *p, float *elements, int64_t row)
{
    const struct maxpool_call *call = p->call;
    float *out = map_row(&call->map, call->block.row + row) + p->col;
    if (p->stream) {
        __builtin_prefetch(out, 1, 3);
        __builtin_prefetch(out + p->outputs, 1, 3);
    }
    return (struct line){.elements = elements, .out = out, .room = elements};
}

#endif
