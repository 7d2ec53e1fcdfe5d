/* Compares every host method with the oracles over the grid of edge cases: whole planes, bands that
 * have only the rows needed, strips of columns, identity and random filters. Seeded faults show
 * that the check would notice. */
#include "tests/support/cases.h"

#include "kernels/copy/copy.h"
#include "kernels/matmul/matmul.h"
#include "kernels/maxpool/maxpool.h"
#include "kernels/operators.h"
#include "kernels/oracle.h"
#include "tests/support/unit_test.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
enum { SEEDS = 1 }; /* which elements are read and written does not depend on their values */
#else
enum { SEEDS = 3 };
#endif

/* How the map is cut for the calls of one run: rows per block, columns per strip, planes per block
 * of whole planes, for methods that take several; 0: all. */
struct cutting {
    int64_t rows, cols, planes;
    bool large; /* the method assumes more planes than the caches hold */
};

static const struct cutting cuttings[] = {{0, 0, 0, false}, {1, 0, 1, false},  {3, 0, 1, false},
                                          {0, 5, 1, false}, {2, 17, 1, false}, {1, 1, 1, false},
                                          {0, 0, 1, false}, {0, 0, 2, true}};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Calls the method on one block, with a copy of only the rows that it may read, between fences, so
 * that an access outside faults. For several planes the copy has all rows, except those of the last
 * plane that no window reaches. */
static void call_on_band(const struct maxpool_method *m, const struct geometry *g,
                         const float *image, const float *filter, const struct block *block,
                         float *map, void *scratch)
{
    int64_t first, count;
    geometry_rows_needed(g, block->row, block->rows, &first, &count);
    const size_t floats = (size_t)(((block->planes - 1) * g->rows + count) * g->cols);
    float *band = fenced_room(floats);
    memcpy(band, image + (block->plane * g->rows + first) * g->cols, floats * sizeof *band);
    const struct maxpool_call call = {
        .geometry = g,
        .filter = filter,
        .image = {.data = band,
                  .row_stride = g->cols,
                  .first_row = first,
                  .rows = count,
                  .plane_stride = g->rows * g->cols},
        .map = {.data = map + block->plane * g->out_rows * g->out_cols,
                .row_stride = g->out_cols,
                .first_row = 0,
                .plane_stride = g->out_rows * g->out_cols},
        .block = *block};
    m->run[ISA_BASELINE](&call, scratch);
}

static const struct maxpool_method *pooling_method(const char *name)
{
    return maxpool_method_of(operator_method(&maxpool_operator, SPACE_HOST, name));
}

static size_t scratch_bytes(const struct maxpool_method *m, const struct geometry *g, int64_t cols)
{
    const struct operation op = {.geometry = *g};
    return m->head.scratch_bytes ? m->head.scratch_bytes(&op, cols) : 0;
}

/* Planes of each block. */
static int64_t planes_per_block(const struct maxpool_method *m, const struct geometry *g,
                                struct cutting cutting)
{
    if (!m->head.whole_planes || cutting.rows || cutting.cols)
        return 1;
    return cutting.planes ? cutting.planes : g->planes;
}

enum { LARGE = 1 << 20 }; /* planes whose map is 4 MiB or more */

enum { OUTSIDE = -1 }; /* not a number of wrong outputs */

/* Describes the outcome of a run, for a message. */
static const char *outcome_text(int64_t wrong, char *buffer, size_t size)
{
    if (wrong == OUTSIDE)
        return "wrote outside its block, beside the map or the scratch";
    snprintf(buffer, size, "%lld outputs wrong", (long long)wrong);
    return buffer;
}

/* Runs a method over all planes in blocks of the cutting. Returns how many outputs are wrong, or
 * OUTSIDE if a guard of map or scratch was overwritten. */
static int64_t run_and_count(const struct maxpool_method *m, const struct geometry *g,
                             const float *image, const float *filter, struct cutting cutting,
                             bool identity)
{
    const int64_t rows = cutting.rows ? cutting.rows : g->out_rows;
    const int64_t cols = cutting.cols ? cutting.cols : g->out_cols;
    const int64_t planes = planes_per_block(m, g, cutting);
    struct geometry assumed = *g;
    assumed.planes = cutting.large ? LARGE : g->planes;
    const size_t outputs = (size_t)(g->planes * g->out_rows * g->out_cols);
    const size_t bytes = scratch_bytes(m, g, cols);
    float *map = guarded_new(outputs), *scratch = guarded_new(bytes / sizeof(float));
    struct block b = {0};
    for (b.plane = 0; b.plane < g->planes; b.plane += planes)
        for (b.row = 0; b.row < g->out_rows; b.row += rows)
            for (b.col = 0; b.col < g->out_cols; b.col += cols) {
                b.rows = smaller(rows, g->out_rows - b.row);
                b.cols = smaller(cols, g->out_cols - b.col);
                b.planes = smaller(planes, g->planes - b.plane);
                call_on_band(m, &assumed, image, filter, &b, map, scratch);
            }
    int64_t wrong = count_wrong_pooled(g, image, identity ? NULL : filter, map);
    if (!guarded_intact(map, outputs) || !guarded_intact(scratch, bytes / sizeof(float)))
        wrong = OUTSIDE;
    guarded_free(map);
    guarded_free(scratch);
    return wrong;
}

/* Returns how many runs of a method over one case are wrong, over all seeds and cuttings; `show`
 * reports each. */
