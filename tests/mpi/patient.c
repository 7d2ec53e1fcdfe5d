/* Ranks that wait for others call this in every turn. Where they are many more than the cores,
 * yielding alone keeps the cores busy with waiting: a rank that yields again and again sleeps, for
 * longer than it takes to wake up. */
#include "harness/base/clock.h"

#include <sched.h>
#include <time.h>

int sched_yield(void)
{
    enum { TURNS = 20 };
    static const double together_s = 2e-5;
    static const struct timespec sleep = {.tv_nsec = 100000};
    static _Thread_local double before_s;
    static _Thread_local int turns;
    const double now_s = clock_now();
    turns = now_s - before_s < together_s ? turns + 1 : 0;
    if (turns > TURNS)
        nanosleep(&sleep, NULL);
    before_s = clock_now();
    return 0;
}
