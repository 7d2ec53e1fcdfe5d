/* From samples to findings: a made-up result set with known truth goes through the whole analysis,
 * the derived data, the charts and the report. */
#include "experiments/analysis/derived/derived.h"
#include "experiments/analysis/palette.h"
#include "experiments/common/results.h"
#include "experiments/report/claims/findings.h"
#include "networks/point/record_subject.h"
#include "peers/methods.h"
#include "peers/peers.h"
#include "peers/script_methods.h"
#include "tests/experiments/support/made_results.h"
#include "tests/experiments/support/spanish.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct curve *find_curve(const struct analysis *a, enum curve_kind kind,
                                      const char *label)
{
    for (size_t i = 0; i < a->curve_count; i++)
        if (a->curves[i].kind == kind && strstr(a->curves[i].label, label))
            return &a->curves[i];
    return NULL;
}

TEST(threads_follow_amdahl)
{
    struct experiment *e = open_one("threads");
    const struct analysis *a = &e->analysis;
    assert_int_equal(a->point_count, 12);
    assert_int_equal(a->samples.launch_count, 60);
    assert_int_equal(a->samples.sample_count, 600);
    assert_int_equal(a->samples.warmups, 60);
    const struct curve *c = find_curve(a, CURVE_WORKERS, "omp fused");
    assert_non_null(c);
    assert_int_equal(c->left_out_invalid, 1); /* the point with wrong results */
    const struct fit *amdahl = &c->fits[METRIC_COMPUTE][0];
    assert_int_equal(amdahl->points, 4);
    assert_true(fabs(amdahl->value[1] - 0.95) < 0.02);
    assert_true(a->fraction >= 0);
    assert_true(fabs(a->points[a->fraction].share.value - 0.61) < 1e-6);
    close_one(e);
}

TEST(wrong_results_are_invalid)
{
    struct experiment *e = open_one("threads");
    assert_int_equal(e->analysis.trusted[TRUST_INVALID], 1);
    for (size_t i = 0; i < e->analysis.point_count; i++) {
        const struct point *p = &e->analysis.points[i];
        if (p->trust != TRUST_INVALID)
            continue;
        assert_true(p->workers == 6.0);
        assert_string_equal(p->reasons[0].code, "wrong");
    }
    close_one(e);
}

/* Counts the sentences that state why there is no fit. */
static void count_no_fits(const char *sentence, void *context)
{
    *(int *)context +=
        strstr(sentence, "was not fitted to") != NULL || strstr(sentence, "no se ajustó a") != NULL;
}

/* Analyses the same samples on a machine with 2 busy cores and a coarse clock, then under a
 * bandwidth that contradicts every sample. */
TEST(reasons_follow_the_machine)
{
    struct experiment *e = open_one("threads");
    struct machine_facts machine = {
        .known = true, .cores = 2, .quota_cores = NAN, .load = 1.9, .clock_resolution_s = 1e-4};
    struct ceiling slow = {
        .what = "read", .level = "memory", .bytes = NAN, .working_set = 1 << 28, .workers = 8};
    struct ceilings ceilings = {&slow, 1};
    struct analysis_request request = e->request;
    struct analysis a;
    struct failure f = {0};
    slow.bandwidth = (struct rate){1e12, 1e12, 1e12, 1e12, 1e12};
    request.machine = &machine;
    request.ceilings = &ceilings;
    assert_int_equal(analysis_make(&a, &request, &f), STATUS_OK);
    for (size_t i = 0; i < a.point_count; i++) {
        const struct point *p = &a.points[i];
        assert_true(has_reason(p, "load"));
        assert_int_equal(has_reason(p, "workers"), p->workers > 2.0);
        assert_int_equal(has_reason(p, "clock"), p->seconds[METRIC_TOTAL].value < 1e-2);
        assert_false(has_reason(p, "too_fast") || has_reason(p, "roof_uncertain"));
    }
    const struct curve *c = find_curve(&a, CURVE_WORKERS, "omp fused");
    assert_int_equal(c->left_out_workers, 2); /* 4 and 8 workers; 6 are INVALID */
    assert_true(c->fits[METRIC_COMPUTE][0].reason[0] != '\0');
    const struct language *const languages[] = {&language_english, spanish()};
    for (size_t i = 0; i < 2; i++) { /* reported once, however many curves */
        const struct language *l = languages[i];
        int reported = 0, before = 0;
        findings_write(&a, l, count_no_fits, &reported);
        findings_write(&e->analysis, l, count_no_fits, &before);
        assert_int_equal(reported, 1);
        assert_int_equal(before, 0);
    }
    analysis_release(&a);
    slow.bandwidth = (struct rate){1e6, 1e6, 1e6, 1e6, 1e6};
    machine = (struct machine_facts){
        .cores = NAN, .quota_cores = 4, .load = NAN, .clock_resolution_s = NAN};
    assert_int_equal(analysis_make(&a, &request, &f), STATUS_OK);
    for (size_t i = 0; i < a.point_count; i++) {
        /* several methods at up to 4 and at 8 workers, one at 6 */
        const bool alone = a.points[i].workers == 6.0;
        assert_int_equal(has_reason(&a.points[i], "too_fast"), alone);
        assert_int_equal(has_reason(&a.points[i], "roof_uncertain"), !alone);
        assert_int_equal(has_reason(&a.points[i], "quota"), a.points[i].workers > 4.0);
    }
    assert_int_equal(a.trusted[TRUST_INVALID], 1);
    analysis_release(&a);
    close_one(e);
}

