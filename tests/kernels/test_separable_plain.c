/* The plain loops of `separable`, which run where the vectors of the processor are not known: the
 * file compiled for one lane, compared bit for bit with `direct`. */
#undef __AVX512F__
#undef __AVX2__
#undef __SSE2__
#undef __ARM_NEON
#define ISA_BUILD one_lane
#include "kernels/maxpool/maxpool.h"

maxpool_function maxpool_separable_one_lane;
#include "kernels/maxpool/separable.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PLANES = 2, ROWS = 13, COLS = 21, MOST = PLANES * 32 * 40 };

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

static void check(const struct geometry *g, const float *image)
{
    static float map[2][MOST];
    const int64_t outputs = g->out_rows * g->out_cols;
    void *scratch = calloc(1, 1 << 20);
    struct maxpool_call call = {
        .geometry = g,
        .image = {image, COLS, 0, ROWS, ROWS * COLS},
        .block = {.planes = PLANES, .rows = g->out_rows, .cols = g->out_cols},
        .map = {map[0], g->out_cols, 0, outputs}};
    assert_true(PLANES * outputs <= MOST);
    memset(map, 0xff, sizeof map);
    maxpool_separable_one_lane(&call, scratch);
    call.map.data = map[1];
    for (int64_t i = 0; i < PLANES; i++) {
        const struct maxpool_call plane = call_plane(&call, i);
        maxpool_direct(&plane, scratch);
    }
    assert_memory_equal(map[0], map[1], (size_t)(PLANES * outputs) * sizeof(float));
    free(scratch);
}

static void test_plain_loops(void **state)
{
    float image[PLANES * ROWS * COLS];
    (void)state;
    assert_int_equal(LANES, 1);
    for (int64_t i = 0; i < PLANES * ROWS * COLS; i++)
        image[i] = (float)(i * 37 % 101) - 70.0f;
    for (int64_t k = 1; k <= ROWS; k++)
        for (int64_t s = 1; s <= k + 2; s++)
            for (int64_t p = 0; p <= 2; p++) {
                const struct geometry zero = geometry_of(k, s, p, PAD_ZERO);
                const struct geometry ignore = geometry_of(k, s, p, PAD_IGNORE);
                check(&zero, image);
                if (p < k)
                    check(&ignore, image);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plain_loops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
