#include "experiments/analysis/analysis.h"
#include "experiments/analysis/limit_share.h"
#include "experiments/analysis/numbers.h"
#include "experiments/analysis/trust/disturbance_checks.h"
#include "experiments/analysis/trust/further_rounds.h"
#include "experiments/analysis/trust/launch_load.h"
#include "experiments/analysis/trust/launch_order_checks.h"
#include "experiments/plan/simulated.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Thresholds, with their reasons. */
static const double clock_steps = 100.0;    /* resolves a time to 1 % */
static const double busy_share = 0.25;      /* of the cores, used by others before a run began */
static const double loaded_share = 0.25;    /* of the launches */
static const double stolen_share = 0.01;    /* of the busy time: above a clock tick's error */
static const double reached_slack = 1.005;  /* for the stopping rule's own rounding */
static const double throttled_share = 0.05; /* of the samples: fewer do not change a median */
static const double least_modes = 0.05;     /* of the time: closer modes are harmless */
static const double far_above = 1.5;        /* median / 10 % quantile: lower on any quiet machine */
enum { FEWEST_SAMPLES = 6 };                /* with fewer, the median has no 95 % interval */

/* What the launches of a point recorded: numbers of launches, and of samples. */
struct recorded {
    double launches, wrong, unverified, dirty, left_out;
    double crowded, bound; /* workers that share cores; each on its own */
    double huge, ordinary; /* pages of the image */
    double loaded;         /* by the look before the run: more than busy_share of the cores */
    double load_before;    /* the largest, of launches that recorded none themselves, as is ... */
    double load_during;    /* ... that of their runs */
    double samples, stopped, throttled, at_power_cap, throttle_rank;
    int64_t fewest_repeats; /* executions per clock reading; INT64_MAX: none was clocked */
};

struct trust_context {
    const struct analysis *analysis;
    const struct analysis_request *request;
    struct point *point;
    bool *out_of_memory;
    struct recorded seen;
};

static bool has_reason(const struct point *p, const struct reason *r)
{
    for (size_t i = 0; i < p->reason_count; i++)
        if (strcmp(p->reasons[i].code, r->code) == 0)
            return true;
    return false;
}

static bool add_reason(struct point *p, const struct reason *r)
{
    struct reason *grown = realloc(p->reasons, (p->reason_count + 1) * sizeof *grown);
    if (!grown)
        return false;
    p->reasons = grown;
    grown[p->reason_count++] = *r;
    return true;
}

/* Reports a reason once; lowers the trust even if memory runs out for its words. */
static void take_reason(const struct trust_context *t, const struct reason *r)
{
    struct point *p = t->point;
    if (r->trust > p->trust)
        p->trust = r->trust;
    if (has_reason(p, r))
        return;
    *t->out_of_memory = !add_reason(p, r) || *t->out_of_memory;
}

static void distrust(const struct trust_context *t, enum cause cause, double a, double b)
{
    const struct reason r = reason_make(cause, a, b);
    take_reason(t, &r);
}

static bool is_bound(const struct launch *l)
{
    return strcmp(l->binding, "core") == 0 || strcmp(l->binding, "spread") == 0;
}

static void record_launch(struct recorded *r, const struct launch *l, const struct machine_facts *m)
{
    const bool knows_load = !isnan(l->others_cores);
    const double before = knows_load ? 0.0 : machine_load_at(m, l->first_utc),
                 during = knows_load ? 0.0 : machine_others_at(m, l->first_utc);
    r->launches++;
    r->wrong += strcmp(l->verified, "wrong") == 0;
    r->unverified += !has_verdict(l->verified);
    r->dirty += strstr(l->commit, "+dirty") != NULL;
    r->left_out += !l->finished;
    r->crowded += strcmp(l->binding, "shared") == 0;
    r->bound += is_bound(l);
    r->huge += strcmp(l->pages, "huge") == 0;
    r->ordinary += strcmp(l->pages, "ordinary") == 0;
    r->loaded += before > busy_share * m->cores;
    r->load_before = fmax(r->load_before, before);
    r->load_during = fmax(r->load_during, during);
    r->samples += (double)l->count;
    r->stopped += (double)l->stopped;
    r->throttled += (double)l->throttled;
    r->at_power_cap += (double)l->at_power_cap;
    r->throttle_rank = fmin(r->throttle_rank, l->throttle_rank);
    if (launch_counts(l) && l->count && l->repeats < r->fewest_repeats)
        r->fewest_repeats = l->repeats;
}

