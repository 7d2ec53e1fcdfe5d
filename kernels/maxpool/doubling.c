/* A maximum of 2 elements comes from two elements, a maximum of 4 from two maxima of 2, and so on.
 * This takes ceil(log2 k) comparisons in each direction instead of k - 1; the parts of the last one
 * overlap if k is not a power of two.
 *
 * Down the image, row r and the row above it give max(r-1, r); this and the one two rows above give
 * max(r-3 .. r), and so on. Each step keeps the earlier rows that it needs, 1 + 2 + 4 + ... = k - 1
 * rows in all. Along the row, the first steps stay in registers. If windows do not overlap, no rows
 * are kept. */
#include "kernels/isa.h"
#include "kernels/maxpool/maxima/maxima.h"
#include "kernels/maxpool/maxpool.h"

enum { LEVELS = 4 /* steps in one pass over a row */, MAX_LEVELS = 64 };

/* The steps down the image. Step i combines maxima that are `shift` rows apart, so it keeps `shift`
 * rows. */
struct steps {
    int count;
    struct {
        int64_t shift, first; /* the first row that it keeps */
    } step[MAX_LEVELS];
};

static struct steps steps_make(int64_t kernel)
{
    struct steps s = {0};
    int64_t first = 0;
    for (int64_t reach = 1; reach < kernel; s.count++) {
        const int64_t shift = smaller(reach, kernel - reach);
        s.step[s.count].shift = shift;
        s.step[s.count].first = first;
        first += shift;
        reach += shift;
    }
    return s;
}

/* For elements [first, end): combines the row with the rows that the steps kept, keeps the new
 * maxima of each step for later rows, and stores the result in the line. */
MAXIMA_INLINE void descend_elements(const struct strip *p, const float *row, float *const *kept,
                                    int n, float *line, int64_t first, int64_t end, bool edge)
{
    for (int64_t i = first; i < end; i += LANES) {
        vec x = strip_load(p, row, i, edge);
        for (int step = 0; step < n; step++) {
            const vec above = vec_load(kept[step] + i);
            vec_store(kept[step] + i, x);
            x = vec_max(x, above);
        }
        vec_store(line + i, x);
    }
}

MAXIMA_INLINE void descend_parts(const struct strip *p, const float *row, float *const *kept, int n,
                                 float *line, int64_t first, int64_t end)
{
    if (row == line) { /* a later pass: no element of the line is outside */
        descend_elements(p, row, kept, n, line, first, end, false);
        return;
    }
    const struct parts parts = strip_parts(p, first, end);
    descend_elements(p, row, kept, n, line, first, parts.left, true);
    descend_elements(p, row, kept, n, line, parts.left, parts.middle, false);
    descend_elements(p, row, kept, n, line, parts.middle, end, true);
}

MAXIMA_INLINE void descend(const struct strip *p, const float *row, float *const *kept, int n,
                           float *line, int64_t first, int64_t end)
{
    switch (n) {
    case 1:
        descend_parts(p, row, kept, 1, line, first, end);
        break;
    case 2:
        descend_parts(p, row, kept, 2, line, first, end);
        break;
    case 3:
        descend_parts(p, row, kept, 3, line, first, end);
        break;
    default:
        descend_parts(p, row, kept, LEVELS, line, first, end);
        break;
    }
}

static int64_t grow_by_doubling(float *line, int64_t elements, int64_t reach, int64_t kernel,
                                float *spare)
{
    (void)spare;
    for (; 2 * reach <= kernel; reach *= 2)
        for (int64_t i = 0; i < elements - 2 * reach + 1; i += LANES)
            vec_store(line + i, vec_max(vec_load(line + i), vec_load(line + i + reach)));
    return reach;
}

static void pool_strip(const struct strip *p, struct maxima_room room, void *scratch,
                       struct along along)
{
    const struct steps steps = steps_make(p->kernel);
    float *elements = room_row(room, scratch, 1), *kept[MAX_LEVELS];
    for (int64_t r = 0; r < p->rows; r++) {
        const int64_t begun = r - p->kernel + 1; /* first row of the windows that end here */
        const bool output = begun >= 0 && begun % p->stride == 0;
        struct line line = line_new(p, elements, output ? begun / p->stride : 0);
        const float *row = strip_row(p, r);
        for (int i = 0; i < steps.count; i++)
            kept[i] = room_row(room, scratch, 2 + steps.step[i].first + r % steps.step[i].shift);
        for (int64_t c = 0; c < p->elements; c += MAXIMA_CHUNK) {
            const int64_t end = smaller(c + MAXIMA_CHUNK, p->elements);
            for (int i = 0; i < steps.count; i += LEVELS)
                descend(p, i == 0 ? row : line.elements, kept + i,
                        (int)smaller(LEVELS, steps.count - i), line.elements, c, end);
            if (output)
                line_advance(p, &line, end, along);
        }
    }
}

void ISA_FUNCTION(maxpool_doubling)(const struct maxpool_call *call, void *scratch)
{
    const struct geometry *g = call->geometry;
    const struct block *o = &call->block;
    const struct maxima_room room = maxima_room(g, o->cols, maxpool_doubling_rows(g));
    const struct along along = {maxima_reach(g->kernel), grow_by_doubling, NULL};
    if (maxima_far_apart(g)) {
        maxpool_direct(call, scratch);
        return;
    }
    for (int64_t c = 0; c < o->cols; c += room.outputs) {
        const struct strip p = strip_make(call, room, c, room_row(room, scratch, 0));
        if (g->stride < g->kernel)
            pool_strip(&p, room, scratch, along);
        else
            pool_rows(&p, room_row(room, scratch, 1), along);
    }
    maxima_finish(g);
}