/* Each point has the reasons that follow from its binding, and no others: its curve has several
 * bindings, binding failed, or several workers share a core. */
TEST(binding_is_assessed)
{
    static const struct {
        double workers;
        const char *method;
        bool shared, changed, unbound;
    } rows[] = {{8, "direct", false, false, true},
                {1, "fused", false, true, false},
                {2, "fused", false, true, false},
                {4, "fused", true, true, false},
                {8, "fused", false, true, false}};
    struct experiment *e = open_one("binding");
    struct machine_facts machine = {
        .known = true, .cores = 64, .quota_cores = NAN, .load = NAN, .clock_resolution_s = NAN};
    struct analysis_request request = e->request;
    struct analysis a;
    struct failure f = {0};
    request.machine = &machine;
    assert_int_equal(analysis_make(&a, &request, &f), STATUS_OK);
    assert_int_equal(a.point_count, sizeof rows / sizeof *rows);
    for (size_t i = 0; i < a.point_count; i++) {
        const struct point *p = &a.points[i];
        assert_true(p->workers == rows[i].workers);
        assert_string_equal(p->samples->identity.method, rows[i].method);
        assert_int_equal(has_reason(p, "shared"), rows[i].shared);
        assert_int_equal(has_reason(p, "bind"), rows[i].changed);
        assert_int_equal(has_reason(p, "unbound"), rows[i].unbound);
        assert_true(p->trust == TRUST_SUSPECT);
    }
    analysis_release(&a);
    machine.cores = 2; /* no idle cores: unbound ranks have nowhere else to go */
    assert_int_equal(analysis_make(&a, &request, &f), STATUS_OK);
    for (size_t i = 0; i < a.point_count; i++)
        assert_false(has_reason(&a.points[i], "bind"));
    analysis_release(&a);
    close_one(e);
}

/* A point whose launches ran on different kinds of pages is SUSPECT. */
TEST(pages_are_assessed)
{
    struct experiment *e = open_one("pages");
    struct analysis a;
    struct failure f = {0};
    assert_int_equal(analysis_make(&a, &e->request, &f), STATUS_OK);
    assert_int_equal(a.point_count, 3);
    for (size_t i = 0; i < a.point_count; i++)
        assert_int_equal(has_reason(&a.points[i], "pages"),
                         strcmp(a.points[i].samples->identity.method, "fused") == 0);
    analysis_release(&a);
    close_one(e);
}

TEST(speedups_name_their_baselines)
{
    struct experiment *e = open_one("threads");
    const struct analysis *a = &e->analysis;
    size_t seen = 0;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        const struct record *r = &p->samples->identity;
        if (strcmp(r->space, "omp") != 0 || strcmp(r->method, "fused") != 0 || r->threads != 8)
            continue;
        seen++;
        const struct record *best = &a->points[p->speedup[BASELINE_BEST].point].samples->identity;
        const struct record *one = &a->points[p->speedup[BASELINE_ONE].point].samples->identity;
        assert_string_equal(best->space, "serial");
        assert_string_equal(best->method, "fused"); /* four times as fast as literal */
        assert_string_equal(one->space, "omp");
        double truth = 1.0 / (0.05 + 0.95 / 8.0);
        double s = p->speedup[BASELINE_ONE].value[METRIC_COMPUTE];
        assert_true(fabs(s / truth - 1.0) < 0.05);
        assert_true(p->speedup[BASELINE_ONE].interval[METRIC_COMPUTE].lower < s);
        s = p->speedup[BASELINE_ONE].value[METRIC_TOTAL]; /* waiting counts */
        assert_true(fabs(p->efficiency - s / 8.0) < 1e-12);
        assert_true(p->karp_flatt_interval.lower <= p->karp_flatt &&
                    p->karp_flatt <= p->karp_flatt_interval.upper);
        assert_true(fabs(p->karp_flatt - 0.05) < 0.02);
    }
    assert_int_equal(seen, 1);
    close_one(e);
}

