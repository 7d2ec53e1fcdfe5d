#include "harness/machine/switches.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>

int64_t switches_involuntary(void)
{
    struct rusage use;
    return getrusage(RUSAGE_SELF, &use) == 0 ? (int64_t)use.ru_nivcsw : 0;
}

static volatile sig_atomic_t stops;

static void count_stop(int signal)
{
    (void)signal;
    stops = stops + 1;
}

int64_t switches_stops(void)
{
    static bool counts;
    if (!counts) {
        struct sigaction action = {.sa_handler = count_stop, .sa_flags = SA_RESTART};
        sigemptyset(&action.sa_mask);
        counts = sigaction(SIGCONT, &action, NULL) == 0;
    }
    return (int64_t)stops;
}
