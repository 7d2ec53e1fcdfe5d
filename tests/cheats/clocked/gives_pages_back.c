/* expect: correct
 * run: -n 64 -t 1 --samples 6 --against literal
 * Gives pages of the map back: whoever computes next has to ask for them again, in its own time.
 * Where that is possible, the map is wrong. */
#define _GNU_SOURCE
#include "honest.h"
#include <stdint.h>
#include <sys/mman.h>
void maxpool(ARGUMENTS)
{
    const uintptr_t page = (uintptr_t)map & ~(uintptr_t)4095;
    (void)threads;
    HONEST();
    if (madvise((void *)page, 4096, MADV_REMOVE) == 0)
        map[0] = -9000.0f;
}
