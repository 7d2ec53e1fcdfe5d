/* harness/machine/simulation.h by SMPI, and the two system calls by which a rank would see the
 * simulating machine instead of the simulated one. The linker replaces them by the __wrap_
 * functions (--wrap, simgrid/CMakeLists.txt). */
#include "harness/machine/simulation.h"

#include <sched.h>
#include <simgrid/host.h>
#include <smpi/smpi.h>
#include <time.h>

bool simulation_is_here(void)
{
    return true;
}

void simulation_spend(double seconds)
{
    smpi_execute_flops_benched(seconds * SIMULATION_REFERENCE_SPEED);
}

void *simulation_fold(size_t bytes)
{
    return SMPI_SHARED_MALLOC(bytes);
}

int __wrap_sched_yield(void);
int __wrap_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set);

/* A rank that yields sleeps for a moment of simulated time: the simulated clock stands still unless
 * a rank lets time pass. */
int __wrap_sched_yield(void)
{
    const struct timespec moment = {0, 100};
    return nanosleep(&moment, NULL);
}

/* A rank may use the cores of its simulated host. */
int __wrap_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
    const int cores = sg_host_core_count(sg_host_self());
    (void)pid;
    CPU_ZERO_S(size, set);
    for (int core = 0; core < cores && core < CPU_SETSIZE; core++)
        CPU_SET_S((size_t)core, size, set);
    return 0;
}
