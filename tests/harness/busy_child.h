/* A child that computes beside a test, on the same core. */
#ifndef MAXPOOL_TESTS_BUSY_CHILD_H
#define MAXPOOL_TESTS_BUSY_CHILD_H

#include "harness/base/clock.h"
#include "tests/support/unit_test.h"

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* Computes for so many seconds. */
static inline void burn(double seconds)
{
    for (const double begin = clock_now(); clock_now() - begin < seconds;)
        ;
}

/* Starts a child that computes until it is ended, at most as long as ctest lets a test run. */
static inline pid_t busy_child(void)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        burn(900.0);
        _exit(0);
    }
    return child;
}

/* Pins this process to the first hardware thread that it may use; *before: what it might use. */
static inline void busy_child_pin(cpu_set_t *before)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    assert_int_equal(sched_getaffinity(0, sizeof *before, before), 0);
    for (int cpu = 0; cpu < CPU_SETSIZE && !CPU_COUNT(&one); cpu++)
        if (CPU_ISSET(cpu, before))
            CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
}

static inline void busy_child_end(pid_t child, const cpu_set_t *before)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    sched_setaffinity(0, sizeof *before, before);
}

#endif
