/* What the methods without a product share. Each computes its block strip by strip; in a strip the
 * vertical maxima of an output row become a `line` of full resolution, and along the line the
 * horizontal maxima are found, of which every stride-th is an output. The methods differ in how
 * they find vertical maxima, and in how they take long horizontal ones.
 *
 * A strip is a piece of the padded image: its cell 0 is where the first output's window begins,
 * which may lie in the padding, and so may whole rows of it. Cells outside the image hold the pad
 * value (0, or -FLT_MAX, which never wins), so that nothing past the loads knows of padding.
 *
 * Included by files that are compiled once per instruction set (kernels/isa.h). */
#ifndef MAXPOOL_MAXIMA_H
#define MAXPOOL_MAXIMA_H

#include "kernels/call.h"
#include "kernels/maxpool/maxima_scratch.h"
#include "kernels/order.h"
#include "kernels/vector.h"

#include <float.h>

#define MAXIMA_INLINE static inline __attribute__((always_inline, unused))

/* Cells of a line worked on at a time, so that they are still in the first-level cache when the
 * horizontal maxima are taken. */
enum { MAXIMA_CHUNK = 1024 };

struct strip {
    const struct maxpool_call *call;
    int64_t kernel, stride;
    int64_t col, outputs; /* output columns [col, col + outputs) */
    int64_t cells;        /* (outputs - 1) * stride + kernel */
    int64_t left;         /* image column of cell 0 */
    int64_t inside, end;  /* cells [inside, end) lie within the image's columns */
    int64_t top, rows;    /* image row of row 0; rows of all the block's windows together */
    float pad;
    const float *padding; /* a row of pad values, for rows outside the image */
    int64_t ahead;        /* cells from a row to the one asked for meanwhile; 0: none is */
    bool stream;          /* the map is too large for the caches: store past them */
};

MAXIMA_INLINE int64_t maxima_clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* Cells [0, n) of row `row` of the strip; those outside [inside, end) must not be touched, unless
 * the row is outside the image. */
MAXIMA_INLINE const float *strip_row(const struct strip *p, int64_t row)
{
    const int64_t r = p->top + row;
    if (r < 0 || r >= p->call->geometry->rows)
        return p->padding;
    return view_row(&p->call->image, r) + p->left;
}

/* A vector of cells from cell i on; `edge` where some of them may lie outside the image. */
MAXIMA_INLINE vec strip_load(const struct strip *p, const float *row, int64_t i, bool edge)
{
    if (!edge)
        return vec_load(row + i);
    const int64_t first = maxima_clamp(p->inside - i, 0, LANES);
    const int64_t end = maxima_clamp(p->end - i, first, LANES);
    return vec_load_lanes(row + i, first, end, vec_all(p->pad));
}

/* Vectors of cells from `first` on, one each LANES cells up to `end`, fall into a left part that
 * needs edge loads, a part that does not, and a right part that does. */
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

/* ---- one output row along its line ------------------------------------------------------------
 */

/* A line becomes outputs while it grows: cells [0, ready) hold vertical maxima, of which those
 * [0, widened) were replaced by the maxima of `reach` cells that begin there, and outputs
 * [0, emitted) are stored. */
struct line {
    float *cells;
    float *out;
    float *room; /* NULL, or where what is left of the line moves when outputs are stored, so that a
                    wide line does not push everything else out of the first-level cache; cell 0
                    then lies before the room */
    int64_t widened, emitted;
};

/* Largest power of two up to k and LANES: what widening in registers reaches. */
MAXIMA_INLINE int64_t maxima_reach(int64_t k)
{
    int64_t reach = 1;
    while (2 * reach <= k && 2 * reach <= LANES)
        reach *= 2;
    return reach;
}

/* The vectors before, at each step of the widening: of cells, of maxima of 2, of 4, of 8. Names and
 * not an array, so that they live in registers. */
struct widening {
    vec one, two, four, eight;
};

/* Joins x with what lies `shift` cells before each of its lanes. */
MAXIMA_INLINE vec widen_once(vec *before, vec x, int64_t shift)
{
    const vec delayed = vec_delay(*before, x, shift);
    *before = x;
    return vec_max(x, delayed);
}

