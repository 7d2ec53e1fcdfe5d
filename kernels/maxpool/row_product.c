/* Row products in register tiles, as in a matrix product: V vectors of windows times J columns of
 * the filter, with all V*J sums in registers. A vector of pixels is loaded once for J
 * multiply-adds, a filter element is broadcast once for V. The sums are folded into V running
 * maxima and never stored.
 *
 * A vector holds pixel q of neighbouring windows. At stride 1 this is one unaligned load. At larger
 * strides, whole vectors are loaded and shuffled, never gathered: pairs of vectors into their even
 * and odd pixels, or four pixels of each window transposed into four vectors, just before their
 * multiply-adds, which run on other ports. Windows that touch padding are copied first, one vector
 * of windows at a time. */
#include "kernels/maxpool/row_product.h"

#include "kernels/maxpool/row_product_line.h"
#include "kernels/maxpool/window.h"
#include "kernels/vector.h"

#include <math.h>

_Static_assert((int)LANES <= (int)ROW_WIDEST_LANES, "the scratch is sized for the widest vector");

/* How windows are read, depending on the stride. READ_FIVES is for contiguous windows of five
 * pixels (k = s = 5): their last pixels are picked without loading beyond the windows. */
enum reading { READ_ADJACENT, READ_PAIRS, READ_STRIDED, READ_FIVES };

VECTOR_TEMPLATE bool reads_quads(enum reading reading)
{
    return reading == READ_STRIDED || reading == READ_FIVES;
}

/* Limits set by the registers: most sums per vector of windows, and the largest k whose filter
 * stays in registers. */
enum { MOST_SUMS = VECTOR_REGISTERS >= 32 ? 8 : 6, HELD_SIDE = VECTOR_REGISTERS >= 32 ? 4 : 2 };

/* What one build of the loops is compiled for. All are constants after inlining, except k of the
 * general build. */
struct shape {
    int64_t k;
    int vectors; /* vectors of windows per tile */
    int sums;    /* columns summed at once: all, or half of them; 0: the general build, k > 8 */
    bool held;   /* the filter stays in registers */
    enum reading reading;
};

/* Returns the same shape with tiles of one vector. */
VECTOR_TEMPLATE struct shape narrow(struct shape h)
{
    h.vectors = 1;
    return h;
}

/* The filter and, if they stay in registers, its elements as vectors. */
struct filter_view {
    const float *b;
    vec held[HELD_SIDE * HELD_SIDE];
};

VECTOR_TEMPLATE struct filter_view filter_hold(const float *b, struct shape h)
{
    struct filter_view f = {.b = b};
    VECTOR_UNROLLED
    for (int64_t i = 0; i < HELD_SIDE * HELD_SIDE; i++)
        if (h.held && i < h.k * h.k)
            f.held[i] = vec_all(b[i]);
    return f;
}

/* Pixels q .. q + 3 of the windows of `vectors` vectors. Filled only if a reading transposes four
 * pixels at once. */
struct quad {
    vec pixels[ROW_MOST_VECTORS][4];
};

VECTOR_TEMPLATE void quad_load(struct quad *quad, const float *x, int64_t stride, struct shape h,
                               bool last)
{
    if (!reads_quads(h.reading))
        return;
    VECTOR_UNROLLED
    for (int v = 0; v < h.vectors; v++)
        if (h.reading == READ_FIVES && last)
            quad->pixels[v][0] = vec_load_every5(x + v * LANES * stride);
        else
            vec_columns4(x + v * LANES * stride, stride, quad->pixels[v]);
}

/* Pixel t of the quad at x, for the windows of vector v. */
VECTOR_TEMPLATE vec quad_pixel(const struct quad *quad, const float *x, struct shape h, int v,
                               int t)
{
    if (reads_quads(h.reading))
        return quad->pixels[v][t];
    if (h.reading == READ_ADJACENT)
        return vec_keep(vec_load(x + t + v * LANES));
    const float *pairs = x + t / 2 * 2 + v * 2 * LANES;
    const vec a = vec_load(pairs), b = vec_load(pairs + LANES);
    return t % 2 == 0 ? vec_even(a, b) : vec_odd(a, b);
}

