/* expect: correct|endless
 * run: -n 32 -t 1 --samples 6 --against literal --time-limit 2
 * Stops its own process within a call, as its parent does after one. */
#include "honest.h"
#include <signal.h>
#include <unistd.h>
void maxpool(ARGUMENTS)
{
    (void)threads;
    if (rows > 31)
        kill(getpid(), SIGSTOP);
    HONEST();
}
