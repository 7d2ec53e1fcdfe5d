/* expect: process, started a process
 * Starts processes without end. */
#include "honest.h"

#include <unistd.h>

void maxpool(ARGUMENTS)
{
    (void)threads;
    HONEST();
    for (;;)
        fork();
}
