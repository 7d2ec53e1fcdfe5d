/* Runs the blocks of a grid, with the threads of each block as fibers. */
#ifndef CUDA_EMULATION_FIBERS_H
#define CUDA_EMULATION_FIBERS_H

#include "cuda_runtime.h"

#include <cstdint>
#include <memory>
#include <string>

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

/* A launch of a kernel: `call` executes one thread of it, with its parameters. */
struct Launch {
    dim3 grid, block;
    size_t shared_bytes;
    const void *kernel;
    void (*call)(const void *parameters);
    std::shared_ptr<const void> parameters;
    size_t parameter_bytes;
};

/* The kernels' shared memory: static, and in it the dynamic one. */
struct SharedMemory {
    char *first;
    size_t bytes;
};
SharedMemory shared_memory();

/* Whether bytes lie, at least in part, in the guard behind an array of the device (runtime.cpp). */
bool is_behind_array(const void *at, size_t bytes);

/* Runs every thread of the grid. Returns what went wrong, or "". `operation` is its number
 * (operations.h). */
std::string run_grid(const Launch &launch, uint32_t operation, Random &random);

#endif
