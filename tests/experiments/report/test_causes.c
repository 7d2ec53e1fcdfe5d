/* A cause is named only if it was measured: made-up studies whose loss has a known cause, and
 * samples that are all SUSPECT. Nothing is ranked where nothing differs: samples of equal times. */
#include "experiments/analysis/speedup/efficiency.h"
#include "experiments/limits/ceilings_file.h"
#include "tests/experiments/support/made_results.h"
#include "tests/experiments/support/maker.h"
#include "tests/experiments/support/spanish.h"
#include "tests/experiments/support/synthetic.h"
#include "tests/support/unit_test.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 9, SAMPLES = 4, STUDIES = 500 };

/* Of the made-up machine: bytes a second that memory delivers to one worker, and to four. */
static const double to_one = 1.2e10, to_all = 2.0e10;

/* ---- studies with a known cause -------------------------------------------------------------- */

/* What becomes of the time of one worker, with several. Factors of 1 lose nothing. */
struct truth {
    double workers;
    double factors[FACTORS]; /* the rest: a serial part, which nothing measures */
    double bytes_time;       /* of the least traffic with that many workers, in s */
    double share;            /* of the bandwidth, that a program which waits for memory reaches */
    bool ranks;
    /* Of all workers, relative to one, and per cycle likewise; 0: not counted, for this reason. */
    double instructions, per_cycle;
    const char *counters;
};

/* One side of the image of the studies: 4096 x 4096 floats in, a quarter of them out. */
static const double least_bytes = 4096.0 * 4096.0 * 4.0 * 1.25;

static void add_ceiling(struct ceilings *c, const char *what, double workers, double rate)
{
    struct failure f = {0};
    struct ceiling row = ceiling_blank();
    snprintf(row.what, sizeof row.what, "%s", what);
    snprintf(row.level, sizeof row.level, "memory");
    snprintf(row.stores, sizeof row.stores, "%s", strcmp(what, "copy") == 0 ? "ordinary" : "");
    snprintf(row.host, sizeof row.host, "example");
    snprintf(row.isa, sizeof row.isa, "x86-64");
    row.working_set = 6.4e7;
    row.workers = workers;
    row.visits = 13;
    row.bandwidth = (struct rate){rate, 0.985 * rate, 1.015 * rate, rate, 1.02 * rate};
    assert_int_equal(ceilings_add(c, &row, &f), STATUS_OK);
}

static int make_folder(NO_STATE)
{
    struct ceilings c = {0};
    struct failure f = {0};
    char path[300];
    if (!mkdtemp(folder))
        return -1;
    for (size_t i = 0; i < 2; i++) {
        add_ceiling(&c, i ? "copy" : "read", 1.0, to_one);
        add_ceiling(&c, i ? "copy" : "read", 2.0, to_all);
        add_ceiling(&c, i ? "copy" : "read", 4.0, to_all);
    }
    snprintf(path, sizeof path, "%s/ceilings.csv", folder);
    const enum status status = ceilings_write(&c, path, &f);
    ceilings_release(&c);
    return status == STATUS_OK
               ? run("echo '{\"machine\": {\"allowed_cores\": 4}}' > %s/environment.json", folder)
               : -1;
}