/* With more workers than cores, a worker's compute time omits the time it waited for a core. Ratios
 * therefore use the total time, and such points enter no fit and are never the fastest. */
TEST(workers_that_share_cores_have_no_speedup)
{
    struct experiment *e = open_one("threads");
    struct machine_facts machine = *e->request.machine;
    struct analysis_request request = e->request;
    struct analysis a;
    struct failure f = {0};
    size_t sharing = 0;
    machine.cores = 2;
    request.machine = &machine;
    assert_int_equal(analysis_make(&a, &request, &f), STATUS_OK);
    for (size_t i = 0; i < a.point_count; i++) {
        const struct point *p = &a.points[i];
        const struct speedup *one = &p->speedup[BASELINE_ONE];
        assert_int_equal(p->shares_cores, p->workers > 2.0);
        assert_int_equal(has_reason(p, "workers"), p->workers > 2.0);
        if (!p->shares_cores || one->point < 0)
            continue;
        char cause[64];
        snprintf(cause, sizeof cause, "%.0f threads share 2 cores", p->workers);
        sharing += strstr(reason_cause(&p->reasons[0], &language_english).text, cause) != NULL;
        assert_true(isnan(one->value[METRIC_COMPUTE]));
        assert_true(fabs(p->efficiency - one->value[METRIC_TOTAL] / p->workers) < 1e-12);
    }
    assert_true(sharing >= 4);
    for (size_t i = 0; i < a.curve_count; i++)
        if (a.curves[i].kind == CURVE_WORKERS)
            assert_true(a.curves[i].left_out_workers > 0 &&
                        a.curves[i].fits[METRIC_TOTAL][0].reason[0]);
    const struct point *best = evidence_fastest(&a, &(struct wanted){.several_workers = true});
    assert_true(best && best->workers == 2.0);
    const struct point *rows[4];
    assert_int_equal(evidence_sorted(&a, &(struct wanted){.several_workers = true}, rows, 4), 4);
    assert_true(rows[0]->workers == 2.0);
    analysis_release(&a);
    close_one(e);
}

static const struct ratio *find_ratio(const struct analysis *a, const char *peer, int64_t planes)
{
    for (size_t i = 0; i < a->ratio_count; i++) {
        const struct record *r = &a->points[a->ratios[i].peer].samples->identity;
        if (strcmp(r->method, peer) == 0 && r->planes == planes)
            return &a->ratios[i];
    }
    return NULL;
}

/* Each peer is compared with the fastest of our methods that does the same work; shapes have the
 * names that the definition gives them. */
TEST(peers_are_compared_with_ours)
{
    static const struct {
        const char *peer, *ours;
        double truth;
        bool fastest;
        size_t methods; /* number of our methods that do the same work */
    } rows[] = {{"onednn", "direct", 6.0, false, 2},
                {"onednn-nhwc", "direct", 4.0, true, 2},
                {"pytorch", "direct", 80.0, false, 2},
                {"libxsmm", "fused", 6.0, true, 1}};
    char name[] = "peers";
    struct experiment *e = open_one(name);
    const struct analysis *a = &e->analysis;
    assert_int_equal(a->ratio_count, 8);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct ratio *r = find_ratio(a, rows[i].peer, 1);
        assert_non_null(r);
        assert_string_equal(a->points[r->ours].samples->identity.method, rows[i].ours);
        assert_true(fabs(r->value / rows[i].truth - 1.0) < 0.05);
        assert_true(r->interval.lower < r->value && r->value < r->interval.upper);
        assert_int_equal(r->fastest, rows[i].fastest);
        assert_int_equal(r->methods, rows[i].methods);
        assert_true(r->trust <= TRUST_ROUGH);
        assert_false(r->named);
        assert_string_equal(r->shape, "1024 x 1024, k=2 s=2");
        assert_string_equal(find_ratio(a, rows[i].peer, 4096)->shape, "alexnet_5");
    }
    for (size_t i = 1; i < a->ratio_count; i++) /* shapes without a name come last */
        assert_true(a->ratios[i - 1].place - 1 <= a->ratios[i].place - 1);
    for (size_t i = 0; i < a->point_count; i++) /* a peer is nobody's baseline */
        assert_false(a->points[a->points[i].speedup[BASELINE_BEST].point].peer);
    close_one(e);
}

