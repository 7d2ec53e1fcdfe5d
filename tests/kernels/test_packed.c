/* Compares the matrix product `packed` with the method naive, exactly, at every edge of its tiles,
 * blocks and panels, in every instruction set that runs here. Fences are directly before or after A
 * or B, and guards surround C. Seeded faults at those edges show that the check would notice. */
#include "tests/support/cases.h"

#include "kernels/isa.h"
#include "kernels/matmul/blocks.h"
#include "kernels/matmul/matmul.h"
#include "kernels/min_max.h"
#include "tests/support/unit_test.h"

#include <stdlib.h>
#include <string.h>

/* Sizes around the heights of micro-panels (1, 3, 6, 12), vectors and pairs of them (2 .. 32
 * lanes), a block of rows (252, or 60 with small caches) and a panel of terms (512, or 384). Terms
 * come in two calls. 1101 terms are more than a panel has, so they are packed, whatever the size;
 * most others are few enough to be read in place. */
static const int64_t heights[] = {1, 2, 3, 4, 6, 7, 11, 12, 13, 25, 253};
static const int64_t widths[] = {1, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 65};
static const int64_t depths[] = {1, 2, 7, 385, 1101};

enum { HEIGHTS = sizeof heights / sizeof *heights, WIDTHS = sizeof widths / sizeof *widths };
enum { DEPTHS = sizeof depths / sizeof *depths };

/* Widths and heights with their own code for reading in place, and a batch that is packed. */
static const struct batch {
    int64_t planes, rows, cols, inner;
} own_batches[] = {{1, 4, 4, 4},     {37, 4, 4, 4},   {5, 1, 1, 1},    {3, 2, 2, 2},
                   {9, 3, 3, 3},     {7, 8, 8, 8},    {3, 5, 7, 7},    {2, 16, 16, 16},
                   {3, 13, 17, 17},  {2, 12, 33, 33}, {3, 57, 57, 57}, {2, 7, 130, 130},
                   {2, 2, 386, 386}, {6, 1, 8, 8},    {11, 6, 4, 4}};
enum { BATCHES = sizeof own_batches / sizeof *own_batches };

/* C = A B with C in the middle of a wider matrix. */
struct edge {
    int64_t rows, cols, inner;
};

enum { MARGIN = 5 }; /* columns on either side of C that must not change */

/* The operand that is directly before or after a page that must not be touched. */
enum fenced { FENCED_A, FENCED_B };

static float *integers(size_t count, unsigned seed)
{
    float *values = malloc(count * sizeof *values);
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        values[i] = (float)(int)((seed >> 16) % 19u) - 9.0f;
    }
    return values;
}

static struct matmul_call make_call(const struct edge *e, const struct caches *caches,
                                    const float *a, const float *b, float *c)
{
    return (struct matmul_call){.inner = e->inner,
                                .a = {a, e->inner, 0, e->rows},
                                .b = {b, e->cols, 0, e->inner},
                                .c = {c + MARGIN, e->cols + 2 * MARGIN, 0},
                                .block = {0, 0, e->rows, 0, e->cols, 1},
                                .term = 0,
                                .terms = e->inner,
                                .caches = *caches};
}

/* Unknown caches, and small ones. */
static const struct caches machines[] = {{{0}}, {{0, 8 << 10, 128 << 10, 1 << 20}}};
enum { MACHINES = sizeof machines / sizeof *machines };

/* Computes the product in two panels of terms, the second one added to the first. */
static void run_in_panels(matmul_function *run, struct matmul_call call, void *scratch)
{
    const int64_t half = call.inner / 2;
    if (half > 0) {
        call.terms = half;
        call.b.rows = half;
        run(&call, scratch);
    }
    call.b.data += half * call.b.row_stride;
    call.b.first_row = call.term = half;
    call.b.rows = call.terms = call.inner - half;
    run(&call, scratch);
}

/* True if the method and naive leave the same values in all of C's memory, and its margins
 * unchanged. */