static int64_t check_case(const struct maxpool_method *m, const struct pool_case *c, bool identity,
                          bool show)
{
    const struct geometry g = case_geometry(c);
    int64_t total = 0;
    char text[48];
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        float *image = case_image(c, seed), *filter = case_filter(c->kernel, identity, seed + 100);
        for (size_t i = 0; i < sizeof cuttings / sizeof cuttings[0]; i++) {
            const int64_t wrong = run_and_count(m, &g, image, filter, cuttings[i], identity);
            if (wrong != 0 && show)
                print_error("%s, case %s, seed %d, cutting %d: %s\n", m->head.name, c->name,
                            (int)seed, (int)i, outcome_text(wrong, text, sizeof text));
            total += wrong != 0;
        }
        free(image);
        free(filter);
    }
    return total;
}

static bool takes_any_filter(const struct maxpool_method *m, const struct pool_case *c)
{
    return m->head.product && c->pad_mode == PAD_ZERO;
}

static int64_t check_grid(const struct maxpool_method *m, bool show)
{
    int64_t failures = 0;
    for (size_t i = 0; i < pool_case_count; i++) {
        failures += check_case(m, &pool_cases[i], true, show);
        if (takes_any_filter(m, &pool_cases[i]))
            failures += check_case(m, &pool_cases[i], false, show);
    }
    return failures;
}

TEST(every_method_passes_the_grid)
{
    int methods = 0;
    for (size_t i = 0; i < maxpool_method_count; i++) {
        const struct maxpool_method *m = &maxpool_methods[i];
        if (m->head.kind != SPACE_HOST || m->head.unavailable)
            continue;
        for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++) {
            struct maxpool_method variant = *m;
            variant.run[ISA_BASELINE] = m->run[isa];
            if (!m->run[isa] || isa_missing(isa))
                continue;
            if (check_grid(&variant, true) != 0)
                fail_msg("%s in %s", m->head.name, isa_name(isa));
        }
        methods++;
    }
    assert_true(methods >= 4);
}

/* ---- specialisations of the vector methods ------------------------------------------------------
 *
 * A vector method has its own code for each small k, for strides 1, 2 and beyond, for whole tiles
 * of vectors, for the rest of a row, and for windows that touch padding. The sweep runs each with
 * every row length up to two of the widest vectors and their tails. */

enum { WIDEST_SWEEP = 70 }; /* outputs: tiles of two vectors of 16, and two vectors more */

static const int64_t sweep_kernels[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17, 24, 32, 40};

/* One geometry of the sweep, with its image, filter and correct map. */
struct sweep_case {
    struct geometry g;
    float *image, *filter, *right;
};

static struct sweep_case sweep_case_new(int64_t kernel, int64_t stride, int64_t out_cols)
{
    const int64_t padding = out_cols % 3 == 0 ? (kernel + 1) / 2 : 0;
    const int64_t spare = out_cols % stride, out_rows = kernel < 16 ? 4 : 2;
    const int64_t rows = (out_rows - 1) * stride + kernel - 2 * padding;
    const int64_t cols = (out_cols - 1) * stride + kernel - 2 * padding + spare;
    const struct pool_case c = {
        "", 1, rows < 1 ? 1 : rows, cols < 1 ? 1 : cols, kernel, stride, padding, PAD_ZERO, false};
    struct sweep_case w = {.g = case_geometry(&c)};
    w.image = case_image(&c, (uint64_t)(kernel + out_cols));
    w.filter = case_filter(kernel, false, (uint64_t)(stride + 1));
    w.right = malloc((size_t)(w.g.out_rows * w.g.out_cols) * sizeof *w.right);
    for (int64_t i = 0; i < w.g.out_rows * w.g.out_cols; i++) {
        const struct oracle_window at = {.geometry = &w.g,
                                         .image = {w.image, w.g.cols, 0, w.g.rows},
                                         .row = i / w.g.out_cols,
                                         .col = i % w.g.out_cols};
        w.right[i] = (float)oracle_product(&at, w.filter).value;
    }
    return w;
}

static void sweep_case_free(struct sweep_case *w)
{
    free(w->image);
    free(w->filter);
    free(w->right);
}

/* True if the method's map of the whole plane, from a fenced image, is correct. */
static bool sweep_case_passes(const struct maxpool_method *m, const struct sweep_case *w)
{
    const struct geometry *g = &w->g;
    const size_t outputs = (size_t)(g->out_rows * g->out_cols);
    const size_t bytes = scratch_bytes(m, g, g->out_cols);
    float *map = guarded_new(outputs), *scratch = guarded_new(bytes / sizeof(float));
    const struct block whole = {0, 0, g->out_rows, 0, g->out_cols, 1};
    call_on_band(m, g, w->image, w->filter, &whole, map, scratch);
    bool right = guarded_intact(map, outputs) && guarded_intact(scratch, bytes / sizeof(float));
    for (size_t i = 0; i < outputs; i++)
        right = right && map[i] == w->right[i];
    guarded_free(map);
    guarded_free(scratch);
    return right;
}

/* True if the sweep has that stride: all up to k + 1 for a small kernel, the lowest and highest for
 * a large one. */
static bool sweep_has(int64_t kernel, int64_t stride)
{
    return kernel < 16 || stride <= 4 || stride >= kernel - 1;
}

/* Returns the next row length of (kernel, stride), or 0 after the last. Small kernels at stride 1
 * have all lengths; other strides have every seventh, from different starts, and large kernels have
 * few. */
