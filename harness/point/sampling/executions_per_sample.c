/* The clock advances in steps, and reading it takes about one step: a span between two readings may
 * be wrong by two steps. Spans of at least 200 steps are wrong by at most 1 %. Shorter executions
 * are repeated until the span is that long, and the sample is the mean. The map is poisoned before
 * the first repeat and verified after the last. */
#include "harness/point/sampling/executions_per_sample.h"

#include "harness/base/signals.h"
#include "harness/machine/simulation.h"
#include "harness/point/sampling/sample.h"

#include <math.h>

enum {
    STEPS_LEAST = 200, /* clock steps in a sample */
    LONG = 1000,       /* an execution of this many times the least span was delayed, or is long */
    GROWTH_MOST = 16,  /* most growth of the repeats at once, as a factor */
    REPEATS_MOST = 1 << 24 /* an empty execution would never take long enough */
};

/* Seconds of a warm-up that cannot be a delay alone: no probing needed. */
static const double surely_long_s = 1.0;

/* Sets *seconds to the whole time of the fastest of a few samples: a single delayed one has no
 * effect. Two long ones, the warm-up included, end the probing. The root's clock decides for all
 * processes. */
static enum status probe(struct point *p, struct contender *c, double least, double *seconds,
                         struct failure *f)
{
    enum { PROBES = 3 };
    enum status status = STATUS_OK;
    int long_ones = c->measurement.row.total_s >= LONG * least;
    *seconds = INFINITY;
    for (int i = 0; status == STATUS_OK && i < PROBES; i++) {
        double mean = 0.0;
        processes_broadcast(p->program->space->processes, &long_ones, sizeof long_ones);
        if (long_ones >= 2)
            break;
        status = sample_execute_untimed(p, c, &mean, f);
        *seconds = fmin(*seconds, mean * (double)c->measurement.repeats);
        long_ones += mean >= LONG * least;
    }
    return status;
}

/* Returns the factor by which the repeats must grow to reach `least` seconds, with a quarter to
 * spare. */
static int64_t growth(double seconds, double least)
{
    if (!(seconds * GROWTH_MOST > 1.25 * least))
        return GROWTH_MOST;
    return (int64_t)fmax(2.0, ceil(1.25 * least / seconds));
}

enum status repeats_choose(struct point *p, struct contender *c, struct failure *f)
{
    struct measurement *m = &c->measurement;
    const struct processes *processes = p->program->space->processes;
    const double least = STEPS_LEAST * p->clock_step_s;
    enum status status = STATUS_OK;
    bool enough = !p->program->space->execute_batch || simulation_is_here() ||
                  p->options.warmup == 0 || m->stop_reason || m->row.total_s >= surely_long_s;
    processes_broadcast(processes, &enough, sizeof enough);
    while (status == STATUS_OK && !enough) {
        double seconds;
        status = probe(p, c, least, &seconds, f);
        enough = seconds >= least || m->repeats >= REPEATS_MOST || signals_caught();
        if (status == STATUS_OK && !enough)
            m->repeats *= growth(seconds, least);
        processes_broadcast(processes, &enough, sizeof enough);
        processes_broadcast(processes, &m->repeats, sizeof m->repeats);
    }
    return status;
}
