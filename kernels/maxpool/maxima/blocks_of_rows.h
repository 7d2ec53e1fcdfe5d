/* `van_herk` in vectors (kernels/maxpool/van_herk.c explains the idea). Blocks are steps of 8 rows
 * (4 or 2 for smaller k), whose prefixes and suffixes stay in registers; suffixes are kept until
 * the windows that begin there end. The maximum of the whole steps in between, the middle, is
 * updated in the same way, with a comparison or two per step.
 *
 * Along the row, maxima of up to LANES elements are taken by doubling in registers, and maxima of
 * long windows by the same idea over whole vectors.
 *
 * Adjacent windows (stride 1) that are not too long are computed by adjacent_windows.h instead.
 *
 * Included by files that are compiled once per instruction set (kernels/isa.h). */
#ifndef MAXPOOL_BLOCKS_OF_ROWS_H
#define MAXPOOL_BLOCKS_OF_ROWS_H

#include "kernels/maxpool/maxima/adjacent_windows.h"
#include "kernels/maxpool/maxima/maxima.h"
#include "kernels/maxpool/maxpool.h"

enum { STEP = 8, CHUNK = 512 };

/* One step down a strip. */
struct strip_step {
    const float *rows[STEP];
    float *kept[STEP]; /* where the suffixes of these rows are kept */
    /* For the windows that end in each row: their line (its elements NULL: no window of the block),
     * and the kept suffix of the row where they begin (NULL: they begin where the step does). */
    struct line lines[STEP];
    const float *suffixes[STEP];
    int64_t early;       /* windows ending in the first `early` rows contain one more whole step, */
    const float *before; /* whose maximum this is */
    /* The middle. Its steps form consecutive blocks: a step that leaves is overwritten in place. */
    float *place;  /* holds the suffix of the middle from here on; NULL: windows have no middle */
    float *prefix; /* of the middle's block */
    bool begins;   /* a block of the middle begins with this step */
};

/* Returns the maximum of the middle of the windows that end in this step, then stores `whole`, the
 * maximum of this step, among the whole steps. */
MAXIMA_INLINE vec middle(const struct strip_step *s, vec whole, int64_t i)
{
    const vec suffix = vec_load(s->place + i), prefix = vec_load(s->prefix + i);
    vec_store(s->place + i, whole);
    vec_store(s->prefix + i, s->begins ? whole : vec_max(whole, prefix));
    return s->begins ? suffix : vec_max(suffix, prefix);
}

MAXIMA_INLINE void step_elements(const struct strip *p, const struct strip_step *s, int n,
                                 bool has_middle, int64_t first, int64_t end, bool edge)
{
    for (int64_t i = first; i < end; i += LANES) {
        vec x[STEP], suffix[STEP];
        for (int r = 0; r < n; r++)
            x[r] = strip_load(p, s->rows[r], i, edge);
        suffix[n - 1] = x[n - 1];
        for (int r = n - 2; r >= 0; r--)
            suffix[r] = vec_max(x[r], suffix[r + 1]);
        vec prefix = has_middle ? middle(s, suffix[0], i) : x[0];
        const vec before = vec_load(s->before + i);
        for (int r = 0; r < n; r++) {
            prefix = vec_max(prefix, x[r]);
            if (!s->lines[r].elements)
                continue;
            vec best = r < s->early ? vec_max(prefix, before) : prefix;
            if (s->suffixes[r])
                best = vec_max(best, vec_load(s->suffixes[r] + i));
            vec_store(s->lines[r].elements + i, best);
        }
        for (int r = 0; r < n; r++)
            vec_store(s->kept[r] + i, suffix[r]);
    }
}

MAXIMA_INLINE void step_parts(const struct strip *p, const struct strip_step *s, int n,
                              bool has_middle, int64_t first, int64_t end)
{
    const struct parts parts = strip_parts(p, first, end);
    step_elements(p, s, n, has_middle, first, parts.left, true);
    step_elements(p, s, n, has_middle, parts.left, parts.middle, false);
    step_elements(p, s, n, has_middle, parts.middle, end, true);
}

static void step_chunk(const struct strip *p, const struct strip_step *s, int n, int64_t first,
                       int64_t end)
{
    if (s->place)
        step_parts(p, s, STEP, true, first, end);
    else if (n == STEP)
        step_parts(p, s, STEP, false, first, end);
    else if (n == 4)
        step_parts(p, s, 4, false, first, end);
    else
        step_parts(p, s, 2, false, first, end);
}

/* Rows of the scratch: padding, lines, kept suffixes, the middle's places, its prefix, a spare. */
struct van_herk {
    struct maxima_room room;
    float *scratch;
    int64_t step, kept, middle; /* rows of a step; rows kept; whole steps of the middle */
};

static float *scratch_row(const struct van_herk *v, int64_t index)
{
    return room_row(v->room, v->scratch, index);
}

