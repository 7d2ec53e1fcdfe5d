/* expect: wrong, never written
 * Computes every other output of large maps. */
#include "honest.h"

void maxpool(ARGUMENTS)
{
    const size_t count = OUTPUTS(), step = count > 200 ? 2 : 1;
    (void)threads;
    for (size_t i = 0; i < count; i += step)
        map[i] = one_output(image, filter, i, rows, cols, k, stride, padding);
}
