#include "experiments/analysis/trust/disturbance_checks.h"

#include "experiments/analysis/trust/disturbances.h"
#include "experiments/analysis/trust/launch_order.h"

#include <math.h>
#include <stdlib.h>

/* Thresholds, with their reasons. */
static const double more_switches = 2.0;    /* factor: fewer switches do not slow a time */
static const double lower_frequency = 0.05; /* the same as times must differ by to be reported */
enum { LEAST_READINGS = 6 };                /* per launch: three in each half */

/* The samples of a point, and what their conditions show. */
struct observed {
    const struct samples *samples;
    const struct point *point;
    double slow_from; /* seconds from which a sample is slow */
    size_t launches, values;
    double *times, *amounts, *workspace; /* per launch the first two; workspace for sample values */
    struct disturbed_samples *counts;
};

static bool make(struct observed *o, const struct analysis *a, const struct point *p, double apart)
{
    size_t most = 0;
    *o = (struct observed){.samples = &a->samples, .point = p};
    o->slow_from = p->fastest_tenth * (1.0 + apart);
    for (size_t i = 0; i < p->samples->count; i++)
        most += a->samples.launches[p->samples->first + i].count;
    o->times = calloc(p->samples->count + 1, sizeof *o->times);
    o->amounts = calloc(p->samples->count + 1, sizeof *o->amounts);
    o->counts = calloc(p->samples->count + 1, sizeof *o->counts);
    o->workspace = calloc(most + 1, sizeof *o->workspace);
    return o->times && o->amounts && o->counts && o->workspace;
}

static void release(struct observed *o)
{
    free(o->times);
    free(o->amounts);
    free(o->counts);
    free(o->workspace);
}

/* The launch with that index in the point; NULL if it has no time. */
static const struct launch *launch_at(const struct observed *o, size_t index)
{
    const struct launch *launch = &o->samples->launches[o->point->samples->first + index];
    return launch_counts(launch) && o->point->medians[METRIC_TOTAL][index] > 0.0 ? launch : NULL;
}

/* ---- switches -------------------------------------------------------------------------------- */

struct sum {
    double switches, seconds;
};

/* Switches per second: a longer sample has more of them anyway. */
static double rate_of(const struct sum *s)
{
    return s->seconds > 0.0 ? s->switches / s->seconds : (double)NAN;
}

/* Adds a sample; returns false if its switches were not recorded. */
static bool add(struct sum *s, const struct launch *launch, const struct sample *sample)
{
    const double seconds = sample->seconds[PHASE_TOTAL] * (double)launch->repeats;
    if (isnan(sample->switches) || !(seconds > 0.0))
        return false;
    s->switches += sample->switches;
    s->seconds += seconds;
    return true;
}

static double rate_of_sample(const struct launch *launch, const struct sample *sample)
{
    struct sum one = {0.0, 0.0};
    return add(&one, launch, sample) ? rate_of(&one) : (double)NAN;
}

static bool is_slow(const struct observed *o, const struct sample *sample)
{
    return sample->seconds[PHASE_TOTAL] > o->slow_from;
}

/* Sums over slow samples and over the others. Returns the median rate of the others; NaN if there
 * are none. */
static double sum_up(struct observed *o, struct sum *slow, struct sum *other)
{
    o->values = 0;
    for (size_t i = 0; i < o->point->samples->count; i++) {
        const struct launch *launch = launch_at(o, i);
        for (size_t j = 0; launch && j < launch->count; j++) {
            const struct sample *sample = &o->samples->samples[launch->first + j];
            const bool reported = add(is_slow(o, sample) ? slow : other, launch, sample);
            if (reported && !is_slow(o, sample))
                o->workspace[o->values++] = rate_of_sample(launch, sample);
        }
    }
    return median_of(o->workspace, o->values);
}

/* Adds a launch: its rate, and the counts of its samples. A sample is disturbed if its rate is
 * above the usual one. */
static void count_launch(struct observed *o, const struct launch *launch, double seconds,
                         double usual)
{
    struct sum all = {0.0, 0.0};
    struct disturbed_samples counts = {0.0, 0.0, 0.0, 0.0};
    for (size_t j = 0; j < launch->count; j++) {
        const struct sample *sample = &o->samples->samples[launch->first + j];
        if (!add(&all, launch, sample))
            continue;
        const bool slow = is_slow(o, sample), disturbed = rate_of_sample(launch, sample) > usual;
        counts.all += 1.0;
        counts.slow += slow;
        counts.disturbed += disturbed;
        counts.both += slow && disturbed;
    }
    if (!(counts.all > 0.0))
        return;
    o->times[o->launches] = seconds;
    o->amounts[o->launches] = rate_of(&all);
    o->counts[o->launches++] = counts;
}

