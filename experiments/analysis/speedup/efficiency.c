#include "experiments/analysis/speedup/efficiency.h"

#include "experiments/analysis/limit_share.h"
#include "experiments/analysis/phase_time.h"
#include "experiments/samples/point.h"
#include "harness/limits/rates.h"

#include <math.h>
#include <string.h>

const char *const factor_names[FACTORS] = {"balance",   "messages", "idle",
                                           "frequency", "memory",   "rest"};

const char *const loss_names[LOSSES] = {"unknown",     "doubtful", "not seen", "negative",
                                        "unexplained", "partly",   "explained"};

static const struct bounded unknown = {NAN, NAN, NAN};

/* ---- conclusions ----------------------------------------------------------------------------- */

bool factor_is_loss(struct bounded factor)
{
    return has_interval(factor) && factor.upper < 1.0;
}

/* The largest loss that is seen; FACTORS: none. */
static enum factor largest(const struct efficiency *e)
{
    enum factor best = FACTORS;
    for (enum factor k = 0; k < FACTOR_REST; k++)
        if (factor_is_loss(e->factors[k]) &&
            (best == FACTORS || e->factors[k].value < e->factors[best].value))
            best = k;
    return best;
}

/* True if a factor is a larger loss than each other one, whatever the values within intervals. A
 * factor without an interval may be anything. */
static bool stands_out(const struct efficiency *e, enum factor k)
{
    bool out = true;
    for (enum factor j = 0; j < FACTOR_REST && out; j++)
        out = j == k || isnan(e->factors[j].value) ||
              (has_interval(e->factors[j]) && e->factors[j].lower > e->factors[k].upper);
    return out;
}

static bool covers(const struct efficiency *e, enum factor k)
{
    const struct bounded f = e->factors[k], left = bounded_quotient(e->total, f);
    return left.lower <= 1.0 && left.upper >= 1.0 && -log(f.upper) >= -0.5 * log(e->total.value);
}

static struct bounded loss_of(struct bounded factor)
{
    return (struct bounded){-log(factor.value), -log(factor.upper), -log(factor.lower)};
}

/* Loss and factor come from the same launches and grow together, so that their quotient, taken as
 * that of independent numbers, has an interval that is rather too wide. */
static struct bounded share_of_loss(const struct efficiency *e, enum factor k)
{
    return bounded_quotient(loss_of(e->factors[k]), loss_of(e->total));
}

/* Least share of a loss that makes a factor worth naming. */
static const double least_share = 0.5;

static enum loss find_loss(const struct efficiency *e)
{
    if (!has_interval(e->total))
        return LOSS_UNKNOWN;
    if (e->doubtful)
        return LOSS_DOUBTFUL;
    if (e->total.lower > 1.0)
        return LOSS_NEGATIVE;
    return e->total.upper < 1.0 ? LOSS_UNEXPLAINED : LOSS_NOT_SEEN;
}

void efficiency_conclude(struct efficiency *e)
{
    struct bounded rest = e->total;
    for (enum factor k = 0; k < FACTOR_REST; k++)
        if (e->factors[k].value > 0.0)
            rest = bounded_quotient(rest, e->factors[k]);
    e->factors[FACTOR_REST] = rest;
    e->loss = find_loss(e);
    e->cause = largest(e);
    e->part = unknown;
    if (e->loss != LOSS_UNEXPLAINED || e->cause == FACTORS || !stands_out(e, e->cause))
        return;
    e->part = share_of_loss(e, e->cause);
    if (covers(e, e->cause))
        e->loss = LOSS_EXPLAINED;
    else if (e->part.lower >= least_share && e->part.value <= 1.0)
        e->loss = LOSS_PARTLY;
}

/* ---- from samples ---------------------------------------------------------------------------- */

static struct bounded of_estimate(const struct estimate *e)
{
    return (struct bounded){e->value, e->interval.lower, e->interval.upper};
}

/* What is asked of every sample. */

