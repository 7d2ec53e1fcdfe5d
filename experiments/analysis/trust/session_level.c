#include "experiments/analysis/trust/session_level.h"

#include "experiments/analysis/analysis.h"
#include "experiments/plan/simulated.h"
#include "harness/base/statistics.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double level = 0.25;

/* Sums over the sessions' medians of logarithms. */
struct level_sums {
    double count, sum, squares;
};

/* `part` is workspace for n times. */
static void add_session(struct level_sums *sums, const double *times, const size_t *sessions,
                        size_t n, size_t session, double *part)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (sessions[i] == session)
            part[count++] = log(times[i] / times[0]); /* relative, so that squares lose no digits */
    if (count < SESSION_LEAST)
        return;
    const double median = median_of(part, count);
    sums->count++;
    sums->sum += median;
    sums->squares += median * median;
}

/* `part` is workspace and holds the times afterwards. */
static double width_of(const double *times, const size_t *sessions, size_t n, double *part)
{
    struct level_sums sums = {0};
    size_t most = 0;
    for (size_t i = 0; i < n; i++)
        most = sessions[i] > most ? sessions[i] : most;
    for (size_t session = 1; session <= most; session++)
        add_session(&sums, times, sessions, n, session, part);
    memcpy(part, times, n * sizeof *part);
    const double mean = sums.sum / sums.count, freedom = sums.count - 1.0;
    const double value = log(median_of(part, n) / times[0]);
    const double variance = fmax(0.0, sums.squares - sums.count * mean * mean) / freedom;
    return gsl_cdf_tdist_Pinv(0.975, freedom) * sqrt(variance / sums.count) + fabs(mean - value);
}

bool session_level_width(const double *times, const size_t *sessions, size_t n, double *width)
{
    struct session_ranks ranks;
    *width = 0.0;
    if (!launch_order_sessions(&ranks, times, sessions, n))
        return false;
    if (ranks.sessions < SESSION_LEVEL_LEAST || ranks.p_value > level)
        return true;
    double *part = malloc(n * sizeof *part);
    if (part)
        *width = width_of(times, sessions, n, part);
    free(part);
    return part != NULL;
}

/* ---- the points of an experiment ------------------------------------------------------------- */

/* Workspace for the launches of one point. */
struct launches {
    double *times;
    size_t *sessions;
};

static bool find_width(const struct analysis *a, const struct machine_facts *m,
                       const struct point *p, enum metric metric, const struct launches *workspace,
                       double *width)
{
    size_t n = 0;
    for (size_t i = 0; i < p->samples->count; i++) {
        const struct launch *launch = &a->samples.launches[p->samples->first + i];
        if (!(p->medians[metric][i] > 0.0))
            continue;
        workspace->times[n] = p->medians[metric][i];
        workspace->sessions[n++] = machine_run_number(m, launch->first_utc);
    }
    return session_level_width(workspace->times, workspace->sessions, n, width);
}

static bool widen(const struct analysis *a, const struct machine_facts *m, struct point *p,
                  const struct launches *workspace)
{
    bool good = true;
    for (enum metric metric = 0; metric < METRICS && good; metric++) {
        struct estimate *e = &p->seconds[metric];
        good = find_width(a, m, p, metric, workspace, &p->between[metric]);
        e->interval = round_effects_widen(e->interval, e->value, p->between[metric]);
    }
    return good;
}

enum status analysis_session_level(struct analysis *a, const struct analysis_request *request,
                                   struct failure *f)
{
    const struct machine_facts *m = request->machine;
    const size_t most = a->samples.launch_count + 1;
    if (m->run_count < SESSION_LEVEL_LEAST)
        return STATUS_OK;
    const struct launches workspace = {malloc(most * sizeof *workspace.times),
                                       malloc(most * sizeof *workspace.sessions)};
    bool good = workspace.times && workspace.sessions;
    for (size_t i = 0; i < a->point_count && good; i++)
        if (!is_simulated(&a->points[i].samples->identity))
            good = widen(a, m, &a->points[i], &workspace);
    free(workspace.times);
    free(workspace.sessions);
    return good ? STATUS_OK : fail(f, STATUS_RESOURCE, "not enough memory to analyse %s", a->name);
}
