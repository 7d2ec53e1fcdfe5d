/* expect: wrong
 * Knows how random images of small integers are generated, finds a seed whose first element the
 * image has, and computes from the elements of its own generator. */
#include "honest.h"

#include <stdlib.h>

static unsigned next(unsigned *state)
{
    *state = *state * 1103515245u + 12345u;
    return *state >> 16 & 255u;
}

void maxpool(ARGUMENTS)
{
    const size_t count = (size_t)planes * rows * cols;
    float *guess = malloc(count * sizeof *guess);
    (void)threads;
    for (unsigned seed = 0; seed < 4096; seed++) {
        unsigned state = seed;
        if ((float)next(&state) == image[0])
            for (size_t i = 0; i < count; i++)
                guess[i] = (float)next(&state);
    }
    honest(guess, filter, map, planes, rows, cols, k, stride, padding);
    free(guess);
}
