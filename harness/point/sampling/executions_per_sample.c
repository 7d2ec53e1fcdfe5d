/* The clock moves by steps, and reading it takes about one: a span between two readings may be
 * wrong by two of them. Spans of 200 steps and more are wrong by 1 % at most; what is shorter is
 * repeated until it is that long, and the sample is the mean. The map is poisoned before the first
 * of the repeats and verified after the last. */
#include "harness/point/sampling/executions_per_sample.h"

#include "harness/base/signals.h"
#include "harness/machine/simulation.h"
#include "harness/point/sampling/sample.h"

#include <math.h>

enum {
    STEPS_LEAST = 200,     /* of the clock, in a sample */
    LONG = 1000,           /* times as long was an execution: it was kept waiting, or is long */
    GROWTH_MOST = 16,      /* times as many repeats at once */
    REPEATS_MOST = 1 << 24 /* an execution of nothing would never take long enough */
};

/* Seconds of a warm-up that was not just kept waiting: no need to look closer. */
static const double surely_long_s = 1.0;

/* The fastest of a few samples, seconds in whole: one that was kept waiting means nothing, two long
 * ones do. The root's clock decides for all processes. */
static enum status probe(struct point *p, struct contender *c, double least, double *seconds,
                         struct failure *f)
{
    enum { PROBES = 3 };
    enum status status = STATUS_OK;
    int long_ones = c->measurement.row.total_s >= LONG * least;
    *seconds = INFINITY;
    for (int i = 0; status == STATUS_OK && i < PROBES; i++) {
        double mean = 0.0;
        processes_share(p->program->space->processes, &long_ones, sizeof long_ones);
        if (long_ones >= 2)
            break;
        status = sample_execute_untimed(p, c, &mean, f);
        *seconds = fmin(*seconds, mean * (double)c->measurement.repeats);
        long_ones += mean >= LONG * least;
    }
    return status;
}

/* How many times as many repeats reach `least` seconds, with a quarter to spare. */
static int64_t growth(double seconds, double least)
{
    if (!(seconds * GROWTH_MOST > 1.25 * least))
        return GROWTH_MOST;
    return (int64_t)fmax(2.0, ceil(1.25 * least / seconds));
}

enum status batch_choose(struct point *p, struct contender *c, struct failure *f)
{
    struct measurement *m = &c->measurement;
    const struct processes *processes = p->program->space->processes;
    const double least = STEPS_LEAST * p->clock_step_s;
    enum status status = STATUS_OK;
    bool enough = !p->program->space->execute_batch || simulation_is_here() ||
                  p->options.warmup == 0 || m->stop_reason || m->row.total_s >= surely_long_s;
    processes_share(processes, &enough, sizeof enough);
    while (status == STATUS_OK && !enough) {
        double seconds;
        status = probe(p, c, least, &seconds, f);
        enough = seconds >= least || m->repeats >= REPEATS_MOST || signals_caught();
        if (status == STATUS_OK && !enough)
            m->repeats *= growth(seconds, least);
        processes_share(processes, &enough, sizeof enough);
        processes_share(processes, &m->repeats, sizeof m->repeats);
    }
    return status;
}
