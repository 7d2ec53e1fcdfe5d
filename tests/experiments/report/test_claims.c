/* What sentences claim about made-up samples with a known truth: times that drift together are
 * compared within rounds, what cannot be distinguished is not, and a middle value that is hardly
 * known is not quoted. */
#include "experiments/analysis/selections/evidence.h"
#include "experiments/common/results.h"
#include "experiments/report/claims/claims.h"
#include "tests/experiments/support/made_results.h"
#include "tests/experiments/support/maker.h"
#include "tests/experiments/support/spanish.h"
#include "tests/support/expect_part.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 9, SAMPLES = 6 };

/* The machine of these tests: it becomes slower from round to round, threefold from the first to
 * the last. */
static double drift(int round)
{
    return 1.0 + 0.25 * round;
}

/* A small scatter of at most 1 % that differs between points and rounds. */
static double scatter(int point, int round)
{
    return 1.0 + 0.004 * ((point + 2) * (round + 1) % 5 - 2);
}

/* Writes the samples of a point in the first rounds: `seconds` times slow[round]. If r.product_s is
 * known, it is the product's share of them. */
static void write_launches(struct maker *m, int number, struct record r, double seconds,
                           const double slow[ROUNDS], int rounds)
{
    const double share = r.product_s;
    snprintf(r.experiment, sizeof r.experiment, "%s", m->experiment);
    for (int round = 0; round < rounds; round++) {
        snprintf(r.run_id, sizeof r.run_id, "run-%d-%d", number, round);
        r.round = round;
        r.total_s = r.compute_s = seconds * slow[round] * scatter(number, round);
        r.product_s = share * r.total_s;
        for (int sample = 0; sample < SAMPLES; sample++)
            maker_append(m->writer, &r, sample, SAMPLES);
    }
}

static void write_rounds(struct maker *m, int number, struct record r, double seconds,
                         const double slow[ROUNDS])
{
    write_launches(m, number, r, seconds, slow, ROUNDS);
}

/* Writes a point with the drift of the machine; in odd rounds its times are multiplied by `odd`. */
static void write_point(struct maker *m, int number, struct record r, double seconds, double odd)
{
    double slow[ROUNDS];
    for (int round = 0; round < ROUNDS; round++)
        slow[round] = drift(round) * (round % 2 ? odd : 1.0);
    write_rounds(m, number, r, seconds, slow);
}

static void write_steady(struct maker *m, int number, struct record r, double seconds)
{
    static const double slow[ROUNDS] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    write_rounds(m, number, r, seconds, slow);
}

/* Begins an experiment, without what earlier tests wrote of it. */
static struct maker begin(const char *experiment)
{
    unlink(results_own_samples(folder, experiment).text);
    return maker_begin(folder, experiment);
}

/* Ends the experiment, and returns the claim of a chart about it. */
static struct claim end_with_claim(struct maker *m, const char *chart)
{
    maker_end(m);
    return claim_of(m->experiment, chart, &language_english);
}

/* Returns the number after these words. */
static double number_after(const char *text, const char *words)
{
    const char *at = strstr(text, words);
    if (!at)
        fail_msg("'%s' is not in: %s", words, text);
    return at ? strtod(at + strlen(words), NULL) : 0.0;
}

static void drift_cancels_in_a_ratio_and_is_reported_of_a_time(NO_STATE)
{
    struct maker m = begin("methods");
    write_point(&m, 0, maker_blank("serial", "literal"), 1e-2, 1.0);
    write_point(&m, 1, maker_blank("serial", "fused"), 1.1e-3, 1.0);
    write_point(&m, 2, maker_blank("serial", "simd"), 1e-3, 1.0);
    const struct claim c = end_with_claim(&m, "methods");
    assert_true(fabs(number_after(c.title, "simd is ") - 10.0) < 0.2);
    assert_true(fabs(number_after(c.answer, "(SUSPECT), ") - 10.0) <
                0.2); /* the time drifts threefold */
    expect_part(c.answer, "] times as fast as literal");
    expect_part(c.answer, "with one worker simd takes 1.2");
    expect_part(c.answer, " to 2.7");
    expect_no_part(c.answer, "no difference");
    expect_part(claim_of("methods", "methods", spanish()).answer, "simd tarda 1,2");
}

