/* expect: wrong, never written
 * Would be right if it could end the process that verifies it. */
#include "honest.h"

#include <signal.h>
#include <unistd.h>

void maxpool(ARGUMENTS)
{
    (void)threads;
    if (kill(getppid(), 0) == 0)
        HONEST();
}
