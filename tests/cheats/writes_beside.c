/* expect: memory, it wrote element -3 of the map; place
 * Writes three elements before the map. */
#include "honest.h"

void maxpool(ARGUMENTS)
{
    volatile float *before = map - 3;
    (void)threads;
    HONEST();
    *before = 1.0f;
}
