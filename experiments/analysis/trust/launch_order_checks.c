#include "experiments/analysis/trust/launch_order_checks.h"

#include "experiments/analysis/trust/session_level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_SAMPLES = 6 };       /* per launch: three in each half */
static const double noted = 0.05; /* level at which a difference of two sessions is noted */

/* The launches of a point that have a time, in the order of measurement. */
struct launch_order {
    size_t count, halved; /* launches; those with enough samples for halves */
    double *times, *halves;
    size_t *sessions;
    const char **begins;
};

static bool make(struct launch_order *c, size_t most)
{
    *c = (struct launch_order){.times = calloc(most + 1, sizeof *c->times),
                               .halves = calloc(most + 1, sizeof *c->halves),
                               .sessions = calloc(most + 1, sizeof *c->sessions),
                               .begins = calloc(most + 1, sizeof *c->begins)};
    return c->times && c->halves && c->sessions && c->begins;
}

static void release(struct launch_order *c)
{
    free(c->times);
    free(c->halves);
    free(c->sessions);
    free(c->begins);
}

/* Inserts by time: launches of other experiments follow the point's own ones in the set, but were
 * measured in between. */
static void insert(struct launch_order *c, double seconds, const char *begin, size_t session)
{
    size_t at = c->count++;
    for (; at > 0 && strcmp(c->begins[at - 1], begin) > 0; at--) {
        c->times[at] = c->times[at - 1];
        c->begins[at] = c->begins[at - 1];
        c->sessions[at] = c->sessions[at - 1];
    }
    c->times[at] = seconds;
    c->begins[at] = begin;
    c->sessions[at] = session;
}

/* Sets *ratio to median of the second half of a launch's samples / median of the first; NaN if the
 * samples are too few. Returns false if memory runs out. */
static bool halve(const struct samples *s, const struct launch *launch, double *ratio)
{
    double *values = malloc((launch->count + 1) * sizeof *values);
    *ratio = NAN;
    if (!values)
        return false;
    const size_t n = samples_phase(s, launch, PHASE_TOTAL, values);
    if (n >= LEAST_SAMPLES)
        *ratio = median_of(values + n - n / 2, n / 2) / median_of(values, n / 2);
    free(values);
    return true;
}

static bool fill(struct launch_order *c, const struct analysis *a, const struct machine_facts *m,
                 const struct point *p)
{
    for (size_t i = 0; i < p->samples->count; i++) {
        const struct launch *launch = &a->samples.launches[p->samples->first + i];
        const double seconds = p->medians[METRIC_TOTAL][i];
        double ratio;
        if (!(seconds > 0.0))
            continue;
        if (!halve(&a->samples, launch, &ratio))
            return false;
        insert(c, seconds, launch->first_utc, machine_run_number(m, launch->first_utc));
        if (ratio > 0.0)
            c->halves[c->halved++] = ratio;
    }
    return true;
}

/* True if sessions differ: two sessions, or three and more that made the interval wide. */
static bool find_sessions(const struct session_ranks *s, const struct point *p, double apart,
                          struct reason *reason)
{
    const double percent = 100.0 * (s->factor - 1.0);
    if (s->sessions >= SESSION_LEVEL_LEAST) {
        *reason = reason_make(CAUSE_SESSION_LEVEL, (double)s->sessions, percent);
        return p->between[METRIC_TOTAL] > 0.0 && p->half_width > p->target;
    }
    const bool far = session_ranks_differ(s, apart);
    *reason = far ? reason_make(CAUSE_SESSIONS, s->factor, 0)
                  : reason_make(CAUSE_TWO_SESSIONS, percent, 0);
    return far || s->p_value <= noted;
}

int launch_order_reasons(const struct analysis *a, const struct analysis_request *request,
                         const struct point *p, double apart,
                         struct reason reasons[LAUNCH_ORDER_REASONS])
{
    struct launch_order c;
    struct session_ranks sessions;
    double amount;
    int count = 0;
    const bool good = make(&c, p->samples->count) && fill(&c, a, request->machine, p) &&
                      launch_order_sessions(&sessions, c.times, c.sessions, c.count);
    if (good && find_sessions(&sessions, p, apart, &reasons[0]))
        count = 1;
    if (!good || session_ranks_differ(&sessions, apart)) {
        /* the step between sessions would look like a trend */
    } else if (launch_order_has_trend(c.times, c.count, apart, &amount)) {
        reasons[count++] = reason_make(CAUSE_TREND, amount, 0);
    } else if (launch_order_is_correlated(c.times, c.count, apart, &amount)) {
        reasons[count++] = reason_make(CAUSE_CORRELATED, amount, 0);
    }
    if (good && launch_order_drifts_within(c.halves, c.halved, apart, &amount))
        reasons[count++] = reason_make(CAUSE_DRIFT, amount, 0);
    release(&c);
    return good ? count : -1;
}