static bool agrees(matmul_function *run, const struct edge *e, const struct caches *caches,
                   enum fenced fenced)
{
    const size_t a_count = (size_t)(e->rows * e->inner), b_count = (size_t)(e->inner * e->cols);
    const size_t c_count = (size_t)(e->rows * (e->cols + 2 * MARGIN));
    const struct operation op = {.image = {1, e->rows, e->inner}, .caches = *caches};
    const size_t scratch_count = matmul_packed_scratch(&op, e->cols) / sizeof(float);
    float *a = integers(a_count, 1), *b = integers(b_count, 2);
    float *want = guarded_new(c_count), *got = guarded_new(c_count);
    float *scratch = guarded_new(scratch_count);
    float *fence = fenced_room(fenced == FENCED_A ? a_count : b_count);
    memcpy(fence, fenced == FENCED_A ? a : b, (fenced == FENCED_A ? a_count : b_count) * sizeof *a);
    const struct matmul_call truth = make_call(e, caches, a, b, want);
    const struct matmul_call call =
        make_call(e, caches, fenced == FENCED_A ? fence : a, fenced == FENCED_B ? fence : b, got);
    matmul_naive(&truth, NULL);
    run_in_panels(run, call, scratch);
    const bool same = memcmp(want, got, c_count * sizeof *got) == 0 &&
                      guarded_intact(got, c_count) && guarded_intact(scratch, scratch_count);
    free(a);
    free(b);
    guarded_free(want);
    guarded_free(got);
    guarded_free(scratch);
    return same;
}

static int64_t count_failures(matmul_function *run, bool show)
{
    int64_t failures = 0;
    for (size_t i = 0; i < HEIGHTS; i++)
        for (size_t j = 0; j < WIDTHS; j++)
            for (size_t k = 0; k < DEPTHS; k++) {
                const struct edge e = {heights[i], widths[j], depths[k]};
                const struct caches *caches = &machines[(i + j + k) % MACHINES];
                const bool good =
                    agrees(run, &e, caches, FENCED_A) && agrees(run, &e, caches, FENCED_B);
                if (!good && show)
                    print_error("%d x %d over %d terms\n", (int)e.rows, (int)e.cols, (int)e.inner);
                failures += !good;
            }
    return failures;
}

static matmul_function *const variants[ISA_COUNT] = ISA_VARIANTS(matmul_packed);

TEST(every_edge_is_exact)
{
    for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++)
        if (!isa_missing(isa) && variants[isa] && count_failures(variants[isa], true) != 0)
            fail_msg("packed in %s", isa_name(isa));
}

/* One product is wider than a panel of B, so that a second panel begins. In the other, a block of A
 * and a panel of B fill their buffers to the last float, each in its own call. */
TEST(a_second_panel_of_columns_is_exact)
{
    const struct packed_blocks blocks = packed_blocks_for(&machines[0]);
    const struct packed_blocks small = packed_blocks_for(&machines[1]);
    const struct edge wide = {13, blocks.cols + 33, 3};
    const struct edge full = {small.rows, small.cols, 2 * small.terms};
    for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++)
        if (!isa_missing(isa) && variants[isa])
            assert_true(agrees(variants[isa], &wide, &machines[0], FENCED_B) &&
                        agrees(variants[isa], &full, &machines[1], FENCED_A));
}

/* Small matrices one below the other, more than fit a small product: they are read in place, some
 * rows at a time, with fewer rows at the end. */
TEST(a_batch_of_small_matrices_is_exact)
{
    static const struct edge batches[] = {{1200, 64, 128}, {12345, 17, 22}};
    for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++)
        for (size_t i = 0; !isa_missing(isa) && variants[isa] && i < 2; i++)
            assert_true(agrees(variants[isa], &batches[i], &machines[0], FENCED_A) &&
                        agrees(variants[isa], &batches[i], &machines[0], FENCED_B));
}

/* ---- batches: one B per plane, or one B for all planes --------------------------------------- */

