#include "cuda/emulation/programs/begin.h"

#include "cuda/emulation/emulation.h"

/* Seconds that a kernel seems to take: enough to time it, so that it is launched only once. */
static const double KERNEL_S = 0.01;

void emulation_begin(void)
{
    emulation_memory((size_t)4 << 30);
    emulation_watch(true);
    emulation_clock(KERNEL_S, 0.0);
}
