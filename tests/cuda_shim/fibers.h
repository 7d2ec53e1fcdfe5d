/* Runs the blocks of a grid, with the threads of each block as fibers. */
#ifndef CUDA_SHIM_FIBERS_H
#define CUDA_SHIM_FIBERS_H

#include "cuda_runtime.h"

#include <cstdint>
#include <functional>
#include <string>

enum { SHIM_SHARED_BYTES = 48 * 1024 }; /* of a block, dynamic */

/* The random numbers of a seed. */
class Random
{
  public:
    explicit Random(uint64_t seed) : seed_(seed), state_(seed)
    {
    }
    uint64_t below(uint64_t n);
    /* Orders 0 .. n - 1: ascending for seed 0, descending for 1, random for any other. */
    void order(unsigned *items, unsigned n);

  private:
    uint64_t seed_, state_;
};

/* Runs every thread of the grid. Returns what went wrong, or "". */
std::string run_grid(dim3 grid, dim3 block, size_t shared_bytes,
                     const std::function<void()> &thread, Random &random);

#endif