/* Runs a batch by `run`, or by the method naive plane by plane if that is NULL. */
static void run_batch(matmul_function *run, const struct matmul_call *call, void *scratch)
{
    if (run)
        run(call, scratch);
    for (int64_t plane = 0; !run && plane < call->block.planes; plane++) {
        const struct matmul_call one = matmul_call_plane(call, plane);
        matmul_naive(&one, NULL);
    }
}

/* Returns the planes' outputs, one after the other, in memory that was poisoned. The caller frees
 * it. `b` may be before or after a page that must not be touched. */
static float *batch_by(matmul_function *run, const struct batch *s, bool own, const float *a,
                       const float *b)
{
    const struct edge e = {s->rows, s->cols, s->inner};
    const int64_t c_plane = s->rows * s->cols;
    const struct operation op = {.image = {1, s->rows, s->inner}, .caches = machines[1]};
    const size_t scratch_count = matmul_packed_scratch(&op, s->cols) / sizeof(float);
    float *c = guarded_new((size_t)(s->planes * c_plane)), *scratch = guarded_new(scratch_count);
    struct matmul_call call = make_call(&e, &machines[1], a, b, c);
    call.a.plane_stride = s->rows * s->inner;
    call.b.plane_stride = own ? s->inner * s->cols : 0;
    call.c = (struct map_view){c, s->cols, 0, c_plane};
    call.block.planes = s->planes;
    run_batch(run, &call, scratch);
    assert_true(guarded_intact(c, (size_t)(s->planes * c_plane)));
    assert_true(guarded_intact(scratch, scratch_count));
    guarded_free(scratch);
    return c;
}

/* True if batches by `run` and by naive are equal. The fence is after or before one operand,
 * alternately, as fenced_room places it. */
static bool batch_matches(matmul_function *run, const struct batch *s, bool own, enum fenced fenced)
{
    const size_t a_count = (size_t)(s->planes * s->rows * s->inner);
    const size_t b_count = (size_t)((own ? s->planes : 1) * s->inner * s->cols);
    const size_t c_count = (size_t)(s->planes * s->rows * s->cols);
    float *a = integers(a_count, 4), *b = integers(b_count, 5);
    float *fence = fenced_room(fenced == FENCED_A ? a_count : b_count);
    memcpy(fence, fenced == FENCED_A ? a : b, (fenced == FENCED_A ? a_count : b_count) * sizeof *a);
    float *want = batch_by(NULL, s, own, a, b);
    float *got =
        batch_by(run, s, own, fenced == FENCED_A ? fence : a, fenced == FENCED_B ? fence : b);
    const bool same = memcmp(want, got, c_count * sizeof *got) == 0;
    free(a);
    free(b);
    guarded_free(want);
    guarded_free(got);
    return same;
}

/* Tries each fence after an operand and before it; the last two times with one B for all planes. */
static int64_t count_failures_of(matmul_function *run, const struct batch *s, bool show)
{
    int64_t failures = 0;
    for (int turn = 0; turn < 6; turn++)
        failures += !batch_matches(run, s, turn < 4, turn % 4 < 2 ? FENCED_A : FENCED_B);
    if (failures > 0 && show)
        print_error("%d planes of %d x %d\n", (int)s->planes, (int)s->rows, (int)s->cols);
    return failures;
}

/* Tries the batches above, and squares of every size that has its own code, and of one more. */
static int64_t count_batch_failures(matmul_function *run)
{
    int64_t failures = 0;
    for (size_t i = 0; i < BATCHES; i++)
        failures += count_failures_of(run, &own_batches[i], true);
    for (int64_t n = 1; n <= 17; n++)
        failures += count_failures_of(run, &(struct batch){3, n, n, n}, true);
    for (int64_t n = 24; n <= 64; n += 8)
        failures += count_failures_of(run, &(struct batch){2, n, n, n}, true);
    return failures;
}

static void stay_with_the_first_matrix(const struct matmul_call *call, void *scratch)
{
    struct matmul_call wrong = *call;
    wrong.b.plane_stride = 0;
    matmul_packed_baseline(&wrong, scratch);
}

