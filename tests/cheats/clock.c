/* expect: correct, slow
 * Replaces the clock of its process by one that stands still. It sleeps nevertheless, and the
 * parent's clock measures that. */
#include "honest.h"

#include <time.h>

int clock_gettime(clockid_t which, struct timespec *now)
{
    (void)which;
    now->tv_sec = 1;
    now->tv_nsec = 0;
    return 0;
}

void maxpool(ARGUMENTS)
{
    const struct timespec pause = {0, 20000000};
    (void)threads;
    nanosleep(&pause, NULL);
    HONEST();
}
