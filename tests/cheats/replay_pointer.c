/* expect: wrong
 * Stores the first answer for each address of the map, and returns it from then on. */
#include "honest.h"

#include <stdlib.h>
#include <string.h>

static const float *known;
static float *answer;

void maxpool(ARGUMENTS)
{
    const size_t bytes = OUTPUTS() * sizeof *map;
    (void)threads;
    if (known == map) {
        memcpy(map, answer, bytes);
        return;
    }
    HONEST();
    answer = realloc(answer, bytes);
    memcpy(answer, map, bytes);
    known = map;
}