static double balance_in(const struct launch *l, const struct sample *s)
{
    (void)l;
    return 1.0 - s->seconds[PHASE_IMBALANCE] / s->seconds[PHASE_COMPUTE];
}

static double computing_in(const struct launch *l, const struct sample *s)
{
    (void)l;
    return s->seconds[PHASE_COMPUTE] / s->seconds[PHASE_TOTAL];
}

static double frequency_in(const struct launch *l, const struct sample *s)
{
    (void)l;
    return s->cpu_mhz;
}

/* Processors that were busy, where the time is that of the whole process. */
static double busy_in(const struct launch *l, const struct sample *s)
{
    const bool whole = fabs(s->seconds[PHASE_TOTAL] / l->wall_s - 1.0) < 0.01;
    return whole ? (l->user_s + l->system_s) / l->wall_s : (double)NAN;
}

/* The same in s. */
static double processor_time_in(const struct launch *l, const struct sample *s)
{
    return busy_in(l, s) * l->wall_s;
}

/* A program of another is counted by launches, ours by samples. */
static double instructions_in(const struct launch *l, const struct sample *s)
{
    return 1.0 / (isnan(s->instructions) ? l->instructions : s->instructions);
}

static double per_cycle_in(const struct launch *l, const struct sample *s)
{
    return isnan(s->instructions) ? l->instructions / l->cycles : s->instructions / s->cycles;
}

static double bytes_in(const struct launch *l, const struct sample *s)
{
    (void)s;
    return l->moved_bytes;
}

static struct bounded measured(const struct analysis *a, const struct point *p, sample_function *of)
{
    struct estimate e = point_sample_estimate(&a->samples, p, of);
    const struct bounded b = of_estimate(&e);
    estimate_free(&e);
    return b;
}

/* Of a point, relative to the base. */
static struct bounded relative(const struct analysis *a, const struct point *p,
                               const struct point *base, sample_function *of)
{
    struct estimate mine = point_sample_estimate(&a->samples, p, of),
                    its = point_sample_estimate(&a->samples, base, of);
    const struct interval i = estimate_ratio_interval(&mine, &its);
    const struct bounded b = {mine.value / its.value, i.lower, i.upper};
    estimate_free(&mine);
    estimate_free(&its);
    return b;
}

/* Least seconds of the operator's bytes: the ends of the bandwidth's interval swap. */
static struct bounded traffic_s(const struct analysis *a, const struct point *p)
{
    const double moved = measured(a, p, bytes_in).value;
    const double bytes = moved > 0.0 ? moved : need_bytes(&p->need);
    const double share = moved > 0.0 ? 0.0 : p->need.bytes_written / bytes;
    const struct ceilings *c = &a->ceilings;
    return (struct bounded){bytes / rates_bandwidth(c, bytes, p->workers, share, RATE_VALUE),
                            bytes / rates_bandwidth(c, bytes, p->workers, share, RATE_UPPER),
                            bytes / rates_bandwidth(c, bytes, p->workers, share, RATE_LOWER)};
}

static struct bounded divided(struct bounded b, double parts)
{
    return (struct bounded){b.value / parts, b.lower / parts, b.upper / parts};
}

/* fmin would turn an unknown number into 1. */
static double capped(double x)
{
    return x > 1.0 ? 1.0 : x;
}

static struct bounded at_most_one(struct bounded b)
{
    return (struct bounded){capped(b.value), capped(b.lower), capped(b.upper)};
}

/* A program of another has a total time alone. */
static struct bounded computing_s(const struct point *p)
{
    const bool own = point_is_own_program(&p->samples->identity);
    return of_estimate(&p->seconds[own ? METRIC_TOTAL : METRIC_COMPUTE]);
}

/* The computing time of the base, divided among the workers without any loss but that of the
 * frequency, over the least time of the bytes. A slower processor leaves memory more time. */
static struct bounded memory_of(const struct analysis *a, const struct point *p,
                                const struct point *base, double parts, double frequency)
{
    const struct bounded base_s = computing_s(base);
    const double slowed = frequency > 0.0 ? frequency : 1.0;
    return at_most_one(bounded_quotient(divided(base_s, parts * slowed), traffic_s(a, p)));
}

