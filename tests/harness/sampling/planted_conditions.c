/* maxpool_serial, or maxpool_mpi, with simulated readings: rank r sees 3 (r + 1) more context
 * switches at each reading, and a CPU frequency of 1000 (r + 1) MHz. Between two readings of the
 * load it used a quarter of r + 1 seconds. They are a second apart, in which hardware thread 0 was
 * busy for 0.9 s and lost 0.1 s, hardware thread 1 was busy for 0.5 s (0.9 s in the first second),
 * and pressure lasted 0.3 s. Between two readings of the counters rank r executed 1000 (r + 1)
 * instructions in 4000 (r + 1) cycles, of which a counter of half of the time saw a half; with
 * COUNTERS set they cannot be opened, and the system says so by this number. The serial program
 * watches both, rank r number r. The serial program has a simulated clock too: a reading of
 * switches, counters or frequency takes as many seconds as FAULT says, a reading of the clock takes
 * a microsecond, and nothing else takes any time. Linked with
 * --wrap; only tests run it. */
#include "harness/point/point.h"
#ifdef PLANTED_RANKS
#include "mpi/group.h"
#include "mpi/mpi_space.h"
#else
#include "serial/serial.h"
#endif

#include <stdlib.h>
#include <string.h>

double __wrap_clock_now(void);
double __wrap_clock_resolution(void);
int64_t __wrap_switches_involuntary(void);
double __wrap_cpu_frequency_mhz(const char *root);
void __wrap_other_load_read(struct load_reading *r, const char *root, enum load_owner owner);
void __wrap_counters_open(struct counters *c);
void __wrap_counters_read(const struct counters *c, struct counter_reading *now);

static double now_s, reading_s;

double __wrap_clock_now(void)
{
    return now_s += 1e-6;
}

double __wrap_clock_resolution(void)
{
    return 1e-9; /* a sample is one execution */
}

static int one_more_than_rank(void)
{
#ifdef PLANTED_RANKS
    return group()->rank + 1;
#else
    return 1;
#endif
}

int64_t __wrap_switches_involuntary(void)
{
    static int64_t switches;
    now_s += reading_s;
    return switches += 3 * one_more_than_rank();
}

double __wrap_cpu_frequency_mhz(const char *root)
{
    now_s += reading_s;
    return root[0] ? 0.0 : 1000.0 * one_more_than_rank();
}

void __wrap_other_load_read(struct load_reading *r, const char *root, enum load_owner owner)
{
    static double seconds;
    const double first = seconds > 0.0 ? 0.4 : 0.0;
    memset(r, 0, sizeof *r);
    if (root[0] || owner != LOAD_OF_PROCESS)
        return;
    r->at_s = seconds;
    r->own_s = 0.25 * one_more_than_rank() * seconds;
    r->group_s = seconds;
    r->pressure_s = 0.3 * seconds;
#ifdef PLANTED_RANKS
    r->watched[0] = UINT64_C(1) << group()->rank;
#else
    r->watched[0] = 3;
#endif
    r->cpus[0] = (struct cpu_time){.busy_s = 0.9 * seconds, .stolen_s = 0.1 * seconds};
    r->cpus[1] =
        (struct cpu_time){.busy_s = 0.5 * seconds + first, .idle_s = 0.5 * seconds - first};
    seconds += 1.0;
}

void __wrap_counters_open(struct counters *c)
{
    const char *error = getenv("COUNTERS");
    c->error = error ? (int)strtol(error, NULL, 10) : 0;
}

void __wrap_counters_read(const struct counters *c, struct counter_reading *now)
{
    static uint64_t instructions;
    now_s += reading_s;
    instructions += 500 * (uint64_t)one_more_than_rank();
    now->of[0] = (struct counted){instructions, 2 * instructions, instructions};
    now->of[1] = (struct counted){4 * instructions, 2 * instructions, instructions};
    (void)c;
}

int main(int argc, char **argv)
{
    const char *fault = getenv("FAULT");
#ifdef PLANTED_RANKS
    const struct space *space = &mpi_space;
#else
    const struct space *space = &serial_space;
#endif
    const struct program program = {.name = "planted", .kind = &maxpool_operator, .space = space};
    reading_s = fault ? strtod(fault, NULL) : 0.0;
    return point_main(&program, argc, argv);
}