/* One vector more of the maxima of `reach` cells that end at each lane: 2, 4, 8 ... cells, a step
 * each. */
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

/* Replaces cells [first, end) of a line by the maximum of the `reach` cells that begin at each,
 * whole vectors at a time: cells up to the next multiple of LANES from `first` are replaced too. */
MAXIMA_INLINE void widen_by(float *cells, int64_t first, int64_t end, int64_t reach)
{
    struct widening before = widening_begin();
    widen_step(&before, vec_load(cells + first + reach - 1 - LANES), reach);
    for (int64_t i = first; i < end; i += LANES)
        vec_store(cells + i, widen_step(&before, vec_load(cells + i + reach - 1), reach));
}

MAXIMA_INLINE void widen(float *cells, int64_t first, int64_t end, int64_t reach)
{
    switch (reach) {
    case 1:
        break;
    case 2:
        widen_by(cells, first, end, 2);
        break;
    case 4:
        widen_by(cells, first, end, 4);
        break;
    case 8:
        widen_by(cells, first, end, 8);
        break;
    default:
        widen_by(cells, first, end, 16);
        break;
    }
}

/* The maximum over windows of `kernel` cells, made of `pieces` maxima of `reach` cells each: the
 * last is moved back to end where the window ends. */
struct cover {
    int64_t reach, pieces, last;
};

MAXIMA_INLINE struct cover maxima_cover(int64_t kernel, int64_t reach)
{
    return (struct cover){reach, (kernel + reach - 1) / reach, kernel - reach};
}

MAXIMA_INLINE vec cover_load(const float *cells, int64_t stride)
{
    if (stride == 1)
        return vec_load(cells);
    if (stride == 2)
        return vec_even(vec_load(cells), vec_load(cells + LANES));
    return vec_load_every(cells, stride);
}

/* LANES outputs whose windows begin at `cells` and each `stride` further. */
MAXIMA_INLINE vec cover_outputs(const float *cells, struct cover c, int64_t stride)
{
    vec best = cover_load(cells + c.last, stride);
    for (int64_t i = 0; i + 1 < c.pieces; i++)
        best = vec_max(best, cover_load(cells + i * c.reach, stride));
    return best;
}

/* Stores outputs [first, end): single vectors up to a cache line's beginning, whole lines past the
 * caches where asked, then the tail. */
MAXIMA_INLINE void emit(const struct line *l, int64_t first, int64_t end, struct cover c,
                        int64_t stride, bool stream)
{
    const float *cells = l->cells;
    float *out = l->out;
    int64_t i = first;
    if (stream) {
        const int64_t past = (int64_t)((uintptr_t)(out + i) / sizeof(float) % LANES);
        if (past > 0) {
            const int64_t n = smaller(LANES - past, end - i);
            vec_store_part(out + i, cover_outputs(cells + i * stride, c, stride), n);
            i += n;
        }
        for (; i + LANES <= end; i += LANES)
            vec_stream(out + i, cover_outputs(cells + i * stride, c, stride));
    }
    for (; i + LANES <= end; i += LANES)
        vec_store(out + i, cover_outputs(cells + i * stride, c, stride));
    if (i < end)
        vec_store_part(out + i, cover_outputs(cells + i * stride, c, stride), end - i);
}

/* Windows this far apart share no cache line's worth of cells: one by one. */
enum { MAXIMA_FAR = 16 };

MAXIMA_INLINE void emit_far(const struct line *l, int64_t first, int64_t end, struct cover c,
                            int64_t stride)
{
    for (int64_t i = first; i < end; i++) {
        const float *cells = l->cells + i * stride;
        float best = cells[c.last];
        for (int64_t piece = 0; piece + 1 < c.pieces; piece++)
            best = cells[piece * c.reach] > best ? cells[piece * c.reach] : best;
        l->out[i] = best;
    }
}

