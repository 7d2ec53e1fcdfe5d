/* expect: wrong, never written
 * Writes to every descriptor that it finds, so that the parent believes it is done, and continues.
 */
#include "honest.h"

#include <unistd.h>

void maxpool(ARGUMENTS)
{
    const char note[256] = {0};
    (void)threads;
    for (int i = 3; i < 16; i++)
        if (write(i, note, 32) < 0)
            continue;
    usleep(200000);
    HONEST();
}
