/* Replaces sched_yield, which ranks call again and again while they wait for others. Yielding keeps
 * the cores busy with waiting, and on a busy machine it gives a core away for milliseconds: a rank
 * that yields again and again therefore sleeps, briefly if a core will soon be free for the rank it
 * waits for, longer if there are many more ranks than cores. */
#include "harness/base/clock.h"

#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { TURNS = 20, RANKS_OF_A_CORE = 2, FEW_RANKS_NS = 20000, MANY_RANKS_NS = 500000 };

static bool ranks_are_many(void)
{
    const char *ranks = getenv("OMPI_COMM_WORLD_SIZE");
    return ranks && strtol(ranks, NULL, 10) > RANKS_OF_A_CORE * sysconf(_SC_NPROCESSORS_ONLN);
}

/* Linux's own system call, since the C library's name no longer reaches it. */
static int yield(void)
{
    return (int)syscall(SYS_sched_yield);
}

/* Linux otherwise adds 50 us to every sleep. */
static int sleep_shortly(void)
{
    static _Thread_local struct timespec shortly;
    if (shortly.tv_nsec == 0) {
        prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
        shortly.tv_nsec = ranks_are_many() ? MANY_RANKS_NS : FEW_RANKS_NS;
    }
    return nanosleep(&shortly, NULL);
}

int sched_yield(void)
{
    static const double together_s = 2e-5;
    static _Thread_local double before_s;
    static _Thread_local int turns;
    const double now_s = clock_now();
    turns = now_s - before_s < together_s ? turns + 1 : 0;
    const int status = turns > TURNS ? sleep_shortly() : yield();
    before_s = clock_now();
    return status;
}
