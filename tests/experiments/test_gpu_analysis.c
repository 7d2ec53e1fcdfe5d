/* The GPU experiments, from made-up samples with known truth to findings. No figure here comes from
 * a GPU. */
#include "tests/experiments/support/made_results.h"
#include "tests/experiments/support/spanish.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int make_folder(NO_STATE)
{
    return make_results_by("make_gpu_results");
}

static const struct curve *find_curve(const struct analysis *a, enum curve_kind kind,
                                      const char *label)
{
    for (size_t i = 0; i < a->curve_count; i++)
        if (a->curves[i].kind == kind && strcmp(a->curves[i].label, label) == 0)
            return &a->curves[i];
    fail_msg("no curve '%s'", label);
    return NULL;
}

static const struct point *find_point(const struct analysis *a, const char *method,
                                      const char *offload, int64_t n)
{
    for (size_t i = 0; i < a->point_count; i++) {
        const struct record *r = &a->points[i].samples->identity;
        if (strcmp(r->method, method) == 0 && strcmp(r->offload, offload) == 0 && r->rows == n)
            return &a->points[i];
    }
    fail_msg("no point %s %s %lld", method, offload, (long long)n);
    return NULL;
}

static bool is_near(double value, double truth, double share)
{
    return fabs(value / truth - 1.0) < share;
}

/* ---- findings -------------------------------------------------------------------------------- */

/* A column that only a GPU has, or only the serial program, is not part of the other's label. */
TEST(curves_are_named_by_what_differs)
{
    struct experiment *e = open_one("cuda_growth");
    const struct curve *window =
        find_curve(&e->analysis, CURVE_GROWTH, "cuda tiled window block=32");
    assert_int_equal(window->count, 11); /* 2 .. 2048 */
    assert_true(is_near(window->fits[METRIC_TOTAL][0].value[1], 2.0, 0.02));
    const struct curve *image = find_curve(&e->analysis, CURVE_GROWTH, "cuda naive image block=16");
    assert_int_equal(image->count, 14); /* 2 .. 16384 */
    assert_int_equal(image->fits[METRIC_COMPUTE][0].least_x, 1024);
    find_curve(&e->analysis, CURVE_GROWTH, "serial literal");
    close_one(e);
}

/* Per window: three copies to the GPU and one back, of 4 us each, within 23 us. */
TEST(transfers_have_their_share)
{
    struct experiment *e = open_one("transfers");
    const struct point *lean = find_point(&e->analysis, "naive", "window-lean", 256);
    assert_true(is_near(lean->transfer_share, 16.0 / 23.0, 0.001));
    const struct point *fresh = find_point(&e->analysis, "naive", "window", 256);
    assert_true(is_near(fresh->transfer_share, 16.0 / 43.0, 0.001)); /* allocation is no transfer */
    assert_true(is_near(fresh->phase[PHASE_ALLOCATE], 128.0 * 128.0 * 20e-6, 0.03));
    const struct curve *pinned =
        find_curve(&e->analysis, CURVE_GROWTH, "cuda naive image pinned streams=4");
    assert_int_equal(pinned->count, 9);
    close_one(e);
}

TEST(speedups_are_compared_with_serial)
{
    struct experiment *e = open_one("speedup");
    const struct point *p = find_point(&e->analysis, "tiled", "image", 4096);
    assert_true(isnan(p->workers)); /* threads of a GPU are not workers of Amdahl's law */
    assert_int_equal(p->speedup[BASELINE_ONE].point, -1);
    const struct speedup *named = &p->speedup[BASELINE_NAMED], *best = &p->speedup[BASELINE_BEST];
    assert_string_equal(e->analysis.points[named->point].samples->identity.method, "literal");
    assert_string_equal(e->analysis.points[best->point].samples->identity.method, "fused");
    const double serial_s = 2048.0 * 2048.0 * 20e-9;
    assert_true(
        is_near(e->analysis.points[named->point].seconds[METRIC_TOTAL].value, serial_s, 0.02));
    assert_true(
        is_near(named->value[METRIC_TOTAL], serial_s / p->seconds[METRIC_TOTAL].value, 0.02));
    assert_true(named->interval[METRIC_TOTAL].lower < named->value[METRIC_TOTAL]);
    assert_true(is_near(e->analysis.points[e->analysis.fraction].share.value, 0.61, 1e-6));
    close_one(e);
}