/* Folds columns [j0, j0 + sums) of the row products into best[0 .. vectors). x is the first pixel
 * of the first window; the windows are `stride` apart. If k is not a multiple of four, the last
 * quad holds the window's last four pixels, if there are four, so that nothing beyond the window is
 * loaded (READ_STRIDED). */
VECTOR_TEMPLATE void fold_columns(vec *best, const float *x, int64_t stride,
                                  const struct filter_view *f, struct shape h, int64_t j0, int sums)
{
    vec sum[ROW_MOST_VECTORS][MOST_SUMS];
    const float *b = vec_hide_pointer(f->b);
    VECTOR_UNROLLED
    for (int v = 0; v < h.vectors; v++)
        VECTOR_UNROLLED
    for (int j = 0; j < sums; j++)
        sum[v][j] = vec_zero();
    VECTOR_UNROLLED_IF_SHORT
    for (int64_t done = 0; done < h.k; done += 4) {
        const bool back = h.reading == READ_STRIDED && h.k > 4 && done + 4 > h.k;
        const int64_t q = back ? h.k - 4 : done;
        struct quad quad;
        quad_load(&quad, x + q, stride, h, done == 4);
        VECTOR_UNROLLED
        for (int t = 0; t < 4; t++) {
            if (q + t < done || q + t >= h.k)
                continue;
            vec pixels[ROW_MOST_VECTORS];
            VECTOR_UNROLLED
            for (int v = 0; v < h.vectors; v++)
                pixels[v] = quad_pixel(&quad, x + q, h, v, t);
            VECTOR_UNROLLED
            for (int j = 0; j < sums; j++) {
                const int64_t at = (q + t) * h.k + j0 + j;
                const vec element = h.held ? f->held[at] : vec_all(b[at]);
                VECTOR_UNROLLED
                for (int v = 0; v < h.vectors; v++)
                    sum[v][j] = vec_multiply_add(pixels[v], element, sum[v][j]);
            }
        }
    }
    VECTOR_UNROLLED
    for (int j = 0; j < sums; j++)
        VECTOR_UNROLLED
    for (int v = 0; v < h.vectors; v++)
        best[v] = vec_max(best[v], sum[v][j]);
}

/* As fold_columns(), with the number of sums as a constant. Groups of more than 8 columns have at
 * least 4 each. */
VECTOR_TEMPLATE void fold_group(vec *best, const float *x, int64_t stride,
                                const struct filter_view *f, struct shape h, int64_t j0,
                                int64_t sums)
{
    if (sums == 4)
        fold_columns(best, x, stride, f, h, j0, 4);
    else if (sums == 5)
        fold_columns(best, x, stride, f, h, j0, 5);
    else if (MOST_SUMS > 6 && sums == 6)
        fold_columns(best, x, stride, f, h, j0, 6);
    else if (MOST_SUMS > 7 && sums == MOST_SUMS - 1)
        fold_columns(best, x, stride, f, h, j0, MOST_SUMS - 1);
    else
        fold_columns(best, x, stride, f, h, j0, MOST_SUMS);
}

/* Folds all k > 8 columns, in near-equal groups of at most MOST_SUMS. */
VECTOR_TEMPLATE void fold_groups(vec *best, const float *x, int64_t stride,
                                 const struct filter_view *f, struct shape h)
{
    int64_t j = 0;
    for (int64_t groups = (h.k + MOST_SUMS - 1) / MOST_SUMS; groups > 0; groups--) {
        const int64_t sums = (h.k - j + groups - 1) / groups;
        fold_group(best, x, stride, f, h, j, sums);
        j += sums;
    }
}

/* Folds the row products of one image row into best; x is the first pixel of the first window. */
VECTOR_TEMPLATE void fold_row(vec *best, const float *x, int64_t stride,
                              const struct filter_view *f, struct shape h)
{
    if (h.sums > 0) {
        fold_columns(best, x, stride, f, h, 0, h.sums);
        if (h.k > h.sums)
            fold_columns(best, x, stride, f, h, h.sums, (int)h.k - h.sums);
    } else {
        fold_groups(best, x, stride, f, h);
    }
}