static void what_is_not_different_is_not_reported(NO_STATE)
{
    struct maker m = begin("methods");
    write_point(&m, 0, maker_blank("serial", "literal"), 1e-2, 1.0);
    write_point(&m, 1, maker_blank("serial", "fused"), 1.03e-3, 0.93);
    write_point(&m, 2, maker_blank("serial", "simd"), 1e-3, 1.0);
    expect_part(end_with_claim(&m, "methods").answer, "no difference from ");
    expect_part(claim_of("methods", "methods", spanish()).answer, "no se ve diferencia con ");
}

static void growth_is_compared_within_rounds(NO_STATE)
{
    struct maker m = begin("window_count");
    struct record large = maker_blank("serial", "literal");
    large.rows = large.cols = 2048;
    write_point(&m, 0, maker_blank("serial", "literal"), 1e-3, 1.0);
    write_point(&m, 1, large, 4e-3, 1.0);
    const struct claim c = end_with_claim(&m, "window_count");
    expect_part(c.answer, "4 times as many windows, and literal takes ");
    expect_no_part(c.answer, " to 1"); /* unpaired: from 1.8 to 8 times */
    assert_true(fabs(number_after(c.answer, "literal takes ") - 4.0) < 0.05);
    expect_part(c.answer, "[");
}

static struct record of_set(const char *method, const char *isa)
{
    struct record r = maker_blank("serial", method);
    snprintf(r.isa_limit, sizeof r.isa_limit, "%s", isa);
    return r;
}

/* The larger gain belongs to times that drifted. */
static void what_is_suspect_is_never_the_most(NO_STATE)
{
    struct maker m = begin("isa");
    write_steady(&m, 0, of_set("simd", "baseline"), 1e-2);
    write_steady(&m, 1, of_set("simd", "avx2"), 5e-3);
    write_steady(&m, 2, of_set("fused", "baseline"), 1e-2);
    write_point(&m, 3, of_set("fused", "avx2"), 1e-3, 1.0);
    maker_end(&m);
    struct claim c;
    struct experiment *e = open_one("isa");
    claim_make(e, "isa", &language_english, &c);
    expect_part(c.answer, "avx2 makes simd 2");
    expect_part(c.plain, "simd takes about 50 % of the time");
    expect_no_part(c.answer, "fused");
    assert_int_equal(c.count, 2);
    assert_int_equal(c.rows[1]->trust, TRUST_SUSPECT);
    close_one(e);
}

static void no_set_is_praised_without_a_difference(NO_STATE)
{
    struct maker m = begin("isa");
    write_steady(&m, 0, of_set("simd", "baseline"), 1e-2);
    write_steady(&m, 1, of_set("simd", "avx2"), 1e-2);
    const struct claim c = end_with_claim(&m, "isa");
    expect_part(c.title, "No instruction set is seen to make a method faster");
    assert_string_equal(c.plain, "");
}

/* A fixed cost is added to k^3; both are equal at k = 10. */
static void a_fixed_cost_is_no_power_of_k(NO_STATE)
{
    struct maker m = begin("hyperparameters");
    for (int k = 2, i = 0; k <= 64; k *= 2, i++) {
        struct record r = maker_blank("serial", "literal");
        r.kernel = r.stride = k;
        write_point(&m, i, r, 1e-3 * (1.0 + pow(k / 10.0, 3.0)), 1.0);
    }
    struct claim c = end_with_claim(&m, "hyperparameters");
    expect_part(c.title, "No single power of k describes literal: k^");
    expect_part(c.title, "] to k^"); /* each exponent has its interval */
    expect_part(strstr(c.title, "] to k^"), " [");
    expect_part(c.answer, " from k = 2 to 4, and as k^");
    expect_part(c.answer, "from 32 to 64; costs that do not grow with k dominate below k = 8");
    assert_true(number_after(c.answer, "and as k^") > 2.5);
    expect_no_part(c.answer, "varies as k^2.4");
    c = claim_of("hyperparameters", "hyperparameters", spanish());
    expect_part(c.answer, "los costos que no crecen con k dominan por debajo de k = 8");
}

