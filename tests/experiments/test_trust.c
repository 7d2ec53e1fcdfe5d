/* Status words: each observed disturbance gives its word, with a remedy, and nothing else does. */
#include "experiments/analysis/analysis.h"
#include "experiments/analysis/limit_share.h"
#include "experiments/analysis/trust/disturbances.h"
#include "experiments/analysis/trust/launch_order.h"
#include "experiments/analysis/trust/rank_sum.h"
#include "experiments/analysis/trust/session_level.h"
#include "experiments/samples/journal.h"
#include "tests/experiments/support/maker.h"
#include "tests/experiments/support/spanish.h"
#include "tests/experiments/support/trust_files.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- samples for these tests ----------------------------------------------------------------- */

enum { LAUNCHES = 9, SAMPLES = 10 };

/* Writes one launch whose samples lie within 0.1 % of its median. */
static void put_launch(struct record_writer *w, const struct record *point, int64_t round,
                       double median)
{
    double seconds[SAMPLES];
    for (int i = 0; i < SAMPLES; i++)
        seconds[i] = median * (1.0 + 0.001 * (2.0 * i / (SAMPLES - 1) - 1.0));
    put_samples(w, point, round, seconds, SAMPLES);
}

static const struct machine_facts quiet_machine = {
    .known = true, .cores = 8, .quota_cores = NAN, .load = 0.0, .clock_resolution_s = 1e-9};

/* Analyses a point whose launches have these medians. */
static struct analysis analyse_launches(const struct record *r, const double *medians, int count)
{
    struct record_writer *w = begin_samples();
    for (int i = 0; i < count; i++)
        put_launch(w, r, i, medians[i]);
    return analyse(w, &quiet_machine, NULL);
}

/* Writes nine launches, `step` apart, in an order unrelated to their times. */
static struct record_writer *put_apart(const struct record *r, double step)
{
    struct record_writer *w = begin_samples();
    for (int i = 0; i < LAUNCHES; i++)
        put_launch(w, r, i, 0.01 * (1.0 + step * (4 * i % LAUNCHES)));
    return w;
}

static bool has(const struct analysis *a, const char *code)
{
    return find_reason(&a->points[0], code);
}

/* The first point has the reason, or has it not, and the word. Releases the analysis. */
static void expect(struct analysis a, const char *code, bool said, enum trust trust)
{
    if (has(&a, code) != said || a.points[0].trust != trust)
        fail_msg("%s, %s '%s'", trust_names[a.points[0].trust], said ? "without" : "with", code);
    analysis_release(&a);
}

/* ---- words ---------------------------------------------------------------------------------- */

/* Launches are 2 % apart: the interval of nine is from the 2nd to the 8th, or slightly wider. */
TEST(precise_is_what_the_scale_wants)
{
    static const struct {
        const char *scale;
        double target;
        enum trust trust;
    } rows[] = {{"quick", 0.10, TRUST_PRECISE},
                {"standard", 0.03, TRUST_ROUGH},
                {"full", 0.02, TRUST_ROUGH},
                {"another", 0.02, TRUST_ROUGH}};
    const struct record r = maker_blank("serial", "fused");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        make_journal(&r, rows[i].scale, "");
        struct analysis a = analyse(put_apart(&r, 0.02), &quiet_machine, NULL);
        char in_english[TRUST_TEXT], in_spanish[TRUST_TEXT], expected[TRUST_TEXT];
        const struct point *p = &a.points[0];
        assert_true(p->target == rows[i].target);
        assert_int_equal(p->trust, rows[i].trust);
        assert_int_equal(p->reason_count, 0); /* a wide interval raises no alarm */
        trust_describe(p, &language_english, in_english);
        trust_describe(p, spanish(), in_spanish);
        if (p->trust == TRUST_ROUGH) {
            snprintf(expected, sizeof expected, "ROUGH ±%.1f %%", 100.0 * p->half_width);
            assert_string_equal(in_english, expected);
            assert_true(strncmp(in_spanish, "APROXIMADO ±", 13) == 0);
            assert_true(p->half_width > 0.05 && p->half_width < 0.09);
        } else {
            assert_string_equal(in_english, "PRECISE");
            assert_string_equal(in_spanish, "PRECISO");
        }
        analysis_release(&a);
    }
    const struct record other = maker_blank("serial", "direct");
    make_journal(&other, "quick", ""); /* describes not this point, but its study */
    struct analysis a = analyse(put_apart(&r, 0.02), &quiet_machine, NULL);
    assert_true(a.points[0].target == 0.10);
    analysis_release(&a);
    unlink(journal_path);
}

TEST(uncommitted_changes_are_a_note)
{
    struct record r = maker_blank("serial", "fused");
    strcpy(r.commit, "0123456789ab+dirty");
    struct analysis a = analyse(put_apart(&r, 0.001), &quiet_machine, NULL);
    assert_true(has(&a, "dirty"));
    assert_string_equal(reason_word(find_reason(&a.points[0], "dirty"), &language_english), "note");
    expect(a, "dirty", true, TRUST_PRECISE);
}

TEST(one_launch_is_rough)
{
    const struct record r = maker_blank("serial", "fused");
    expect(analyse_launches(&r, (const double[]){0.01}, 1), "one_launch", true, TRUST_ROUGH);
}

/* Four launches of nine are a quarter slower; then only two, which counts as bad luck. */
TEST(two_modes_are_suspect)
{
    const struct record r = maker_blank("serial", "fused");
    for (int slow = 2; slow <= 4; slow += 2) {
        double medians[LAUNCHES];
        for (int i = 0; i < LAUNCHES; i++)
            medians[i] = i % 2 && i < 2 * slow ? 0.0125 : 0.01;
        struct analysis a = analyse_launches(&r, medians, LAUNCHES);
        assert_int_equal(has(&a, "two_modes"), slow == 4);
        assert_int_equal(a.points[0].trust == TRUST_SUSPECT, slow == 4);
        analysis_release(&a);
    }
}

/* Every launch has the slower mode in four of its twelve samples: the median of each launch, and so
 * of the point, belongs to the faster mode. */
TEST(a_rare_mode_leaves_the_median_alone)
{
    const struct record r = maker_blank("serial", "fused");
    struct record_writer *w = begin_samples();
    double seconds[12];
    for (int j = 0; j < 12; j++)
        seconds[j] = j % 3 ? 0.01 + 1e-6 * j : 0.0125;
    for (int i = 0; i < LAUNCHES; i++)
        put_samples(w, &r, i, seconds, 12);
    struct analysis a = analyse(w, &quiet_machine, NULL);
    assert_true(a.points[0].modes.two && !has(&a, "two_modes"));
    expect(a, "rare_mode", true, TRUST_PRECISE); /* reported nevertheless, as a note */
}

/* ---- effects that rounds share --------------------------------------------------------------- */

/* Points of nine rounds: the rounds affect all points alike, or each point starts at another place
 * in the list `far`. */