/* Pairs take fewer loads than quads, but their shuffles occupy the multiply-add ports on some
 * processors. They are for small windows (k <= 3), whose time is bound by memory. */
static enum reading reading_of(const struct geometry *g)
{
    if (g->stride == 1)
        return READ_ADJACENT;
    if (g->stride == 5 && g->kernel == 5)
        return READ_FIVES;
    return g->stride == 2 && g->kernel <= 3 ? READ_PAIRS : READ_STRIDED;
}

/* Pixels beyond the windows that the loads of one vector of windows may touch. */
static int64_t overrun(const struct geometry *g)
{
    switch (reading_of(g)) {
    case READ_ADJACENT:
        return 0;
    case READ_PAIRS:
        return g->kernel % 2;
    case READ_FIVES:
        return 0;
    default:
        return g->kernel < 4 ? 4 - g->kernel : 0;
    }
}

/* The image rows of windows that may be read in place, as local values: the compiler then knows
 * that no store to the map changes them. */
struct reach {
    const float *x; /* first pixel of output column 0's window, possibly outside the image */
    int64_t row_stride, rows, stride;
    int64_t ahead;             /* prefetch distance in pixels */
    int64_t prefetch_from_row; /* index of the first row that is prefetched */
};

VECTOR_TEMPLATE struct reach reach_of(const struct row_product *p, int64_t row, int64_t rows)
{
    const struct geometry *g = p->call->geometry;
    return (struct reach){.x = view_row(&p->call->image, row) - g->padding,
                          .row_stride = p->call->image.row_stride,
                          .rows = rows,
                          .stride = g->stride,
                          .ahead = p->ahead,
                          .prefetch_from_row = rows - p->prefetched_rows};
}

VECTOR_TEMPLATE int64_t stride_known(enum reading reading, int64_t stride)
{
    if (reading == READ_ADJACENT)
        return 1;
    return reading == READ_FIVES ? 5 : stride;
}

/* Computes outputs [col, col + vectors * LANES). */
VECTOR_TEMPLATE void tile(vec *best, const struct reach *w, int64_t col,
                          const struct filter_view *f, struct shape h)
{
    const int64_t stride = stride_known(h.reading, w->stride);
    const float *x = vec_hide_pointer(w->x + col * stride);
    for (int64_t i = 0; i < w->rows; i++, x += w->row_stride) {
        if (i >= w->prefetch_from_row)
            row_product_prefetch(x + w->ahead, h.vectors * LANES * stride);
        fold_row(best, x, stride, f, h);
    }
}

/* Computes outputs [col, col + windows), windows <= LANES, whose windows may touch padding. It
 * loads the filter itself, because vector registers do not survive the calls that copy pixels. */
VECTOR_TEMPLATE vec edge(const struct row_product *p, int64_t row, int64_t rows, int64_t col,
                         int64_t windows, vec best, struct shape h)
{
    const struct filter_view f = filter_hold(vec_hide_pointer(p->call->filter), h);
    for (int64_t i = row; i < row + rows; i++) {
        row_product_line(p, view_row(&p->call->image, i), col, windows, LANES,
                         p->call->geometry->kernel + overrun(p->call->geometry));
        fold_row(&best, p->line, p->line_stride, &f, narrow(h));
    }
    return best;
}

VECTOR_TEMPLATE void store_tile(float *out, const vec *best, int vectors, bool stream)
{
    VECTOR_UNROLLED
    for (int v = 0; v < vectors; v++)
        if (stream)
            vec_stream(out + v * LANES, best[v]);
        else
            vec_store(out + v * LANES, best[v]);
}

/* A range of outputs of one row, and their lower bound `least`. */
struct span {
    int64_t row, rows; /* of the image, all inside it */
    int64_t col, stop; /* of the outputs; out[0] is output col */
    float least;
    float *out;
};