static struct recorded recorded_of(const struct analysis *a, const struct point *p,
                                   const struct machine_facts *m)
{
    struct recorded r = {.throttle_rank = NAN, .fewest_repeats = INT64_MAX};
    for (size_t i = 0; i < p->samples->count; i++)
        record_launch(&r, &a->samples.launches[p->samples->first + i], m);
    return r;
}

static void check_verdict(const struct trust_context *t)
{
    if (t->seen.wrong > 0.0)
        distrust(t, CAUSE_WRONG, t->seen.wrong, t->seen.launches);
    else if (t->seen.unverified > 0.0)
        distrust(t, CAUSE_UNVERIFIED, t->seen.unverified, t->seen.launches);
}

static bool is_wide(const struct point *p)
{
    return !(p->half_width <= p->target * reached_slack);
}

/* Checks how narrow the interval is, and whether it is as narrow as the scale asks for. */
static void check_interval(const struct trust_context *t)
{
    struct point *p = t->point;
    const struct estimate *e = &p->seconds[METRIC_TOTAL];
    p->half_width = 0.5 * (e->interval.upper - e->interval.lower) / e->value;
    if (e->samples < FEWEST_SAMPLES)
        distrust(t, CAUSE_FEW_SAMPLES, (double)e->samples, FEWEST_SAMPLES);
    if (e->launches == 1)
        distrust(t, CAUSE_ONE_LAUNCH, 0, 0);
    if (is_wide(p) && p->trust < TRUST_ROUGH)
        p->trust = TRUST_ROUGH;
    const double common = expm1(p->common[METRIC_TOTAL]);
    if (is_wide(p) && common > 0.5 * p->half_width) /* most of it */
        distrust(t, CAUSE_ROUNDS, 100.0 * common, 0);
}

/* Two modes matter if they differ by more than the scale has to distinguish, and widen the interval
 * of the median. If the interval is narrow all the same, the slower mode is rare and only noted. */
static void check_modes(const struct trust_context *t)
{
    const struct point *p = t->point;
    const struct summary *all = &p->pooled[METRIC_TOTAL];
    const double apart = fmax(least_modes, p->target);
    if (p->shares_cores) /* the cause is known: workers wait for their cores */
        return;
    if (p->modes.two && p->modes.ratio > 1.0 + apart)
        distrust(t, is_wide(p) ? CAUSE_TWO_MODES : CAUSE_RARE_MODE, p->modes.ratio,
                 100.0 * p->modes.slow);
    /* A quantile, because the minimum of samples falls with their number. */
    if (all->n >= FEWEST_SAMPLES && all->median > far_above * p->fastest_tenth)
        distrust(t, CAUSE_FAR_ABOVE, all->median / p->fastest_tenth, 0);
}

/* If further rounds differ from the planned ones, the median of all launches describes neither. */
static void check_further(const struct trust_context *t)
{
    const struct point *p = t->point;
    double *times = malloc((2 * p->samples->count + 1) * sizeof *times), factor;
    double *further = times ? times + p->samples->count : NULL;
    size_t n = 0, m = 0;
    *t->out_of_memory = *t->out_of_memory || !times;
    for (size_t i = 0; times && i < p->samples->count; i++) {
        const double seconds = p->medians[METRIC_TOTAL][i];
        const int64_t round = t->analysis->samples.launches[p->samples->first + i].round;
        if (seconds > 0.0 && round < p->further)
            times[n++] = seconds;
        else if (seconds > 0.0)
            further[m++] = seconds;
    }
    const double apart = fmax(least_modes, p->target);
    if (times && further_rounds_differ(times, n, further, m, apart, &factor))
        distrust(t, CAUSE_SHIFT, factor, 0);
    free(times);
}

/* Workers that share cores run in any order: the cause is known. */
static void check_launch_order(const struct trust_context *t)
{
    struct reason reasons[LAUNCH_ORDER_REASONS];
    if (t->point->shares_cores)
        return;
    const int count = launch_order_reasons(t->analysis, t->request, t->point,
                                           fmax(least_modes, t->point->target), reasons);
    *t->out_of_memory = *t->out_of_memory || count < 0;
    for (int i = 0; i < count; i++)
        distrust(t, reasons[i].kind, reasons[i].amount, reasons[i].other);
}