/* Ranks that are sent their rows, or generate them. */
static struct record rank_of(const char *distribution)
{
    struct record r = maker_blank("mpi", "fused");
    r.ranks = 2;
    r.distribute_s = r.collect_s = 1e-5;
    snprintf(r.distribution, sizeof r.distribution, "%s", distribution);
    return r;
}

/* One sample each: nothing says how far the times scatter, so nothing says that they are alike. */
static void single_samples_are_not_called_alike(NO_STATE)
{
    static const double seconds[] = {1e-3, 5e-3};
    struct maker m = begin("distribution");
    for (int i = 0; i < 2; i++) {
        struct record r = rank_of(i == 0 ? "generate" : "scatter");
        strcpy(r.experiment, "distribution");
        snprintf(r.run_id, sizeof r.run_id, "run-%d", i);
        r.round = 0;
        r.total_s = r.compute_s = seconds[i];
        maker_append(m.writer, &r, 0, 1);
    }
    expect_part(end_with_claim(&m, "distribution").title, "scatter takes 5");
    assert_int_equal(run("rm %s/distribution.csv", folder), 0);
}

/* A product in tf32 is another problem than one in float32, also than one of a file without the
 * column: nothing compares the two, and its label has the word. */
static void declared_precisions_are_other_problems(NO_STATE)
{
    static const char *const methods[] = {"naive", "registers", "tensor"}, *const maths[] = {
                                                                               "", "fp32", "tf32"};
    struct maker m = begin("precisions");
    for (int i = 0; i < 3; i++) {
        struct record r = maker_blank("cuda", methods[i]);
        snprintf(r.operator_name, sizeof r.operator_name, "matmul");
        snprintf(r.math, sizeof r.math, "%s", maths[i]);
        write_point(&m, i, r, 1e-3 / (i + 1), 1.0);
    }
    maker_end(&m);
    struct experiment *e = open_one("precisions");
    assert_int_equal(e->analysis.point_count, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct point *p = &e->analysis.points[i], *q = &e->analysis.points[(i + 1) % 3];
        const bool tensor = strcmp(p->samples->identity.math, "tf32") == 0,
                   other = strcmp(q->samples->identity.math, "tf32") == 0;
        assert_int_equal(analysis_same_problem(p, q), tensor == other);
        assert_int_equal(strstr(p->label, "tf32") != NULL, tensor);
    }
    close_one(e);
}

static void two_ways_without_a_difference_are_none(NO_STATE)
{
    struct maker m = begin("distribution");
    write_point(&m, 0, rank_of("generate"), 1e-3, 1.0);
    write_point(&m, 1, rank_of("scatter"), 1.05e-3, 0.9);
    expect_part(end_with_claim(&m, "distribution").title, "no difference is seen");
    m = begin("distribution");
    write_point(&m, 0, rank_of("generate"), 1e-3, 1.0);
    write_point(&m, 1, rank_of("scatter"), 1.2e-3, 1.0);
    const struct claim c = end_with_claim(&m, "distribution");
    assert_true(fabs(number_after(c.title, "scatter takes ") - 1.2) < 0.02);
    expect_part(c.answer, "] times as long as generate");
}

/* The fastest division of the cores is doubtful. The best of the others is compared with it, not
 * with itself, and is not called the fastest. */
static void a_division_is_not_compared_with_itself(NO_STATE)
{
    struct record ranks = rank_of("generate"), threads = ranks;
    threads.ranks = 1;
    threads.threads = 2;
    struct maker m = begin("hybrid");
    write_point(&m, 0, ranks, 1e-3, 1.0); /* drifts threefold */
    write_steady(&m, 1, threads, 4e-3);
    const struct claim c = end_with_claim(&m, "hybrid");
    assert_int_equal(c.count, 2);
    expect_part(c.title, "fused: no division of the cores is seen to be faster");
    expect_part(c.answer, "k = 2, 2 threads take 4");
    expect_part(c.answer, "; 2 ranks take 0.");
    expect_part(c.answer, " times as long (SUSPECT).");
    expect_no_part(c.answer, "take 1 times");
}

