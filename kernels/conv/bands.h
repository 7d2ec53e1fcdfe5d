/* How `implicit` cuts its work into bands; shared by the method and the size of its scratch. */
#ifndef MAXPOOL_CONV_BANDS_H
#define MAXPOOL_CONV_BANDS_H

#include "kernels/conv/micro_panels.h"
#include "kernels/min_max.h"

/* A band is a few output rows, or a part of one row: at most BAND_PIXELS outputs. Their elements of
 * all channels stay in the second-level cache while all filters pass over them: BAND_ELEMENTS of
 * them (256 KiB), or more if LEAST_COLS outputs need more. The filters are applied PANEL_TERMS
 * terms at a time. */
enum { BAND_ELEMENTS = 65536, BAND_PIXELS = 512, LEAST_COLS = 16, PANEL_TERMS = 384 };

/* True if a window is a single element that tiles can read from the image itself: at stride 2 only
 * where filters are the lanes. If pixels are, elements must be adjacent, and are copied. */
static inline bool conv_reads_single_elements(const struct conv_shape *s)
{
    return s->kernel == 1 && s->padding == 0 && s->stride <= 2;
}

/* Elements of one phase of a channel's row under `cols` outputs: those a stride apart, which
 * copying makes contiguous. Rows of larger windows are whole vectors (of AVX2), so that fewer loads
 * cross cache lines. */
enum { PHASE_PART = 8 };

static inline int64_t phase_width(const struct conv_shape *s, int64_t cols)
{
    const int64_t width = cols + (s->kernel - 1) / s->stride;
    return s->kernel == 1 ? width : (width + PHASE_PART - 1) / PHASE_PART * PHASE_PART;
}

static inline int64_t phases(const struct conv_shape *s)
{
    return smaller(s->stride, s->kernel);
}

/* Image rows that `rows` output rows read, without the rows between their windows: each output row
 * begins phases() of these rows after the one before. */
static inline int64_t rows_read(const struct conv_shape *s, int64_t rows)
{
    return (rows - 1) * phases(s) + s->kernel;
}

/* Elements of all channels of a group under `rows` x `cols` outputs; -1: more than can be
 * counted. */
static inline int64_t elements_under(const struct conv_shape *s, int64_t rows, int64_t cols)
{
    int64_t width, all;
    const int64_t in_rows = rows_read(s, rows);
    if (__builtin_mul_overflow(phase_width(s, cols), phases(s) * (s->channels / s->groups),
                               &width) ||
        __builtin_mul_overflow(width, in_rows, &all))
        return -1;
    return all;
}

/* Elements of the largest band; -1: more than can be counted. */
static inline int64_t band_elements(const struct conv_shape *s)
{
    const int64_t least = elements_under(s, 1, LEAST_COLS);
    return least < 0 ? -1 : larger(least, BAND_ELEMENTS);
}

/* Columns of a band, if output rows have `cols` columns; rows of a band that is `cols` columns
 * wide, out of `rows` output rows. */
static inline int64_t band_cols(const struct conv_shape *s, int64_t cols)
{
    const int64_t per_col = phases(s) * (s->channels / s->groups) * s->kernel;
    const int64_t parts = BAND_ELEMENTS / per_col / PHASE_PART;
    const int64_t fitting = larger(parts * PHASE_PART - (s->kernel - 1) / s->stride, LEAST_COLS);
    return smaller(smaller(cols, BAND_PIXELS), fitting);
}

static inline int64_t band_rows(const struct conv_shape *s, int64_t rows, int64_t cols)
{
    const int64_t row = phases(s) * (s->channels / s->groups) * phase_width(s, cols);
    const int64_t fitting = (BAND_ELEMENTS / row - s->kernel) / phases(s) + 1;
    return larger(1, smaller(smaller(rows, BAND_PIXELS / cols), fitting));
}

/* The largest of near-equal parts of `count`, each at most `most`. */
static inline int64_t even_part(int64_t count, int64_t most)
{
    const int64_t parts = (count + most - 1) / most;
    return (count + parts - 1) / parts;
}

#endif