static void leave_out_the_last_plane(const struct matmul_call *call, void *scratch)
{
    struct matmul_call cut = *call;
    cut.block.planes -= call->block.planes > 1;
    matmul_packed_baseline(&cut, scratch);
}

TEST(each_plane_by_its_own_is_exact)
{
    for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++)
        if (!isa_missing(isa) && variants[isa] && count_batch_failures(variants[isa]) != 0)
            fail_msg("batches in %s", isa_name(isa));
    assert_true(count_failures_of(stay_with_the_first_matrix, &own_batches[1], false) > 0);
    assert_true(count_failures_of(leave_out_the_last_plane, &own_batches[1], false) > 0);
}

/* ---- B by its columns ------------------------------------------------------------------------ */

/* Returns B transposed: its row j is column j of B. It is directly before or after a page that must
 * not be touched. */
static float *turned(const struct edge *e, const float *b)
{
    float *to = fenced_room((size_t)(e->inner * e->cols));
    for (int64_t j = 0; j < e->cols; j++)
        for (int64_t k = 0; k < e->inner; k++)
            to[j * e->inner + k] = b[k * e->cols + j];
    return to;
}

/* True if the product of A and the transposed B, added to what each column begins with, equals
 * naive's. */
static bool turned_matches(matmul_function *run, const struct edge *e, const struct caches *caches)
{
    const size_t c_count = (size_t)(e->rows * (e->cols + 2 * MARGIN));
    const struct operation op = {.image = {1, e->rows, e->inner}, .caches = *caches};
    float *a = integers((size_t)(e->rows * e->inner), 1);
    float *b = integers((size_t)(e->inner * e->cols), 2), *start = integers((size_t)e->cols, 3);
    float *want = guarded_new(c_count), *got = guarded_new(c_count);
    float *scratch = guarded_new(matmul_packed_scratch(&op, e->cols) / sizeof(float));
    const struct matmul_call truth = make_call(e, caches, a, b, want);
    struct matmul_call call = make_call(e, caches, a, turned(e, b), got);
    call.b.row_stride = e->inner;
    call.b.rows = e->cols;
    call.b_transposed = true;
    call.start = start;
    matmul_naive(&truth, NULL);
    for (int64_t i = 0; i < e->rows; i++)
        for (int64_t j = 0; j < e->cols; j++)
            map_row(&truth.c, i)[j] += start[j];
    run(&call, scratch);
    const bool same = memcmp(want, got, c_count * sizeof *got) == 0 && guarded_intact(got, c_count);
    free(a);
    free(b);
    free(start);
    guarded_free(want);
    guarded_free(got);
    guarded_free(scratch);
    return same;
}

static int64_t count_turned_failures(matmul_function *run)
{
    static const struct edge edges[] = {{1, 1, 1},     {5, 31, 7},   {12, 32, 4},   {13, 33, 513},
                                        {25, 65, 385}, {253, 17, 3}, {14, 4130, 6}, {3, 64, 1101}};
    int64_t failures = 0;
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        failures += !turned_matches(run, &edges[i], &machines[i % MACHINES]);
    return failures;
}

static void set_upon_nothing(const struct matmul_call *call, void *scratch)
{
    struct matmul_call cut = *call;
    cut.start = NULL;
    matmul_packed_baseline(&cut, scratch);
}

TEST(columns_of_b_given_as_rows_are_exact)
{
    for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++)
        if (!isa_missing(isa) && variants[isa] && count_turned_failures(variants[isa]) != 0)
            fail_msg("turned, in %s", isa_name(isa));
    assert_true(count_turned_failures(set_upon_nothing) > 0);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Packed blocks and panels fit the caches that they are meant for, in whole micro-panels, however
 * odd the caches are. Larger caches never make a block smaller, and unknown ones count as those of
 * a common machine. */
