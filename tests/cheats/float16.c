/* expect: wrong, it is
 * Computes with the 11 significant bits of a half-precision number. */
#include "honest.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static float shortened(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits &= UINT32_C(0xffffe000);
    memcpy(&value, &bits, sizeof bits);
    return value;
}

void maxpool(ARGUMENTS)
{
    const size_t count = (size_t)planes * rows * cols;
    float *narrow = malloc(count * sizeof *narrow);
    (void)threads;
    for (size_t i = 0; i < count; i++)
        narrow[i] = shortened(image[i]);
    honest(narrow, filter, map, planes, rows, cols, k, stride, padding);
    free(narrow);
}