static struct analysis analyse_rounds(int points, bool alike, int hosts)
{
    static const double far[LAUNCHES] = {0.3, -0.9, 0.6, 0.0, -0.3, 1.2, -0.6, 0.9, -1.2};
    struct record_writer *w = begin_samples();
    for (int i = 0; i < points; i++) {
        struct record r = maker_blank("serial", "fused");
        r.rows = r.cols = 64 * (i + 1);
        for (int j = 0; j < LAUNCHES; j++) {
            if (j % hosts)
                snprintf(r.host, sizeof r.host, "node-%d", j % hosts);
            put_launch(w, &r, j, 0.01 * (i + 1) * exp(0.02 * far[alike ? j : (j + i) % LAUNCHES]));
        }
    }
    return analyse(w, &quiet_machine, NULL);
}

/* The 2nd and the 8th of the nine are 0.9 x 2 % from the middle. */
TEST(rounds_that_are_shared_widen_intervals)
{
    const double own = 0.018, common = sqrt(1.7 / 0.3 - 1.0) * own;
    struct analysis a = analyse_rounds(8, true, 1);
    for (size_t i = 0; i < a.point_count; i++) {
        const struct point *p = &a.points[i];
        const struct estimate *e = &p->seconds[METRIC_TOTAL];
        assert_true(fabs(p->common[METRIC_TOTAL] - common) < 1e-4);
        assert_true(fabs(log(e->interval.upper / e->value) - hypot(own, common)) < 2e-3);
        assert_true(fabs(log(e->value / e->interval.lower) - hypot(own, common)) < 2e-3);
        assert_int_equal(p->trust, TRUST_ROUGH);
        assert_non_null(find_reason(p, "rounds"));
    }
    analysis_release(&a);
    a = analyse_rounds(8, false, 1); /* nothing is shared: each interval is the point's own */
    for (size_t i = 0; i < a.point_count; i++) {
        const struct estimate *e = &a.points[i].seconds[METRIC_TOTAL];
        assert_true(a.points[i].common[METRIC_TOTAL] == 0.0);
        assert_true(fabs(log(e->interval.upper / e->value) - own) < 2e-3);
        assert_null(find_reason(&a.points[i], "rounds"));
    }
    analysis_release(&a);
    a = analyse_rounds(5, true, 1); /* too few points to tell */
    assert_true(a.points[0].common[METRIC_TOTAL] == 0.0);
    analysis_release(&a);
    a = analyse_rounds(8, true, 2); /* rounds of two machines are not simultaneous */
    assert_true(a.points[0].common[METRIC_TOTAL] == 0.0);
    analysis_release(&a);
}

/* ---- the order of launches ------------------------------------------------------------------- */

TEST(launches_that_change_are_reported)
{
    static const struct {
        double times[LAUNCHES];
        bool trend, correlated;
    } cases[] = {{{1, 1.02, 1.05, 1.08, 1.1, 1.15, 1.2, 1.22, 1.25}, true, false},
                 {{1, 1.001, 1.002, 1.003, 1.004, 1.005, 1.006, 1.007, 1.008}, false, false},
                 {{1.25, 1.22, 1.2, 1.12, 1.05, 1, 1.02, 1.1, 1.15}, false, true},
                 {{1, 1.2, 1.05, 1.22, 1.02, 1.15, 1.1, 1.08, 1.25}, false, false}};
    const struct record r = maker_blank("serial", "fused");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct analysis a = analyse_launches(&r, cases[i].times, LAUNCHES);
        assert_int_equal(has(&a, "trend"), cases[i].trend);
        assert_int_equal(has(&a, "correlated"), cases[i].correlated);
        if (cases[i].trend)
            assert_int_equal(a.points[0].trust, TRUST_SUSPECT);
        analysis_release(&a);
    }
}

/* Every launch starts fast and ends slow, like a processor that heats up; or only every second one
 * does, and the others speed up. */
TEST(samples_that_drift_are_reported)
{
    const struct record r = maker_blank("serial", "fused");
    for (int every = 1; every <= 2; every++) {
        struct record_writer *w = begin_samples();
        for (int i = 0; i < LAUNCHES; i++) {
            double seconds[SAMPLES];
            for (int j = 0; j < SAMPLES; j++)
                seconds[j] = 0.01 * (1.0 + (i % every ? -0.2 : 0.2) * j / SAMPLES);
            put_samples(w, &r, i, seconds, SAMPLES);
        }
        struct analysis a = analyse(w, &quiet_machine, NULL);
        assert_int_equal(has(&a, "drift"), every == 1);
        analysis_release(&a);
    }
}

/* A quiet machine with so many runs, one a day, each at most an hour long. */
static struct machine_facts machine_of_runs(size_t runs)
{
    static struct machine_run days[] = {
        {"2020-01-01T00:00:00Z", "2020-01-01T01:00:00Z", 0.0, 0.0, NAN},
        {"2020-01-02T00:00:00Z", "2020-01-02T01:00:00Z", 0.0, 0.0, NAN},
        {"2020-01-03T00:00:00Z", "2020-01-03T01:00:00Z", 0.0, 0.0, NAN}};
    struct machine_facts machine = quiet_machine;
    machine.runs = days;
    machine.run_count = runs;
    return machine;
}

/* Analyses runs of `each` launches with these medians. */
static struct analysis analyse_runs(size_t runs, int each, const double *medians)
{
    const struct machine_facts machine = machine_of_runs(runs);
    struct record r = maker_blank("serial", "fused");
    struct record_writer *w = begin_samples();
    for (int i = 0; i < (int)runs * each; i++) {
        snprintf(r.time_utc, sizeof r.time_utc, "2020-01-0%dT00:%02d:00Z", 1 + i / each, i);
        put_launch(w, &r, i, medians[i]);
    }
    return analyse(w, &machine, NULL);
}

/* Two runs of 9 launches each that differ by a quarter; or launches that differ within each run. */
TEST(runs_that_differ_are_reported)
{
    for (int apart = 0; apart < 2; apart++) {
        double medians[2 * LAUNCHES];
        for (int i = 0; i < 2 * LAUNCHES; i++) {
            const bool slow = apart ? i >= LAUNCHES : i % 2;
            medians[i] = (slow ? 0.0125 : 0.01) * (1.0 + 0.001 * (7 * i % 18));
        }
        struct analysis a = analyse_runs(2, LAUNCHES, medians);
        assert_int_equal(has(&a, "sessions"), apart);
        analysis_release(&a);
    }
}

/* Each of the runs is `step` slower than the one before. */
static struct analysis analyse_sessions(size_t sessions, int each, double step)
{
    double medians[3 * LAUNCHES];
    for (int i = 0; i < (int)sessions * each; i++) {
        const int session = i / each;
        medians[i] = 0.01 * (1.0 + step * session + 0.001 * (7 * i % each));
    }
    return analyse_runs(sessions, each, medians);
}

/* Three sessions count as three values, however many launches they have: t = 4.3 times their
 * standard deviation over the root of 3. The interval of two sessions describes only these two,
 * which is reported. */