TEST(blocks_fit_the_caches)
{
    static const int64_t first[] = {16 << 10, 32 << 10, 48 << 10, 192 << 10};
    static const int64_t second[] = {256 << 10, 512 << 10, 1280 << 10, 2 << 20, 16 << 20};
    static const int64_t third[] = {4 << 20, 33 << 20, 105 << 20};
    const struct packed_blocks common = packed_blocks_for(&machines[0]);
    for (int i = 0; i < 60; i++) {
        const struct caches c = {{0, first[i % 4], second[i / 4 % 5], third[i / 20]}};
        const struct packed_blocks b = packed_blocks_for(&c);
        assert_int_equal(b.rows % PACKED_ROWS_STEP, 0);
        assert_int_equal(b.cols % PACKED_COLS_STEP, 0);
        assert_true(b.terms >= PACKED_LEAST_TERMS);
        assert_true(b.rows * b.terms * 4 <= larger(second[i / 4 % 5] / 2, 256 << 10));
        assert_true(b.cols * b.terms * 4 <= larger(third[i / 20] / 4, 2 << 20));
        if (first[i % 4] == 32 << 10 && second[i / 4 % 5] > 1 << 20 && third[i / 20] > 32 << 20)
            assert_true(b.rows >= common.rows && b.cols >= common.cols && b.terms == common.terms);
    }
    assert_int_equal(common.rows, 252);
    assert_int_equal(common.terms, 512);
    assert_int_equal(common.cols, 4096);
}

/* A worker has a block of A, and a panel of B whose columns are rounded up to whole micro-panels.
 */
TEST(scratch_holds_a_block_and_a_panel)
{
    const struct packed_blocks b = {.rows = 24, .terms = 400, .cols = 96};
    assert_int_equal(packed_blocks_bytes(&b, 1000, 1000), 4 * (24 * 400 + 400 * 96));
    assert_int_equal(packed_blocks_bytes(&b, 7, 1000), 4 * (24 * 400 + 7 * 96));
    assert_int_equal(packed_blocks_bytes(&b, 7, 33), 4 * (24 * 400 + 7 * 64));
    assert_int_equal(packed_blocks_bytes(&b, 7, 32), 4 * (24 * 400 + 7 * 32));
}

/* ---- seeded faults --------------------------------------------------------------------------- */

static void lose_the_last_lane(const struct matmul_call *call, void *scratch)
{
    struct matmul_call cut = *call;
    cut.block.cols -= call->block.cols % 16 == 15;
    matmul_packed_baseline(&cut, scratch);
}

static void lose_the_row_of_a_low_micro_panel(const struct matmul_call *call, void *scratch)
{
    struct matmul_call cut = *call;
    cut.block.rows -= call->block.rows > 12 && call->block.rows % 12 == 1;
    matmul_packed_baseline(&cut, scratch);
}

static void lose_the_term_of_a_second_panel(const struct matmul_call *call, void *scratch)
{
    struct matmul_call cut = *call;
    cut.terms -= call->terms > 100;
    matmul_packed_baseline(&cut, scratch);
}

/* Overwrites what earlier terms left in C. */
static void set_where_it_should_add(const struct matmul_call *call, void *scratch)
{
    const struct block *o = &call->block;
    for (int64_t i = 0; i < o->rows; i++)
        memset(map_row(&call->c, i), 0, (size_t)o->cols * sizeof(float));
    matmul_packed_baseline(call, scratch);
}

static void write_beside_the_tile(const struct matmul_call *call, void *scratch)
{
    matmul_packed_baseline(call, scratch);
    if (call->block.cols % 8 == 1)
        map_row(&call->c, 0)[call->block.cols] = 0.0f;
}

TEST(seeded_faults_are_caught)
{
    matmul_function *const faults[] = {lose_the_last_lane, lose_the_row_of_a_low_micro_panel,
                                       lose_the_term_of_a_second_panel, set_where_it_should_add,
                                       write_beside_the_tile};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (count_failures(faults[i], false) == 0)
            fail_msg("fault %zu was not caught", i);
}