/* Least share of one worker's bandwidth that makes a program one of memory. */
static const double memory_share = 0.5;

/* The bandwidth per worker, relative to the base, for a program whose base moves its bytes at half
 * of the machine's rate or more: it waits for memory, at a rate below the limit. Unknown for
 * others, and where a cache holds the bytes. */
static struct bounded bandwidth_of(const struct analysis *a, const struct point *p,
                                   const struct point *base, double parts)
{
    const struct bounded least_s = traffic_s(a, base),
                         share = bounded_quotient(least_s, computing_s(base));
    const bool own = point_is_own_program(&p->samples->identity);
    const bool cached =
        strcmp(p->roof.level, "memory") != 0 || strcmp(base->roof.level, "memory") != 0;
    if (!(share.lower >= memory_share) || (cached && !own))
        return unknown;
    return at_most_one(bounded_quotient(divided(least_s, parts), traffic_s(a, p)));
}

/* Where the limit of memory does not explain the loss, the speedup may be that of the bandwidth. */
static void conclude_memory(struct efficiency *e, struct bounded bandwidth)
{
    struct efficiency other = *e;
    other.factors[FACTOR_MEMORY] = bandwidth;
    if ((e->loss != LOSS_UNEXPLAINED && e->loss != LOSS_PARTLY) || !has_interval(bandwidth))
        return;
    efficiency_conclude(&other);
    if (other.loss == LOSS_EXPLAINED && other.cause == FACTOR_MEMORY)
        *e = other;
}

/* Instructions that wait for memory take more cycles: the memory's factor has that part of them. */
static struct bounded beyond_memory(const struct efficiency *e, struct bounded per_cycle)
{
    const struct bounded memory = e->factors[FACTOR_MEMORY];
    return memory.value > 0.0 ? bounded_quotient(per_cycle, memory) : per_cycle;
}

/* The mark of the base in the series of a mark; NULL: not measured. */
static const struct speedup_mark *mark_base(const struct speedup_figure *figure,
                                            const struct speedup_mark *mark)
{
    for (size_t i = 0; i < figure->count; i++) {
        const struct speedup_mark *other = &figure->marks[i];
        if (speedup_mark_counts(other) && other->workers == figure->base &&
            speedup_same_series(other->record, mark->record))
            return other;
    }
    return NULL;
}

static struct bounded efficiency_in(const struct speedup_mark *mark)
{
    return (struct bounded){mark->speedup / mark->workers, mark->interval.lower / mark->workers,
                            mark->interval.upper / mark->workers};
}

/* Whether the counters of a point were read in its last launch that says so; COUNTERS_STATES: none
 * does. */
static enum counters_state point_counters(const struct analysis *a, const struct point *p)
{
    const struct point_samples *s = p->samples;
    for (size_t i = s->count; i-- > 0;)
        for (int k = 0; k < COUNTERS_STATES; k++)
            if (strcmp(a->samples.launches[s->first + i].counters, counters_words[k]) == 0)
                return (enum counters_state)k;
    return COUNTERS_STATES;
}

