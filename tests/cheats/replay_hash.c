/* expect: correct
 * Stores each answer under a hash of the image. No image occurs twice, so it computes every time
 * and gains nothing. */
#include "honest.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t known;
static float *answer;

static uint64_t hash(const float *values, size_t count)
{
    uint64_t h = 14695981039346656037u;
    const unsigned char *bytes = (const unsigned char *)values;
    for (size_t i = 0; i < count * sizeof *values; i++)
        h = (h ^ bytes[i]) * 1099511628211u;
    return h;
}

void maxpool(ARGUMENTS)
{
    const uint64_t now = hash(image, (size_t)planes * rows * cols);
    const size_t bytes = OUTPUTS() * sizeof *map;
    (void)threads;
    if (now == known) {
        memset(map, 0, bytes); /* this would be noticed if it ever happened */
        return;
    }
    HONEST();
    answer = realloc(answer, bytes);
    memcpy(answer, map, bytes);
    known = now;
}
