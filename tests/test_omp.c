/* The OpenMP space over the grid with 1, 2, 3 and 7 threads, its verdicts, and teams that cannot
 * be. */
#include "openmp/omp.h"
#include "tests/cases.h"
#include "tests/space_check.h"

#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static void omp_passes_the_grid(void **state)
{
    (void)state;
    static const int64_t threads[] = {1, 2, 3, 7};
    for (int i = 0; i < 4; i++)
        assert_int_equal(check_space(&omp_space, threads[i]), 0);
}

static void verdicts_are_right(void **state)
{
    (void)state;
    assert_int_equal(check_verdicts(&omp_space, 3), 0);
}

/* Inside an active parallel region a team of two becomes one thread: that is an error, not a map
 * with half its rows. */
static void nested_teams_are_reported(void **state)
{
    (void)state;
    const struct pool_case c = {"", 1, 8, 8, 2, 2, 0, PAD_ZERO, false};
    float *image = case_image(&c, 1);
    struct operation op = {.kind = &maxpool_operator,
                           .geometry = case_geometry(&c),
                           .image = {1, 8, 8},
                           .map = {1, 4, 4},
                           .method = operator_method(&maxpool_operator, SPACE_HOST, "direct")};
    struct source *source = case_source(op.image, image);
    const struct job job = {.operation = &op, .source = source, .threads = 2, .min_cost = 1.0};
    struct resources resources = {0};
    struct instance *instance = NULL;
    struct failure f = {0};
    enum status status = STATUS_OK;
    omp_set_max_active_levels(1);
#pragma omp parallel num_threads(2)
#pragma omp single
    status = omp_space.open(&job, &instance, &resources, &f);
    assert_int_equal(status, STATUS_RESOURCE);
    assert_null(instance);
    assert_non_null(strstr(f.message, "team of 1 threads where 2"));
    source_close(source);
    free(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(omp_passes_the_grid),
        cmocka_unit_test(verdicts_are_right),
        cmocka_unit_test(nested_teams_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