/* Finds why times are wide or have two modes, if the samples record it. For workers that share
 * cores the cause is known. Other times are not affected by disturbances. */
static void check_disturbances(const struct trust_context *t)
{
    struct reason reasons[DISTURBANCE_REASONS];
    const struct point *p = t->point;
    if (p->shares_cores || (p->trust == TRUST_PRECISE && !p->modes.two))
        return;
    const int count = disturbance_reasons(t->analysis, p, fmax(least_modes, p->target), reasons);
    *t->out_of_memory = *t->out_of_memory || count < 0;
    for (int i = 0; i < count; i++)
        distrust(t, reasons[i].kind, reasons[i].amount, reasons[i].other);
}

static void check_finished(const struct trust_context *t)
{
    if (t->seen.left_out > 0.0)
        distrust(t, CAUSE_INTERRUPTED, t->seen.left_out, t->seen.launches);
}

static void check_clock(const struct trust_context *t)
{
    const int64_t fewest = t->seen.fewest_repeats;
    double seconds =
        (fewest == INT64_MAX ? 1.0 : (double)fewest) * t->point->seconds[METRIC_TOTAL].value;
    double step = t->request->machine->clock_resolution_s;
    if (t->point->seconds[METRIC_TOTAL].samples && !(seconds > 0.0))
        distrust(t, CAUSE_CLOCK_STOOD, 0, 0);
    else if (seconds < clock_steps * step)
        distrust(t, CAUSE_CLOCK_COARSE, seconds / step, clock_steps);
}

static enum cause cause_of_workers(const struct record *r)
{
    const double ranks = record_count(r->ranks), threads = record_count(r->threads);
    return ranks > 1.0 && threads > 1.0 ? CAUSE_WORKERS : ranks > 1.0 ? CAUSE_RANKS : CAUSE_THREADS;
}

static void check_workers(const struct trust_context *t)
{
    const struct machine_facts *m = t->request->machine;
    const struct record *r = &t->point->samples->identity;
    const double workers = t->point->workers, cores = m->cores * record_count(r->nodes);
    if (workers > cores)
        distrust(t, cause_of_workers(r), workers, cores);
    else if (workers > m->quota_cores)
        distrust(t, CAUSE_QUOTA, workers, m->quota_cores);
}

/* Compares the requested binding with the actual one; samples from before it was recorded give no
 * reason. */
static void check_binding(const struct trust_context *t)
{
    const struct record *asked = &t->point->samples->identity;
    const struct recorded *seen = &t->seen;
    if (seen->crowded > 0.0)
        distrust(t, CAUSE_SHARED_CORES, seen->crowded, seen->launches);
    if (asked->bind[0] && strcmp(asked->bind, "none") != 0 && asked->binding[0] &&
        seen->bound + seen->crowded < seen->launches)
        distrust(t, CAUSE_UNBOUND, seen->bound, seen->launches);
}

/* The same image, on huge pages in some launches and on ordinary ones in others. */
static void check_pages(const struct trust_context *t)
{
    if (t->seen.huge > 0.0 && t->seen.ordinary > 0.0)
        distrust(t, CAUSE_PAGES, t->seen.huge, t->seen.launches);
}

/* What other programs did while the launches ran. */
static void check_launch_load(const struct trust_context *t)
{
    const struct machine_facts *m = t->request->machine;
    const struct launch_load load = launch_load_of(&t->analysis->samples, t->point->samples, m);
    const double numbers[] = {(double)load.disturbed, (double)load.launches, load.others,
                              load.cores};
    const struct reason reason =
        reason_make_of_four(load.left_out ? CAUSE_LEFT_OUT : CAUSE_LAUNCH_LOAD, numbers);
    if (load.disturbed)
        take_reason(t, &reason);
}

/* Launches of earlier versions did not record it: they are rated by the look before their run. A
 * few under load do not change a median. */
static void check_load_before(const struct trust_context *t)
{
    const struct recorded *seen = &t->seen;
    if (seen->loaded > 0.0 && seen->loaded >= loaded_share * seen->launches)
        distrust(t, CAUSE_LOAD, seen->load_before, t->request->machine->cores);
}

