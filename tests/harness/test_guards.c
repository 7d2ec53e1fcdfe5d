/* Guards: every element of a guard is checked, blocks have the same alignment as without guards,
 * and methods that write next to map, image or scratch are reported with the place, in every
 * shared-memory space. For ranks and GPUs see tests/support/space_check.c. */
#include "harness/machine/guard.h"
#include "harness/machine/memory.h"
#include "harness/space/guards.h"
#include "harness/space/host.h"
#include "kernels/maxpool/maxpool.h"
#include "kernels/operators.h"
#ifdef MAXPOOL_HAVE_OPENMP
#include "openmp/omp.h"
#endif
#include "serial/serial.h"
#include "tests/harness/write_outside.h"
#include "tests/support/cases.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- blocks ---------------------------------------------------------------------------------- */

static struct guarded allocate(size_t bytes)
{
    struct guarded g;
    struct failure f = {0};
    assert_int_equal(guarded_allocate(&g, bytes, "a test", &f), STATUS_OK);
    memset(g.block, 0xff, bytes);
    return g;
}

TEST(each_element_is_watched)
{
    enum { FLOATS = 5 };
    struct guarded g = allocate(FLOATS * sizeof(float));
    int64_t found;
    assert_false(guarded_damage(&g, &found)); /* nothing was damaged */
    guarded_plant(&g);
    for (int64_t i = -GUARD_ELEMENTS; i < FLOATS + GUARD_ELEMENTS; i++) {
        const bool inside = i >= 0 && i < FLOATS;
        write_outside((float *)g.block + i);
        assert_int_equal(guarded_damage(&g, &found), !inside);
        assert_true(inside || found == i);
        assert_false(guarded_damage(&g, &found)); /* the check restored it */
    }
    guarded_release(&g);
}

/* Every guard value is a NaN, differs from the poison and from its neighbour, so that whatever an
 * execution writes is seen: a number, poison, or a shifted guard. The address sanitizer allows no
 * reading of guards. */
TEST(no_value_hides)
{
#ifndef __SANITIZE_ADDRESS__
    uint32_t guard[GUARD_ELEMENTS];
    guard_fill(guard);
    assert_int_equal(guard_damage(guard), -1);
    for (int i = 0; i < GUARD_ELEMENTS; i++) {
        float value;
        memcpy(&value, &guard[i], sizeof value);
        assert_true(isnan(value));
        assert_true(guard[i] != 0xffffffffu);
        assert_true(i == 0 || guard[i] != guard[i - 1]);
    }
    memset(guard, 0xff, sizeof(float)); /* poison written past the end */
    assert_int_equal(guard_damage(guard), 0);
#endif
}

/* Alignment is the same as tests/harness/test_memory.c requires of blocks without guards. */
TEST(blocks_begin_where_they_would)
{
    static const size_t sizes[] = {
        0, 4, 100000, MEMORY_LARGE - 4, MEMORY_LARGE, MEMORY_LARGE + 4, 64 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const uintptr_t alignment = sizes[i] >= MEMORY_LARGE ? MEMORY_HUGE_PAGE : 64;
        struct guarded g;
        struct failure f = {0};
        int64_t found;
        assert_int_equal(guarded_allocate(&g, sizes[i], "a test", &f), STATUS_OK);
        assert_int_equal((uintptr_t)g.block % alignment, 0);
        guarded_plant(&g);
        write_outside((float *)((char *)g.block + sizes[i]));
        assert_true(guarded_damage(&g, &found));
        assert_int_equal(found, sizes[i] / sizeof(float));
        guarded_release(&g);
    }
}

/* A block of 512 KiB is large if it is read once per execution. */
TEST(cold_blocks_begin_at_huge_pages)
{
    enum { LEAST = 512 << 10 };
    static const size_t sizes[] = {LEAST - 4, LEAST, LEAST + 4, MEMORY_LARGE};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct guarded g;
        struct failure f = {0};
        int64_t found;
        assert_int_equal(guarded_allocate_cold(&g, sizes[i], "a test", &f), STATUS_OK);
        assert_int_equal((uintptr_t)g.block % (sizes[i] >= LEAST ? MEMORY_HUGE_PAGE : 64), 0);
        guarded_plant(&g);
        write_outside((float *)((char *)g.block + sizes[i]));
        assert_true(guarded_damage(&g, &found));
        assert_int_equal(found, sizes[i] / sizeof(float));
        guarded_release(&g);
    }
}

/* The scratch of each worker has its own guards: before its part and after it. */
TEST(each_part_of_scratch_is_watched)
{
    enum { PARTS = 3, FLOATS = 100 };
    struct scratch s;
    struct failure f = {0};
    scratch_settle(&s, FLOATS * sizeof(float), 4096, PARTS);
    assert_int_equal(scratch_allocate(&s, "a test", &f), STATUS_OK);
    for (int64_t part = 0; part < PARTS; part++)
        scratch_plant(&s, part);
    assert_int_equal(scratch_check(&s, &f), STATUS_OK);
    for (int64_t i = 0; i < 2 * PARTS; i++) {
        float *part = scratch_part(&s, i / 2);
        const int64_t at = i % 2 ? FLOATS : -1;
        char reported[32];
        f = (struct failure){0};
        part[0] = part[FLOATS - 1] = 1.0f; /* its own part */
        write_outside(part + at);
        assert_int_equal(scratch_check(&s, &f), STATUS_WRONG);
        snprintf(reported, sizeof reported, "at element %d of", (int)at);
        assert_non_null(strstr(f.message, reported));
        assert_int_equal(scratch_check(&s, NULL), STATUS_OK);
    }
    scratch_release(&s);
}

