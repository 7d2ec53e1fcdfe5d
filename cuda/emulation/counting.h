/* What the watch and the fibers tell the counts (counts.h). */
#ifndef CUDA_EMULATION_COUNTING_H
#define CUDA_EMULATION_COUNTING_H

#include "cuda/emulation/counts.h"
#include "cuda/emulation/fibers.h"

#include <cstddef>
#include <cstdint>

extern bool counting; /* a kernel that runs is counted */

/* Where shared memory begins on the device. */
enum : uint64_t { COUNTED_STATIC_ARRAY = 0, COUNTED_DYNAMIC_ARRAY = 1 << 20 };

/* An access of a thread: `at` bytes from the beginning of an array of the device, whose own
 * address there is a multiple of 256. */
struct CountedAccess {
    counted_memory memory;
    uint64_t array; /* address of the array on the device */
    int64_t array_bytes;
    uint64_t at;
    uint32_t bytes;
    bool write;
    const void *instruction;
};
void count_access(unsigned thread, const CountedAccess &access);

/* The thread begins a basic block. */
void count_block_of_code(unsigned thread, const void *instruction);

/* A grid begins; a block of it begins; its threads have all come to a barrier, or have ended. */
void count_grid(const Launch &launch);
void count_block();
void count_phase(bool barrier);

#endif