/* The seconds of one sample: workers lose what the truth says; memory is a limit, not a factor. */
static void set_seconds(struct record *r, double one_s, const struct truth *t, gsl_rng *rng,
                        double noise)
{
    const double *k = t->factors;
    const double slow = 1.0 / k[FACTOR_FREQUENCY] / k[FACTOR_REST];
    double mean_s = one_s / t->workers * slow;
    if (t->workers > 1.0 && t->bytes_time / t->share > mean_s)
        mean_s = t->bytes_time / t->share;
    mean_s *= noise;
    r->compute_s = mean_s / k[FACTOR_BALANCE];
    r->imbalance_s = r->compute_s - mean_s * (1.0 - fabs(gsl_ran_gaussian(rng, 0.003)));
    r->imbalance_s = fmin(fmax(r->imbalance_s, 0.0), 0.9 * r->compute_s);
    r->total_s = r->compute_s / k[FACTOR_MESSAGES];
    r->distribute_s = r->collect_s = 0.5 * (r->total_s - r->compute_s);
    r->cpu_mhz = 3000.0 * k[FACTOR_FREQUENCY] * (1.0 + gsl_ran_gaussian(rng, 0.004));
    snprintf(r->counters, sizeof r->counters, "%s", t->counters ? t->counters : "");
    if (t->instructions > 0.0) {
        r->instructions = 1e9 * t->instructions * (1.0 + gsl_ran_gaussian(rng, 0.002));
        r->cycles = r->instructions / t->per_cycle / 2.0 * (1.0 + gsl_ran_gaussian(rng, 0.002));
    }
}

/* Writes nine launches of a point in rounds that share a drift. */
static void write_point(struct maker *m, struct record r, double one_s, const struct truth *t,
                        const double drift[ROUNDS], gsl_rng *rng)
{
    for (int round = 0; round < ROUNDS; round++) {
        const double launch = drift[round] * (1.0 + gsl_ran_gaussian(rng, 0.012));
        snprintf(r.run_id, sizeof r.run_id, "%s-%g-%d", m->experiment, t->workers, round);
        snprintf(r.experiment, sizeof r.experiment, "%s", m->experiment);
        r.round = round;
        for (int sample = 0; sample < SAMPLES; sample++) {
            set_seconds(&r, one_s, t, rng, launch * (1.0 + gsl_ran_gaussian(rng, 0.01)));
            maker_append(m->writer, &r, sample, SAMPLES);
        }
    }
}

/* Writes a study of one worker and of several; its images are its own. */
static void write_study(const char *name, int64_t seed, double one_s, const struct truth *t,
                        gsl_rng *rng)
{
    struct maker m = maker_begin(folder, name);
    struct truth one = {.workers = 1.0,
                        .ranks = t->ranks,
                        .instructions = t->instructions > 0.0,
                        .per_cycle = 1.0,
                        .counters = t->counters};
    double drift[ROUNDS];
    for (enum factor k = 0; k < FACTORS; k++)
        one.factors[k] = 1.0;
    for (int i = 0; i < ROUNDS; i++)
        drift[i] = 1.0 + gsl_ran_gaussian(rng, 0.02);
    struct record r = maker_blank(t->ranks ? "mpi" : "omp", "separable");
    r.seed = seed;
    r.rows = r.cols = 4096;
    write_point(&m, r, one_s, &one, drift, rng);
    *(t->ranks ? &r.ranks : &r.threads) = (int64_t)t->workers;
    write_point(&m, r, one_s, t, drift, rng);
    maker_end(&m);
}

/* The efficiency of a study, and, if asked, its claim of a chart. */
static struct efficiency analyse_with(const char *name, const char *chart, struct claim *claim)
{
    struct experiment *e = open_one(name);
    struct speedup_figure figure;
    struct failure f = {0};
    assert_int_equal(
        speedup_figure_make(&figure, &e->analysis, NULL, e->request.machine, false, &f), STATUS_OK);
    const struct speedup_mark *mark = speedup_figure_leading(&figure);
    assert_non_null(mark);
    const struct efficiency found = efficiency_of(&figure, &e->analysis, mark);
    if (chart)
        claim_make(e, chart, &language_english, claim);
    speedup_figure_release(&figure);
    close_one(e);
    return found;
}

static struct efficiency analyse(const char *name)
{
    return analyse_with(name, NULL, NULL);
}

static void remove_study(void)
{
    char path[300];
    snprintf(path, sizeof path, "%s/study.csv", folder);
    assert_int_equal(remove(path), 0);
}

/* Draws a study: without loss, with one cause that is measured, with a serial part, or with both.
 * Returns its truth, and the time of one worker. */
