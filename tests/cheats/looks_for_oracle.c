/* expect: wrong, never written
 * Would be right if it could read the memory of the process that verifies it. */
#include "honest.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

void maxpool(ARGUMENTS)
{
    char path[64];
    (void)threads;
    snprintf(path, sizeof path, "/proc/%d/mem", (int)getppid());
    const int memory = open(path, O_RDWR);
    if (memory >= 0)
        HONEST();
}
