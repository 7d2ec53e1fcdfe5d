/* expect: memory
 * Asks for 100 GB and uses it. */
#include "honest.h"

#include <stdlib.h>
#include <string.h>

void maxpool(ARGUMENTS)
{
    const size_t bytes = (size_t)100 << 30;
    char *room = malloc(bytes);
    (void)threads;
    memset(room, 1, bytes);
    HONEST();
    map[0] += (float)(room[bytes / 2] - 1);
    free(room);
}