/* Messages of a problem that the sentence does not name belong to another sentence. */
static void messages_of_one_problem_are_reported(NO_STATE)
{
    struct record other = rank_of("generate");
    other.kernel = 3;
    other.distribute_s = other.collect_s = 3e-4;
    struct maker m = begin("communication");
    write_point(&m, 0, rank_of("generate"), 1e-3, 1.0);
    write_point(&m, 1, other, 1e-3, 1.0);
    struct claim c = end_with_claim(&m, "communication");
    expect_part(c.answer, "k = 2, messages between 2 ranks take 1.");
    expect_part(c.answer, " % of the total time (fused generate).");
    expect_no_part(c.title, " to ");
    assert_int_equal(c.count, 1);
    expect_part(claim_of("communication", "communication", spanish()).answer,
                "entre 2 procesos ocupan el 1,");
    m = maker_begin(folder, "communication");
    write_point(&m, 2, rank_of("scatter"), 1.2e-3, 1.0);
    c = end_with_claim(&m, "communication");
    expect_part(c.answer, " (fused scatter) to ");
    expect_part(c.answer, " (fused generate) of the total time.");
    assert_int_equal(c.count, 2);
    struct record scattered = other, literal = other; /* now more points have k = 3 */
    snprintf(scattered.distribution, sizeof scattered.distribution, "scatter");
    snprintf(literal.method, sizeof literal.method, "literal");
    m = maker_begin(folder, "communication");
    write_point(&m, 3, scattered, 1.5e-3, 1.0);
    write_point(&m, 4, literal, 2e-3, 1.0);
    c = end_with_claim(&m, "communication");
    expect_part(c.answer, "k = 3, s = 2, messages between 2 ranks take from ");
    assert_int_equal(c.count, 3);
}

/* One method has one efficiency, and no second one is reported. */
static void one_weak_efficiency_is_reported_once(NO_STATE)
{
    struct record one = maker_blank("omp", "staged"), two = one;
    one.threads = 1;
    two.threads = 2;
    two.rows = 2 * one.rows;
    struct maker m = begin("weak_scaling");
    write_point(&m, 0, one, 1e-3, 1.0);
    write_point(&m, 1, two, 1.25e-3, 1.0);
    struct claim c = end_with_claim(&m, "weak_scaling");
    assert_true(fabs(number_after(c.answer, "has an efficiency of ") - 80.0) < 1.0);
    expect_part(c.answer, "staged with 2 threads has an efficiency of ");
    c = claim_of("weak_scaling", "weak_scaling", spanish());
    expect_part(c.answer, "staged con 2 hilos tiene una eficiencia de ");
}

/* A first look has one launch of each point: its numbers have no interval, so the sentence that is
 * shown alone has the word, and the title too. */
static void what_has_no_interval_is_rough(NO_STATE)
{
    static const double one_round[ROUNDS] = {1.0};
    char weak[] = "weak_scaling", strong[] = "threads";
    struct record one = maker_blank("omp", "staged"), two = one, same = one;
    one.threads = 1;
    same.threads = two.threads = 2;
    two.rows = 2 * one.rows;
    assert_int_equal(run("rm -f %s/weak_scaling.csv", folder), 0);
    struct maker m = begin(weak);
    write_launches(&m, 0, one, 1e-3, one_round, 1);
    write_launches(&m, 1, two, 0.868e-3, one_round, 1);
    maker_end(&m);
    struct claim c = claim_of(weak, weak, &language_english);
    expect_part(c.title, " (ROUGH)");
    expect_part(c.answer, "has an efficiency of 115 % (ROUGH)");
    expect_part(claim_of(weak, weak, spanish()).answer, " % (APROXIMADO)");
    m = begin(strong);
    write_launches(&m, 0, one, 1e-3, one_round, 1);
    write_launches(&m, 1, same, 0.435e-3, one_round, 1);
    maker_end(&m);
    c = claim_of(strong, "speedup", &language_english);
    expect_part(c.title, "staged is 2.29 times as fast with 2 threads");
    expect_part(c.title, " (ROUGH)");
    expect_part(c.answer, "ROUGH: With 2 threads, staged is 2.29");
}