/* The load during a run is known for the run as a whole and may not coincide with the launch: a
 * note on a time that could not be measured more precisely, if its launches recorded none. */
static void check_load_during(const struct trust_context *t)
{
    const double most = t->seen.load_during, cores = t->request->machine->cores;
    if (most > busy_share * cores && is_wide(t->point))
        distrust(t, CAUSE_LOAD_DURING, most, cores);
}

/* Of the runs that its launches belong to. */
static double most_stolen(const struct trust_context *t)
{
    const struct point_samples *p = t->point->samples;
    double most = 0.0;
    for (size_t i = 0; i < p->count; i++)
        most = fmax(most, machine_stolen_at(t->request->machine,
                                            t->analysis->samples.launches[p->first + i].first_utc));
    return most;
}

/* Why a time could not be measured more precisely, if the system recorded it. It is a note, because
 * a time that is narrow all the same is not affected. */
static void check_stolen(const struct trust_context *t)
{
    const struct launch_load load =
        launch_load_of(&t->analysis->samples, t->point->samples, t->request->machine);
    const double stolen = isnan(load.stolen) ? most_stolen(t) : load.stolen;
    if (stolen > stolen_share && is_wide(t->point))
        distrust(t, CAUSE_STOLEN, 100.0 * stolen, 0);
}

/* True if the time, beyond both intervals, is below what the measured ceilings allow for the
 * operator's least work. */
static bool is_above_roof(const struct point *p)
{
    return p->seconds[point_work_metric(p)].interval.upper < p->roof.least_s;
}

/* True if an earlier point above the roof has the same problem, workers and method. */
static bool is_counted(const struct analysis *a, size_t point)
{
    for (size_t i = 0; i < point; i++) {
        const struct point *p = &a->points[i], *q = &a->points[point];
        if (is_above_roof(p) && p->workers == q->workers && analysis_same_problem(p, q) &&
            strcmp(p->samples->identity.method, q->samples->identity.method) == 0)
            return true;
    }
    return false;
}

/* Number of methods above the roof that solve the problem of this point with the same number of
 * workers. */
static size_t methods_above_roof(const struct analysis *a, const struct point *point)
{
    size_t methods = 0;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        methods += is_above_roof(p) && p->workers == point->workers &&
                   analysis_same_problem(p, point) && !is_counted(a, i);
    }
    return methods;
}

/* Removes a share of the limit whose whole interval is above 1: the machine did better than its
 * ceilings. The time is not affected. */
static void check_share(const struct trust_context *t)
{
    struct point *p = t->point;
    const double share = p->roof.seconds / p->seconds[point_work_metric(p)].value;
    if (!point_passes_limit(p))
        return;
    distrust(t, CAUSE_LIMIT_PASSED, 100.0 * share, 0);
    p->roof.seconds = p->roof.lower_s = p->roof.upper_s = NAN;
    p->roof.apart_s = p->roof.apart_lower_s = p->roof.apart_upper_s = NAN;
}

/* One method above the roof omits work. If several are above it, the ceilings were more likely
 * measured while something else ran. */
static void check_roof(const struct trust_context *t)
{
    const struct point *p = t->point;
    if (!is_above_roof(p)) {
        check_share(t);
        return;
    }
    const size_t methods = methods_above_roof(t->analysis, p);
    if (methods > 1)
        distrust(t, CAUSE_ROOF_UNCERTAIN, (double)methods, 0);
    else
        distrust(t, CAUSE_TOO_FAST, p->seconds[point_work_metric(p)].value, p->roof.least_s);
}

/* A stopped sample contains the pause, however long it was. */
static void check_stops(const struct trust_context *t)
{
    if (t->seen.stopped > 0.0)
        distrust(t, CAUSE_STOPPED, t->seen.stopped, t->seen.samples);
}

/* A GPU that is too hot or draws too much power throttles itself. Some cards are at their power
 * limit whenever they work: that is a separate cause. */
static void check_gpu_clock(const struct trust_context *t)
{
    const struct recorded *seen = &t->seen;
    const double numbers[] = {seen->throttled, seen->samples, seen->throttle_rank, 0.0};
    const struct reason r = reason_make_of_four(
        seen->at_power_cap == seen->throttled ? CAUSE_GPU_POWER : CAUSE_GPU_CLOCK, numbers);
    if (seen->throttled > throttled_share * seen->samples)
        take_reason(t, &r);
}