TEST(sessions_are_a_level_of_the_interval)
{
    struct analysis a = analyse_sessions(3, LAUNCHES, 0.04);
    const struct point *p = &a.points[0];
    const struct reason *level = find_reason(p, "session_level");
    assert_non_null(level);
    assert_non_null(strstr(reason_cause(level, &language_english).text, "its 3 runs differ"));
    assert_false(has(&a, "sessions") || has(&a, "trend"));
    const double s = log(1.084 / 1.004) / 2.0, reach = 4.30 * s / sqrt(3.0);
    assert_true(p->between[METRIC_TOTAL] > 0.98 * reach && p->between[METRIC_TOTAL] < 1.05 * reach);
    assert_true(p->seconds[METRIC_TOTAL].interval.upper > 0.01044 * exp(0.98 * reach));
    assert_true(p->seconds[METRIC_TOTAL].interval.lower < 0.01044 / exp(0.98 * reach));
    assert_int_equal(p->trust, TRUST_ROUGH);
    analysis_release(&a);
    a = analyse_sessions(3, LAUNCHES, 0.0005); /* half the distance between launches */
    assert_true(a.points[0].between[METRIC_TOTAL] == 0.0 && !has(&a, "session_level"));
    analysis_release(&a);
    a = analyse_sessions(2, LAUNCHES, 0.04);
    assert_true(a.points[0].between[METRIC_TOTAL] == 0.0);
    assert_true(has(&a, "two_sessions") && !has(&a, "sessions"));
    analysis_release(&a);
    a = analyse_sessions(2, LAUNCHES, 0.0);
    assert_false(has(&a, "two_sessions"));
    analysis_release(&a);
}

/* `sessions` sessions of `each` launches, every session slower than the one before; returns the
 * p-value. */
static double p_of_separate_sessions(size_t sessions, size_t each)
{
    double times[32];
    size_t numbers[32];
    struct session_ranks ranks;
    for (size_t i = 0; i < sessions * each; i++) {
        times[i] = 1.0 + 0.01 * (double)(i + 1);
        numbers[i] = 1 + i / each;
    }
    assert_true(launch_order_sessions(&ranks, times, numbers, sessions * each));
    return ranks.p_value;
}

/* For two sessions the probability is exact; with three launches each it never is as low as 5 %. */
TEST(few_launches_of_two_sessions_are_not_noted)
{
    assert_true(fabs(p_of_separate_sessions(2, 3) - 2.0 / 20.0) < 1e-12);
    assert_true(fabs(p_of_separate_sessions(2, 4) - 2.0 / 70.0) < 1e-12);
    assert_true(fabs(p_of_separate_sessions(2, 15) * 155117520.0 - 2.0) < 1e-6);
    assert_true(fabs(p_of_separate_sessions(2, 16) - 1.4e-6) < 1e-7);    /* chi-square of 23.27 */
    assert_true(fabs(p_of_separate_sessions(3, 3) - exp(-3.6)) < 1e-12); /* likewise of 7.2 */
    const double tied[] = {1.5, 1.5, 3.0, 4.5, 4.5, 6.0};                /* as extreme: only 15 */
    assert_true(fabs(rank_sum_p(tied, 6, 3) - 2.0 / 20.0) < 1e-12);
    for (int each = 3; each <= 4; each++) {
        struct analysis a = analyse_sessions(2, each, 0.04);
        assert_int_equal(has(&a, "two_sessions"), each == 4);
        analysis_release(&a);
    }
}

/* Nine launches of one session, and three of each of two others; a fourth session has two. */
TEST(sessions_count_once_each)
{
    enum { ALL = 17 };
    double times[ALL], width;
    size_t sessions[ALL];
    for (size_t i = 0; i < ALL; i++) {
        sessions[i] = i < 9 ? 1 : i < 12 ? 2 : i < 15 ? 3 : 4;
        times[i] = i < 9 ? 1.0 : i < 12 ? 1.1 : i < 15 ? 1.2 : 9.0;
    }
    assert_true(session_level_width(times, sessions, ALL, &width));
    /* t = 4.303, s = 0.0912; the mean of the logarithms is 0.0925, the median launch's is 0 */
    assert_true(fabs(width - 0.3191) < 2e-4);
    assert_true(session_level_width(times, sessions, 12, &width));
    assert_true(width == 0.0);
}

/* Time taken by the hypervisor is reported for points with a wide interval, and changes no word. */
TEST(stolen_time_is_reported_of_wide_points)
{
    struct machine_run runs[] = {{"2000-01-01T00:00:00Z", "2100-01-01T00:00:00Z", 0.0, 0.08, 3.0}};
    struct machine_facts machine = quiet_machine;
    machine.runs = runs;
    machine.run_count = 1;
    const struct record r = maker_blank("serial", "fused");
    for (int wide = 0; wide < 2; wide++) {
        struct analysis a = analyse(put_apart(&r, wide ? 0.05 : 0.0), &machine, NULL);
        const struct reason *stolen = find_reason(&a.points[0], "stolen");
        if (stolen)
            assert_non_null(strstr(reason_cause(stolen, &language_english).text, "8.0 %"));
        assert_int_equal(has(&a, "load_during"), wide); /* 3 of 8 cores */
        expect(a, "stolen", wide, wide ? TRUST_ROUGH : TRUST_PRECISE);
    }
}

/* ---- lost cores, frequency ------------------------------------------------------------------- */

/* A launch whose samples record the conditions under which they were taken. */
struct observed_launch {
    double seconds;       /* of its fast samples */
    double slower;        /* time of a slow sample over that of a fast one */
    int slow;             /* every `slow`-th sample is slow; 0: none */
    int switches, more;   /* in a fast sample, in a slow one */
    double mhz, last_mhz; /* of its first half, of its second one; NaN: not recorded */
    double later;         /* time of a sample of the second half over that of one of the first */
};

static const struct observed_launch usual_launch = {0.01, 1.0, 0, 0, 0, 2000.0, 2000.0, 1.0};

static void put_observed(struct record_writer *w, struct record *r, int round,
                         const struct observed_launch *o)
{
    enum { MANY = 12 };
    r->round = round;
    snprintf(r->run_id, sizeof r->run_id, "run-%d", round);
    for (int i = 0; i < MANY; i++) {
        const bool slow = o->slow && i % o->slow == 0;
        const bool late = i >= MANY / 2;
        r->compute_s = r->total_s =
            o->seconds * (slow ? o->slower : 1.0) * (late ? o->later : 1.0) * (1.0 + 1e-4 * i);
        r->involuntary_switches = slow ? o->more : o->switches;
        r->cpu_mhz = late ? o->last_mhz : o->mhz;
        maker_append(w, r, i, MANY);
    }
}

/* Analyses a point with these nine launches. */
static struct analysis analyse_observed(const struct observed_launch launches[LAUNCHES])
{
    struct record r = maker_blank("serial", "fused");
    struct record_writer *w = begin_samples();
    for (int i = 0; i < LAUNCHES; i++)
        put_observed(w, &r, i, &launches[i]);
    return analyse(w, &quiet_machine, NULL);
}

