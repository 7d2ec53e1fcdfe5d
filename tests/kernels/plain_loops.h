/* Tests a method's plain loops, which state its idea and run on processors whose vectors are not
 * known: the method's file is compiled for one lane and compared bit for bit with another method.
 * Included by tests/kernels/test_NAME_plain.c after that file. */
#include "tests/support/unit_test.h"

#include <stdlib.h>
#include <string.h>

enum { PLANES = 2, ROWS = 13, COLS = 21, MOST = PLANES * 32 * 40, WIDEST = ROWS * ROWS };

static float image[PLANES * ROWS * COLS], filter[WIDEST];

static struct geometry geometry_of(int64_t k, int64_t s, int64_t p, enum pad_mode mode)
{
    return (struct geometry){.planes = PLANES,
                             .rows = ROWS,
                             .cols = COLS,
                             .kernel = k,
                             .stride = s,
                             .padding = p,
                             .pad_mode = mode,
                             .out_rows = (ROWS + 2 * p - k) / s + 1,
                             .out_cols = (COLS + 2 * p - k) / s + 1};
}

/* Runs the method on whole images if it takes several planes at a time, otherwise plane by
 * plane. */
static void run(maxpool_function *method, bool planes, struct maxpool_call call)
{
    static char scratch[1 << 20] __attribute__((aligned(64)));
    memset(scratch, 0, sizeof scratch);
    for (int64_t i = 0; !planes && i < PLANES; i++) {
        const struct maxpool_call plane = call_plane(&call, i);
        method(&plane, scratch);
    }
    if (planes)
        method(&call, scratch);
}

/* The method in plain loops, and the one that it is compared with. */
struct plain {
    maxpool_function *plain, *other;
    bool planes, product;
};

static void check(const struct plain *m, const struct geometry *g)
{
    static float map[2][MOST];
    const int64_t outputs = g->out_rows * g->out_cols;
    struct maxpool_call call = {
        .geometry = g,
        .filter = filter,
        .image = {image, COLS, 0, ROWS, ROWS * COLS},
        .block = {.planes = PLANES, .rows = g->out_rows, .cols = g->out_cols},
        .map = {map[0], g->out_cols, 0, outputs}};
    assert_true(PLANES * outputs <= MOST);
    memset(map, 0xff, sizeof map);
    run(m->plain, m->planes, call);
    call.map.data = map[1];
    run(m->other, false, call);
    assert_memory_equal(map[0], map[1], (size_t)(PLANES * outputs) * sizeof(float));
}

/* The identity, or small integers, whose products are exact. */
static void make_filter(int64_t k, bool identity)
{
    for (int64_t i = 0; i < k * k; i++)
        filter[i] = identity ? (float)(i / k == i % k) : (float)(i * 29 % 19) - 9.0f;
}

static void check_shapes(const struct plain *m)
{
    assert_int_equal(LANES, 1);
    for (int64_t i = 0; i < PLANES * ROWS * COLS; i++)
        image[i] = (float)(i * 37 % 101) - 70.0f;
    for (int64_t k = 1; k <= ROWS; k++)
        for (int64_t s = 1; s <= k + 2; s++)
            for (int64_t p = 0; p <= 2; p++) {
                const struct geometry zero = geometry_of(k, s, p, PAD_ZERO);
                const struct geometry ignore = geometry_of(k, s, p, PAD_IGNORE);
                make_filter(k, !m->product);
                check(m, &zero);
                make_filter(k, true);
                if (p < k)
                    check(m, &ignore);
            }
}