static float *kept_row(const struct van_herk *v, int64_t row)
{
    return scratch_row(v, 1 + v->step + row % v->kept);
}

static float *middle_row(const struct van_herk *v, int64_t index)
{
    return scratch_row(v, 1 + v->step + v->kept + index);
}

static struct strip_step step_make(const struct strip *p, const struct van_herk *v, int64_t first)
{
    const int64_t whole = v->middle + 1; /* steps from a window's begin to its end, rounded down */
    const int64_t rest = p->kernel % v->step;
    struct strip_step s = {.early = rest > 0 ? rest - 1 : 0};
    for (int r = 0; r < v->step; r++) {
        const int64_t row = first + r, begun = row - p->kernel + 1;
        s.rows[r] = row < p->rows ? strip_row(p, row) : p->padding;
        s.kept[r] = kept_row(v, row);
        if (begun < 0 || begun % p->stride != 0 || row >= p->rows)
            continue;
        s.lines[r] = line_new(p, scratch_row(v, 1 + r), begun / p->stride);
        s.suffixes[r] = begun < first ? kept_row(v, begun) : NULL;
    }
    s.before = first >= whole * v->step ? kept_row(v, first - whole * v->step) : s.kept[0];
    if (v->middle > 0) {
        const int64_t place = first / v->step % v->middle;
        s.place = middle_row(v, place);
        s.prefix = middle_row(v, v->middle);
        s.begins = place == 0;
    }
    return s;
}

/* Called when a block of the middle is complete: replaces its maxima by their suffixes, in
 * place. */
static void middle_suffixes(const struct strip *p, const struct van_herk *v)
{
    for (int64_t m = v->middle - 2; m >= 0; m--) {
        float *row = middle_row(v, m);
        const float *below = middle_row(v, m + 1);
        for (int64_t i = 0; i < p->elements; i += LANES)
            vec_store(row + i, vec_max(vec_load(row + i), vec_load(below + i)));
    }
}

static void pool_strip(const struct strip *p, const struct van_herk *v, struct along along)
{
    for (int64_t first = 0; first < p->rows; first += v->step) {
        struct strip_step s = step_make(p, v, first);
        for (int64_t c = 0; c < p->elements; c += CHUNK) {
            const int64_t end = smaller(c + CHUNK, p->elements);
            step_chunk(p, &s, (int)v->step, c, end);
            for (int r = 0; r < v->step; r++)
                if (s.lines[r].elements)
                    line_advance(p, &s.lines[r], end, along);
        }
        if (v->middle > 0 && first / v->step % v->middle == v->middle - 1)
            middle_suffixes(p, v);
    }
}

/* The same idea over whole vectors instead of rows: the maxima of `reach` = LANES elements become
 * maxima of as many vectors as fit in a window, a block. The suffixes of a block are kept in
 * `spare`, because its vectors are replaced while the prefixes of the next block are taken. */
static int64_t grow_by_blocks(float *line, int64_t elements, int64_t reach, int64_t kernel,
                              float *spare)
{
    const int64_t block = kernel / reach * LANES; /* reach is LANES, or windows would be short */
    const int64_t end = elements - block + 1;
    for (int64_t first = 0; first < end; first += block) {
        vec suffix = vec_all(-FLT_MAX), prefix = suffix;
        for (int64_t i = block - LANES; i >= 0; i -= LANES) {
            suffix = vec_max(suffix, vec_load(line + first + i));
            vec_store(spare + i, suffix);
        }
        for (int64_t i = 0; i < block && first + i < end; i += LANES) {
            vec_store(line + first + i, vec_max(prefix, vec_load(spare + i)));
            prefix = vec_max(prefix, vec_load(line + first + block + i));
        }
    }
    return block;
}

static void pool_by_blocks(const struct maxpool_call *call, void *scratch)
{
    const struct geometry *g = call->geometry;
    if (adjacent_windows(g)) {
        adjacent_pool(call, scratch);
        return;
    }
    const bool apart = g->stride >= g->kernel;
    struct van_herk v = {.scratch = scratch,
                         .step = maxpool_van_herk_step(g),
                         .kept = maxpool_van_herk_kept(g),
                         .middle = maxpool_van_herk_middle(g)};
    v.room = maxima_room(g, call->block.cols, v.kept);
    const int64_t spare = apart ? 2 : v.step + v.kept + v.middle + 2;
    const struct along along = {maxima_reach(g->kernel), grow_by_blocks, scratch_row(&v, spare)};
    if (maxima_far_apart(g)) {
        maxpool_direct(call, scratch);
        return;
    }
    for (int64_t c = 0; c < call->block.cols; c += v.room.outputs) {
        const struct strip p = strip_make(call, v.room, c, scratch_row(&v, 0));
        if (apart)
            pool_rows(&p, scratch_row(&v, 1), along);
        else
            pool_strip(&p, &v, along);
    }
    maxima_finish(g);
}

#endif
