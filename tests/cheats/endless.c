/* expect: endless, not returned
 * Never returns. */
#include "honest.h"

void maxpool(ARGUMENTS)
{
    volatile int stay = 1;
    (void)threads;
    HONEST();
    while (stay)
        ;
}
