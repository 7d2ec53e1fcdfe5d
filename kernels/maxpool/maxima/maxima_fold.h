/* Vertical maxima of one output row, computed without reusing those of other rows, and the line
 * that they form. */
#ifndef MAXPOOL_MAXIMA_FOLD_H
#define MAXPOOL_MAXIMA_FOLD_H

#include "kernels/maxpool/maxima/maxima_line.h"

/* Elements of a line that are processed at a time, so that they are still in the first-level cache
 * when the horizontal maxima are taken. */
enum { MAXIMA_CHUNK = 1024 };

enum { MAXIMA_STREAMS = 8 }; /* rows read in parallel */

/* Sets elements [first, end) of the line to the maxima of `count` rows and, unless `fresh`, of
 * their previous values. */
MAXIMA_INLINE void fold_elements(const struct strip *p, const float *const *rows, int count,
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
    int64_t stop = parts.left;
    for (;; first = parts.middle, stop = end) { /* a loop, so that the code for edges exists once */
        fold_elements(p, rows, count, fresh, line, first, stop, true);
        if (stop == end)
            return;
        fold_elements(p, rows, count, fresh, line, parts.left, parts.middle, false);
    }
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

/* Computes one output row from the image, reading each of its k rows once: up to MAXIMA_STREAMS
 * rows at a time over the whole strip. The last pass works in chunks, each followed by its
 * horizontal maxima. */
MAXIMA_INLINE void pool_row(const struct strip *p, int64_t row, float *elements, struct along along)
{
    const float *rows[MAXIMA_STREAMS];
    struct line line = line_new(p, elements, row);
    if (p->kernel > MAXIMA_STREAMS)
        line.room = NULL; /* several passes update the line in place */
    for (int64_t done = 0; done < p->kernel;) {
        const int count = (int)smaller(MAXIMA_STREAMS, p->kernel - done);
        const bool fresh = done == 0;
        for (int i = 0; i < count; i++)
            rows[i] = strip_row(p, row * p->stride + done + i);
        done += count;
        const int64_t piece = done < p->kernel ? p->elements : MAXIMA_CHUNK;
        for (int64_t c = 0; c < p->elements; c += piece) {
            const int64_t end = smaller(c + piece, p->elements);
            fold_rows(p, rows, count, fresh, line.elements, c, end);
            if (done == p->kernel)
                line_advance(p, &line, end, along);
        }
    }
}

MAXIMA_INLINE void pool_rows(const struct strip *p, float *elements, struct along along)
{
    for (int64_t r = 0; r < p->call->block.rows; r++)
        pool_row(p, r, elements, along);
}

#endif
