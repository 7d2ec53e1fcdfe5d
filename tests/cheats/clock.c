/* expect: correct, slow
 * Its clock stands still for whoever asks in this process. It takes a while all the same, and the
 * parent's clock sees that. */
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
