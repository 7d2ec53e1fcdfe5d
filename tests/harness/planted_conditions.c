/* maxpool_serial, or maxpool_mpi, on a planted machine: rank r finds 3 (r + 1) more switches at
 * each look, and CPUs at 1000 (r + 1) MHz. Alone, it has a planted clock too, by which a reading of
 * either takes as many seconds as FAULT says and nothing else takes any but a reading of the clock,
 * a microsecond. Linked with --wrap; only tests run it. */
#include "harness/point/point.h"
#ifdef PLANTED_RANKS
#include "mpi/group.h"
#include "mpi/mpi_space.h"
#else
#include "serial/serial.h"
#endif

#include <stdlib.h>

double __wrap_clock_now(void);
double __wrap_clock_resolution(void);
int64_t __wrap_switches_involuntary(void);
double __wrap_cpu_frequency_mhz(const char *root);

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
