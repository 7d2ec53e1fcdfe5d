/* expect: process, started a process
 * Lets another program do the work. */
#include "honest.h"

#include <stdlib.h>

void maxpool(ARGUMENTS)
{
    (void)threads;
    HONEST();
    if (system("true") != 0)
        map[0] = 0.0f;
}