static struct truth draw_truth(int study, double *one_s, gsl_rng *rng)
{
    static const enum factor causes[] = {FACTOR_BALANCE, FACTOR_MESSAGES, FACTOR_FREQUENCY,
                                         FACTOR_MEMORY};
    struct truth t = {.workers = study % 2 ? 2.0 : 4.0, .share = 1.0};
    const int kind = study % 7; /* 0: none, 1: serial part, 2 to 6: measured, some with both */
    const enum factor cause = causes[gsl_rng_uniform_int(rng, 4)];
    for (enum factor k = 0; k < FACTORS; k++)
        t.factors[k] = 1.0;
    if (kind == 1 || kind > 4)
        t.factors[FACTOR_REST] = 1.0 - 0.4 * gsl_rng_uniform(rng);
    if (kind > 1 && cause != FACTOR_MEMORY)
        t.factors[cause] = 1.0 - 0.5 * gsl_rng_uniform(rng);
    t.ranks = kind > 1 && cause == FACTOR_MESSAGES;
    t.bytes_time = least_bytes / to_all;
    /* Memory limits a program that one worker runs at most of its bandwidth. */
    *one_s = kind > 1 && cause == FACTOR_MEMORY
                 ? least_bytes / to_one * (1.0 + 0.6 * gsl_rng_uniform(rng))
                 : 20.0 * least_bytes / to_one;
    if (kind > 1 && cause == FACTOR_MEMORY && gsl_rng_uniform(rng) < 0.5) {
        t.share = 0.6 + 0.4 * gsl_rng_uniform(rng); /* the same with one worker and with several */
        *one_s = least_bytes / to_one / t.share;
    }
    t.factors[FACTOR_MEMORY] = fmin(1.0, *one_s / t.workers / t.bytes_time * t.share);
    return t;
}

/* The loss of all, as -log of the efficiency: memory is a limit of the time, so that another loss
 * of it adds nothing until it is the larger. */
static double whole_loss(const struct truth *t)
{
    const double *k = t->factors;
    const double slow = fmin(k[FACTOR_FREQUENCY] * k[FACTOR_REST], k[FACTOR_MEMORY]);
    return -log(k[FACTOR_BALANCE] * k[FACTOR_MESSAGES] * slow);
}

/* Mean of the imbalance that is there without a cause: of |N(0, 0.003)|. */
static const double noise_imbalance = 0.003 * 0.79788456;

/* The share of the loss that a factor holds, with the imbalance of the noise, which is as real. */
static double share_of(const struct truth *t, enum factor k)
{
    const double noise = -log(1.0 - noise_imbalance), own = -log(t->factors[k]);
    return (k == FACTOR_BALANCE ? own + noise : own) / (whole_loss(t) + noise);
}

/* True if the factor alone makes three quarters of the loss. */
static bool is_cause(const struct truth *t, enum factor k)
{
    return -log(t->factors[k]) >= 0.75 * whole_loss(t) && t->factors[k] < 1.0;
}

/* True if nothing else loses anything, and this a fifth or more. */
static bool is_single(const struct truth *t, enum factor k)
{
    bool single = t->factors[k] < 0.8;
    for (enum factor j = 0; j < FACTORS; j++)
        single = single && (j == k || t->factors[j] == 1.0);
    return single;
}

/* What the analysis said of the studies of some seeds. */
struct tally {
    size_t partly, less, outside; /* losses of which a factor holds the larger part; those whose
                                   * true share is less than half, or outside the interval */
    size_t named, wrong;          /* causes */
    size_t single,
        found; /* losses of a fifth or more by one measured cause; those that are named */
};