/* Computes outputs from `from` until `to` is reached, from copied windows. Returns the output after
 * the last, which may be beyond `to`. */
VECTOR_TEMPLATE int64_t edges(const struct row_product *p, const struct span *s, int64_t from,
                              int64_t to, struct shape h)
{
    int64_t c = from;
    while (c < to) {
        const int64_t windows = smaller(LANES, s->stop - c);
        const vec best = edge(p, s->row, s->rows, c, windows, vec_all(s->least), h);
        vec_store_part(s->out + (c - s->col), best, windows);
        c += windows;
    }
    return c;
}

/* Computes LANES outputs from c on, from windows read in place. */
VECTOR_TEMPLATE void single(const struct reach *w, const struct span *s, int64_t c,
                            const struct filter_view *f, struct shape h)
{
    vec best = vec_all(s->least);
    tile(&best, w, c, f, narrow(h));
    vec_store(s->out + (c - s->col), best);
}

/* Computes outputs from c on in tiles of `vectors` vectors, while they fit before `end`. Returns
 * the output after the last. */
VECTOR_TEMPLATE int64_t tiles(const struct reach *w, const struct span *s, int64_t c, int64_t end,
                              bool stream, const struct filter_view *f, struct shape h)
{
    for (; c + h.vectors * LANES <= end; c += h.vectors * LANES) {
        vec best[ROW_MOST_VECTORS];
        VECTOR_UNROLLED
        for (int v = 0; v < h.vectors; v++)
            best[v] = vec_all(s->least);
        tile(best, w, c, f, h);
        store_tile(s->out + (c - s->col), best, h.vectors, stream);
    }
    return c;
}

/* Computes outputs from `from` on, as far as windows may be read in place: one vector up to the
 * first output that tiles can stream, then tiles, then single vectors. If the range ends within the
 * last vector, that vector is moved back over outputs that are already stored. Returns the output
 * after the last. single() is called in few places, because each call compiles another copy of the
 * unrolled product. */
VECTOR_TEMPLATE int64_t inside(const struct reach *w, const struct span *s, int64_t from,
                               int64_t end, bool stream, const struct filter_view *f,
                               struct shape h)
{
    const int64_t lead = stream ? vec_misaligned(s->out + (from - s->col)) : 0;
    int64_t c = from;
    if (lead > 0 && c + LANES <= end) {
        single(w, s, c, f, h);
        c += lead;
    }
    for (c = tiles(w, s, c, end, stream, f, h);; c += LANES) {
        if (c + LANES > end) {
            if (c >= end || end < s->stop || end - LANES < from)
                return c;
            c = end - LANES;
        }
        single(w, s, c, f, h);
    }
}

/* Pools a row: copied windows up to the first that may be read in place, then windows in place,
 * then copied windows for the rest. A loop, so that the code for copied windows exists once. */
VECTOR_TEMPLATE void pool_row(const struct row_product *p, const struct span *s, struct shape h)
{
    int64_t c = s->col;
    for (int64_t copied = smaller(p->first, s->stop);; copied = s->stop) {
        c = edges(p, s, c, copied, h);
        if (c >= s->stop)
            return;
        const struct filter_view f = filter_hold(vec_hide_pointer(p->call->filter), h);
        const struct reach w = reach_of(p, s->row, s->rows);
        c = inside(&w, s, c, smaller(p->end, s->stop), p->stream, &f, h);
    }
}

/* Tiles have two vectors, which leaves registers for the sums, the pixels and the maxima. */
VECTOR_TEMPLATE struct shape shape_for(int64_t k, enum reading reading)
{
    return (struct shape){.k = k,
                          .vectors = 2,
                          .sums = (int)(k <= MOST_SUMS ? k : (k + 1) / 2),
                          .held = k <= (reading == READ_ADJACENT ? HELD_SIDE : HELD_SIDE - 1),
                          .reading = reading};
}