/* The common strides and numbers of pieces compiled as constants. */
MAXIMA_INLINE void emit_outputs(const struct line *l, int64_t first, int64_t end, struct cover c,
                                int64_t stride, bool stream)
{
    if (stride == 1 && c.pieces == 1)
        emit(l, first, end, (struct cover){c.reach, 1, 0}, 1, stream);
    else if (stride == 1 && c.pieces == 2)
        emit(l, first, end, (struct cover){c.reach, 2, c.last}, 1, stream);
    else if (stride == 1 && c.pieces == 3)
        emit(l, first, end, (struct cover){c.reach, 3, c.last}, 1, stream);
    else if (stride == 1 && c.pieces == 4)
        emit(l, first, end, (struct cover){c.reach, 4, c.last}, 1, stream);
    else if (stride == 1)
        emit(l, first, end, c, 1, stream);
    else if (stride == 2 && c.pieces == 1)
        emit(l, first, end, (struct cover){c.reach, 1, 0}, 2, stream);
    else if (stride == 2 && c.pieces == 2)
        emit(l, first, end, (struct cover){c.reach, 2, c.last}, 2, stream);
    else if (stride <= MAXIMA_FAR)
        emit(l, first, end, c, stride, stream);
    else
        emit_far(l, first, end, c, stride);
}

/* ---- windows of a few pieces, in registers -----------------------------------------------------
 */

enum { SLIDE_PIECES = 4 };

/* What windows ending in the next vector still reach back to. */
struct slide {
    struct widening widening;
    vec wide1, wide2, wide3; /* maxima of `reach` cells, the latest first */
};

/* The next LANES cells of a line: the maxima of the windows that end at each, the first piece from
 * this vector, whole ones from those before, and the last from where two of them meet. */
MAXIMA_INLINE vec slide_step(struct slide *h, vec x, struct cover c)
{
    const int64_t rest = c.last - (c.pieces - 2) * c.reach;
    const vec wide = widen_step(&h->widening, x, c.reach);
    vec best = wide;
    if (c.pieces == 2)
        best = vec_max(wide, vec_delay(h->wide1, wide, rest));
    if (c.pieces == 3)
        best = vec_max(vec_max(wide, h->wide1), vec_delay(h->wide2, h->wide1, rest));
    if (c.pieces == 4)
        best = vec_max(vec_max(wide, h->wide1),
                       vec_max(h->wide2, vec_delay(h->wide3, h->wide2, rest)));
    h->wide3 = h->wide2;
    h->wide2 = h->wide1;
    h->wide1 = wide;
    return best;
}

/* Makes ready for windows that begin at `cells`. */
MAXIMA_INLINE struct slide slide_begin(const float *cells, struct cover c)
{
    struct slide h = {widening_begin(), vec_zero(), vec_zero(), vec_zero()};
    const int64_t tail = c.last + c.reach - 1;
    for (int64_t back = (tail + LANES - 1) / LANES * LANES; back > 0; back -= LANES)
        slide_step(&h, vec_load(cells + tail - back), c);
    return h;
}

/* The next LANES outputs, whose windows begin at `cells` and, stride being 1 or 2, each so many
 * further. */
MAXIMA_INLINE vec slide_outputs(struct slide *h, const float *cells, struct cover c, int64_t stride)
{
    const float *last = cells + c.last + c.reach - 1;
    const vec first = slide_step(h, vec_load(last), c);
    return stride == 1 ? first : vec_even(first, slide_step(h, vec_load(last + LANES), c));
}

/* Stores outputs [first, end): one vector in part up to where a cache line of the map begins, whole
 * lines past the caches where asked, then the tail. */
MAXIMA_INLINE void slide_along(const struct line *l, int64_t first, int64_t end, struct cover c,
                               int64_t stride, bool stream)
{
    const float *cells = l->cells;
    float *out = l->out;
    int64_t i = first;
    const int64_t past = (int64_t)((uintptr_t)(out + i) / sizeof(float) % LANES);
    struct slide h = slide_begin(cells + i * stride, c);
    if (past > 0 && end - i >= LANES) {
        const vec v = slide_outputs(&h, cells + i * stride, c, stride);
        vec_store_part(out + i, v, LANES - past);
        i += LANES - past;
        h = slide_begin(cells + i * stride, c);
    }
    if (stream)
        for (; i + LANES <= end; i += LANES)
            vec_stream(out + i, slide_outputs(&h, cells + i * stride, c, stride));
    for (; i + LANES <= end; i += LANES)
        vec_store(out + i, slide_outputs(&h, cells + i * stride, c, stride));
    if (i < end)
        vec_store_part(out + i, slide_outputs(&h, cells + i * stride, c, stride), end - i);
}