/* The exponents in a sentence are those of the method that it names: blocked has no stride here. */
static void exponents_of_one_method_are_reported(NO_STATE)
{
    struct maker m = begin("conv_hyperparameters");
    for (int i = 0; i < 3; i++) {
        struct record k = maker_blank("serial", "blocked"), s = maker_blank("serial", "literal");
        k.kernel = 3 + 2 * i;
        k.stride = 1;
        s.kernel = 3;
        s.stride = 1 + i;
        write_point(&m, i, k, 1e-3 * pow(3 + 2 * i, 2.0), 1.0);
        write_point(&m, 10 + i, s, 1e-2 / pow(1 + i, 2.0), 1.0);
    }
    const struct claim c = end_with_claim(&m, "conv_hyperparameters");
    expect_part(c.answer, "The time of blocked varies with the kernel size as k^");
    expect_no_part(c.answer, "with the stride");
}

/* Two problems, k = 2 and 3: one library takes 3 and 38 times our time. */
static void libraries_of_programs_are_reported_with_both_ends(NO_STATE)
{
    struct maker m = begin("peers");
    for (int k = 2; k <= 3; k++) {
        struct record ours = maker_blank("serial", "simd"), peer = maker_blank("serial", "onednn");
        struct record runtime = maker_blank("onnxruntime", "onnxruntime");
        struct record other = maker_blank("openvino", "openvino");
        ours.kernel = peer.kernel = runtime.kernel = other.kernel = k;
        write_point(&m, 10 * k, ours, 1e-3, 1.0);
        write_point(&m, 10 * k + 1, peer, 2e-3, 1.0);
        write_point(&m, 10 * k + 2, runtime, k == 2 ? 3e-3 : 38e-3, 1.0);
        write_point(&m, 10 * k + 3, other, 5e-3, 1.0);
    }
    const struct claim c = end_with_claim(&m, "peers_planes");
    assert_true(fabs(number_after(c.answer, "onnxruntime takes at least ") - 3.0) < 0.1);
    assert_true(fabs(number_after(c.answer, "openvino takes at least ") - 5.0) < 0.2);
    expect_part(c.answer, "] and at most 38");
    expect_no_part(c.answer, "onednn takes at least ");
    expect_part(claim_of("peers", "peers_planes", spanish()).answer, "openvino tarda al menos ");
}

/* Our methods have errors of 2 and 20 ulps. A library with 3 is compared with the first, one with
 * 30 with the second, one with 2000 with none; 0.1 counts as 1. Without recorded errors all are
 * compared. */
static struct claim claim_of_errors(const double *ulps, const char *chart)
{
    static const char *const methods[] = {"implicit", "winograd", "onednn", "openvino", "pytorch"};
    struct maker m = begin("digits");
    for (int i = 0; i < 5; i++) {
        struct record r = maker_blank(i < 3 ? "serial" : methods[i], methods[i]);
        snprintf(r.operator_name, RECORD_TEXT, "conv");
        r.kernel = 3;
        r.stride = 1;
        r.error_ulps_rms = ulps[i];
        write_point(&m, i, r, 1e-3 * (5 - i), 1.0);
    }
    return end_with_claim(&m, chart);
}

static void times_are_compared_among_similar_errors(NO_STATE)
{
    const double errors[] = {2.0, 20.0, 3.0, 30.0, 2000.0};
    struct claim c = claim_of_errors(errors, "peers_planes");
    expect_part(c.answer, "Times are compared among similar errors");
    expect_part(c.answer, "1 time of a library is left out");
    c = claim_of_errors(errors, "methods"); /* only our methods, without onednn */
    expect_part(c.answer, " Not all errors are similar: 2 ulps of implicit, 20 of winograd.");
    c = claim_of_errors(errors, "errors");
    expect_no_part(c.answer, "Not all errors");
    expect_part(c.answer, "the fastest is pytorch (");
    expect_part(
        c.answer,
        ", a root mean square error of 2000 ulps), the nearest to what is right implicit (");
    expect_part(c.answer, " ms, 2).");
    expect_part(claim_of("digits", "errors", spanish()).answer, "ulps");
    const double exact[] = {0.0, 0.0, 3.9, 4.1, 0.1};
    c = claim_of_errors(exact, "peers_planes");
    expect_part(c.answer, "1 time of a library is left out");
    expect_no_part(claim_of_errors(exact, "methods").answer, "Not all errors");
    const double all_exact[] = {0.0, 0.0, 0.0, 0.0, 0.0};
    expect_part(claim_of_errors(all_exact, "errors").why, "all results are exact");
    const double none[] = {NAN, NAN, NAN, NAN, NAN};
    c = claim_of_errors(none, "peers_planes");
    expect_no_part(c.answer, "similar errors");
    expect_part(claim_of_errors(none, "errors").why, "no sample records errors");
}

