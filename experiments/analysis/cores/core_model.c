#include "experiments/analysis/cores/core_model.h"

#include <math.h>

enum { LINE = 64 /* bytes */ };

struct core_split core_split_units(double units, double workers)
{
    const double most = ceil(units / workers);
    return (struct core_split){.workers = fmin(workers, units),
                               .share = most / units,
                               .slice_bytes = INFINITY,
                               .regions = 1.0};
}

/* ---- the terms ------------------------------------------------------------------------------ */

static double clock_of(const struct multicore *m, double busy)
{
    const double others = (double)m->cores - 1.0;
    return others > 0.0 ? 1.0 - (1.0 - m->clock) * fmin(1.0, (busy - 1.0) / others) : 1.0;
}

static double nodes_in_use(const struct multicore *m, double workers)
{
    const double each = (double)m->cores / (double)m->nodes;
    return fmin((double)m->nodes, ceil(workers / each));
}

static double caches_in_use(const struct multicore *m, double workers)
{
    return ceil(workers / (double)m->cache_cores);
}

double core_memory_bandwidth(const struct multicore *m, double workers, bool one_node)
{
    const double nodes = one_node ? 1.0 : nodes_in_use(m, workers);
    return fmin(workers * m->core_bandwidth, nodes * m->node_bandwidth);
}

/* Each cache has its part of the data, and all that is shared. */
static bool fits_caches(const struct core_work *w, const struct core_split *s,
                        const struct multicore *m)
{
    const double divided = w->bytes - s->shared_bytes + w->kept_bytes;
    return divided / caches_in_use(m, s->workers) + s->shared_bytes <= m->cache_bytes;
}

/* From memory, each cache reads what is shared; from a cache, each worker does. */
static double memory_s(const struct core_work *w, const struct core_split *s,
                       const struct multicore *m)
{
    const double own = w->bytes - s->shared_bytes, caches = caches_in_use(m, s->workers);
    if (fits_caches(w, s, m))
        return (own + s->shared_bytes * s->workers) / (s->workers * m->cache_bandwidth);
    const double all = own + s->shared_bytes * caches;
    const double placed = w->placed_bytes * (s->shares_placed ? caches : 1.0);
    return fmax(all / core_memory_bandwidth(m, s->workers, false),
                placed / core_memory_bandwidth(m, s->workers, true));
}

static double line_s(const struct multicore *m, double workers)
{
    return workers <= (double)m->cache_cores ? m->line_near_s : m->line_far_s;
}

struct interval core_region_s(const struct multicore *m, double workers)
{
    const double line = line_s(m, workers);
    if (workers <= 1.0)
        return (struct interval){0.0, 0.0};
    return (struct interval){ceil(log2(workers)) * line, 3.0 * (workers - 1.0) * line};
}

/* Ends of longer slices share a line too, but their writers are there at different times. */
static double sharing_s(const struct core_split *s, const struct multicore *m)
{
    const double crowd = LINE / s->slice_bytes;
    const bool shared = s->workers > 1.0 && crowd > 1.0;
    return shared ? 2.0 * s->slices * crowd * line_s(m, s->workers) : 0.0;
}

/* ---- the prediction ------------------------------------------------------------------------- */

static double end_or(double end, double value)
{
    return isnan(end) ? value : end;
}

static enum core_term largest_of(const struct core_time *t)
{
    enum core_term largest = CORE_COMPUTE;
    for (enum core_term i = CORE_COMPUTE; i < CORE_TERMS; i++)
        largest = t->terms[i] > t->terms[largest] ? i : largest;
    return largest;
}

struct core_time core_predict(const struct core_work *work, const struct core_split *split,
                              double busy, const struct multicore *m)
{
    const double rate = m->speed * clock_of(m, busy);
    const double memory = memory_s(work, split, m);
    const double lower = end_or(work->interval.lower, work->seconds);
    const double upper = end_or(work->interval.upper, work->seconds);
    const struct interval region = core_region_s(m, split->workers);
    struct core_time t = {.in_cache = fits_caches(work, split, m)};
    t.terms[CORE_COMPUTE] = fmax(0.0, work->seconds - work->memory_s) * split->share / rate;
    t.terms[CORE_MEMORY] = memory;
    t.terms[CORE_REGIONS] = split->regions * region.upper;
    t.terms[CORE_SHARING] = split->regions * sharing_s(split, m);
    const double together = fmax(lower * split->share / rate, memory);
    const double apart = fmax(0.0, upper - work->memory_s) * split->share / rate + memory;
    t.low = fmin(together, apart) + split->regions * region.lower;
    t.high = fmax(fmax(upper * split->share / rate, memory), apart) + t.terms[CORE_REGIONS] +
             t.terms[CORE_SHARING];
    t.value = sqrt(t.low * t.high);
    t.largest = largest_of(&t);
    return t;
}

void core_time_add(struct core_time *sum, const struct core_time *step)
{
    sum->in_cache = step->in_cache && (sum->in_cache || !(sum->high > 0.0));
    sum->low += step->low;
    sum->high += step->high;
    sum->value = sqrt(sum->low * sum->high);
    for (enum core_term i = CORE_COMPUTE; i < CORE_TERMS; i++)
        sum->terms[i] += step->terms[i];
    sum->largest = largest_of(sum);
}

/* ---- compared with a measurement ------------------------------------------------------------ */

enum core_verdict core_compare(const struct core_time *predicted, double seconds,
                               struct interval measured)
{
    if (end_or(measured.upper, seconds) < predicted->low)
        return CORE_FASTER;
    return end_or(measured.lower, seconds) > predicted->high ? CORE_SLOWER : CORE_MEETS;
}

/* A measurement below the prediction: which term can become so much shorter. One above it: which
 * becomes longer by the smallest factor. */
enum core_term core_missed(const struct core_time *predicted, double seconds,
                           struct interval measured, double *factor)
{
    const enum core_verdict verdict = core_compare(predicted, seconds, measured);
    const double missing = verdict == CORE_SLOWER
                               ? end_or(measured.lower, seconds) - predicted->high
                               : end_or(measured.upper, seconds) - predicted->low;
    enum core_term term = CORE_TERMS;
    *factor = 1.0;
    for (enum core_term i = CORE_COMPUTE; verdict != CORE_MEETS && i < CORE_TERMS; i++) {
        const double changed = (predicted->terms[i] + missing) / predicted->terms[i];
        const bool closer = term == CORE_TERMS || fabs(log(changed)) < fabs(log(*factor));
        if (!(predicted->terms[i] > 0.0) || !(changed > 0.0) || !closer)
            continue;
        term = i;
        *factor = changed;
    }
    return term;
}