/* The reach as a constant. */
MAXIMA_INLINE void slide_reach(const struct line *l, int64_t first, int64_t end, struct cover c,
                               int64_t stride, bool stream)
{
    switch (c.reach) {
    case 1:
        slide_along(l, first, end, (struct cover){1, c.pieces, c.last}, stride, stream);
        break;
    case 2:
        slide_along(l, first, end, (struct cover){2, c.pieces, c.last}, stride, stream);
        break;
    case 4:
        slide_along(l, first, end, (struct cover){4, c.pieces, c.last}, stride, stream);
        break;
    case 8:
        slide_along(l, first, end, (struct cover){8, c.pieces, c.last}, stride, stream);
        break;
    default:
        slide_along(l, first, end, (struct cover){16, c.pieces, c.last}, stride, stream);
        break;
    }
}

/* And the number of pieces; more than two have all the reach there is. */
MAXIMA_INLINE void slide_pieces(const struct line *l, int64_t first, int64_t end, struct cover c,
                                int64_t stride, bool stream)
{
    if (c.pieces == 1)
        slide_reach(l, first, end, (struct cover){c.reach, 1, 0}, stride, stream);
    else if (c.pieces == 2)
        slide_reach(l, first, end, (struct cover){c.reach, 2, c.last}, stride, stream);
    else if (c.pieces == 3)
        slide_along(l, first, end, (struct cover){LANES, 3, c.last}, stride, stream);
    else
        slide_along(l, first, end, (struct cover){LANES, 4, c.last}, stride, stream);
}

static __attribute__((noinline, unused)) void slide_outputs_of(const struct line *l, int64_t first,
                                                               int64_t end, struct cover c,
                                                               int64_t stride, bool stream)
{
    if (stride == 1)
        slide_pieces(l, first, end, c, 1, stream);
    else
        slide_pieces(l, first, end, c, 2, stream);
}

/* ---- a line as it grows ------------------------------------------------------------------------
 */

/* How a method takes the maxima of long windows: in place, those of `reach` cells in
 * [0, cells) become those of more, at least half of `kernel`; returns how many. `spare` is a row of
 * scratch. */
typedef int64_t maxima_grow(float *line, int64_t cells, int64_t reach, int64_t kernel,
                            float *spare);

/* Horizontal maxima as a method takes them. */
struct along {
    int64_t reach;     /* cells that widening in registers joins: 1 (none) .. LANES */
    maxima_grow *grow; /* NULL: long windows are made of as many pieces as it takes */
    float *spare;
};

enum { MAXIMA_PIECES = 8 }; /* windows of more pieces than this are long */

/* Widens what the line has by now: cells [0, ready). Whole vectors, because their neighbours to the
 * right must not be replaced before they are widened themselves. */
MAXIMA_INLINE void line_widen(const struct strip *p, struct line *l, int64_t ready, int64_t reach)
{
    int64_t end = ready - reach + 1;
    if (ready < p->cells)
        end = l->widened + (end > l->widened ? (end - l->widened) / LANES * LANES : 0);
    widen(l->cells, l->widened, end, reach);
    l->widened = end;
}

/* Where outputs up to `end` end if only whole cache lines of the map are to be written. */
MAXIMA_INLINE int64_t whole_lines(const struct line *l, int64_t end)
{
    return end - (int64_t)((uintptr_t)(l->out + end) / sizeof(float) % 16);
}

/* Outputs whose windows have `reach` cells at most `last` further than the first `done` cells. */
MAXIMA_INLINE int64_t outputs_within(const struct strip *p, const struct line *l, int64_t done,
                                     int64_t last, bool complete)
{
    if (complete)
        return p->outputs;
    return done > last ? whole_lines(l, (done - 1 - last) / p->stride + 1) : 0;
}