TEST(growth_is_quadratic)
{
    struct experiment *e = open_one("serial_growth");
    const struct curve *c = find_curve(&e->analysis, CURVE_GROWTH, "literal");
    assert_non_null(c);
    const struct fit *power = &c->fits[METRIC_COMPUTE][0];
    assert_int_equal(power->points, 5); /* within a factor of 16 of the largest */
    assert_true(fabs(power->value[1] - 2.0) < 0.05);
    assert_true(c->fits[METRIC_COMPUTE][1].error > 10.0 * power->error); /* no exponential */
    close_one(e);
}

TEST(kernel_is_cubic)
{
    struct experiment *e = open_one("hyperparameters");
    const struct curve *c = find_curve(&e->analysis, CURVE_SHAPE, "literal");
    assert_non_null(c);
    assert_true(fabs(c->fits[METRIC_COMPUTE][0].value[1] - 1.0) < 0.05);
    assert_true(fabs(c->fits[METRIC_COMPUTE][0].value[2] - 3.0) < 0.05);
    close_one(e);
}

/* (n/s)^2: the time falls with the square of the stride. Two strides at one k are no curve. */
TEST(stride_is_squared)
{
    struct experiment *e = open_one("hyperparameters");
    const struct curve *c = find_curve(&e->analysis, CURVE_STRIDE, "serial literal k=4");
    assert_non_null(c);
    assert_true(fabs(c->fits[METRIC_COMPUTE][0].value[1] + 2.0) < 0.1);
    assert_null(find_curve(&e->analysis, CURVE_STRIDE, "serial fused"));
    c = find_curve(&e->analysis, CURVE_PADDING, "serial literal k=4 s=3");
    assert_non_null(c);
    assert_int_equal(c->fit_count, 0);
    close_one(e);
}

TEST(bad_rows_are_counted_and_located)
{
    assert_int_equal(
        run("cd %s && head -21 threads.csv > damaged.csv && echo rubbish,row >> "
            "damaged.csv && tail -11 threads.csv >> damaged.csv && printf 'torn,li' >> "
            "damaged.csv",
            folder),
        0);
    struct experiment *e = open_one("damaged");
    assert_int_equal(e->analysis.samples.report.corrupt, 1);
    assert_int_equal(e->analysis.samples.report.first_corrupt_line, 22);
    assert_true(e->analysis.samples.report.torn);
    close_one(e);
    assert_int_equal(run("%s/bin/study analyze damaged --results %s | grep -q 'line 22'",
                         MAXPOOL_BINARY_DIR, folder),
                     0);
    assert_int_equal(run("rm %s/damaged.csv", folder), 0);
}

/* Returns the number of points of several workers with a weak efficiency. */
static size_t count_with_efficiency(const struct analysis *a)
{
    size_t n = 0;
    for (size_t i = 0; i < a->point_count; i++)
        n += a->points[i].workers > 1.0 && !isnan(a->points[i].weak_efficiency);
    return n;
}

/* In weak scaling the baseline is one worker with one worker's work. */
TEST(weak_scaling_has_a_baseline)
{
    struct experiment *e = open_one("weak_scaling");
    assert_int_equal(count_with_efficiency(&e->analysis), 4);
    close_one(e);
    char without[] = "weak_alone"; /* the same without the runs of one rank */
    assert_int_equal(run("awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } "
                         "NR == 1 || $at[\"ranks\"] > 1' %s/weak_scaling.csv > %s/weak_alone.csv",
                         folder, folder),
                     0);
    e = open_one(without);
    assert_int_equal(e->analysis.point_count, 4);
    assert_int_equal(count_with_efficiency(&e->analysis), 0);
    close_one(e);
    assert_int_equal(run("rm %s/weak_alone.csv", folder), 0);
}