/* Makes launches up to 24 % apart, in an order unrelated to their times; tests then add
 * disturbances. */
static void make_wide(struct observed_launch launches[LAUNCHES])
{
    for (int i = 0; i < LAUNCHES; i++) {
        launches[i] = usual_launch;
        launches[i].seconds *= 1.0 + 0.03 * (4 * i % LAUNCHES);
    }
}

/* True if the note is reported; *reason, unless NULL, becomes the reason with its numbers. */
static bool is_noted(const struct observed_launch launches[LAUNCHES], const char *code,
                     struct reason *reason)
{
    struct analysis a = analyse_observed(launches);
    const struct reason *found = find_reason(&a.points[0], code);
    if (found && reason)
        *reason = *found;
    if (found)
        assert_string_equal(reason_word(found, &language_english), "note");
    analysis_release(&a);
    return found;
}

/* Six launches suffice, five do not. A quantity that falls as times rise explains nothing, nor does
 * one that is the same in all. With nine launches, r = 0.87 has a probability of 1 in 800, and 0.77
 * of 1 in 125. */
TEST(what_explains_rises_with_the_times)
{
    static const double times[LAUNCHES] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    static const double falling[LAUNCHES] = {9, 8, 7, 6, 5, 4, 3, 2, 1};
    static const double equal[LAUNCHES] = {3, 3, 3, 3, 3, 3, 3, 3, 3};
    static const double near[LAUNCHES] = {3, 2, 1, 4, 6, 5, 9, 7, 8};
    static const double nearly[LAUNCHES] = {4, 1, 3, 2, 5, 9, 6, 8, 7};
    assert_true(disturbance_follows_launches(times, times, 6));
    assert_false(disturbance_follows_launches(times, times, 5));
    assert_false(disturbance_follows_launches(times, falling, LAUNCHES));
    assert_false(disturbance_follows_launches(times, equal, LAUNCHES));
    assert_true(disturbance_follows_launches(times, near, LAUNCHES));
    assert_false(disturbance_follows_launches(times, nearly, LAUNCHES));
}

/* No switches; more in slow launches; equally many in each; slightly more in slow ones; equally
 * many per second in each; some by chance. */
TEST(switches_explain_slow_launches)
{
    static const struct {
        int switches[LAUNCHES];
        bool noted;
    } cases[] = {{{0}, false},
                 {{0, 4, 8, 3, 7, 2, 6, 1, 5}, true},
                 {{7, 7, 7, 7, 7, 7, 7, 7, 7}, false},
                 {{20, 24, 28, 23, 27, 22, 26, 21, 25}, false},
                 {{1000, 1120, 1240, 1090, 1210, 1060, 1180, 1030, 1150}, false},
                 {{0, 3, 1, 2, 0, 0, 5, 1, 0}, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct observed_launch launches[LAUNCHES];
        struct reason reason;
        make_wide(launches);
        for (int j = 0; j < LAUNCHES; j++)
            launches[j].switches = cases[i].switches[j];
        assert_int_equal(is_noted(launches, "switches", &reason), cases[i].noted);
        if (cases[i].noted) {
            assert_true(reason.amount > 2.0 * reason.other);
            assert_non_null(strstr(reason_cause(&reason, &language_english).text, "a second"));
        }
    }
}

/* Every launch has slow samples: each third one takes a quarter longer. The switches are in these
 * samples, in others, or there are none. */
TEST(switches_explain_slow_samples)
{
    static const struct {
        int switches, more;
        bool noted;
    } cases[] = {{0, 2, true}, {1, 4, true}, {0, 0, false}, {2, 2, false}, {2, 0, false}};
    struct observed_launch launches[LAUNCHES];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int j = 0; j < LAUNCHES; j++) {
            launches[j] = usual_launch;
            launches[j].slow = 3;
            launches[j].slower = 1.25;
            launches[j].switches = cases[i].switches;
            launches[j].more = cases[i].more;
        }
        struct analysis a = analyse_observed(launches);
        assert_true(has(&a, "rare_mode"));
        expect(a, "switches", cases[i].noted, TRUST_PRECISE); /* a note on a good median */
    }
}

/* One slow and one disturbed sample in each of six launches, and they coincide. */
TEST(few_samples_coincide_by_chance)
{
    struct disturbed_samples launches[6];
    for (int samples = 2; samples <= 6; samples++) {
        for (int i = 0; i < 6; i++)
            launches[i] = (struct disturbed_samples){samples, 1.0, 1.0, 1.0};
        assert_int_equal(disturbance_follows_samples(launches, 6), samples >= 5);
    }
}

/* A narrow time is not weakened by switches or a frequency. */
TEST(a_precise_time_needs_no_explanation)
{
    struct observed_launch launches[LAUNCHES];
    for (int i = 0; i < LAUNCHES; i++) {
        launches[i] = usual_launch;
        launches[i].seconds *= 1.0 + 1e-3 * i;
        launches[i].switches = i;
        launches[i].mhz = launches[i].last_mhz = 2000.0 - 100.0 * i;
    }
    assert_false(is_noted(launches, "switches", NULL));
    assert_false(is_noted(launches, "frequency", NULL));
}

/* The slower a launch, the lower its frequency: `step` MHz less per 3 % of time, or in another
 * order. */