static void take_study(struct tally *tally, const struct truth *t, const struct efficiency *e)
{
    const bool explained = e->loss == LOSS_EXPLAINED, partly = e->loss == LOSS_PARTLY;
    const double share = partly ? share_of(t, e->cause) : (double)NAN;
    bool single = false;
    for (enum factor k = 0; k < FACTOR_REST; k++)
        single = single || is_single(t, k);
    tally->partly += partly;
    tally->less += partly && !(share >= 0.5);
    tally->outside += partly && !(share >= e->part.lower && share <= e->part.upper);
    tally->named += explained;
    tally->wrong += explained && !is_cause(t, e->cause);
    tally->single += single;
    tally->found += single && explained && is_cause(t, e->cause);
}

static struct tally tally_of(unsigned long seed)
{
    struct tally tally = {0};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    for (int study = 0; study < STUDIES; study++) {
        double one_s;
        const struct truth t = draw_truth(study, &one_s, rng);
        write_study("study", 1000 + study, one_s, &t, rng);
        const struct efficiency e = analyse("study");
        remove_study();
        take_study(&tally, &t, &e);
    }
    gsl_rng_free(rng);
    return tally;
}

/* Prints the rate with its 95 % interval. Source: Clopper & Pearson (1934). */
static void print_tally(const char *what, const struct tally *t)
{
    const double wrong = (double)t->wrong, right = (double)(t->named - t->wrong);
    const double lower = t->wrong ? gsl_cdf_beta_Pinv(0.025, wrong, right + 1.0) : 0.0;
    print_message(
        "%s: %zu causes named, %zu wrong: %.2f %% [%.2f, %.2f]; of %zu single causes that "
        "lose a fifth or more, %zu are named\n",
        what, t->named, t->wrong, 100.0 * wrong / (double)t->named, 100.0 * lower,
        100.0 * gsl_cdf_beta_Pinv(0.975, wrong + 1.0, right), t->single, t->found);
}

static void print_parts(const char *what, const struct tally *t)
{
    print_message("%s: of %zu losses a factor is said to hold the larger part; it holds less than "
                  "half in %zu, and its share lies outside the interval in %zu\n",
                  what, t->partly, t->less, t->outside);
}

/* Of 500 studies at most 2 % of the named causes are wrong, and most of the large single losses are
 * named. Rule, definition of right and studies were changed on seeing those of seed 47; the seeds
 * of a long run were drawn afterwards, and the rate over them is the one to quote. */
TEST(named_causes_are_right)
{
    static const unsigned long seeds[] = {47, 811, 5309, 71993, 260817};
    struct tally fresh = {0};
    for (size_t i = 0; i < (long_run() ? sizeof seeds / sizeof *seeds : 1); i++) {
        char what[64];
        const struct tally t = tally_of(seeds[i]);
        snprintf(what, sizeof what, "%d studies of seed %lu", STUDIES, seeds[i]);
        print_tally(what, &t);
        print_parts(what, &t);
        if (i == 0) {
            assert_true(t.named > STUDIES / 5);
            assert_true(50 * t.wrong <= t.named);
            assert_true(10 * t.found >= 9 * t.single);
            assert_true(t.partly > 0 && 50 * t.less <= t.partly);
            assert_true(10 * t.outside <= t.partly);
            continue;
        }
        fresh = (struct tally){.partly = fresh.partly + t.partly,
                               .less = fresh.less + t.less,
                               .outside = fresh.outside + t.outside,
                               .named = fresh.named + t.named,
                               .wrong = fresh.wrong + t.wrong,
                               .single = fresh.single + t.single,
                               .found = fresh.found + t.found};
    }
    if (fresh.named > 0) {
        print_tally("fresh seeds", &fresh);
        print_parts("fresh seeds", &fresh);
        assert_true(50 * fresh.wrong <= fresh.named);
    }
}

/* ---- single conclusions ---------------------------------------------------------------------- */

static struct bounded about(double value, double half)
{
    return (struct bounded){value, value - half, value + half};
}

static struct efficiency concluded(struct bounded total, enum factor k, struct bounded factor)
{
    struct efficiency e = {.total = total};
    for (enum factor j = 0; j < FACTORS; j++)
        e.factors[j] = (struct bounded){NAN, NAN, NAN};
    e.factors[k] = factor;
    efficiency_conclude(&e);
    return e;
}

