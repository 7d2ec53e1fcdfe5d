/* expect: memory, it read element; place
 * Reads one element after the image. This is not a cheat, but the most common mistake. */
#include "honest.h"

void maxpool(ARGUMENTS)
{
    volatile float behind = image[(size_t)planes * rows * cols];
    (void)threads;
    (void)behind;
    HONEST();
}