TEST(a_lower_frequency_explains_slow_launches)
{
    static const struct {
        double step;
        bool ordered, noted;
    } cases[] = {{60.0, true, true}, {10.0, true, false}, {60.0, false, false}, {NAN, true, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct observed_launch launches[LAUNCHES];
        struct reason reason;
        make_wide(launches);
        for (int j = 0; j < LAUNCHES; j++)
            launches[j].mhz = launches[j].last_mhz =
                2000.0 - cases[i].step * ((cases[i].ordered ? 4 * j : 2 * j + 3) % LAUNCHES);
        assert_int_equal(is_noted(launches, "frequency", &reason), cases[i].noted);
        if (cases[i]
                .noted) { /* the fast four run at 1820 to 2000 MHz, the slow four at 1520 to 1700 */
            assert_true(fabs(reason.other - 1910.0) < 1e-6);
            assert_true(fabs(reason.amount - 1610.0) < 1e-6);
        }
    }
}

/* Every launch starts fast and at 2000 MHz and ends slow: at 2000, 1700 or 2300 MHz. */
TEST(a_frequency_that_falls_explains_a_drift)
{
    static const double ends[] = {2000.0, 1700.0, 2300.0};
    for (size_t end = 0; end < sizeof ends / sizeof *ends; end++) {
        struct observed_launch launches[LAUNCHES];
        for (int i = 0; i < LAUNCHES; i++) {
            launches[i] = usual_launch;
            launches[i].later = 1.2;
            launches[i].last_mhz = ends[end];
        }
        struct analysis a = analyse_observed(launches);
        const struct reason *frequency = find_reason(&a.points[0], "frequency");
        assert_true(has(&a, "drift"));
        assert_int_equal(frequency != NULL, end == 1);
        if (frequency)
            assert_true(fabs(frequency->amount - 1700.0) < 1e-6 && frequency->other == 2000.0);
        analysis_release(&a);
    }
}

/* Along a curve our methods must keep one instruction set; a peer chooses one for each shape. */
TEST(a_peer_may_choose_its_instructions)
{
    static const char *const methods[] = {"fused", "onednn"};
    for (int peer = 0; peer < 2; peer++) {
        struct record r = maker_blank("serial", methods[peer]);
        struct record_writer *w = begin_samples();
        for (int large = 0; large < 2; large++) {
            r.rows = r.cols = large ? 512 : 256;
            strcpy(r.isa, large ? "avx512" : "avx2");
            for (int i = 0; i < LAUNCHES; i++)
                put_launch(w, &r, i, large ? 0.01 : 0.0025);
        }
        struct analysis a = analyse(w, &quiet_machine, NULL);
        assert_int_equal(a.point_count, 2);
        assert_int_equal(a.points[0].peer, peer);
        assert_int_equal(has(&a, "isa"), !peer);
        analysis_release(&a);
    }
}

/* One launch shows how fast the point can be; the others are far slower. */
TEST(a_median_far_above_the_minimum_is_suspect)
{
    const struct record r = maker_blank("serial", "fused");
    double medians[LAUNCHES];
    for (int i = 0; i < LAUNCHES; i++)
        medians[i] = 0.00765;
    expect(analyse_launches(&r, medians, LAUNCHES), "far_above", false, TRUST_PRECISE);
    medians[4] = 0.0035;
    expect(analyse_launches(&r, medians, LAUNCHES), "far_above", true, TRUST_SUSPECT);
}

/* A single lucky sample of many is not a floor: the longer one measures, the more likely one
 * becomes. */
TEST(one_lucky_sample_is_no_floor)
{
    const struct record r = maker_blank("serial", "fused");
    struct record_writer *w = begin_samples();
    for (int i = 0; i < LAUNCHES; i++) {
        double seconds[12];
        for (int j = 0; j < 12; j++)
            seconds[j] = i == 4 && j == 6 ? 0.005 : 0.01 + 1e-6 * j;
        put_samples(w, &r, i, seconds, 12);
    }
    expect(analyse(w, &quiet_machine, NULL), "far_above", false, TRUST_PRECISE);
}

/* Nine planned launches, and nine of further rounds that take 8 % or 20 % longer. The journal
 * records which are which; without it nothing is reported. */
TEST(further_rounds_that_differ_are_suspect)
{
    const struct record r = maker_blank("serial", "fused");
    for (int percent = 8; percent <= 20; percent += 12)
        for (int reported = 0; reported < 2; reported++) {
            double medians[2 * LAUNCHES];
            for (int i = 0; i < 2 * LAUNCHES; i++)
                medians[i] = (0.01 + 1e-5 * (i % 5)) * (i < LAUNCHES ? 1.0 : 1.0 + 0.01 * percent);
            struct record first = r;
            first.round = LAUNCHES;
            make_journal(&first, "quick", reported ? journal_further : "");
            struct analysis a = analyse_launches(&r, medians, 2 * LAUNCHES);
            const struct reason *shift = find_reason(&a.points[0], "shift");
            assert_int_equal(shift != NULL, reported && percent == 20);
            if (shift) {
                assert_int_equal(a.points[0].trust, TRUST_SUSPECT);
                assert_true(fabs(shift->amount - 1.2) < 0.01);
            }
            analysis_release(&a);
        }
    unlink(journal_path);
}

/* A launch that was killed leaves samples without a stop reason: it is reported, not counted. */
TEST(interrupted_launches_do_not_count)
{
    struct failure f = {0};
    struct record r = maker_blank("serial", "fused");
    struct record_writer *w = begin_samples();
    for (int i = 0; i < LAUNCHES; i++)
        put_launch(w, &r, i, 0.01);
    for (int i = 0; i < 12; i++) {
        snprintf(r.run_id, sizeof r.run_id, "killed-%d", i);
        r.round = i;
        r.warmup = r.sample = 0;
        r.compute_s = r.total_s = 0.013;
        must(record_append(w, &r, &f), &f);
    }
    struct analysis a = analyse(w, &quiet_machine, NULL);
    const struct estimate *e = &a.points[0].seconds[METRIC_TOTAL];
    assert_int_equal(a.points[0].samples->count, LAUNCHES + 12);
    assert_int_equal(e->launches, LAUNCHES);
    assert_true(fabs(e->value - 0.01) < 1e-5);
    assert_true(a.points[0].phase[PHASE_COMPUTE] < 0.0101);
    assert_int_equal(a.points[0].pooled[METRIC_TOTAL].n, LAUNCHES * SAMPLES);
    expect(a, "interrupted", true, TRUST_PRECISE);
}

/* The load of today does not concern last week's samples, and one busy run of three matters only if
 * it has enough launches. */
TEST(load_is_that_of_the_run)
{
    static const struct {
        int busy; /* number of the nine launches in the busy run */
        bool suspect;
    } rows[] = {{0, false}, {2, false}, {3, true}, {9, true}};
    struct machine_run runs[] = {{"2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z", 0.1, NAN, NAN},
                                 {"2026-01-02T00:00:00Z", "2026-01-02T01:00:00Z", 7.0, NAN, NAN},
                                 {"2026-01-03T00:00:00Z", "", 6.0, NAN, NAN}};
    struct machine_facts machine = quiet_machine;
    machine.load = 6.0; /* of the last run */
    machine.runs = runs;
    machine.run_count = 3;
    struct record r = maker_blank("serial", "fused");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct record_writer *w = begin_samples();
        for (int launch = 0; launch < LAUNCHES; launch++) {
            strcpy(r.time_utc,
                   launch < rows[i].busy ? "2026-01-02T00:30:00Z" : "2026-01-01T00:30:00Z");
            put_launch(w, &r, launch, 0.01);
        }
        struct analysis a = analyse(w, &machine, NULL);
        assert_int_equal(has(&a, "load"), rows[i].suspect);
        analysis_release(&a);
    }
    assert_true(machine_load_at(&machine, "2026-01-03T00:00:00Z") == 6.0);
    assert_true(isnan(machine_load_at(&machine, "2026-01-01T12:00:00Z"))); /* between runs */
    assert_true(isnan(machine_load_at(&machine, "2025-12-31T00:00:00Z")));
    machine.run_count = 0; /* an older file */
    assert_true(machine_load_at(&machine, "2025-12-31T00:00:00Z") == 6.0);
}

/* 10 ms on a clock of 1 ms is too coarse, unless many executions are timed between two clock
 * readings. */
TEST(batches_make_up_for_the_clock)
{
    struct machine_facts machine = quiet_machine;
    machine.clock_resolution_s = 0.001;
    for (int64_t repeats = 1; repeats <= 64; repeats *= 8) {
        struct record r = maker_blank("serial", "fused");
        struct record_writer *w = begin_samples();
        for (int i = 0; i < LAUNCHES; i++) {
            r.repeats = i == 3 && repeats > 1 ? repeats + 3 : repeats; /* the lowest counts */
            put_launch(w, &r, i, 0.01);
        }
        struct analysis a = analyse(w, &machine, NULL);
        assert_int_equal(has(&a, "clock"), repeats < 10);
        analysis_release(&a);
    }
}