/* ---- planted methods --------------------------------------------------------------------------
 *
 * The method `literal`, which writes next to one of its blocks after it has computed its
 * outputs. */

enum { ROWS = 12, COLS = 10, PLANES = 2, K = 2, SCRATCH = 20 /* floats */ };

static enum place { NOWHERE, MAP, IMAGE, SCRATCH_PART } where;
static bool behind; /* or else before it */

/* Writes next to the map or image of `floats` elements that begins at `data`. */
static void write_beside(float *data, int64_t floats)
{
    write_outside(behind ? data + floats : data - 1);
}

static void literal_and_a_write(const struct maxpool_call *call, void *scratch)
{
    const struct geometry *g = call->geometry;
    float *image = (float *)call->image.data - call->block.plane * g->rows * g->cols;
    float *map = call->map.data - call->block.plane * g->out_rows * g->out_cols;
    maxpool_literal(call, scratch);
    if (where == SCRATCH_PART)
        write_beside(scratch, SCRATCH);
    else if (call->block.plane > 0 || call->block.row > 0)
        return; /* one worker is enough */
    else if (where == MAP)
        write_beside(map, PLANES * g->out_rows * g->out_cols);
    else if (where == IMAGE)
        write_beside(image, PLANES * g->rows * g->cols);
}

static size_t some_scratch(const struct operation *op, int64_t cols)
{
    (void)op;
    (void)cols;
    return SCRATCH * sizeof(float);
}

static struct maxpool_method planted_method(void)
{
    struct maxpool_method m = *maxpool_method_of(&maxpool_methods[0].head);
    m.head.scratch_bytes = some_scratch;
    m.run[ISA_BASELINE] = literal_and_a_write;
    return m;
}

/* Runs one execution. `reported` receives the message about guards, or "" if there is none. */
static void run_planted(const struct space *space, int64_t threads, char *reported, size_t size)
{
    const struct pool_case c = {"", PLANES, ROWS, COLS, K, K, 0, PAD_ZERO, false};
    const struct maxpool_method method = planted_method();
    float *image = case_image(&c, 3), *filter = case_filter(K, true, 1);
    struct operation op = {.kind = &maxpool_operator,
                           .geometry = case_geometry(&c),
                           .image = {PLANES, ROWS, COLS},
                           .map = {PLANES, ROWS / K, COLS / K},
                           .method = &method.head,
                           .operands[OPERAND_FILTER] = {.values = filter,
                                                        .shape = {1, K, K},
                                                        .identity = true,
                                                        .integers = true,
                                                        .max_abs = 1.0,
                                                        .name = "identity"}};
    struct job job = {.operation = &op,
                      .source = case_source(op.image, image),
                      .threads = threads,
                      .min_cost = 1.0};
    struct resources resources = {0};
    struct phases phases;
    struct instance *instance;
    struct failure f = {0};
    assert_int_equal(space->open(&job, &instance, &resources, &f), STATUS_OK);
    space->poison(instance);
    assert_int_equal(space->execute(instance, &phases, &f), STATUS_OK);
    const enum status status = space->check_guards(instance, &f);
    assert_int_equal(status, f.message[0] ? STATUS_WRONG : STATUS_OK);
    assert_int_equal(space->check_guards(instance, NULL), STATUS_OK);
    snprintf(reported, size, "%s", f.message);
    space->close(instance);
    source_close(job.source);
    free(image);
    free(filter);
}

struct planted {
    enum place where;
    bool behind;
    const char *reported;
};

static const struct planted plants[] = {
    {NOWHERE, false, ""},
    {MAP, true, "wrote outside its block at plane 1, row 5, column 5 of the map"},
    {MAP, false, "wrote outside its block at plane 0, row 0, column -1 of the map"},
    {IMAGE, true, "wrote outside its block at plane 1, row 11, column 10 of the image"},
    {IMAGE, false, "wrote outside its block at plane 0, row 0, column -1 of the image"},
    {SCRATCH_PART, true,
     "wrote outside its block at element 20 of the scratch, which has 20 elements"},
    {SCRATCH_PART, false,
     "wrote outside its block at element -1 of the scratch, which has 20 elements"},
};

static void check_plants(const struct space *space, int64_t threads)
{
    for (size_t i = 0; i < sizeof plants / sizeof plants[0]; i++) {
        char reported[sizeof((struct failure *)0)->message];
        where = plants[i].where;
        behind = plants[i].behind;
        run_planted(space, threads, reported, sizeof reported);
        assert_string_equal(reported, plants[i].reported);
    }
}

TEST(a_serial_method_that_writes_outside_is_reported)
{
    check_plants(&serial_space, 1);
}

#ifdef MAXPOOL_HAVE_OPENMP
TEST(every_thread_that_writes_outside_is_reported)
{
    for (int64_t threads = 1; threads <= 3; threads++)
        check_plants(&omp_space, threads);
}
#endif

/* Folded memory holds no values that could be checked. Folding stays on for the rest of the
 * process. */
TEST(folded_blocks_have_no_guards)
{
    struct guarded g;
    int64_t found;
    memory_fold();
    assert_int_equal(guarded_allocate(&g, 100, "a test", NULL), STATUS_OK);
    guarded_plant(&g);
    assert_ptr_equal(g.block, g.base);
    assert_false(guarded_damage(&g, &found));
    guarded_release(&g);
}