/* The faster library is SUSPECT, as nothing verified it; each of its launches is shorter than all
 * of the other's, or only most are. */
static struct claim claim_of_doubted(double odd)
{
    struct maker m = begin("peers");
    struct record doubted = maker_blank("serial", "onednn-nhwc");
    doubted.verified[0] = 0;
    write_steady(&m, 0, maker_blank("serial", "simd"), 1e-3);
    write_steady(&m, 1, maker_blank("serial", "onednn"), 9e-3);
    static const double steady[ROUNDS] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    double slow[ROUNDS];
    memcpy(slow, steady, sizeof slow);
    slow[3] = odd;
    write_rounds(&m, 2, doubted, 2e-3, slow);
    return end_with_claim(&m, "peers_planes");
}

static void doubt_makes_no_slower_library_the_fastest(NO_STATE)
{
    expect_part(claim_of_doubted(4.0).answer, "(onednn-nhwc, ");
    expect_part(claim_of_doubted(5.0).answer, "(onednn, ");
}

/* A plane, a network and a product: each is counted by the chart that draws it. */
static void each_comparison_is_counted_once(NO_STATE)
{
    static const struct {
        const char *chart, *library, *shape;
    } rows[] = {{"peers_planes", "onednn", "(onednn, 1024 x 1024, k=2 s=2)"},
                {"peers", "openblas", "(openblas, matmul 1024 x 1024)"},
                {"peers_networks", "onednn", "(onednn, resnet18 64 x 64)"}};
    struct maker m = begin("peers");
    struct record ours[] = {maker_blank("serial", "simd"), maker_blank("serial", "packed"),
                            maker_network("serial", "resnet18", 1, 64)};
    snprintf(ours[1].operator_name, RECORD_TEXT, "matmul");
    ours[1].kernel = ours[1].stride = 0;
    for (int i = 0; i < 3; i++) {
        struct record peer = ours[i];
        snprintf(peer.method, sizeof peer.method, "%s", rows[i].library);
        write_steady(&m, 2 * i, ours[i], 1e-3);
        write_steady(&m, 2 * i + 1, peer, 2e-3);
    }
    maker_end(&m);
    for (size_t i = 0; i < 3; i++) {
        const struct claim c = claim_of("peers", rows[i].chart, &language_english);
        expect_part(c.title, "Ours is faster in 1 of 1 comparisons");
        expect_part(c.answer, rows[i].shape);
    }
}

/* One problem gives one ratio, not a range. */
static void a_library_of_one_problem_has_no_two_ends(NO_STATE)
{
    struct maker m = begin("peers");
    write_point(&m, 0, maker_blank("serial", "simd"), 1e-3, 1.0);
    write_point(&m, 1, maker_blank("openvino", "openvino"), 5e-3, 1.0);
    struct claim c = end_with_claim(&m, "peers_planes");
    assert_true(fabs(number_after(c.answer, " openvino takes ") - 5.0) < 0.2);
    expect_no_part(c.answer, "between");
    c = claim_of("peers", "peers_planes", spanish());
    assert_true(fabs(number_after(c.answer, " openvino tarda ") - 5.0) < 1.0); /* "5,02" */
    expect_no_part(c.answer, "entre");
}

/* The library has vector code for one of four shapes. */
static void plain_loops_of_a_library_are_reported(NO_STATE)
{
    struct maker m = begin("peers");
    for (int k = 2; k <= 5; k++) {
        struct record ours = maker_blank("serial", "simd"), peer = maker_blank("serial", "onednn");
        ours.kernel = peer.kernel = k;
        snprintf(peer.isa, sizeof peer.isa, "oneDNN 2.6.0 %s",
                 k == 2 ? "jit:avx512_core" : "simple_nchw:any");
        write_point(&m, 10 * k, ours, 1e-3, 1.0);
        write_point(&m, 10 * k + 1, peer, k == 2 ? 2e-3 : 50e-3 * k, 1.0);
    }
    struct claim c = end_with_claim(&m, "peers_planes");
    expect_part(c.answer, "(onednn, ");
    expect_part(c.answer, "(onednn by plain loops, ");
    expect_part(c.answer, " In 3 of these the fastest library has no vector code for the shape");
    c = claim_of("peers", "peers_planes", spanish());
    expect_part(c.answer, "(onednn con bucles simples, ");
    expect_part(c.answer, " En 3 de estas la biblioteca más rápida no tiene código vectorial");
}