/* Pools a row, with k as a constant up to 8. */
VECTOR_TEMPLATE void pool(const struct row_product *p, const struct span *s, enum reading reading)
{
    /* With 16 registers, the quads of two vectors of windows do not fit in addition to the sums. */
    const struct shape general = {.k = p->call->geometry->kernel,
                                  .vectors =
                                      reading == READ_STRIDED && VECTOR_REGISTERS < 32 ? 1 : 2,
                                  .reading = reading};
    switch (general.k) {
    case 1:
        pool_row(p, s, shape_for(1, reading));
        break;
    case 2:
        pool_row(p, s, shape_for(2, reading));
        break;
    case 3:
        pool_row(p, s, shape_for(3, reading));
        break;
    case 4:
        pool_row(p, s, shape_for(4, reading));
        break;
    case 5:
        pool_row(p, s, shape_for(5, reading));
        break;
    case 6:
        pool_row(p, s, shape_for(6, reading));
        break;
    case 7:
        pool_row(p, s, shape_for(7, reading));
        break;
    case 8:
        pool_row(p, s, shape_for(8, reading));
        break;
    default:
        pool_row(p, s, general);
        break;
    }
}

static void pool_adjacent(const struct row_product *p, int64_t row, int64_t rows, int64_t col,
                          int64_t cols, float least, float *out)
{
    pool(p, &(struct span){row, rows, col, col + cols, least, out}, READ_ADJACENT);
}

static void pool_pairs(const struct row_product *p, int64_t row, int64_t rows, int64_t col,
                       int64_t cols, float least, float *out)
{
    const struct span s = {row, rows, col, col + cols, least, out};
    switch (p->call->geometry->kernel) {
    case 1:
        pool_row(p, &s, shape_for(1, READ_PAIRS));
        break;
    case 2:
        pool_row(p, &s, shape_for(2, READ_PAIRS));
        break;
    default:
        pool_row(p, &s, shape_for(3, READ_PAIRS));
        break;
    }
}

static void pool_strided(const struct row_product *p, int64_t row, int64_t rows, int64_t col,
                         int64_t cols, float least, float *out)
{
    pool(p, &(struct span){row, rows, col, col + cols, least, out}, READ_STRIDED);
}

static void pool_fives(const struct row_product *p, int64_t row, int64_t rows, int64_t col,
                       int64_t cols, float least, float *out)
{
    pool_row(p, &(struct span){row, rows, col, col + cols, least, out},
             narrow(shape_for(5, READ_FIVES)));
}

/* Prefetch distances in pixels. If the next row of windows is more than AHEAD_MOST away, pixels of
 * the same row are prefetched instead, AHEAD_NEAR further: far enough to be in the next page when
 * the hardware prefetcher stops at the end of the current one. */
enum { AHEAD_MOST = 128 * 1024, AHEAD_NEAR = 1024 };

/* True if prefetching pays: not for images that stay in the caches, nor if windows use few of the
 * pixels. */
static bool prefetch_pays(const struct geometry *g)
{
    const int64_t cached = 1024 * 1024; /* pixels */
    return geometry_elements(g->planes, g->rows, g->cols) >= cached && g->stride <= 4 * g->kernel;
}

row_product_function *ISA_FUNCTION(row_product_prepare)(struct row_product *p,
                                                        const struct maxpool_call *call,
                                                        float *scratch)
{
    static row_product_function *const functions[] = {pool_adjacent, pool_pairs, pool_strided,
                                                      pool_fives};
    const struct geometry *g = call->geometry;
    const int64_t most = larger(g->kernel, 2);
    *p = (struct row_product){
        .call = call,
        .line = scratch,
        .ahead = prefetch_distance(&call->image, g->stride, AHEAD_MOST, AHEAD_NEAR),
        .prefetched_rows = prefetch_pays(g) ? g->stride : 0,
        .line_stride = smaller(g->stride, most),
        .stream = row_product_streams(g)};
    row_product_function *columns =
        ISA_FUNCTION(row_product_columns)(p, call, scratch + row_product_line_floats(g));
    window_columns_inside(g, columns ? 0 : overrun(g), &p->first, &p->end);
    if (columns)
        return columns;
    return functions[reading_of(g)];
}
