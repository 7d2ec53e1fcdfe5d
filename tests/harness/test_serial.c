/* The serial space over the grid of cases, its verdicts, and paths of the verifier that only this
 * test reaches. */
#include "harness/base/clock.h"
#include "harness/point/verify/verify.h"
#include "harness/space/host.h"
#include "kernels/maxpool/maxpool.h"
#include "serial/serial.h"
#include "tests/support/cases.h"
#include "tests/support/space_check.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

TEST(serial_passes_the_grid)
{
    assert_int_equal(check_space(&serial_space, 1, GRID_EVERY_METHOD), 0);
}

TEST(verdicts_are_right)
{
    assert_int_equal(check_verdicts(&serial_space, 1, GRID_BRIEF), 0);
}

/* Pooling of thirds with a filter of thirds: no result is exact, so only the bound applies. */
struct bounded {
    struct operation op;
    struct source *source;
    float filter[9];
    float image[64];
    struct image_facts facts;
};

static void make_bounded(struct bounded *b)
{
    memset(b, 0, sizeof *b);
    for (int i = 0; i < 64; i++)
        b->image[i] = (float)(i * 37 % 64 - 32) / 3.0f;
    for (int i = 0; i < 9; i++)
        b->filter[i] = (float)(i - 4) / 3.0f;
    b->op.kind = &maxpool_operator;
    b->op.geometry = (struct geometry){1, 8, 8, 3, 1, 0, PAD_ZERO, 6, 6};
    b->op.image = (struct image_shape){1, 8, 8};
    b->op.map = (struct image_shape){1, 6, 6};
    b->op.method = operator_method(&maxpool_operator, SPACE_HOST, "fused");
    b->op.operands[OPERAND_FILTER] = (struct operand){.values = b->filter,
                                                      .shape = {1, 3, 3},
                                                      .integers = false,
                                                      .max_abs = 4.0 / 3.0,
                                                      .name = "case"};
    b->facts = (struct image_facts){.max_abs = 32.0 / 3.0, .integers = false};
    b->source = case_source(b->op.image, b->image);
}

TEST(bounded_results_are_compared_in_full)
{
    struct bounded b;
    struct failure f = {0};
    struct verifier *v;
    const struct verify_scope scope = {.first = 0, .count = 36};
    float map[36], changed[36];
    make_bounded(&b);
    const struct maxpool_call call = {.geometry = &b.op.geometry,
                                      .filter = b.filter,
                                      .image = {b.image, 8, 0, 8, 0},
                                      .map = {map, 6, 0, 0},
                                      .block = {0, 0, 6, 0, 6, 1}};
    float scratch[9];
    maxpool_method_of(b.op.method)->run[b.op.isa](&call, scratch);
    assert_int_equal(verifier_make(&v, &b.op, b.source, &b.facts, &scope, VERIFY_FULL, 1, &f),
                     STATUS_OK);
    assert_string_equal(verifier_verdict(v), "bound");
    assert_int_equal(verifier_check(v, map, &f), STATUS_OK); /* compared in full */
    assert_int_equal(verifier_check(v, map, &f), STATUS_OK); /* trusted by its hash */
    assert_int_equal(verifier_check_last(v, map, &f), STATUS_OK);
    memcpy(changed, map, sizeof map);
    changed[17] *= 1.0f + 0x1p-20f; /* a relative error far beyond that of three roundings */
    assert_int_equal(verifier_check(v, changed, &f), STATUS_WRONG);
    assert_non_null(strstr(f.message, "row 2, column 5"));
    assert_int_equal(verifier_check_last(v, changed, NULL), STATUS_WRONG);
    verifier_free(v);
    source_close(b.source);
}

/* If sums could exceed float32, inf and NaN would be correct results: such an input is refused. */
TEST(sums_beyond_float32_are_refused)
{
    struct bounded b;
    struct failure f = {0};
    struct verifier *v;
    const struct verify_scope scope = {.first = 0, .count = 36};
    make_bounded(&b);
    b.facts.max_abs = 3e38;
    assert_int_equal(verifier_make(&v, &b.op, b.source, &b.facts, &scope, VERIFY_FULL, 1, &f),
                     STATUS_USAGE);
    source_close(b.source);
}

/* The oracle reads the source, not the memory of the workers, so that a wrongly filled image is
 * found. */
TEST(the_oracle_reads_the_source)
{
    struct bounded b;
    struct failure f = {0};
    struct verifier *v;
    const struct verify_scope scope = {.first = 0, .count = 36};
    float map[36], scratch[9], other[64];
    make_bounded(&b);
    memcpy(other, b.image, sizeof other);
    memcpy(other + 32, other + 24, 8 * sizeof *other); /* one row filled with the row before it */
    const struct maxpool_call call = {.geometry = &b.op.geometry,
                                      .filter = b.filter,
                                      .image = {other, 8, 0, 8},
                                      .map = {map, 6, 0, 0},
                                      .block = {0, 0, 6, 0, 6, 1}};
    maxpool_method_of(b.op.method)->run[b.op.isa](&call, scratch);
    assert_int_equal(verifier_make(&v, &b.op, b.source, &b.facts, &scope, VERIFY_FULL, 1, &f),
                     STATUS_OK);
    assert_int_equal(verifier_check(v, map, &f), STATUS_WRONG);
    verifier_free(v);
    source_close(b.source);
}

/* ---- batches --------------------------------------------------------------------------------- */

static int64_t runs;

static void counting_run(int64_t workers, team_task *task, void *context)
{
    runs++;
    team_alone(workers, task, context);
}

/* Each additional execution in a batch is one more run of the team, the seconds are the mean, and
 * an instance that joined computes into the same map. */
TEST(batches_execute_as_often_as_asked)
{
    struct bounded b;
    struct failure f = {0};
    struct resources resources = {0};
    struct instance *instances[2];
    make_bounded(&b);
    const struct job job = {.operation = &b.op, .source = b.source, .min_cost = 1.0};
    const struct team team = {.workers = 1, .run = counting_run};
    assert_int_equal(host_open(&job, team, &instances[0], &resources, &f), STATUS_OK);
    assert_int_equal(host_join(instances[0], &job, &instances[1], &resources, &f), STATUS_OK);
    int64_t first, count;
    assert_ptr_equal(host_map(instances[0], &first, &count),
                     host_map(instances[1], &first, &count));
    for (int i = 0; i < 2; i++)
        for (int64_t repeats = 1; repeats <= 7; repeats += 6) {
            struct phases phases;
            host_poison(instances[i]);
            runs = 0;
            const double start = clock_now();
            assert_int_equal(host_execute_batch(instances[i], repeats, &phases, &f), STATUS_OK);
            const double span = clock_now() - start;
            assert_int_equal(runs, repeats);
            assert_true(phases.total_s > 0.0 && phases.total_s * (double)repeats <= span);
            assert_int_equal(isnan(phases.imbalance_s), repeats > 1);
            assert_false(isnan(host_map(instances[i], &first, &count)[count - 1]));
        }
    host_close(instances[1]);
    host_close(instances[0]);
    source_close(b.source);
}