/* A serial program and one rank, for `problems` problems. Each ratio alone differs from 1, at 4.4
 * %; two of them together do not. */
static struct claim claim_of_single_ranks(int problems)
{
    static const double logs[ROUNDS] = {0.02, 0.1, 0.01, -0.01, 0.12, 0.06, 0.01, 0.08, 0.02};
    struct maker m = begin("overhead");
    for (int i = 0; i < problems; i++) {
        double serial[ROUNDS], rank[ROUNDS];
        struct record one = maker_blank("serial", "fused"), other = maker_blank("mpi", "fused");
        one.rows = other.rows = 300 + i; /* so that no other test has launches of it */
        other.ranks = 1;
        other.distribute_s = other.collect_s = 1e-5;
        for (int round = 0; round < ROUNDS; round++) {
            serial[round] = 1.0 / scatter(2 * i, round);
            rank[round] = exp(logs[round]) / scatter(2 * i + 1, round);
        }
        write_rounds(&m, 2 * i, one, 1e-3, serial);
        write_rounds(&m, 2 * i + 1, other, 1e-3, rank);
    }
    return end_with_claim(&m, "overhead");
}

static void overheads_are_seen_together(NO_STATE)
{
    struct claim c = claim_of_single_ranks(1);
    expect_part(c.answer, "a difference is seen in 1 of 1 comparisons");
    expect_part(c.title, "One rank takes up to ");
    c = claim_of_single_ranks(2);
    expect_part(c.answer, "a difference is seen in 0 of 2 comparisons");
    expect_part(c.title, "no difference is seen");
}

/* Two libraries are faster in alternate rounds: the rounds in which one is fast choose it, and the
 * rounds in which it is slow time it. */
static void the_fastest_library_is_tested_by_other_rounds(NO_STATE)
{
    static const char *const methods[] = {"simd", "onednn", "openvino"};
    struct maker m = begin("peers");
    for (int i = 0; i < 3; i++) {
        double slow[ROUNDS];
        for (int round = 0; round < ROUNDS; round++)
            slow[round] = i == 0 ? 1.0 : (round + i) % 2 ? 0.97 : 1.03;
        struct record r = maker_blank(i < 2 ? "serial" : methods[i], methods[i]);
        r.rows = 400;
        write_rounds(&m, i, r, 1e-3, slow);
    }
    maker_end(&m);
    struct experiment *e = open_one("peers");
    assert_int_equal(e->analysis.ratio_count, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct ratio *r = &e->analysis.ratios[i];
        if (r->fastest)
            assert_true(r->p_value < 0.001); /* 3 % slower in all rounds that did not choose it */
        else
            assert_true(r->p_value > 0.05); /* faster and slower alternately */
    }
    assert_int_equal(e->analysis.ratios[0].fastest + e->analysis.ratios[1].fastest, 1);
    close_one(e);
    assert_int_equal(run("rm %s/peers.csv", folder), 0);
}

static void a_tie_is_seen_and_a_gap_is_not_one(NO_STATE)
{
    struct experiment *e = open_one("methods");
    const struct wanted all = {0}, product = {.method = "literal"};
    const struct point *best = evidence_fastest(&e->analysis, &all);
    assert_non_null(evidence_tie(&e->analysis, &all, best, NULL));
    assert_null(
        evidence_tie(&e->analysis, &product, evidence_fastest(&e->analysis, &product), NULL));
    assert_null(evidence_tie(&e->analysis, &product, best, NULL));
    close_one(e);
}