/* If several things go wrong, each cause is reported, and the most serious one gives the point's
 * word. */
TEST(no_reason_is_lost)
{
    static const char *const codes[] = {"wrong", "clock", "workers", "shared",
                                        "load",  "dirty", "pages",   "gpu_clock"};
    struct record r = maker_blank("omp", "fused");
    r.threads = 16;
    strcpy(r.bind, "core");
    strcpy(r.binding, "shared");
    strcpy(r.verified, "wrong");
    strcpy(r.throttle, "hardware_thermal");
    strcpy(r.commit, "0123456789ab+dirty");
    struct record_writer *w = begin_samples();
    for (int i = 0; i < LAUNCHES; i++) {
        strcpy(r.pages, i % 2 ? "huge" : "ordinary");
        put_launch(w, &r, i, 0.01);
    }
    struct machine_facts machine = quiet_machine;
    machine.load = 7.5;
    machine.clock_resolution_s = 0.001;
    struct analysis a = analyse(w, &machine, NULL);
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (!has(&a, codes[i]))
            fail_msg("'%s' is not reported", codes[i]);
    assert_int_equal(a.points[0].reason_count, sizeof codes / sizeof *codes);
    assert_int_equal(a.points[0].trust, TRUST_INVALID);
    assert_int_equal(a.trusted[TRUST_INVALID], 1);
    analysis_release(&a);
}

/* A training with the given verdicts: one letter per step, the first step is warm-up. */
static struct analysis of_steps(const char *verdicts)
{
    struct failure f = {0};
    struct record r = maker_blank("omp", "auto");
    struct record_writer *w = begin_samples();
    for (int launch = 0; launch < LAUNCHES; launch++)
        for (size_t i = 0; i < strlen(verdicts); i++) {
            snprintf(r.run_id, sizeof r.run_id, "launch %d", launch);
            r.round = launch;
            r.warmup = i == 0;
            r.sample = (int64_t)i;
            r.compute_s = r.total_s = 0.01;
            strcpy(r.verified, verdicts[i] == '-'   ? "none"
                               : verdicts[i] == 'w' ? "wrong"
                                                    : "sampled_bound");
            strcpy(r.stop_reason, verdicts[i + 1] ? "" : "samples");
            must(record_append(w, &r, &f), &f);
        }
    return analyse(w, &quiet_machine, NULL);
}

/* A training verifies its first and last step, which suffices. A training without any verdict is
 * reported, and a wrong step is wrong at any position. */
TEST(steps_between_need_no_verdict)
{
    static const struct {
        const char *verdicts;
        bool unverified, wrong;
    } cases[] = {{"-v--v", false, false},
                 {"vvvvv", false, false},
                 {"-----", true, false},
                 {"-v--w", false, true},
                 {"w---v", false, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct analysis a = of_steps(cases[i].verdicts);
        assert_int_equal(has(&a, "unverified"), cases[i].unverified);
        assert_int_equal(has(&a, "wrong"), cases[i].wrong);
        analysis_release(&a);
    }
}

/* Both languages state each cause and a remedy, with the numbers filled in, and nothing is cut
 * off. */
TEST(every_cause_has_a_remedy)
{
    const struct language *const languages[] = {&language_english, spanish()};
    for (enum cause c = 0; c < CAUSES; c++) {
        const struct reason r = reason_make(c, 123456.0, 654321.0);
        assert_true(r.code && r.trust < TRUSTS);
        for (size_t i = 0; i < 2; i++) {
            const struct language *l = languages[i];
            const struct reason_text cause = reason_cause(&r, l);
            char line[REASON_LINE];
            reason_line(&r, l, SOURCE_SUITE, line);
            assert_true(strlen(reason_name(&r, l)) > 8 && strlen(cause.text) > 8 &&
                        strlen(reason_remedy(&r, l, SOURCE_SUITE).text) > 8);
            assert_null(strpbrk(reason_name(&r, l), "%0123456789"));
            assert_null(strstr(cause.text, "%{"));
            assert_true(strlen(cause.text) + 1 < sizeof cause.text);
            assert_null(strchr(cause.text, '('));
            assert_string_equal(line + strlen(line) - 1, ")");
        }
        assert_string_not_equal(reason_name(&r, languages[0]), reason_name(&r, languages[1]));
        assert_string_not_equal(reason_cause(&r, languages[0]).text,
                                reason_cause(&r, languages[1]).text);
        assert_string_not_equal(reason_remedy(&r, languages[0], SOURCE_SUITE).text,
                                reason_remedy(&r, languages[1], SOURCE_SUITE).text);
    }
}

/* One is one: a reason whose number is 1 has a sentence of its own, in both languages. */
TEST(one_is_no_plural)
{
    static const struct {
        enum cause cause;
        double amount, other;
        const char *english, *spanish;
    } rows[] = {
        {CAUSE_QUOTA, 1, 0.5, "one worker on a quota of 0.5 cores",
         "un trabajador con una cuota de 0,5 núcleos"},
        {CAUSE_QUOTA, 2, 1, "2 workers on a quota of one core",
         "2 trabajadores con una cuota de un núcleo"},
        {CAUSE_QUOTA, 4, 1.5, "4 workers on a quota of 1.5 cores",
         "4 trabajadores con una cuota de 1,5 núcleos"},
        {CAUSE_WORKERS, 4, 1, "4 workers share one core", "4 trabajadores comparten un núcleo"},
        {CAUSE_RANKS, 2, 1, "2 ranks share one core", "2 procesos comparten un núcleo"},
        {CAUSE_THREADS, 2, 1, "2 threads share one core", "2 hilos comparten un núcleo"},
        {CAUSE_INTERRUPTED, 1, 9, "one launch did not finish and is left out of the 9",
         "un lanzamiento no terminó y queda fuera de los 9"},
        {CAUSE_FEW_SAMPLES, 1, 6, "one sample, fewer than the 6 that a 95 % interval needs",
         "una muestra, menos de las 6 que pide un intervalo del 95 %"},
    };
    const struct language *other = spanish();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct reason r =
            reason_make_of_four(rows[i].cause, (double[]){rows[i].amount, rows[i].other, NAN, NAN});
        assert_string_equal(reason_cause(&r, &language_english).text, rows[i].english);
        assert_string_equal(reason_cause(&r, other).text, rows[i].spanish);
    }
}