/* Moves cells [first, end) to the beginning of the line's room. */
MAXIMA_INLINE void line_move(struct line *l, int64_t first, int64_t end)
{
    if (first <= 0)
        return;
    float *moved = l->room - first;
    for (int64_t i = first; i < end; i += LANES)
        vec_store(moved + i, vec_load(l->cells + i));
    l->cells = moved;
}

/* The line has cells [0, ready) now: stores the outputs that follow, up to where a cache line of
 * the map begins unless the line is complete. */
MAXIMA_INLINE void line_advance(const struct strip *p, struct line *l, int64_t ready,
                                struct along along)
{
    struct cover c = maxima_cover(p->kernel, along.reach);
    const bool complete = ready >= p->cells, grows = c.pieces > MAXIMA_PIECES && along.grow;
    const bool slides =
        p->stride <= 2 && (c.pieces <= 2 || (c.pieces <= SLIDE_PIECES && c.reach == LANES));
    if (grows && !complete)
        return;
    if (!slides)
        line_widen(p, l, ready, c.reach);
    if (grows)
        c = maxima_cover(p->kernel,
                         along.grow(l->cells, p->cells, c.reach, p->kernel, along.spare));
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

/* The line of output row `row` of the block, empty. A streamed row begins and ends within cache
 * lines that it shares with its neighbours: those are asked for now, because a store that waits
 * for its line holds up all stores behind it. */
MAXIMA_INLINE struct line line_new(const struct strip *p, float *cells, int64_t row)
{
    const struct maxpool_call *call = p->call;
    float *out = map_row(&call->map, call->block.row + row) + p->col;
    if (p->stream) {
        __builtin_prefetch(out, 1, 3);
        __builtin_prefetch(out + p->outputs, 1, 3);
    }
    return (struct line){.cells = cells, .out = out, .room = cells};
}

/* ---- vertical maxima of rows that no other output shares --------------------------------------
 */

enum { MAXIMA_STREAMS = 8 }; /* rows read side by side */

/* Cells [first, end) of the line become the maxima of `count` rows and, unless `fresh`, what they
 * were. */
MAXIMA_INLINE void fold_cells(const struct strip *p, const float *const *rows, int count,
                              bool fresh, float *line, int64_t first, int64_t end, bool edge)
{
    const int64_t ahead = p->ahead;
    for (int64_t i = first; i < end; i += LANES) {
        for (int r = 0; ahead > 0 && !edge && r < count; r++)
            __builtin_prefetch(rows[r] + i + ahead, 0, 2);
        vec best = strip_load(p, rows[0], i, edge);
        for (int r = 1; r < count; r++)
            best = vec_max(best, strip_load(p, rows[r], i, edge));
        vec_store(line + i, fresh ? best : vec_max(best, vec_load(line + i)));
    }
}

MAXIMA_INLINE void fold_parts(const struct strip *p, const float *const *rows, int count,
                              bool fresh, float *line, int64_t first, int64_t end)
{
    const struct parts parts = strip_parts(p, first, end);
    fold_cells(p, rows, count, fresh, line, first, parts.left, true);
    fold_cells(p, rows, count, fresh, line, parts.left, parts.middle, false);
    fold_cells(p, rows, count, fresh, line, parts.middle, end, true);
}

MAXIMA_INLINE void fold_rows(const struct strip *p, const float *const *rows, int count, bool fresh,
                             float *line, int64_t first, int64_t end)
{
    if (count == 2 && fresh)
        fold_parts(p, rows, 2, true, line, first, end);
    else if (count == 3 && fresh)
        fold_parts(p, rows, 3, true, line, first, end);
    else if (count == 4)
        fold_parts(p, rows, 4, fresh, line, first, end);
    else if (count == MAXIMA_STREAMS)
        fold_parts(p, rows, MAXIMA_STREAMS, fresh, line, first, end);
    else
        fold_parts(p, rows, count, fresh, line, first, end);
}

/* ---- small windows without a line -------------------------------------------------------------
 */

/* The windows of an output row: its image rows and the cells that its vectors are made of. */
struct small {
    const struct strip *strip;
    const float *rows[3];
    struct cover cover;
};

/* The maxima of LANES columns, from where the window that begins at `cell` ends. */
MAXIMA_INLINE vec small_columns(const struct small *w, int64_t cell, int64_t k, bool edge)
{
    vec best = strip_load(w->strip, w->rows[0], cell + k - 1, edge);
    for (int64_t r = 1; r < k; r++)
        best = vec_max(best, strip_load(w->strip, w->rows[r], cell + k - 1, edge));
    return best;
}

MAXIMA_INLINE struct slide small_begin(const struct small *w, int64_t cell, int64_t k)
{
    struct slide h = {widening_begin(), vec_zero(), vec_zero(), vec_zero()};
    slide_step(&h, small_columns(w, cell - LANES, k, true), w->cover);
    return h;
}

MAXIMA_INLINE vec small_outputs(const struct small *w, struct slide *h, int64_t i, int64_t k,
                                int64_t stride, bool edge)
{
    const int64_t cell = i * stride;
    const vec first = slide_step(h, small_columns(w, cell, k, edge), w->cover);
    if (stride == 1)
        return first;
    const vec second = slide_step(h, small_columns(w, cell + LANES, k, edge), w->cover);
    return vec_even(first, second);
}

/* Asks for what the outputs below are the first to read. */
MAXIMA_INLINE void small_ahead(const struct small *w, int64_t i, int64_t k, int64_t stride)
{
    for (int64_t r = k > stride ? k - stride : 0; r < k; r++)
        for (int64_t v = 0; v < stride; v++)
            __builtin_prefetch(w->rows[r] + i * stride + v * LANES + w->strip->ahead, 0, 2);
}

/* Outputs from `i` on of which all cells lie within the image, whole vectors of them. */
MAXIMA_INLINE int64_t small_inside(const struct strip *p, int64_t i, int64_t k, int64_t stride)
{
    const int64_t room = p->end - (k - 1) - i * stride;
    const int64_t fit = p->inside <= k - 1 && room > 0 ? room / (stride * LANES) * LANES : 0;
    return i + smaller(fit, (p->outputs - i) / LANES * LANES);
}

/* One output row straight from its k <= 3 image rows to the map: what short rows need, which a line
 * would cost more than the maxima. */
MAXIMA_INLINE void small_row(const struct strip *p, int64_t row, int64_t k, int64_t stride)
{
    const struct small w = {p,
                            {strip_row(p, row * stride), strip_row(p, row * stride + (k > 1)),
                             strip_row(p, row * stride + k - 1)},
                            k == 1   ? (struct cover){1, 1, 0}
                            : k == 2 ? (struct cover){2, 1, 0}
                                     : (struct cover){2, 2, 1}};
    float *out = map_row(&p->call->map, p->call->block.row + row) + p->col;
    const int64_t past = (int64_t)((uintptr_t)out / sizeof(float) % LANES);
    int64_t i = 0;
    struct slide h = small_begin(&w, 0, k);
    if (p->stream && past > 0 && p->outputs >= LANES) {
        vec_store_part(out, small_outputs(&w, &h, 0, k, stride, true), LANES - past);
        i = LANES - past;
        h = small_begin(&w, i * stride, k);
    }
    const int64_t inside = small_inside(p, i, k, stride);
    if (p->stream)
        for (; i < inside; i += LANES) {
            if (p->ahead > 0 && k + stride > 2) /* a copy is quicker in one stream */
                small_ahead(&w, i, k, stride);
            vec_stream(out + i, small_outputs(&w, &h, i, k, stride, false));
        }
    for (; i < inside; i += LANES)
        vec_store(out + i, small_outputs(&w, &h, i, k, stride, false));
    for (; i < p->outputs; i += LANES)
        vec_store_part(out + i, small_outputs(&w, &h, i, k, stride, true),
                       smaller(LANES, p->outputs - i));
}

MAXIMA_INLINE bool small_windows(const struct geometry *g)
{
    return LANES > 1 && g->kernel <= 3 && g->stride <= 2;
}

MAXIMA_INLINE void small_rows(const struct strip *p)
{
    const int64_t rows = p->call->block.rows;
    for (int64_t r = 0; r < rows; r++)
        if (p->kernel == 2 && p->stride == 1)
            small_row(p, r, 2, 1);
        else if (p->kernel == 2)
            small_row(p, r, 2, 2);
        else if (p->kernel == 3 && p->stride == 1)
            small_row(p, r, 3, 1);
        else if (p->kernel == 3)
            small_row(p, r, 3, 2);
        else if (p->stride == 1)
            small_row(p, r, 1, 1);
        else
            small_row(p, r, 1, 2);
}

/* One output row from the image itself, each of its k rows read once: some rows at a time over the
 * whole strip, the last of them piece by piece with the horizontal maxima behind. */
MAXIMA_INLINE void pool_row(const struct strip *p, int64_t row, float *cells, struct along along)
{
    const float *rows[MAXIMA_STREAMS];
    struct line line = line_new(p, cells, row);
    if (p->kernel > MAXIMA_STREAMS)
        line.room = NULL; /* the line gathers what several passes find */
    for (int64_t done = 0; done < p->kernel;) {
        const int count = (int)smaller(MAXIMA_STREAMS, p->kernel - done);
        const bool fresh = done == 0;
        for (int i = 0; i < count; i++)
            rows[i] = strip_row(p, row * p->stride + done + i);
        done += count;
        const int64_t piece = done < p->kernel ? p->cells : MAXIMA_CHUNK;
        for (int64_t c = 0; c < p->cells; c += piece) {
            const int64_t end = smaller(c + piece, p->cells);
            fold_rows(p, rows, count, fresh, line.cells, c, end);
            if (done == p->kernel)
                line_advance(p, &line, end, along);
        }
    }
}

MAXIMA_INLINE void pool_rows(const struct strip *p, float *cells, struct along along)
{
    for (int64_t r = 0; r < p->call->block.rows; r++)
        pool_row(p, r, cells, along);
}

/* Windows that share no cell and hardly a cache line: nothing that these methods do helps there. */
MAXIMA_INLINE bool maxima_far_apart(const struct geometry *g)
{
    return g->stride > g->kernel && g->stride > MAXIMA_FAR;
}

/* ---- strips -----------------------------------------------------------------------------------
 */

/* Images and maps from here on do not fit what a worker has of the caches. */
static const int64_t maxima_stream_bytes = (int64_t)4 << 20;

MAXIMA_INLINE bool maxima_streams(const struct geometry *g)
{
    return g->planes * g->out_rows * g->out_cols * (int64_t)sizeof(float) >= maxima_stream_bytes;
}

/* At the end of a call: what was stored past the caches becomes visible to others. */
MAXIMA_INLINE void maxima_finish(const struct geometry *g)
{
    if (maxima_streams(g))
        vec_fence();
}

/* From a row to that of the next row of windows; 0 where the image stays in the caches, or these
 * rows would not. */
MAXIMA_INLINE int64_t strip_ahead(const struct maxpool_call *call)
{
    const struct geometry *g = call->geometry;
    const int64_t image = geometry_cells(g->planes, g->rows, g->cols);
    if (image * (int64_t)sizeof(float) < maxima_stream_bytes)
        return 0;
    return view_ahead(&call->image, g->stride, 128 * 1024, 0);
}

/* The strip that begins `col` outputs into the block. `padding` is a row of the scratch; it is
 * filled here where the block has rows outside the image. */
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
                      .cells = (outputs - 1) * g->stride + g->kernel,
                      .left = (o->col + col) * g->stride - g->padding,
                      .top = o->row * g->stride - g->padding,
                      .rows = (o->rows - 1) * g->stride + g->kernel,
                      .pad = geometry_pad_value(g),
                      .padding = padding};
    p.inside = maxima_clamp(-p.left, 0, p.cells);
    p.end = maxima_clamp(g->cols - p.left, p.inside, p.cells);
    p.stream = maxima_streams(g);
    p.ahead = strip_ahead(call);
    if (p.top < 0 || p.top + p.rows > g->rows)
        for (int64_t i = 0; i < p.cells; i++)
            padding[i] = p.pad;
    return p;
}

/* Row `index` of the scratch, its cell 0. */
MAXIMA_INLINE float *room_row(struct maxima_room room, void *scratch, int64_t index)
{
    return (float *)scratch + index * room.pitch + MAXIMA_FRONT;
}

#endif