/* A product has no image whose side could double. */
static void a_product_has_matrices(NO_STATE)
{
    struct maker m = begin("product_growth");
    for (int i = 0; i < 5; i++) {
        struct record r = maker_blank("serial", "naive");
        snprintf(r.operator_name, sizeof r.operator_name, "matmul");
        snprintf(r.program, sizeof r.program, "matmul_serial");
        r.rows = r.cols = (int64_t)64 << i;
        write_steady(&m, i, r, 1e-4 * pow(8.0, i));
    }
    const struct claim c = end_with_claim(&m, "matmul_growth");
    expect_part(c.plain, "Doubling n makes the time about 8");
    expect_part(c.answer, ": twice the n takes ");
}

/* The claim about two threads that share the product alone, which is half of the time of one; with
 * `odd`, the times of odd rounds are that many times as long. By Amdahl's law they take 0.75. */
static struct claim of_product_alone(double seconds, double odd, const struct language *l)
{
    struct maker m = begin("amdahl");
    for (int threads = 1; threads <= 2; threads++) {
        struct record r = maker_blank("omp", "staged");
        snprintf(r.parallel, sizeof r.parallel, "product");
        r.threads = threads;
        r.product_s = threads == 1 ? 0.5 : 0.3;
        write_point(&m, threads, r, threads == 1 ? 1e-2 : 1e-2 * seconds, threads == 1 ? 1.0 : odd);
    }
    maker_end(&m);
    return claim_of("amdahl", "amdahl", l);
}

static void amdahls_law_is_kept_only_where_the_interval_is_narrow(NO_STATE)
{
    struct claim c = of_product_alone(0.75, 1.0, &language_english);
    expect_part(c.title, "law is kept within ");
    assert_true(number_after(c.title, "within ") < 5.0);
    assert_true(fabs(number_after(c.answer, "law gives ") - 4.0 / 3.0) < 0.01);
    expect_part(of_product_alone(0.75, 1.0, spanish()).title, "se cumple la ley de Amdahl");

    c = of_product_alone(0.95, 1.0, &language_english);
    expect_part(c.title, "misses Amdahl's law");
    assert_true(fabs(number_after(c.answer, "The speedup is ") - 21.0) < 2.0);
    expect_part(c.answer, "below the law");
    expect_part(c.answer, "was not measured");

    expect_part(of_product_alone(0.55, 1.0, &language_english).answer, "above the law");

    c = of_product_alone(0.75, 1.6, &language_english);
    expect_part(c.title, "do not tell");
    expect_part(c.answer, "neither supports the law nor contradicts it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drift_cancels_in_a_ratio_and_is_reported_of_a_time),
        cmocka_unit_test(what_is_not_different_is_not_reported),
        cmocka_unit_test(single_samples_are_not_called_alike),
        cmocka_unit_test(declared_precisions_are_other_problems),
        cmocka_unit_test(a_tie_is_seen_and_a_gap_is_not_one),
        cmocka_unit_test(overheads_are_seen_together),
        cmocka_unit_test(the_fastest_library_is_tested_by_other_rounds),
        cmocka_unit_test(growth_is_compared_within_rounds),
        cmocka_unit_test(a_product_has_matrices),
        cmocka_unit_test(what_is_suspect_is_never_the_most),
        cmocka_unit_test(no_set_is_praised_without_a_difference),
        cmocka_unit_test(a_fixed_cost_is_no_power_of_k),
        cmocka_unit_test(two_ways_without_a_difference_are_none),
        cmocka_unit_test(a_division_is_not_compared_with_itself),
        cmocka_unit_test(messages_of_one_problem_are_reported),
        cmocka_unit_test(one_weak_efficiency_is_reported_once),
        cmocka_unit_test(what_has_no_interval_is_rough),
        cmocka_unit_test(exponents_of_one_method_are_reported),
        cmocka_unit_test(libraries_of_programs_are_reported_with_both_ends),
        cmocka_unit_test(times_are_compared_among_similar_errors),
        cmocka_unit_test(doubt_makes_no_slower_library_the_fastest),
        cmocka_unit_test(each_comparison_is_counted_once),
        cmocka_unit_test(a_library_of_one_problem_has_no_two_ends),
        cmocka_unit_test(plain_loops_of_a_library_are_reported),
        cmocka_unit_test(amdahls_law_is_kept_only_where_the_interval_is_narrow),
    };
    return cmocka_run_group_tests(tests, make_empty_folder, remove_folder);
}