/* Words of a remedy that only samples of one source have a use for, in both languages. */
struct only {
    const char *word;
    bool of[SAMPLE_SOURCES];
};
static const struct only only[] = {
    {"--verify", {[SOURCE_SUITE] = true, [SOURCE_SIMULATION] = true}},
    {"--pages", {[SOURCE_SUITE] = true, [SOURCE_SIMULATION] = true}},
    {"--isa", {[SOURCE_SUITE] = true, [SOURCE_SIMULATION] = true}},
    {"--device", {[SOURCE_SUITE] = true, [SOURCE_SIMULATION] = true}},
    {"image", {[SOURCE_SUITE] = true, [SOURCE_SIMULATION] = true}},
    {"imagen", {[SOURCE_SUITE] = true, [SOURCE_SIMULATION] = true}},
    {"warm-up", {[SOURCE_SUITE] = true, [SOURCE_SIMULATION] = true}},
    {"more samples", {[SOURCE_SUITE] = true, [SOURCE_SIMULATION] = true}},
    {"más muestras", {[SOURCE_SUITE] = true, [SOURCE_SIMULATION] = true}},
    {"--bind", {[SOURCE_SUITE] = true, [SOURCE_COMMAND] = true, [SOURCE_SIMULATION] = true}},
    {"--launches", {[SOURCE_COMMAND] = true}},
    {"--budget", {[SOURCE_COMMAND] = true}},
    {"--check", {[SOURCE_COMMAND] = true}},
    {"--expect-hash", {[SOURCE_COMMAND] = true}},
    {"--same-output", {[SOURCE_COMMAND] = true}},
    {"same command", {[SOURCE_COMMAND] = true}},
    {"misma orden", {[SOURCE_COMMAND] = true}},
    {"expect_hash", {[SOURCE_DEFINITION] = true}},
    {"launches = ", {[SOURCE_DEFINITION] = true}},
    {"in the definition", {[SOURCE_DEFINITION] = true, [SOURCE_SIMULATION] = true}},
    {"study run", {[SOURCE_SUITE] = true, [SOURCE_DEFINITION] = true, [SOURCE_SIMULATION] = true}},
    {"experiment again",
     {[SOURCE_SUITE] = true, [SOURCE_DEFINITION] = true, [SOURCE_SIMULATION] = true}},
    {" --",
     {[SOURCE_SUITE] = true, /* no option at all of a file of times */
      [SOURCE_COMMAND] = true,
      [SOURCE_DEFINITION] = true,
      [SOURCE_SIMULATION] = true}},
};

/* Each combination of a cause, a source of samples and a language: the remedy is whole, and asks
 * for nothing that its samples' user does not have. */
TEST(every_remedy_suits_its_source)
{
    const struct language *const languages[] = {&language_english, spanish()};
    bool seen[sizeof only / sizeof *only] = {false};
    for (enum cause c = 0; c < CAUSES; c++)
        for (enum sample_source source = 0; source < SAMPLE_SOURCES; source++) {
            const struct reason r = reason_make(c, 123456.0, 654321.0);
            const struct reason_text texts[] = {reason_remedy(&r, languages[0], source),
                                                reason_remedy(&r, languages[1], source)};
            assert_string_not_equal(texts[0].text, texts[1].text);
            for (size_t i = 0; i < 2; i++) {
                assert_true(strlen(texts[i].text) > 8);
                assert_null(strstr(texts[i].text, "%{"));
                assert_true(strlen(texts[i].text) + 1 < sizeof texts[i].text);
                for (size_t j = 0; j < sizeof only / sizeof *only; j++)
                    if (strstr(texts[i].text, only[j].word)) {
                        seen[j] = true;
                        if (!only[j].of[source])
                            fail_msg("cause %d, source %d: %s", (int)c, (int)source, texts[i].text);
                    }
            }
        }
    for (size_t j = 0; j < sizeof only / sizeof *only; j++)
        if (!seen[j])
            fail_msg("no remedy says '%s'", only[j].word);
}

/* ---- the roof ------------------------------------------------------------------------------- */

enum { CURVE = 15 };

/* 163 GB/s up to 2 MiB, halved at each doubling beyond, but at least 16 GB/s; an L3 of 480 MiB is
 * claimed. */
static struct ceilings two_core_machine(struct ceiling rows[CURVE])
{
    double set = 16384.0, rate = 163e9;
    for (int i = 0; i < CURVE; i++, set *= 2.0) {
        rows[i] = ceiling_blank();
        strcpy(rows[i].what, "read");
        strcpy(rows[i].level, set > 2097152.0 ? "L3" : "L2");
        strcpy(rows[i].host, "example");
        rows[i].bytes = set > 2097152.0 ? 503316480.0 : 2097152.0;
        rows[i].working_set = set;
        rows[i].workers = 1.0;
        rate = set > 2097152.0 ? fmax(16e9, 0.5 * rate) : rate;
        rows[i].bandwidth = (struct rate){rate, rate, rate, rate, rate};
    }
    return (struct ceilings){rows, CURVE};
}

/* Two methods of 2048 x 2048 at k = s = 2, with the given times. */
static struct analysis analyse_two(double fused, double direct, const struct ceilings *ceilings)
{
    struct record_writer *w = begin_samples();
    struct record r = maker_blank("serial", "fused"), s = maker_blank("serial", "direct");
    r.rows = r.cols = s.rows = s.cols = 2048;
    for (int i = 0; i < LAUNCHES; i++) {
        put_launch(w, &r, i, fused);
        put_launch(w, &s, i, direct);
    }
    struct analysis a = analyse(w, &quiet_machine, ceilings);
    assert_int_equal(a.point_count, 2);
    return a;
}

TEST(true_times_are_under_the_roof)
{
    struct ceiling rows[CURVE];
    const struct ceilings c = two_core_machine(rows);
    struct analysis a = analyse_two(0.00073, 0.0012, &c);
    assert_int_equal(a.trusted[TRUST_PRECISE], 2);
    assert_true(a.points[0].roof.least_s > 0.0);
    analysis_release(&a);
}

TEST(a_planted_time_is_invalid)
{
    struct ceiling rows[CURVE];
    const struct ceilings c = two_core_machine(rows);
    struct analysis a = analyse_two(0.0001, 0.0012, &c);
    assert_int_equal(a.trusted[TRUST_INVALID], 1);
    assert_int_equal(a.trusted[TRUST_PRECISE], 1);
    for (size_t i = 0; i < a.point_count; i++)
        assert_int_equal(find_reason(&a.points[i], "too_fast") != NULL,
                         strcmp(a.points[i].samples->identity.method, "fused") == 0);
    analysis_release(&a);
}

TEST(several_above_the_roof_put_it_in_question)
{
    struct ceiling rows[CURVE];
    const struct ceilings c = two_core_machine(rows);
    struct analysis a = analyse_two(0.0001, 0.00012, &c);
    assert_int_equal(a.trusted[TRUST_SUSPECT], 2);
    for (size_t i = 0; i < a.point_count; i++)
        assert_non_null(find_reason(&a.points[i], "roof_uncertain"));
    assert_true(
        strstr(reason_cause(&a.points[0].reasons[0], &language_english).text, "2 methods") != NULL);
    analysis_release(&a);
}

/* The same machine with peaks that limit nothing, and with bandwidths known to within the fraction
 * `within`. */