static int64_t sweep_next(int64_t kernel, int64_t stride, int64_t out_cols)
{
    const int64_t step = kernel >= 16 ? 31 : stride == 1 ? 1 : 7;
    const int64_t next = out_cols == 0 ? 1 + (kernel + stride) % step : out_cols + step;
    return next <= WIDEST_SWEEP ? next : 0;
}

/* Runs the methods, each by its first build, over the lengths of one (kernel, stride); returns how
 * many runs were wrong. */
static int64_t sweep_strides(const struct maxpool_method *methods, size_t count, int64_t kernel,
                             int64_t stride, bool show)
{
    int64_t wrong = 0;
    for (int64_t n = sweep_next(kernel, stride, 0); n > 0; n = sweep_next(kernel, stride, n)) {
        struct sweep_case w = sweep_case_new(kernel, stride, n);
        for (size_t i = 0; i < count; i++) {
            if (sweep_case_passes(&methods[i], &w))
                continue;
            if (show)
                print_error("%s: k %d, s %d, %d outputs a row: wrong\n", methods[i].head.name,
                            (int)kernel, (int)stride, (int)n);
            wrong++;
        }
        sweep_case_free(&w);
    }
    return wrong;
}

TEST(every_specialisation_is_exact)
{
    struct maxpool_method builds[64];
    size_t count = 0;
    for (size_t i = 0; i < maxpool_method_count; i++)
        for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++) {
            const struct maxpool_method *m = &maxpool_methods[i];
            if (m->head.kind != SPACE_HOST || !m->head.product || m->head.unavailable ||
                !m->run[isa] || isa_missing(isa) || count == sizeof builds / sizeof builds[0])
                continue;
            builds[count] = *m;
            builds[count++].run[ISA_BASELINE] = m->run[isa];
        }
    assert_true(count >= 5);
    for (size_t i = 0; i < sizeof sweep_kernels / sizeof sweep_kernels[0]; i++)
        for (int64_t s = 1; s <= sweep_kernels[i] + 1; s++)
            if (sweep_has(sweep_kernels[i], s))
                assert_int_equal(sweep_strides(builds, count, sweep_kernels[i], s, true), 0);
}

/* ---- methods in vectors ---------------------------------------------------------------------- */

/* Compares a method's variants with the oracle on one geometry, the whole map in one block. */
static void check_whole(const struct maxpool_method *m, const struct pool_case *c)
{
    const struct geometry g = case_geometry(c);
    const struct cutting whole = {0};
    float *image = case_image(c, 3), *filter = case_filter(c->kernel, true, 1);
    for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++) {
        struct maxpool_method variant = *m;
        variant.run[ISA_BASELINE] = m->run[isa];
        if (!m->run[isa] || isa_missing(isa))
            continue;
        if (run_and_count(&variant, &g, image, filter, whole, true) != 0)
            fail_msg("%s in %s: %lld x %lld, k %lld, s %lld, p %lld", m->head.name, isa_name(isa),
                     (long long)g.rows, (long long)g.cols, (long long)g.kernel, (long long)g.stride,
                     (long long)g.padding);
    }
    free(image);
    free(filter);
}

/* Kernel sizes with different numbers of steps and pieces, every stride up to k + 1, and output
 * rows of every length up to more than two vectors, so that each of them begins at another place of
 * a cache line. */