/* No objection to the time: it was measured as it was. But nobody can rebuild that program. */
static void check_binary(const struct trust_context *t)
{
    if (t->seen.dirty > 0.0)
        distrust(t, CAUSE_DIRTY, 0, 0);
}

/* Conditions that must not change along a curve, if its points are to be compared. */
static void check_curve(const struct trust_context *t, const struct curve *c)
{
    const struct {
        bool changed;
        enum cause cause;
    } changes[] = {{c->changed_commit, CAUSE_COMMIT},
                   {c->changed_host, CAUSE_MACHINE},
                   {c->changed_isa, CAUSE_ISA},
                   {c->changed_binding, CAUSE_BINDING},
                   {c->changed_device, CAUSE_DEVICE}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        if (changes[i].changed)
            distrust(t, changes[i].cause, 0, 0);
}

/* Nothing was clocked: the check can only say whether anything was computed. */
static void check_simulated(const struct trust_context *t)
{
    const struct recorded *seen = &t->seen;
    if (seen->wrong > 0.0)
        check_verdict(t);
    distrust(t, CAUSE_SIMULATED, seen->launches - (seen->wrong + seen->unverified), seen->launches);
    check_binary(t);
}

typedef void trust_check(const struct trust_context *t);
static trust_check *const checks[] = {
    check_verdict,      check_interval,    check_modes,       check_further,     check_launch_order,
    check_disturbances, check_finished,    check_clock,       check_workers,     check_binding,
    check_pages,        check_launch_load, check_load_before, check_load_during, check_stolen,
    check_roof,         check_stops,       check_gpu_clock,   check_binary};

static void check_point(const struct trust_context *t)
{
    if (is_simulated(&t->point->samples->identity))
        check_simulated(t);
    else
        for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
            checks[i](t);
}

enum status analysis_trust(struct analysis *a, const struct analysis_request *request,
                           struct failure *f)
{
    bool out_of_memory = false;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct trust_context t = {a, request, &a->points[i], &out_of_memory,
                                        recorded_of(a, &a->points[i], request->machine)};
        check_point(&t);
    }
    for (size_t i = 0; i < a->curve_count; i++)
        for (size_t j = 0; j < a->curves[i].count; j++) {
            const struct trust_context t = {.analysis = a,
                                            .request = request,
                                            .point = &a->points[a->curves[i].points[j]],
                                            .out_of_memory = &out_of_memory};
            if (!is_simulated(&t.point->samples->identity))
                check_curve(&t, &a->curves[i]);
        }
    for (size_t i = 0; i < a->point_count; i++)
        a->trusted[a->points[i].trust]++;
    return out_of_memory
               ? fail(f, STATUS_RESOURCE, "not enough memory for the reasons of %s", a->name)
               : STATUS_OK;
}

bool trust_take_graver(struct analysis *a, struct point *p, const struct point *graver)
{
    bool good = true;
    if (graver->trust <= p->trust)
        return true;
    a->trusted[p->trust]--;
    a->trusted[graver->trust]++;
    p->trust = graver->trust;
    for (size_t i = 0; i < graver->reason_count && good; i++)
        if (!has_reason(p, &graver->reasons[i]))
            good = add_reason(p, &graver->reasons[i]);
    return good;
}

bool point_stands_before(const struct point *p, const struct point *q)
{
    const bool doubted = p->trust >= TRUST_SUSPECT, other = q->trust >= TRUST_SUSPECT;
    return doubted != other ? other
                            : p->seconds[METRIC_TOTAL].value < q->seconds[METRIC_TOTAL].value;
}

void trust_describe(const struct point *p, const struct language *l, char text[TRUST_TEXT])
{
    const char *word = trust_word(p->trust, l);
    const double percent = 100.0 * p->half_width;
    if (p->trust == TRUST_ROUGH && !isnan(percent))
        text_fit_format(text, TRUST_TEXT, "%s ±%s %%", word,
                        number_in(l, "%.*f", percent < 10.0 ? 1 : 0, percent).text);
    else
        snprintf(text, TRUST_TEXT, "%s", word);
}
