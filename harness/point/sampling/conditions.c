#include "harness/point/sampling/conditions.h"

#include "harness/base/clock.h"
#include "harness/machine/cpu_frequency.h"
#include "harness/machine/simulation.h"
#include "harness/machine/switches.h"

#include <math.h>

/* With many CPUs these files take milliseconds to read: with ten readings a second, a hundredth of
 * the time. */
static const double read_every_s = 0.1;

static bool counts(const struct point *p, const struct contender *c)
{
    return p->counters_state == COUNTERS_READ && !c->measurement.uncounted;
}

/* The readings that cost most are those farthest from the executions. */
void conditions_begin(struct point *p, const struct contender *c)
{
    p->counted_at = clock_now();
    if (counts(p, c))
        counters_read(&p->counters, &p->counted[0]);
    p->stops = switches_stops();
    p->switches = switches_involuntary();
}

void conditions_end(struct point *p, const struct contender *c)
{
    p->switches = switches_involuntary() - p->switches;
    p->stops = switches_stops() - p->stops;
    if (counts(p, c))
        counters_read(&p->counters, &p->counted[1]);
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* The least that any process can do decides for all. */
static void watch_counters(struct point *p)
{
    counters_open(&p->counters);
    p->counters_state = (enum counters_state)processes_largest(p->program->space->processes,
                                                               counters_state(&p->counters));
}

/* The sum over the processes, per execution; NaN if one of them did not count. */
static double of_execution(const struct processes *processes, double number, int64_t repeats)
{
    const uint64_t unknown = processes_sum(processes, isnan(number));
    const uint64_t sum = processes_sum(processes, isnan(number) ? 0 : (uint64_t)llround(number));
    return unknown ? RECORD_NO_REAL : (double)sum / (double)repeats;
}

/* The root decides whether the next sample is counted. */
static bool is_too_early(const struct point *p, double last_s)
{
    bool early = clock_now() - last_s < read_every_s;
    processes_broadcast(p->program->space->processes, &early, sizeof early);
    return early;
}

static void fill_counters(struct point *p, struct measurement *m, int64_t repeats, bool counted)
{
    const struct processes *processes = p->program->space->processes;
    if (counted) {
        double instructions, cycles;
        counters_between(&p->counted[0], &p->counted[1], &instructions, &cycles);
        m->row.instructions = of_execution(processes, instructions, repeats);
        m->row.cycles = of_execution(processes, cycles, repeats);
        m->counted_at = p->counted_at;
    }
    if (counted || (p->counters_state != COUNTERS_READ && m->count == 0))
        snprintf(m->row.counters, RECORD_TEXT, "%s", counters_words[p->counters_state]);
    if (p->counters_state == COUNTERS_READ)
        m->uncounted = is_too_early(p, m->counted_at);
}

/* ---- load by others -------------------------------------------------------------------------- */

static const struct other_load unknown_load = {
    .cores = NAN, .stolen_share = NAN, .pressure_share = NAN};

void conditions_watch(struct point *p)
{
    p->load = unknown_load;
    p->counters_state = COUNTERS_UNSUPPORTED;
    if (simulation_is_here())
        return;
    watch_counters(p);
    other_load_read(&p->load_began, "", LOAD_OF_PROCESS);
    other_load_join(&p->load_began, p->program->space->processes);
    p->load_read = p->load_began;
}

/* The root decides: after a tenth of a second, or as soon as the load of a launch can be known at
 * all. */
static bool is_load_due(const struct point *p)
{
    const struct processes *processes = p->program->space->processes;
    const double wait_s = isnan(p->load.cores) ? OTHER_LOAD_LEAST_S : read_every_s;
    bool due = clock_now() - p->load_read.at_s >= wait_s;
    processes_broadcast(processes, &due, sizeof due);
    return due;
}

/* The largest value on any computer; NaN if none knows it. */
static double of_busiest(const struct processes *processes, double value)
{
    enum { UNKNOWN = -1 };
    const double units = 1e6;
    const int largest =
        processes_largest(processes, isnan(value) ? UNKNOWN : (int)lround(units * value));
    return largest == UNKNOWN ? (double)NAN : (double)largest / units;
}

static struct other_load load_between(const struct processes *processes,
                                      const struct load_reading *before,
                                      const struct load_reading *after)
{
    struct other_load load = other_load_between(before, after);
    load.cores = of_busiest(processes, load.cores);
    load.stolen_share = of_busiest(processes, load.stolen_share);
    load.pressure_share = of_busiest(processes, load.pressure_share);
    return load;
}

/* Cores that others kept busy since the reading before; NaN if it is too early for another one. */
static double read_load_when_due(struct point *p)
{
    const struct processes *processes = p->program->space->processes;
    struct load_reading now;
    if (!is_load_due(p))
        return NAN;
    other_load_read(&now, "", LOAD_OF_PROCESS);
    other_load_join(&now, processes);
    const struct other_load since = load_between(processes, &p->load_read, &now);
    p->load = load_between(processes, &p->load_began, &now);
    p->load_read = now;
    return since.cores;
}

static void fill_load(struct point *p, struct record *row)
{
    row->others_cores = read_load_when_due(p);
    row->launch_others_cores = p->load.cores;
    row->launch_hardware_threads = other_load_counted_on(&p->load);
    row->launch_stolen_share = p->load.stolen_share;
    row->launch_pressure_share = p->load.pressure_share;
}

/* ---- frequency ------------------------------------------------------------------------------- */

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

void conditions_fill(struct point *p, struct contender *c, int64_t repeats, bool warmup)
{
    const struct processes *processes = p->program->space->processes;
    struct measurement *m = &c->measurement;
    m->row.involuntary_switches = m->row.stops = RECORD_NO_INT;
    m->row.cpu_mhz = RECORD_NO_REAL;
    m->row.others_cores = m->row.launch_others_cores = RECORD_NO_REAL;
    m->row.launch_hardware_threads = RECORD_NO_REAL;
    m->row.launch_stolen_share = m->row.launch_pressure_share = RECORD_NO_REAL;
    m->row.instructions = m->row.cycles = RECORD_NO_REAL;
    m->row.counters[0] = '\0';
    if (simulation_is_here())
        return;
    fill_load(p, &m->row);
    m->row.involuntary_switches = (int64_t)processes_sum(processes, (uint64_t)p->switches);
    m->row.stops = (int64_t)processes_sum(processes, (uint64_t)p->stops);
    if (warmup)
        return;
    m->row.cpu_mhz = common_mhz(processes, read_when_due(m));
    fill_counters(p, m, repeats, counts(p, c));
}