static void every_tail_and_stride_is_met(const struct maxpool_method *m)
{
    static const int64_t kernels[] = {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        for (int64_t s = 1; s <= kernels[i] + 1; s++)
            for (int64_t n = 1; n <= 34; n += i % 3 + 1) {
                const int64_t k = kernels[i], padding = n % 2 * (k / 2);
                const struct pool_case c = {
                    "",        1, k + s - padding, (n - 1) * s + k - padding + n % s,
                    k,         s, padding,         n % 4 < 2 ? PAD_ZERO : PAD_IGNORE,
                    n % 3 == 0};
                check_whole(m, &c);
            }
}

/* Windows longer than one pass, one register or one strip holds. */
static void long_windows_are_met(const struct maxpool_method *m)
{
    static const struct pool_case cases[] = {
        {"", 1, 70, 90, 31, 1, 0, PAD_ZERO, false},
        {"", 1, 70, 90, 32, 1, 5, PAD_IGNORE, true},
        {"", 1, 80, 70, 33, 2, 7, PAD_ZERO, false},
        {"", 1, 100, 120, 63, 1, 0, PAD_ZERO, false},
        {"", 1, 130, 150, 64, 1, 1, PAD_IGNORE, true},
        {"", 1, 140, 140, 64, 64, 0, PAD_ZERO, false},
        {"", 1, 80, 90, 65, 3, 2, PAD_ZERO, true},
        {"", 1, 40, 330, 129, 1, 60, PAD_ZERO, true},
        {"", 1, 9, 5200, 5, 1, 2, PAD_ZERO, false},
        {"", 1, 40, 4300, 24, 3, 11, PAD_IGNORE, true},
        {"", 1, 3, 20000, 2, 1, 1, PAD_ZERO, true},
        {"", 1, 9, 700, 4, 90, 3, PAD_ZERO, true},
        {"", 1, 9, 3300, 3, 3, 1, PAD_IGNORE, true},
        {"", 1, 9, 3300, 2, 3, 0, PAD_ZERO, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_whole(m, &cases[i]);
}

/* The oracle takes k * k steps per output; for methods without a product there is no cheaper
 * one. */
TEST(maxima_in_vectors_are_exact)
{
    int methods = 0;
    for (size_t i = 0; i < maxpool_method_count; i++) {
        const struct maxpool_method *m = &maxpool_methods[i];
        if (m->head.kind != SPACE_HOST || m->head.product || m->head.unavailable)
            continue;
        every_tail_and_stride_is_met(m);
        long_windows_are_met(m);
        methods++;
    }
    assert_true(methods >= 4);
}

/* ---- small planes -------------------------------------------------------------------------------
 *
 * Methods that take several planes have their own code for rows of a few vectors. */

/* Runs all builds of a method over one case, cut in every way that a block of whole rows can be. */
static void check_planes(const struct maxpool_method *m, const struct pool_case *c)
{
    static const struct cutting ways[] = {
        {0, 0, 0, false}, {0, 0, 0, true}, {0, 0, 2, true}, {1, 0, 1, false}, {3, 0, 1, true}};
    const struct geometry g = case_geometry(c);
    float *image = case_image(c, (uint64_t)(c->cols + c->kernel));
    for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++) {
        struct maxpool_method variant = *m;
        variant.run[ISA_BASELINE] = m->run[isa];
        for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
            if (!m->run[isa] || isa_missing(isa))
                continue;
            if (run_and_count(&variant, &g, image, NULL, ways[i], true) != 0)
                fail_msg("%s in %s, way %d: %lld x %lld x %lld, k %lld, s %lld, p %lld, %s",
                         m->head.name, isa_name(isa), (int)i, (long long)c->planes,
                         (long long)c->rows, (long long)c->cols, (long long)c->kernel,
                         (long long)c->stride, (long long)c->padding,
                         c->pad_mode == PAD_ZERO ? "zero" : "ignore");
        }
    }
    free(image);
}

/* ---- adjacent windows ---------------------------------------------------------------------------
 *
 * At stride 1 output rows are computed in groups, and long windows share whole groups of image
 * rows, whose places are reused in a ring. The cases have as many rows as it takes to go round the
 * ring, and last groups that lack rows. */
TEST(groups_of_rows_are_exact)
{
    static const int64_t kernels[] = {2,  3,  4,  5,  6,  7,  8,  9,  11, 12,
                                      13, 15, 16, 17, 18, 24, 32, 33, 48, 49};
    static const int64_t widths[] = {1, 2, 15, 16, 17, 33, 47, 64};
    const struct maxpool_method *m = pooling_method("van_herk");
    assert_non_null(m);
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        for (size_t j = 0; j < sizeof widths / sizeof widths[0]; j++) {
            const int64_t k = kernels[i], width = widths[j];
            const int64_t rows = j % 2 == 0 ? (int64_t)(i + j) % 7 + 1 : k + 2 + (int64_t)(i % 4);
            const int64_t padding = (int64_t)j % 3 * (k / 3);
            const struct pool_case c = {"",
                                        1 + (int64_t)j % 2,
                                        rows + k - 1 > 2 * padding ? rows + k - 1 - 2 * padding : 1,
                                        width + k - 1 > 2 * padding ? width + k - 1 - 2 * padding
                                                                    : 1,
                                        k,
                                        1,
                                        padding,
                                        i % 2 == 0 ? PAD_ZERO : PAD_IGNORE,
                                        (i + j) % 2 == 0};
            check_planes(m, &c);
        }
}

/* Outputs of maps beyond 4 MiB bypass the caches, in whole cache lines. Rows begin at every place
 * of a line. Windows of 12 rows share groups. */
TEST(outputs_past_the_caches_are_exact)
{
    static const struct pool_case cases[] = {{"", 1, 1027, 1041, 3, 1, 1, PAD_IGNORE, true},
                                             {"", 3, 30, 12003, 2, 1, 0, PAD_ZERO, false},
                                             {"", 1, 3, 450, 2, 1, 800, PAD_ZERO, false}};
    static const struct pool_case shared = {"", 1, 1035, 1050, 12, 1, 5, PAD_ZERO, false};
    const struct maxpool_method *m = pooling_method("van_herk");
    assert_non_null(m);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_planes(m, &cases[i]);
    check_whole(m, &shared);
}

/* Checks three or four planes of one width, with every padding that either mode allows and one that
 * contains whole windows. Heights vary up to 19 rows. */
static void check_width(const struct maxpool_method *m, int64_t cols, int64_t k, int64_t s)
{
    for (int64_t p = 0; p <= k; p++)
        for (int mode = 0; mode < (p < k ? 2 : 1); mode++) {
            const int64_t rows = 1 + (5 * cols + 3 * p + 7 * mode + k) % 19;
            const struct pool_case c = {"",
                                        3 + cols % 2,
                                        rows + (rows < k ? k : 0),
                                        cols,
                                        k,
                                        s,
                                        p,
                                        mode ? PAD_IGNORE : PAD_ZERO,
                                        (cols + p) % 3 == 0};
            if (cols + 2 * p >= k)
                check_planes(m, &c);
        }
}

TEST(small_planes_are_exact)
{
    /* Besides the small ones: rows of several tiles, rows of the most tiles that there can be, and
     * longer ones. */
    static const int64_t wide[] = {55,  56,  57,  64,  65,  111, 112, 113,
                                   128, 129, 130, 200, 224, 255, 256, 257};
    int methods = 0;
    for (size_t i = 0; i < maxpool_method_count; i++) {
        const struct maxpool_method *m = &maxpool_methods[i];
        if (m->head.kind != SPACE_HOST || !m->head.whole_planes || m->head.unavailable)
            continue;
        for (int64_t k = 1; k <= 3; k++)
            for (int64_t s = 1; s <= 3; s++) {
                for (int64_t cols = 1; cols <= 40; cols++)
                    check_width(m, cols, k, s);
                for (size_t w = 0; w < sizeof wide / sizeof wide[0]; w++)
                    check_width(m, wide[w], k, s);
            }
        methods++;
    }
    assert_true(methods >= 1);
}

enum { APART = 3 }; /* elements between the rows of a map, and between its planes */

/* Returns how many outputs are wrong, plus how many elements between rows were written. */
static int64_t count_wrong_apart(const struct geometry *g, const float *image, const float *map)
{
    const int64_t stride = g->out_cols + APART, plane = g->out_rows * stride + APART;
    const size_t outputs = (size_t)(g->planes * g->out_rows * g->out_cols);
    float *together = malloc(outputs * sizeof *together);
    int64_t wrong = 0;
    for (int64_t p = 0; p < g->planes; p++)
        for (int64_t r = 0; r < g->out_rows; r++) {
            const float *row = map + p * plane + r * stride;
            memcpy(together + (p * g->out_rows + r) * g->out_cols, row,
                   (size_t)g->out_cols * sizeof *row);
            for (int64_t c = g->out_cols; c < stride; c++)
                wrong += row[c] == row[c]; /* the buffer was filled with NaN */
        }
    wrong += count_wrong_pooled(g, image, NULL, together);
    free(together);
    return wrong;
}

/* Rows of a map may have gaps between them. Nothing is stored there. */
static void check_rows_apart(const struct maxpool_method *m, const struct pool_case *c)
{
    const struct geometry g = case_geometry(c);
    const int64_t stride = g.out_cols + APART, plane = g.out_rows * stride + APART;
    float *image = case_image(c, 7), *scratch = malloc(scratch_bytes(m, &g, g.out_cols));
    for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++) {
        if (!m->run[isa] || isa_missing(isa))
            continue;
        float *map = guarded_new((size_t)(g.planes * plane));
        const struct maxpool_call call = {
            .geometry = &g,
            .image = {image, g.cols, 0, g.rows, g.rows * g.cols},
            .map = {map, stride, 0, plane},
            .block = {.rows = g.out_rows, .cols = g.out_cols, .planes = g.planes}};
        m->run[isa](&call, scratch);
        if (count_wrong_apart(&g, image, map) != 0 ||
            !guarded_intact(map, (size_t)(g.planes * plane)))
            fail_msg("%s in %s, rows apart: %lld x %lld, k %lld, s %lld, p %lld", m->head.name,
                     isa_name(isa), (long long)g.rows, (long long)g.cols, (long long)g.kernel,
                     (long long)g.stride, (long long)g.padding);
        guarded_free(map);
    }
    free(scratch);
    free(image);
}