TEST(what_covers_the_loss_is_its_cause)
{
    struct efficiency e = concluded(about(0.67, 0.02), FACTOR_MEMORY, about(0.66, 0.03));
    assert_int_equal(e.loss, LOSS_EXPLAINED);
    assert_int_equal(e.cause, FACTOR_MEMORY);
    assert_true(fabs(e.factors[FACTOR_REST].value - 0.67 / 0.66) < 1e-9);
    e = concluded(about(0.67, 0.02), FACTOR_BALANCE, about(0.9, 0.01));
    assert_int_equal(e.loss, LOSS_UNEXPLAINED);
    e = concluded(about(0.67, 0.02), FACTOR_BALANCE, about(0.5, 0.01)); /* more than the loss */
    assert_int_equal(e.loss, LOSS_UNEXPLAINED);
    e = concluded(about(0.67, 0.02), FACTOR_BALANCE, (struct bounded){0.67, 0.3, 0.99});
    assert_int_equal(e.loss, LOSS_UNEXPLAINED); /* it may be almost nothing */
    e = concluded(about(0.67, 0.02), FACTOR_BALANCE, (struct bounded){0.67, NAN, NAN});
    assert_int_equal(e.loss, LOSS_UNEXPLAINED);
    e = concluded(about(0.98, 0.05), FACTOR_BALANCE, about(0.98, 0.01));
    assert_int_equal(e.loss, LOSS_NOT_SEEN);
    e = concluded(about(1.2, 0.05), FACTOR_BALANCE, about(0.98, 0.01));
    assert_int_equal(e.loss, LOSS_NEGATIVE);
    e = concluded((struct bounded){0.67, NAN, NAN}, FACTOR_BALANCE, about(0.67, 0.01));
    assert_int_equal(e.loss, LOSS_UNKNOWN);
}

/* Almost all of a loss, with intervals that do not meet: the share is said, and no cause. */
TEST(the_larger_part_is_said)
{
    const struct bounded lost = {0.643, 0.620, 0.659};
    struct efficiency e = concluded(lost, FACTOR_IDLE, about(0.664, 0.0035));
    assert_int_equal(e.loss, LOSS_PARTLY);
    assert_int_equal(e.cause, FACTOR_IDLE);
    assert_true(fabs(e.part.value - log(0.664) / log(0.643)) < 1e-9);
    assert_true(e.part.lower > 0.84 && e.part.lower < 0.87 && e.part.upper < 1.0);
    e = concluded(lost, FACTOR_IDLE, about(0.82, 0.02)); /* it may be less than half */
    assert_int_equal(e.loss, LOSS_UNEXPLAINED);
    e = concluded(lost, FACTOR_IDLE, about(0.55, 0.01)); /* it is more than the loss */
    assert_int_equal(e.loss, LOSS_UNEXPLAINED);
    e = concluded(lost, FACTOR_IDLE, about(0.664, 0.0035));
    e.factors[FACTOR_MEMORY] = about(0.67, 0.01); /* which of them? */
    efficiency_conclude(&e);
    assert_int_equal(e.loss, LOSS_UNEXPLAINED);
    e = concluded(lost, FACTOR_IDLE, about(0.664, 0.0035));
    e.doubtful = true;
    efficiency_conclude(&e);
    assert_int_equal(e.loss, LOSS_DOUBTFUL);
}

TEST(suspect_times_have_no_cause)
{
    struct efficiency e = {.total = about(0.67, 0.02), .doubtful = true};
    for (enum factor j = 0; j < FACTORS; j++)
        e.factors[j] = (struct bounded){NAN, NAN, NAN};
    e.factors[FACTOR_MEMORY] = about(0.66, 0.03);
    efficiency_conclude(&e);
    assert_int_equal(e.loss, LOSS_DOUBTFUL);
}

