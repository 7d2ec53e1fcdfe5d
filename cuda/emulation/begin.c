#include "cuda/emulation/begin.h"

#include "cuda/emulation/emulation.h"

void emulation_begin(void)
{
    emulation_memory((size_t)4 << 30);
    emulation_watch(true);
}