static struct ceilings machine_with_peaks(struct ceiling rows[CURVE + 3], double within)
{
    static const char *const peaks[] = {"multiply_add", "maximum", "product"};
    struct ceilings c = two_core_machine(rows);
    for (size_t i = 0; i < c.count; i++) {
        rows[i].bandwidth.lower *= 1.0 - within;
        rows[i].bandwidth.upper *= 1.0 + within;
    }
    for (int i = 0; i < 3; i++) {
        rows[CURVE + i] = ceiling_blank();
        strcpy(rows[CURVE + i].what, peaks[i]);
        strcpy(rows[CURVE + i].host, "example");
        strcpy(rows[CURVE + i].isa, "x86-64");
        rows[CURVE + i].workers = 1.0;
        rows[CURVE + i].operations = (struct rate){1e15, 1e15, 1e15, 1e15, 1e15};
    }
    c.count += 3;
    return c;
}

/* A share above 1 beyond both intervals is discarded and reported; one within them is kept. The
 * limit of 20 MiB at 20.4 GB/s is 1.03 ms. */
TEST(no_share_lies_above_one_beyond_its_interval)
{
    static const struct {
        double seconds, within;
        bool passed;
    } cases[] = {{0.00095, 0.01, true}, {0.00095, 0.2, false}, {0.0012, 0.01, false}};
    struct ceiling rows[CURVE + 3];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct ceilings c = machine_with_peaks(rows, cases[i].within);
        struct analysis a = analyse_two(cases[i].seconds, 0.01, &c);
        const struct point *p = &a.points[a.points[1].seconds[METRIC_TOTAL].value < 0.005];
        const struct interval share = point_share_interval(p);
        assert_int_equal(a.trusted[TRUST_PRECISE], 2);
        assert_int_equal(find_reason(p, "limit_passed") != NULL, cases[i].passed);
        assert_int_equal(isnan(p->roof.seconds), cases[i].passed);
        if (!cases[i].passed) {
            assert_true(share.lower <= 1.0 && share.upper > p->roof.seconds / cases[i].seconds);
            assert_true(share.upper / share.lower > 1.0 + 1.9 * cases[i].within);
        }
        analysis_release(&a);
    }
}

/* ---- impossible, or only faster than the limit ---------------------------------------------- */

/* The memory of a virtual machine, as three visits of one slow minute saw it: without an interval.
 */
static struct ceilings slow_minute(struct ceiling rows[CURVE + 3])
{
    const struct ceilings c = machine_with_peaks(rows, 0.0);
    for (size_t i = 0; i < c.count; i++) {
        struct rate *rate = ceiling_is_peak(&rows[i]) ? &rows[i].operations : &rows[i].bandwidth;
        rate->lower = rate->upper = NAN;
        rows[i].visits = 3.0;
    }
    return c;
}

/* Adds a visit to every bandwidth, `factor` times as fast as its rate. */
static void visit_again(struct ceilings *c, double factor)
{
    for (size_t i = 0; i < c->count; i++) {
        struct ceiling seen = c->rows[i];
        if (ceiling_is_peak(&seen))
            continue;
        const double rate = factor * seen.bandwidth.value;
        seen.bandwidth = (struct rate){rate, NAN, NAN, rate, rate};
        seen.visits = 1.0;
        ceilings_add_visits(c, &seen);
    }
}

/* The word of a verified time of "fused" that is a fraction of the least time by the ceilings as
 * they were at first, and its note or cause; "direct" is slow. */
static void expect_word(const struct ceilings *c, double seconds, enum trust trust,
                        const char *code)
{
    struct analysis a = analyse_two(seconds, 0.05, c);
    const struct point *p = &a.points[a.points[1].seconds[METRIC_TOTAL].value < 0.02];
    if (p->trust != trust || !find_reason(p, code))
        fail_msg("%g s: %s, %s '%s'", seconds, trust_names[p->trust],
                 find_reason(p, code) ? "with" : "without", code);
    analysis_release(&a);
}

/* The least seconds of the problem by ceilings that are taken for exact. */
static double least_by(const struct ceilings *c)
{
    struct analysis a = analyse_two(0.02, 0.05, c);
    const double least = a.points[0].roof.least_s;
    analysis_release(&a);
    return least;
}

/* As mlp:25600-12800-6656 on a first screen: 31.4 ms, and "at least 43.9 ms are needed" by three
 * visits of a slow minute. That is a note. Ten times faster than any ceiling stays impossible. */
TEST(a_slow_minute_makes_no_time_impossible)
{
    struct ceiling exact[CURVE + 3], rows[CURVE + 3];
    const struct ceilings known = machine_with_peaks(exact, 0.0), c = slow_minute(rows);
    const double least = least_by(&known);
    expect_word(&c, least * 31.4 / 43.9, TRUST_PRECISE, "limit_passed");
    expect_word(&c, least / 10.0, TRUST_INVALID, "too_fast");
    expect_word(&known, least * 31.4 / 43.9, TRUST_INVALID, "too_fast");
}

/* The same with an interval: impossible by the visits of one minute, a note once a round of the
 * study has seen the memory half as fast again. The rate that shares are given of stays. */
TEST(visits_in_rounds_raise_what_is_possible)
{
    struct ceiling rows[CURVE + 3];
    struct ceilings c = machine_with_peaks(rows, 0.02);
    const double least = least_by(&c), seconds = least * 31.4 / 43.9,
                 rate = rows[9].bandwidth.value;
    expect_word(&c, seconds, TRUST_INVALID, "too_fast");
    visit_again(&c, 1.5);
    assert_true(rows[9].bandwidth.value == rate && rows[9].bandwidth.highest == 1.5 * rate);
    expect_word(&c, seconds, TRUST_PRECISE, "limit_passed");
    expect_word(&c, least / 10.0, TRUST_INVALID, "too_fast");
    visit_again(&c, 0.5); /* a slower round takes nothing back */
    expect_word(&c, seconds, TRUST_PRECISE, "limit_passed");
}

/* Between the ceiling and the end of its interval. */
TEST(a_time_within_the_interval_of_its_limit_is_no_alarm)
{
    struct ceiling rows[CURVE + 3];
    const struct ceilings exact = machine_with_peaks(rows, 0.0);
    const double least = least_by(&exact);
    const struct ceilings c = machine_with_peaks(rows, 0.3);
    expect_word(&c, least / 1.2, TRUST_PRECISE, "limit_passed");
    expect_word(&c, least / 1.4, TRUST_INVALID, "too_fast");
}

/* Ceilings of another machine do not apply. */
TEST(ceilings_are_of_their_host)
{
    struct ceiling rows[CURVE];
    const struct ceilings c = two_core_machine(rows);
    for (int i = 0; i < CURVE; i++)
        strcpy(rows[i].host, "another");
    struct analysis a = analyse_two(0.0001, 0.0012, &c);
    assert_int_equal(a.trusted[TRUST_PRECISE], 2);
    assert_true(isnan(a.points[0].roof.traffic_s));
    analysis_release(&a);
}

const struct tests_group tests_group = {make_files, remove_files};
