/* Faults planted in copies of the CUDA kernels, for the emulation alone. CMake writes the copies
 * and the list of faults (tests/cuda/faults). The released kernels contain none of
 * this. */
#ifndef MAXPOOL_TEST_CUDA_PLANTED_H
#define MAXPOOL_TEST_CUDA_PLANTED_H

#define FAULT(name) FAULT_##name,
enum planted_fault {
    FAULT_NONE,
#include "generated/planted_list.h"
};
#undef FAULT

/* The fault of this run, from MAXPOOL_FAULT, and whether its place was ever executed. */
extern enum planted_fault planted_now;
extern bool planted_reached;

static inline bool planted_is(enum planted_fault fault)
{
    if (fault != planted_now)
        return false;
    planted_reached = true;
    return true;
}
#define planted(name) planted_is(FAULT_##name)

#endif