TEST(rows_of_a_map_may_lie_apart)
{
    const struct maxpool_method *m = pooling_method("separable");
    assert_non_null(m);
    for (int64_t k = 2; k <= 3; k++)
        for (int64_t s = 1; s <= 2; s++)
            for (int64_t cols = k; cols <= 40; cols++) {
                const struct pool_case c = {"", 3 + cols % 2, k + cols % 5, cols, k,
                                            s,  cols % k,     PAD_IGNORE,   true};
                check_rows_apart(m, &c);
            }
}

/* The three stages of a staged method, called as the harness calls them, equal its run. */
TEST(stages_equal_the_whole)
{
    const struct geometry g = {1, 9, 14, 3, 2, 1, PAD_ZERO, 5, 7};
    const struct pool_case c = {"", 1, 9, 14, 3, 2, 1, PAD_ZERO, false};
    float *image = case_image(&c, 4), *filter = case_filter(3, false, 5);
    for (size_t i = 0; i < maxpool_method_count; i++) {
        const struct maxpool_method *m = &maxpool_methods[i];
        if (!m->stages)
            continue;
        float *map = guarded_new(35);
        void *scratch = malloc(scratch_bytes(m, &g, 7));
        struct maxpool_call call = {.geometry = &g,
                                    .filter = filter,
                                    .image = {image, 14, 0, 9, 0},
                                    .map = {map, 7, 0, 0},
                                    .block = {0, 0, 1, 0, 7, 1}};
        for (; call.block.row < 5; call.block.row++) {
            m->stages->cut(&call, scratch);
            m->stages->multiply(&call, scratch);
            m->stages->reduce(&call, scratch);
        }
        assert_int_equal(count_wrong_pooled(&g, image, filter, map), 0);
        free(scratch);
        guarded_free(map);
    }
    free(image);
    free(filter);
}

/* Real values, exact under the identity: extremes, denormals, -0 and neighbours. */
TEST(identity_keeps_every_float)
{
    static const float values[] = {FLT_MAX,   -FLT_MAX,      FLT_MIN, -FLT_MIN,
                                   0x1p-149f, -0x1p-149f,    -0.0f,   0.0f,
                                   1.0f,      0x1.fffffep0f, -1.5f,   16777217.0f};
    for (size_t i = 0; i < maxpool_method_count; i++)
        for (int64_t k = 1; maxpool_methods[i].head.kind == SPACE_HOST && k <= 3; k++) {
            struct geometry g = {1, 3, 4, k, 1, k - 1, PAD_IGNORE, 0, 0};
            assert_int_equal(geometry_complete(&g), GEOMETRY_OK);
            float *filter = case_filter(k, true, 1);
            const struct cutting whole = {0};
            assert_int_equal(run_and_count(&maxpool_methods[i], &g, values, filter, whole, true),
                             0);
            free(filter);
        }
}

/* ---- seeded faults --------------------------------------------------------------------------- */