/* Without ceilings nothing is known of memory: it is no factor, not one that loses nothing. */
TEST(memory_without_ceilings_is_unknown)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double one_s;
    const struct truth t = draw_truth(1, &one_s, rng);
    write_study("study", 1, one_s, &t, rng);
    assert_int_equal(run("mv %s/ceilings.csv %s/ceilings.hidden", folder, folder), 0);
    const struct efficiency e = analyse("study");
    assert_int_equal(run("mv %s/ceilings.hidden %s/ceilings.csv", folder, folder), 0);
    remove_study();
    gsl_rng_free(rng);
    assert_true(isnan(e.factors[FACTOR_MEMORY].value) && isnan(e.factors[FACTOR_MEMORY].upper));
    assert_int_equal(e.loss, LOSS_UNEXPLAINED);
}

/* ---- the processor's counters ---------------------------------------------------------------- */

static bool holds(struct bounded b, double truth)
{
    return b.lower <= truth && truth <= b.upper && b.upper - b.lower < 0.05 * truth;
}

/* A study of four workers that lose `rest`, and what the memory takes if it is slow. */
static struct efficiency counted_study(double rest, bool slow_memory, double instructions,
                                       double per_cycle, const char *counters, struct claim *c)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct truth t = {.workers = 4.0,
                      .share = 1.0,
                      .bytes_time = least_bytes / to_all,
                      .instructions = instructions,
                      .per_cycle = per_cycle,
                      .counters = counters};
    for (enum factor k = 0; k < FACTORS; k++)
        t.factors[k] = k == FACTOR_REST ? rest : 1.0;
    gsl_rng_set(rng, 4);
    write_study("study", 1, (slow_memory ? 1.0 : 20.0) * least_bytes / to_one, &t, rng);
    const struct efficiency e = analyse_with("study", "efficiency", c);
    remove_study();
    gsl_rng_free(rng);
    return e;
}

/* What the factors leave is split into more instructions, and longer ones. */
TEST(counters_split_the_rest)
{
    struct claim c;
    struct efficiency e = counted_study(1.0 / 1.4, false, 1.4, 1.0, "read", &c);
    assert_int_equal(e.counters, COUNTERS_READ);
    assert_true(holds(e.instructions, 1.0 / 1.4) && holds(e.per_cycle, 1.0));
    assert_int_equal(e.loss, LOSS_UNEXPLAINED); /* why there are more was not measured */
    assert_non_null(strstr(c.answer, "more instructions than the base"));
    assert_null(strstr(c.answer, "more cycles"));
    e = counted_study(0.8, false, 1.0, 0.8, "read", &c);
    assert_true(holds(e.instructions, 1.0) && holds(e.per_cycle, 0.8));
    assert_null(strstr(c.answer, "more instructions"));
    assert_non_null(strstr(c.answer, " An instruction takes"));
}

/* Instructions that wait for memory take longer: that is the memory's part, and is there once. */
TEST(the_memory_is_not_counted_twice)
{
    struct claim c;
    const double memory = to_all / to_one / 4.0;
    struct efficiency e = counted_study(1.0, true, 1.0, memory, "read", &c);
    assert_int_equal(e.loss, LOSS_EXPLAINED);
    assert_int_equal(e.cause, FACTOR_MEMORY);
    assert_true(e.per_cycle.lower < 1.0 && e.per_cycle.upper > 1.0);
    assert_null(strstr(c.answer, "more cycles"));
}

/* "Not supported" and "not allowed" are values: nothing is concluded, and the reason is known. */
TEST(counters_that_were_not_read_split_nothing)
{
    struct claim c;
    struct efficiency e = counted_study(0.7, false, 0.0, 1.0, "not allowed", &c);
    assert_int_equal(e.counters, COUNTERS_FORBIDDEN);
    assert_true(isnan(e.instructions.value) && isnan(e.per_cycle.value));
    assert_null(strstr(c.answer, "more instructions"));
    assert_non_null(strstr(c.answer, "sysctl kernel.perf_event_paranoid=2"));
    e = counted_study(0.7, false, 0.0, 1.0, "not supported", &c);
    assert_int_equal(e.counters, COUNTERS_UNSUPPORTED);
    assert_null(strstr(c.answer, "sysctl"));           /* nobody can allow what is not there */
    e = counted_study(0.7, false, 0.0, 1.0, NULL, &c); /* an old file */
    assert_int_equal(e.counters, COUNTERS_STATES);
}

