/* expect: wrong, never written
 * Prepares its answer while it is being loaded, before any clock runs. */
#include "honest.h"

#include <string.h>

static float answer[1 << 20];

__attribute__((constructor)) static void prepare(void)
{
    for (size_t i = 0; i < sizeof answer / sizeof *answer; i++)
        answer[i] = (float)(i % 2048);
}

void maxpool(ARGUMENTS)
{
    (void)image, (void)filter, (void)map, (void)planes, (void)rows, (void)cols;
    (void)k, (void)stride, (void)padding, (void)threads;
}