static void skip_last_row(const struct maxpool_call *call, void *scratch)
{
    struct maxpool_call cut = *call;
    cut.block.rows--;
    if (cut.block.rows > 0)
        maxpool_literal(&cut, scratch);
}

static void stop_one_short_of_the_tail(const struct maxpool_call *call, void *scratch)
{
    struct maxpool_call cut = *call;
    cut.block.cols--;
    if (cut.block.cols > 0)
        maxpool_literal(&cut, scratch);
}

static void write_one_past_the_tail(const struct maxpool_call *call, void *scratch)
{
    maxpool_literal(call, scratch);
    map_row(&call->map, call->block.row)[call->block.col + call->block.cols] = 0.0f;
}

static void pad_with_the_other_value(const struct maxpool_call *call, void *scratch)
{
    struct geometry other = *call->geometry;
    struct maxpool_call wrong = *call;
    other.pad_mode = other.pad_mode == PAD_ZERO ? PAD_IGNORE : PAD_ZERO;
    wrong.geometry = &other;
    maxpool_direct(&wrong, scratch);
}

/* A band that is one row short: its last row is replaced by the row above. */
static void shrink_the_halo(const struct maxpool_call *call, void *scratch)
{
    const struct geometry *g = call->geometry;
    struct maxpool_call wrong = *call;
    float *copy = malloc((size_t)(call->image.rows * g->cols + 1) * sizeof *copy);
    memcpy(copy, call->image.data, (size_t)(call->image.rows * g->cols) * sizeof *copy);
    if (call->image.rows > 1)
        memcpy(copy + (call->image.rows - 1) * g->cols, copy + (call->image.rows - 2) * g->cols,
               (size_t)g->cols * sizeof *copy);
    wrong.image.data = copy;
    maxpool_literal(&wrong, scratch);
    free(copy);
}

static void assume_the_identity(const struct maxpool_call *call, void *scratch)
{
    maxpool_direct(call, scratch);
}

static void transpose_the_filter(const struct maxpool_call *call, void *scratch)
{
    const int64_t k = call->geometry->kernel;
    float *transposed = malloc((size_t)(k * k) * sizeof *transposed);
    struct maxpool_call wrong = *call;
    for (int64_t i = 0; i < k * k; i++)
        transposed[i] = call->filter[i % k * k + i / k];
    wrong.filter = transposed;
    maxpool_literal(&wrong, scratch);
    free(transposed);
}

/* Faults of a vector method. simd gets a filter or an image that is wrong in the way of the
 * fault. */
static void simd_with(const struct maxpool_call *call, void *scratch, const float *image,
                      const float *filter)
{
    struct maxpool_call wrong = *call;
    wrong.image.data = image;
    wrong.filter = filter;
    maxpool_simd_baseline(&wrong, scratch);
}

static float *copy_of(const float *values, int64_t count)
{
    float *copy = malloc((size_t)count * sizeof *copy);
    memcpy(copy, values, (size_t)count * sizeof *copy);
    return copy;
}

static void drop_the_last_term(const struct maxpool_call *call, void *scratch)
{
    const int64_t k = call->geometry->kernel;
    float *filter = copy_of(call->filter, k * k);
    for (int64_t j = 0; j < k; j++)
        filter[(k - 1) * k + j] = 0.0f;
    simd_with(call, scratch, call->image.data, filter);
    free(filter);
}

static void drop_the_last_column(const struct maxpool_call *call, void *scratch)
{
    const int64_t k = call->geometry->kernel;
    float *filter = copy_of(call->filter, k * k);
    for (int64_t q = 0; q < k; q++)
        filter[q * k + k - 1] = k > 1 ? filter[q * k] : 0.0f;
    simd_with(call, scratch, call->image.data, filter);
    free(filter);
}

static void take_odd_elements_for_even(const struct maxpool_call *call, void *scratch)
{
    const int64_t elements = call->image.rows * call->geometry->cols;
    float *image = copy_of(call->image.data, elements);
    for (int64_t i = 0; i + 1 < elements; i += 2) {
        image[i] = call->image.data[i + 1];
        image[i + 1] = call->image.data[i];
    }
    simd_with(call, scratch, image, call->filter);
    free(image);
}

/* The last output of each row is a copy of its neighbour: a tail that is one lane short. */
static void repeat_the_last_but_one(const struct maxpool_call *call, void *scratch)
{
    const struct block *o = &call->block;
    maxpool_simd_baseline(call, scratch);
    for (int64_t r = o->row; r < o->row + o->rows; r++) {
        float *end = map_row(&call->map, r) + o->col + o->cols;
        if (o->cols > 1)
            end[-1] = end[-2];
    }
}

/* Each fault must be seen in each specialisation by itself: at every k and every stride. */
TEST(faults_of_specialisations_are_caught)
{
    static maxpool_function *const faults[] = {drop_the_last_term, drop_the_last_column,
                                               take_odd_elements_for_even, repeat_the_last_but_one};
    for (size_t f = 0; f < sizeof faults / sizeof faults[0]; f++)
        for (int64_t k = 1; k <= 9; k++)
            for (int64_t s = 1; s <= k + 1; s++) {
                struct maxpool_method faulty = *pooling_method("simd");
                faulty.run[ISA_BASELINE] = faults[f];
                if (sweep_strides(&faulty, 1, k, s, false) == 0)
                    fail_msg("fault %d is not caught at k %d, s %d", (int)f, (int)k, (int)s);
            }
}

static void take_one_plane_of_several(const struct maxpool_call *call, void *scratch)
{
    maxpool_literal(call, scratch);
}