static bool are_switched(struct observed *o, struct reason *reason)
{
    struct sum slow = {0.0, 0.0}, other = {0.0, 0.0};
    const double usual = sum_up(o, &slow, &other);
    const double rates[] = {rate_of(&slow), rate_of(&other)};
    if (!(rates[0] > 0.0 && rates[0] >= more_switches * rates[1]))
        return false;
    o->launches = 0;
    for (size_t i = 0; i < o->point->samples->count; i++) {
        const struct launch *launch = launch_at(o, i);
        if (launch)
            count_launch(o, launch, o->point->medians[METRIC_TOTAL][i], usual);
    }
    *reason = reason_make(CAUSE_SWITCHES, rates[0], rates[1]);
    return disturbance_follows_launches(o->times, o->amounts, o->launches) ||
           disturbance_follows_samples(o->counts, o->launches);
}

/* ---- frequency ------------------------------------------------------------------------------- */

/* Reads the recorded frequencies of a launch, in order. */
static void read_launch(struct observed *o, const struct launch *launch)
{
    o->values = 0;
    for (size_t j = 0; j < launch->count; j++) {
        const double mhz = o->samples->samples[launch->first + j].cpu_mhz;
        if (mhz > 0.0)
            o->workspace[o->values++] = mhz;
    }
}

/* Takes the time and the frequency of each launch. The frequency is negated, because a lower one
 * must go with a longer time. */
static void take_frequencies(struct observed *o)
{
    o->launches = 0;
    for (size_t i = 0; i < o->point->samples->count; i++) {
        const struct launch *launch = launch_at(o, i);
        if (launch)
            read_launch(o, launch);
        if (!launch || o->values == 0)
            continue;
        o->times[o->launches] = o->point->medians[METRIC_TOTAL][i];
        o->amounts[o->launches++] = -median_of(o->workspace, o->values);
    }
}

/* Median frequency of the launches on one side of `middle`, without those at it. */
static double frequency_beside(struct observed *o, double middle, bool above)
{
    o->values = 0;
    for (size_t i = 0; i < o->launches; i++)
        if (above ? o->times[i] > middle : o->times[i] < middle)
            o->workspace[o->values++] = -o->amounts[i];
    return median_of(o->workspace, o->values);
}

static bool slow_launches_run_lower(struct observed *o, struct reason *reason)
{
    take_frequencies(o);
    if (!disturbance_follows_launches(o->times, o->amounts, o->launches))
        return false;
    for (size_t i = 0; i < o->launches; i++)
        o->workspace[i] = o->times[i];
    const double middle = median_of(o->workspace, o->launches);
    const double slow = frequency_beside(o, middle, true),
                 fast = frequency_beside(o, middle, false);
    *reason = reason_make(CAUSE_FREQUENCY, slow, fast);
    return slow < (1.0 - lower_frequency) * fast;
}

/* The median of the first or the last half of the readings. */
static double median_of_half(struct observed *o, const struct launch *launch, bool last)
{
    read_launch(o, launch);
    const size_t half = o->values / 2;
    return median_of(last ? o->workspace + o->values - half : o->workspace, half);
}

/* As launch_order_drifts_within(), for frequencies instead of times. */
static bool launches_end_lower(struct observed *o, struct reason *reason)
{
    double factor;
    size_t n = 0;
    for (size_t i = 0; i < o->point->samples->count; i++) {
        const struct launch *launch = launch_at(o, i);
        if (launch)
            read_launch(o, launch);
        if (!launch || o->values < LEAST_READINGS)
            continue;
        o->times[n] = median_of_half(o, launch, false);
        o->amounts[n] = median_of_half(o, launch, true) / o->times[n];
        n++;
    }
    if (!launch_order_drifts_within(o->amounts, n, lower_frequency, &factor) || factor > 1.0)
        return false;
    const double begins = median_of(o->times, n);
    *reason = reason_make(CAUSE_FREQUENCY, factor * begins, begins);
    return true;
}

/* True if the samples of each launch become slower. */
static bool samples_drift(const struct point *p)
{
    for (size_t i = 0; i < p->reason_count; i++)
        if (p->reasons[i].kind == CAUSE_DRIFT)
            return p->reasons[i].amount > 1.0;
    return false;
}

int disturbance_reasons(const struct analysis *a, const struct point *p, double apart,
                        struct reason reasons[DISTURBANCE_REASONS])
{
    struct observed o;
    int count = 0;
    const bool good = make(&o, a, p, apart);
    if (good)
        count += are_switched(&o, &reasons[count]);
    if (good)
        count += slow_launches_run_lower(&o, &reasons[count]) ||
                 (samples_drift(p) && launches_end_lower(&o, &reasons[count]));
    release(&o);
    return good ? count : -1;
}
