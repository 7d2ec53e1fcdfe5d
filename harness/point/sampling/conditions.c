#include "harness/point/sampling/conditions.h"

#include "harness/base/clock.h"
#include "harness/machine/cpu_frequency.h"
#include "harness/machine/simulation.h"
#include "harness/machine/switches.h"

#include <math.h>

/* With many CPUs these files take milliseconds to read: with ten readings a second, a hundredth of
 * the time. */
static const double read_every_s = 0.1;

void conditions_begin(struct point *p)
{
    p->switches = switches_involuntary();
}

void conditions_end(struct point *p)
{
    p->switches = switches_involuntary() - p->switches;
}

/* NaN if it is too early for another reading. */
static double read_when_due(struct measurement *m)
{
    const double now = clock_now();
    if (m->count > 0 && now - m->frequency_at < read_every_s)
        return NAN;
    m->frequency_at = now;
    return cpu_frequency_mhz("");
}

/* Returns the mean over the processes that have read it. */
static double common_mhz(const struct processes *processes, double mhz)
{
    const uint64_t reported = processes_sum(processes, !isnan(mhz));
    if (reported == 0)
        return RECORD_NO_REAL;
    const uint64_t khz = isnan(mhz) ? 0 : (uint64_t)llround(1e3 * mhz);
    return 1e-3 * (double)processes_sum(processes, khz) / (double)reported;
}

void conditions_fill(const struct point *p, struct contender *c, bool warmup)
{
    const struct processes *processes = p->program->space->processes;
    struct measurement *m = &c->measurement;
    m->row.involuntary_switches = RECORD_NO_INT;
    m->row.cpu_mhz = RECORD_NO_REAL;
    if (simulation_is_here())
        return;
    m->row.involuntary_switches = (int64_t)processes_sum(processes, (uint64_t)p->switches);
    if (!warmup)
        m->row.cpu_mhz = common_mhz(processes, read_when_due(m));
}
