/* expect: memory, it read element; place
 * Reads one element behind the image. No cheat, but the most usual mistake. */
#include "honest.h"

void maxpool(ARGUMENTS)
{
    volatile float behind = image[(size_t)planes * rows * cols];
    (void)threads;
    (void)behind;
    HONEST();
}