/* A GPU that throttles because of heat or power, then one that is replaced by another from n = 1024
 * on. */
TEST(gpus_that_change_are_suspect)
{
    static const char *const held_by[][2] = {{"software_thermal", "gpu_clock"},
                                             {"power_cap+hardware_thermal", "gpu_clock"},
                                             {"power_cap", "gpu_power"}};
    assert_int_equal(run("cd %s && sed '/,1024,1024,/s/made-up GPU/another GPU/' offload.csv > "
                         "changed.csv",
                         folder),
                     0);
    for (size_t k = 0; k < sizeof held_by / sizeof held_by[0]; k++) {
        assert_int_equal(run("cd %s && sed 's/,none\\(,*\\)$/,%s\\1/' offload.csv > throttled.csv",
                             folder, held_by[k][0]),
                         0);
        struct experiment *e = open_one("throttled");
        for (size_t i = 0; i < e->analysis.point_count; i++) {
            const struct point *p = &e->analysis.points[i];
            const bool on_gpu = strcmp(p->samples->identity.space, "cuda") == 0;
            assert_int_equal(has_reason(p, held_by[k][1]), on_gpu);
            assert_int_equal(p->trust == TRUST_SUSPECT, on_gpu);
        }
        close_one(e);
    }
    struct experiment *e = open_one("changed");
    assert_true(has_reason(find_point(&e->analysis, "naive", "image", 1024), "device"));
    assert_true(has_reason(find_point(&e->analysis, "naive", "image", 2), "device"));
    assert_false(has_reason(find_point(&e->analysis, "literal", "", 1024), "device"));
    close_one(e);
    assert_int_equal(run("rm %s/throttled.csv %s/changed.csv", folder, folder), 0);
}

/* Of several ranks, the one whose GPU is throttled is named. */
TEST(the_rank_of_a_throttled_gpu_is_named)
{
    static const char *const held_by[] = {"software_thermal", "power_cap"};
    for (size_t k = 0; k < sizeof held_by / sizeof held_by[0]; k++) {
        assert_int_equal(run("cd %s && sed 's/,none\\(,*\\)$/,%s\\13/' offload.csv > throttled.csv",
                             folder, held_by[k]),
                         0);
        struct experiment *e = open_one("throttled");
        const struct point *p = find_point(&e->analysis, "naive", "image", 1024);
        bool named = false;
        for (size_t i = 0; i < p->reason_count; i++)
            named = named ||
                    strstr(reason_cause(&p->reasons[i], &language_english).text, "that of rank 3");
        assert_true(named && p->trust == TRUST_SUSPECT);
        close_one(e);
    }
    assert_int_equal(run("rm %s/throttled.csv", folder), 0);
}

/* ---- precisions ------------------------------------------------------------------------------ */

static const struct point *find_product(const struct analysis *a, const char *math, bool emulated)
{
    for (size_t i = 0; i < a->point_count; i++) {
        const struct record *r = &a->points[i].samples->identity;
        if (strcmp(r->operator_name, "matmul") == 0 && strcmp(r->math, math) == 0 &&
            (r->platform[0] != '\0') == emulated)
            return &a->points[i];
    }
    fail_msg("no product in %s", math);
    return NULL;
}

/* Results in bf16 are compared with float32 by one comparison, which only the chart of seconds
 * against digits asks for. */