/* Of two factors within each other's intervals none is the cause. */
TEST(of_two_like_losses_none_is_named)
{
    struct efficiency e = concluded(about(0.6, 0.01), FACTOR_BALANCE, about(0.62, 0.05));
    assert_int_equal(e.loss, LOSS_EXPLAINED);
    e.factors[FACTOR_MEMORY] = about(0.66, 0.05);
    efficiency_conclude(&e);
    assert_int_equal(e.loss, LOSS_UNEXPLAINED);
}

/* ---- SUSPECT evidence ------------------------------------------------------------------------ */

static bool has_word(const char *text, const char *const *words, const char **found)
{
    for (*found = NULL; *words && !*found; words++)
        if (strcasestr(text, *words))
            *found = *words;
    return *found != NULL;
}

static size_t faults;

/* Counts a fault if the claim of a chart has a causal word, or lacks the word of its status where a
 * time of its rows is SUSPECT. Returns whether it has an answer of such rows. */
static bool check_claim(const struct experiment *e, const char *chart, const struct language *l)
{
    static const char *const english[] = {"because", "since ",    "due to",    "limits", "so that",
                                          "reason",  "thanks to", "therefore", "caused", NULL},
                             *const spanish_words[] = {"porque",  "debido",      "limita ",
                                                       "ya que",  "de modo que", "gracias a",
                                                       "por eso", "puesto que",  NULL};
    const char *const *words = l == &language_english ? english : spanish_words;
    const char *word = trust_word(TRUST_SUSPECT, l), *found;
    struct claim c;
    size_t suspect = 0;
    claim_make(e, chart, l, &c);
    for (size_t i = 0; i < c.count; i++)
        suspect += c.rows[i]->trust == TRUST_SUSPECT;
    if (!c.has_answer || suspect == 0)
        return false;
    const bool causal = has_word(c.title, words, &found) || has_word(c.answer, words, &found) ||
                        has_word(c.plain, words, &found);
    const char *at = strstr(c.answer, word), *end = strstr(c.answer, ". ");
    const bool marked =
        at && (suspect < c.count || ((!end || at < end) && strstr(c.title, word) != NULL));
    if (causal || !marked) {
        print_error("%s, %s: %s%s in: %s. %s %s\n", e->name, chart, causal ? found : "",
                    marked ? "" : " (the word of its status is lacking)", c.title, c.answer,
                    c.plain);
        faults++;
    }
    return true;
}

/* Checks the claim of a chart; returns whether it has an answer that can be wrong. */
typedef bool claim_check(const struct experiment *e, const char *chart, const struct language *l);

/* Claims of every chart that an experiment can have; returns how many there are. */
static size_t check_experiment(const struct experiment *e, claim_check *check)
{
    size_t answers = 0;
    for (size_t i = 0; i < chart_kind_count; i++) {
        answers += check(e, chart_kinds[i].name, &language_english);
        check(e, chart_kinds[i].name, spanish());
    }
    return answers;
}

/* Makes up results, if `busy` while other programs kept cores busy: every time is then SUSPECT. */
static size_t check_maker(const char *maker, const char *how, bool busy, claim_check *check)
{
    struct inventory in;
    struct experiment e;
    struct failure f = {0};
    char path[300];
    size_t answers = 0;
    snprintf(path, sizeof path, "%s/%s%s", folder, maker, how);
    assert_int_equal(run(MAXPOOL_BINARY_DIR "/bin/%s %s %s", maker, path, how), 0);
    assert_int_equal(run("echo '{\"machine\": {\"allowed_cores\": 4}, \"conditions\": "
                         "{\"busy_cores\": %s}}' > %s/environment.json",
                         busy ? "3.5" : "0.0", path),
                     0);
    assert_int_equal(inventory_open(&in, path, NULL, 0, &f), STATUS_OK);
    for (size_t i = 0; i < in.names.count; i++) {
        if (experiment_open(&e, &in, i, &f) != STATUS_OK)
            continue;
        answers += check_experiment(&e, check);
        experiment_close(&e);
    }
    inventory_close(&in);
    return answers;
}

