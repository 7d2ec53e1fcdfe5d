/* expect: wrong
 * Stores the answer to the first image of a shape and returns it for every other of that shape. */
#include "honest.h"

#include <stdlib.h>
#include <string.h>

static int known[6];
static float *answer;

void maxpool(ARGUMENTS)
{
    const int shape[6] = {planes, rows, cols, k, stride, padding};
    const size_t bytes = OUTPUTS() * sizeof *map;
    (void)threads;
    if (memcmp(known, shape, sizeof shape) == 0) {
        memcpy(map, answer, bytes);
        return;
    }
    HONEST();
    answer = realloc(answer, bytes);
    memcpy(answer, map, bytes);
    memcpy(known, shape, sizeof shape);
}