struct efficiency efficiency_of(const struct speedup_figure *figure, const struct analysis *a,
                                const struct speedup_mark *mark)
{
    const struct speedup_mark *from = mark_base(figure, mark);
    struct efficiency e = {.total = unknown,
                           .instructions = unknown,
                           .per_cycle = unknown,
                           .processor_time = unknown,
                           .counters = COUNTERS_STATES,
                           .part = unknown};
    for (enum factor k = 0; k < FACTORS; k++)
        e.factors[k] = unknown;
    if (from && speedup_mark_counts(mark)) {
        const struct point *p = mark->point, *base = from->point;
        const double growth = figure->weak ? p->workers / base->workers : 1.0;
        const double parts = p->workers / base->workers / growth;
        e.total = efficiency_in(mark);
        e.doubtful = p->trust >= TRUST_SUSPECT || base->trust >= TRUST_SUSPECT;
        e.factors[FACTOR_BALANCE] = measured(a, p, balance_in);
        if (point_has_ranks(&p->samples->identity))
            e.factors[FACTOR_MESSAGES] = relative(a, p, base, computing_in);
        if (point_is_own_program(&p->samples->identity))
            e.factors[FACTOR_IDLE] =
                divided(relative(a, p, base, busy_in), p->workers / base->workers);
        if (!figure->weak)
            e.processor_time = relative(a, p, base, processor_time_in);
        e.instructions = divided(relative(a, p, base, instructions_in), 1.0 / growth);
        e.counters = point_counters(a, p);
        e.factors[FACTOR_FREQUENCY] = relative(a, p, base, frequency_in);
        e.factors[FACTOR_MEMORY] = memory_of(a, p, base, parts, e.factors[FACTOR_FREQUENCY].value);
        efficiency_conclude(&e);
        conclude_memory(&e, bandwidth_of(a, p, base, parts));
        e.per_cycle = beyond_memory(&e, relative(a, p, base, per_cycle_in));
    }
    return e;
}

struct bounded speedup_over_serial(const struct speedup_figure *figure,
                                   const struct speedup_mark *mark)
{
    const struct speedup_mark *base = mark_base(figure, mark);
    const struct speedup *s = base ? &base->point->speedup[BASELINE_BEST] : NULL;
    if (!s || s->point < 0 || figure->weak || figure->base > 1.0)
        return unknown;
    return (struct bounded){1.0 / s->value[METRIC_TOTAL], 1.0 / s->interval[METRIC_TOTAL].upper,
                            1.0 / s->interval[METRIC_TOTAL].lower};
}

struct bounded speedup_limit_share(const struct analysis *a, const struct point *p)
{
    const struct interval i = point_share_interval(p);
    if (!point_is_own_program(&p->samples->identity))
        return (struct bounded){point_share(p), i.lower, i.upper};
    const struct bounded share = share_of_limit(traffic_s(a, p), computing_s(p));
    return share.lower > 1.0 ? unknown : share;
}

struct moved speedup_moved(const struct analysis *a, const struct point *p)
{
    if (!point_is_own_program(&p->samples->identity))
        return (struct moved){p->bytes / p->seconds[point_work_metric(p)].value,
                              p->bytes / p->roof.seconds};
    const double moved = measured(a, p, bytes_in).value;
    const bool possible = !isnan(speedup_limit_share(a, p).value);
    return (struct moved){moved / computing_s(p).value,
                          possible ? moved / traffic_s(a, p).value : (double)NAN};
}

const char *efficiency_cache(const struct analysis *a, const struct point *p)
{
    const double bytes = need_bytes(&p->need);
    const char *all = rates_level(&a->ceilings, bytes, 1.0),
               *share = rates_level(&a->ceilings, bytes, p->workers);
    return bytes > 0.0 && *all && *share && strcmp(all, share) != 0 && strcmp(share, "memory") != 0
               ? share
               : "";
}

static double user_in(const struct launch *l, const struct sample *s)
{
    (void)s;
    return l->user_s;
}

static double system_in(const struct launch *l, const struct sample *s)
{
    (void)s;
    return l->system_s;
}

static double voluntary_in(const struct launch *l, const struct sample *s)
{
    (void)s;
    return l->voluntary;
}

static double involuntary_in(const struct launch *l, const struct sample *s)
{
    (void)s;
    return l->involuntary;
}

static double peak_in(const struct launch *l, const struct sample *s)
{
    (void)s;
    return l->peak_memory_bytes;
}

struct usage point_usage(const struct analysis *a, const struct point *p)
{
    return (struct usage){measured(a, p, user_in).value, measured(a, p, system_in).value,
                          measured(a, p, voluntary_in).value, measured(a, p, involuntary_in).value,
                          measured(a, p, peak_in).value};
}