static void skip_the_last_of_several_planes(const struct maxpool_call *call, void *scratch)
{
    for (int64_t i = 0; i < call->block.planes - (call->block.planes > 1); i++) {
        const struct maxpool_call plane = call_plane(call, i);
        maxpool_literal(&plane, scratch);
    }
}

TEST(seeded_faults_are_caught)
{
    static const struct {
        const char *name;
        maxpool_function *run;
    } faults[] = {
        {"skip_last_row", skip_last_row},
        {"stop_one_short_of_the_tail", stop_one_short_of_the_tail},
        {"pad_with_the_other_value", pad_with_the_other_value},
        {"shrink_the_halo", shrink_the_halo},
        {"assume_the_identity", assume_the_identity},
        {"transpose_the_filter", transpose_the_filter},
        {"take_one_plane_of_several", take_one_plane_of_several},
        {"skip_the_last_of_several_planes", skip_the_last_of_several_planes},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct maxpool_method faulty = *pooling_method("literal");
        faulty.run[ISA_BASELINE] = faults[i].run;
        faulty.head.whole_planes = true;
        const int64_t caught = check_grid(&faulty, false);
        if (caught == 0)
            print_error("fault %s was not caught\n", faults[i].name);
        assert_true(caught > 0);
    }
}

/* A write past the map lands in the guard when the block is the whole map. */
TEST(overwritten_guards_are_caught)
{
    struct maxpool_method faulty = *pooling_method("literal");
    const struct pool_case c = {"", 1, 1, 8, 1, 1, 0, PAD_ZERO, false};
    const struct geometry g = case_geometry(&c);
    const struct cutting whole = {0};
    float *image = case_image(&c, 1), *filter = case_filter(1, true, 1);
    faulty.run[ISA_BASELINE] = write_one_past_the_tail;
    assert_int_equal(run_and_count(&faulty, &g, image, filter, whole, true), -1);
    free(image);
    free(filter);
}

/* ---- matmul ---------------------------------------------------------------------------------- */

/* Multiplies in blocks and in panels of terms, where B arrives panel by panel. Returns as
 * run_and_count. */
static int64_t multiply_and_count(const struct matmul_method *m, const struct product_case *c,
                                  const float *a, const float *b, struct cutting cutting,
                                  int64_t panel)
{
    const int64_t all = case_product_cols(c);
    const size_t outputs = (size_t)(c->rows * all);
    const int64_t rows = cutting.rows ? cutting.rows : c->rows;
    const int64_t cols = cutting.cols ? cutting.cols : all;
    const struct operation op = {.image = {1, c->rows, c->cols}, .map = {1, c->rows, all}};
    const size_t bytes = m->head.scratch_bytes ? m->head.scratch_bytes(&op, cols) : 0;
    float *map = guarded_new(outputs), *scratch = guarded_new(bytes / sizeof(float));
    for (int64_t row = 0; row < c->rows; row += rows)
        for (int64_t col = 0; col < all; col += cols)
            for (int64_t term = 0; term < c->cols; term += panel) {
                const int64_t terms = smaller(panel, c->cols - term);
                const struct matmul_call call = {
                    .inner = c->cols,
                    .a = {a + row * c->cols, c->cols, row, smaller(rows, c->rows - row)},
                    .b = {b + term * all, all, term, terms},
                    .c = {map, all, 0},
                    .block = {0, row, smaller(rows, c->rows - row), col, smaller(cols, all - col),
                              1},
                    .term = term,
                    .terms = terms};
                m->run[ISA_BASELINE](&call, scratch);
            }
    int64_t wrong = count_wrong_product(c, a, b, map);
    if (!guarded_intact(map, outputs) || !guarded_intact(scratch, bytes / sizeof(float)))
        wrong = OUTSIDE;
    guarded_free(map);
    guarded_free(scratch);
    return wrong;
}

static int64_t check_products(const struct matmul_method *m)
{
    int64_t failures = 0;
    for (size_t i = 0; i < product_case_count; i++) {
        const struct product_case alone = {
            "",    product_cases[i].rows,       product_cases[i].cols, 1,
            false, product_cases[i].filter_cols};
        const struct product_case *c = &alone;
        const struct pool_case image = {"", 1, c->rows, c->cols, 1, 1, 0, PAD_ZERO, false};
        float *a = case_image(&image, 7), *random = case_values(c->cols * case_product_cols(c), 9);
        float *b = c->filter_cols ? case_values(c->cols * case_product_cols(c), 8)
                                  : case_filter(c->cols, i % 2 == 0, 8);
        for (size_t j = 0; j < 3; j++) {
            failures += multiply_and_count(m, c, a, b, cuttings[j], c->cols) != 0;
            failures += multiply_and_count(m, c, a, random, cuttings[j + 2], 50) != 0;
        }
        free(a);
        free(b);
        free(random);
    }
    return failures;
}

TEST(every_product_method_is_exact)
{
    for (size_t i = 0; i < matmul_method_count; i++)
        for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++) {
            const struct matmul_method *m = &matmul_methods[i];
            struct matmul_method variant = *m;
            variant.run[ISA_BASELINE] = m->run[isa];
            if (m->head.kind != SPACE_HOST || m->head.unavailable || !m->run[isa] ||
                isa_missing(isa))
                continue;
            if (check_products(&variant) != 0)
                fail_msg("matmul %s in %s", m->head.name, isa_name(isa));
        }
}