TEST(precisions_are_compared_by_name_alone)
{
    struct experiment *e = open_one("peers");
    const struct point *plain = find_product(&e->analysis, "fp32", false),
                       *rounded = find_product(&e->analysis, "bf16", false),
                       *emulated = find_product(&e->analysis, "bf16", true);
    const struct wanted same = {.problem = plain, .on_device = true};
    struct wanted any = same;
    any.any_math = true;
    assert_true(analysis_same_but_math(plain, rounded) && analysis_same_but_math(plain, emulated));
    assert_false(analysis_same_problem(plain, rounded));
    assert_true(evidence_fits(rounded, &any));
    assert_false(evidence_fits(rounded, &same));
    assert_false(evidence_fits(emulated, &any)); /* it has no time */
    assert_ptr_equal(evidence_fastest(&e->analysis, &same), plain);
    for (enum baseline b = 0; b < BASELINES; b++)
        assert_int_equal(rounded->speedup[b].point, -1);
    assert_string_equal(words_precise(rounded).text, "tensor bf16");
    assert_string_equal(words_problem(rounded, &language_english).text, "n = 1024, bf16");
    assert_string_equal(words_any_math(rounded, &language_english).text, "n = 1024");
    close_one(e);
}

TEST(seconds_and_digits_of_precisions_are_said)
{
    const struct claim c = claim_of("peers", "errors", &language_english);
    claim_says(&c, "conv 64 × 56 × 56, k = 3, s = 1, p = 1: ");
    claim_says(&c, "matmul n = 1024: the fastest is tensor bf16 (");
    claim_says(&c, "a root mean square error of 8000 ulps), the nearest to what is right registers "
                   "fp32 (");
    claim_says(&c, " matmul n = 1024, emulated, which has no times: registers fp32 is off by 2.5 "
                   "ulps, tensor bf16 by 7900.");
    assert_null(strstr(c.answer, "float32 alone")); /* nobody knows the rates of a made-up GPU */
}

/* An emulated device alone has digits, and no time. */
TEST(emulated_digits_are_shown_alone)
{
    assert_int_equal(run("cd %s && grep -e '^experiment,' -e 'matmul.*CPU emulation' peers.csv > "
                         "digits.csv",
                         folder),
                     0);
    const struct claim c = claim_of("digits", "errors", &language_english);
    claim_says(&c, "matmul n = 1024, emulated, which has no times: ");
    assert_null(strstr(c.answer, "fastest"));
    assert_non_null(
        strstr(c.title, "registers fp32 of matmul on a GPU, emulated: off by 2.5 ulps"));
    assert_int_equal(run("rm %s/digits.csv", folder), 0);
}

/* Of a card whose rates its maker publishes, the share of bf16's that float32 has is said, in
 * sentences about float32 on it. */
TEST(float32_is_compared_with_the_rate_of_bf16)
{
    static const struct {
        const char *device, *share;
    } cards[] = {{"NVIDIA H100 80GB HBM3", "6.8 %"},
                 {"NVIDIA A100-SXM4-40GB", "6.2 %"},
                 {"NVIDIA H100 PCIe", NULL}}; /* another card, whose rates no table has */
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
        assert_int_equal(
            run("cd %s && sed 's/made-up GPU/%s/' peers.csv > known.csv", folder, cards[i].device),
            0);
        const struct claim c = claim_of("known", "errors", &language_english);
        assert_int_equal(strstr(c.answer, "float32 alone can use") != NULL, cards[i].share != NULL);
        if (cards[i].share)
            claim_says(&c, cards[i].share);
        if (i > 0)
            continue;
        claim_says(&c,
                   " On the H100, float32 alone can use 6.8 % of the rate at which tensor cores "
                   "multiply bf16 (67 of 989 TFLOP/s, as its maker publishes them).");
        const struct claim translated = claim_of("known", "errors", spanish());
        claim_says(&translated, "(67 de 989 TFLOP/s");
    }
    assert_int_equal(run("rm %s/known.csv", folder), 0);
}

const struct tests_group tests_group = {make_folder, remove_folder};