/* Of all charts of all made-up studies: what is SUSPECT says so, and names no cause. */
TEST(suspect_evidence_says_so_everywhere)
{
    static const char *const makers[] = {"make_results", "make_gpu_results", "make_network_results",
                                         "make_training_results", "make_crossover_results"};
    size_t answers = 0;
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        answers += check_maker(makers[i], "", true, check_claim);
    print_message("%zu claims of SUSPECT times\n", answers);
    assert_int_equal(faults, 0);
    assert_true(answers > 60);
}

/* ---- equal times ----------------------------------------------------------------------------- */

/* Blanks every phrase that names something and ranks nothing. */
static void blank_names(char *text)
{
    static const char *const names[] = {
        "no better for being faster", "no es mejor por ser más rápido",
        "our fastest method",         "the fastest library",
        "the best serial method",     "for the slowest",
        "nuestro método más rápido",  "la biblioteca más rápida",
        "el mejor método serial",     "al más lento",
        "al trabajador más lento"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (char *at = text; (at = strcasestr(at, names[i]));)
            memset(at, '.', strlen(names[i]));
}

/* True if a part of the text ranks: a part that says that nothing is seen does not. */
static bool ranks(const char *text, const char **found)
{
    static const char *const words[] = {
        "fastest",    "slowest",   "faster",       "slower",       "best",      "worst",
        "least time", "less time", "shortest",     "the most",     "más rápid", "más lent",
        "mejor",      "peor",      "menor tiempo", "menos tiempo", "más corto", NULL};
    static const char *const nothing[] = {
        "no difference",     "may be chance", "puede ser azar",     "do not show", "seen to be",
        "seen to make",      "seen to take",  "ninguna diferencia", "no se ve",    "no se observa",
        "no permiten decir", "no muestran",   "no se aprecia",      NULL};
    char copy[CLAIM_ANSWER], *rest = copy;
    snprintf(copy, sizeof copy, "%s", text);
    blank_names(copy);
    for (char *part; (part = strsep(&rest, ".;:"));)
        if (!has_word(part, nothing, found) && has_word(part, words, found))
            return true;
    return false;
}

static bool check_no_ranks(const struct experiment *e, const char *chart, const struct language *l)
{
    const char *found;
    struct claim c;
    if (e->layers) /* of the made-up network, whose steps do take different times */
        return false;
    claim_make(e, chart, l, &c);
    if (c.has_answer && (ranks(c.title, &found) || ranks(c.answer, &found) ||
                         ranks(c.plain, &found) || ranks(c.because, &found))) {
        print_error("%s, %s: '%s' in: %s. %s %s %s\n", e->name, chart, found, c.title, c.answer,
                    c.plain, c.because);
        faults++;
    }
    return c.has_answer;
}

/* Of all charts of all made-up studies in which every point takes the same time: no sentence
 * ranks. */
TEST(nothing_is_ranked_where_nothing_differs)
{
    static const char *const makers[] = {"make_results", "make_gpu_results",
                                         "make_network_results"};
    size_t answers = 0;
    faults = 0;
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        answers += check_maker(makers[i], "equal", false, check_no_ranks);
    print_message("%zu claims of equal times\n", answers);
    assert_int_equal(faults, 0);
    assert_true(answers > 60);
}

const struct tests_group tests_group = {make_folder, remove_folder};

int main(void)
{
    return tests_end(tests_run());
}