static void forget_the_last_term(const struct matmul_call *call, void *scratch)
{
    struct matmul_call cut = *call;
    cut.terms = call->terms > 1 ? call->terms - 1 : 1;
    matmul_methods[0].run[ISA_BASELINE](&cut, scratch);
}

static void overwrite_earlier_panels(const struct matmul_call *call, void *scratch)
{
    struct matmul_call wrong = *call;
    for (int64_t i = 0; call->term > 0 && i < call->block.rows; i++)
        memset(map_row(&wrong.c, call->block.row + i) + call->block.col, 0,
               (size_t)call->block.cols * sizeof(float));
    matmul_methods[0].run[ISA_BASELINE](&wrong, scratch);
}

TEST(seeded_product_faults_are_caught)
{
    struct matmul_method faulty = matmul_methods[0];
    faulty.run[ISA_BASELINE] = forget_the_last_term;
    assert_true(check_products(&faulty) > 0);
    faulty.run[ISA_BASELINE] = overwrite_earlier_panels;
    assert_true(check_products(&faulty) > 0);
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* Copies in blocks of the cutting, from a fenced copy of the rows that it may read. Returns as
 * run_and_count. */
static int64_t copy_and_count(copy_function *run, bool whole_planes, const struct copy_case *c,
                              const float *image, struct cutting cutting)
{
    const int64_t rows = cutting.rows ? cutting.rows : c->rows;
    const int64_t cols = cutting.cols ? cutting.cols : c->cols;
    const int64_t elements = c->rows * c->cols,
                  most = whole_planes && !cutting.rows && !cutting.cols;
    const int64_t planes = most ? c->planes : 1;
    float *map = guarded_new((size_t)(c->planes * elements));
    struct block b = {0};
    for (b.plane = 0; b.plane < c->planes; b.plane += planes)
        for (b.row = 0; b.row < c->rows; b.row += rows)
            for (b.col = 0; b.col < c->cols; b.col += cols) {
                b.rows = smaller(rows, c->rows - b.row);
                b.cols = smaller(cols, c->cols - b.col);
                b.planes = planes;
                const size_t floats = (size_t)(((planes - 1) * c->rows + b.rows) * c->cols);
                float *band = fenced_room(floats);
                memcpy(band, image + b.plane * elements + b.row * c->cols, floats * sizeof *band);
                const struct portion portion = {
                    .block = b,
                    .image = {band, c->cols, b.row, b.rows, elements},
                    .map = {map + b.plane * elements, c->cols, 0, elements}};
                run(&portion);
            }
    int64_t wrong = count_wrong_copied(c, image, map);
    if (!guarded_intact(map, (size_t)(c->planes * elements)))
        wrong = OUTSIDE;
    guarded_free(map);
    return wrong;
}

static int64_t check_copies(copy_function *run, bool whole_planes)
{
    int64_t failures = 0;
    for (size_t i = 0; i < copy_case_count; i++) {
        const struct copy_case *c = &copy_cases[i];
        const struct pool_case elements = {"", c->planes, c->rows,  c->cols, 1,
                                           1,  0,         PAD_ZERO, false};
        float *image = case_image(&elements, 7);
        for (size_t j = 0; j < sizeof cuttings / sizeof *cuttings; j++)
            failures += copy_and_count(run, whole_planes, c, image, cuttings[j]) != 0;
        free(image);
    }
    return failures;
}

TEST(every_copy_method_is_exact)
{
    for (size_t i = 0; i < copy_method_count; i++)
        if (check_copies(copy_methods[i].run, copy_methods[i].head.whole_planes) != 0)
            fail_msg("copy %s", copy_methods[i].head.name);
}

static void forget_the_last_row(const struct portion *portion)
{
    struct portion cut = *portion;
    cut.block.rows -= portion->block.rows > 1;
    copy_literal(&cut);
}

static void forget_later_planes(const struct portion *portion)
{
    struct portion cut = *portion;
    cut.block.planes = 1;
    copy_rows(&cut);
}

TEST(seeded_copy_faults_are_caught)
{
    assert_true(check_copies(forget_the_last_row, false) > 0);
    assert_true(check_copies(forget_later_planes, true) > 0);
}

/* ---- the oracles themselves ------------------------------------------------------------------ */

TEST(acceptance_refuses_nan)
{
    const struct expectation exact = {1.0, 0.0}, bounded = {1.0, 0.5};
    assert_true(oracle_accepts(exact, 1.0f));
    assert_false(oracle_accepts(exact, 0x1.000002p0f));
    assert_true(oracle_accepts(bounded, 1.5f));
    assert_false(oracle_accepts(bounded, 1.5000001f));
    assert_false(oracle_accepts(exact, NAN));
    assert_false(oracle_accepts(bounded, NAN));
    assert_false(oracle_accepts(bounded, INFINITY));
    assert_true(oracle_accepts((struct expectation){0.0, 0.0}, -0.0f));
}

TEST(the_bound_is_that_of_a_dot_product)
{
    const float a[2] = {0.1f, 0.2f}, b[2] = {0.3f, -0.7f};
    const struct view filter = {b, 1, 0, 2, 0};
    struct expectation e;
    oracle_dots(a, &filter, 2, 0, 1, &e);
    const double magnitude = (double)a[0] * 0.3f + (double)a[1] * 0.7f;
    assert_true(fabs(e.bound / (2 * 0x1p-24 * magnitude) - 1.0) < 1e-6);
    assert_true(oracle_is_exact(true, 2, 9, 9));
    assert_false(oracle_is_exact(false, 2, 9, 9));
    assert_false(oracle_is_exact(true, 4096, 64, 64));
}