/* ---- colours --------------------------------------------------------------------------------- */

/* Anything that a chart may show: a method of an operator or of networks, or a library. */
struct named {
    const struct operator_row *kind; /* NULL: a library */
    ptrdiff_t rung;
    const char *name;
    unsigned colour;
    double lab[3];
};

enum { NAMES_MOST = 200 };

struct names {
    struct named all[NAMES_MOST];
    size_t count;
};

static double linear(unsigned byte)
{
    const double c = (double)byte / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double cube_root(double t)
{
    return t > 216.0 / 24389.0 ? cbrt(t) : (24389.0 / 27.0 * t + 16.0) / 116.0;
}

/* CIE 1976 L*a*b* of an sRGB colour, white D65. Source: IEC 61966-2-1; CIE 15. */
static void make_lab(unsigned colour, double lab[3])
{
    const double r = linear(colour >> 16 & 255), g = linear(colour >> 8 & 255);
    const double b = linear(colour & 255);
    const double x = cube_root((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
    const double y = cube_root(0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
    const double z = cube_root((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
    lab[0] = 116.0 * y - 16.0;
    lab[1] = 500.0 * (x - y);
    lab[2] = 200.0 * (y - z);
}

static void add_name(struct names *n, const struct operator_row *kind, ptrdiff_t rung,
                     const char *name)
{
    struct point_samples samples = {0};
    const struct point p = {.samples = &samples, .kind = kind, .rung = rung};
    for (size_t i = 0; !kind && i < n->count; i++)
        if (!n->all[i].kind && strcmp(n->all[i].name, name) == 0)
            return; /* a library of several operators */
    assert_true(n->count < NAMES_MOST);
    struct named *new = &n->all[n->count++];
    snprintf(samples.identity.method, sizeof samples.identity.method, "%s", name);
    *new = (struct named){kind, rung, name, palette_colour(&p), {0.0}};
    make_lab(new->colour, new->lab);
    assert_true(palette_place(&p) < palette_places());
}

/* True if the method belongs to an operator that the same program runs. They then share name and
 * colour. */
static bool is_of_a_variant_before(const struct names *n, const struct operator_row *o,
                                   const struct method *m)
{
    const struct operator_row *variant;
    for (size_t v = 1; (variant = operator_variant(o, v)); v++)
        for (size_t i = 0; i < n->count; i++)
            if (n->all[i].kind == variant && strcmp(n->all[i].name, m->name) == 0)
                return true;
    return false;
}

static void add_methods(struct names *n, const struct operator_row *o)
{
    for (size_t i = 0; i < operator_method_count(o); i++)
        if (!is_of_a_variant_before(n, o, o->method(i)))
            add_name(n, o, (ptrdiff_t)i, o->method(i)->name);
}

static double distance(const struct named *a, const struct named *b)
{
    return hypot(hypot(a->lab[0] - b->lab[0], a->lab[1] - b->lab[1]), a->lab[2] - b->lab[2]);
}

/* Colours are far enough apart that two neighbouring lines can be distinguished; a difference of
 * 2.3 is just noticeable. */
TEST(no_two_names_look_alike)
{
    static struct names n;
    const double least = 15.0;
    for (size_t i = 0; i < operator_count; i++)
        add_methods(&n, operators[i]);
    for (size_t i = 0; recorded_network_at(i); i++)
        add_methods(&n, recorded_network_at(i));
    for (size_t i = 0; i < host_peers.count; i++)
        add_name(&n, NULL, -1, host_peers.rows[i].method.name);
    for (size_t i = 0; i < device_peers.count; i++)
        add_name(&n, NULL, -1, device_peers.rows[i].method.name);
    for (size_t i = 0; i < script_method_count; i++)
        add_name(&n, NULL, -1, script_methods[i].method.name);
    add_name(&n, NULL, -1, "no method's name");
    assert_int_equal(n.count, palette_places());
    assert_true(palette_places() <= palette_colour_count);
    for (size_t i = 0; i < n.count; i++)
        for (size_t j = 0; j < i; j++)
            if (distance(&n.all[i], &n.all[j]) < least)
                fail_msg("%s (#%06x) looks like %s (#%06x)", n.all[i].name, n.all[i].colour,
                         n.all[j].name, n.all[j].colour);
}

const struct tests_group tests_group = {make_results_folder, remove_folder};
