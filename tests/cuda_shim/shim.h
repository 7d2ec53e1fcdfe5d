/* A simulated CUDA device: the kernels' own sources, compiled by the C++ compiler, and the runtime
 * functions that the host side calls. So both are tested without a GPU.
 *
 * What it is strict about. The threads of a block are fibers; between two barriers they run one
 * after another, in an order that the seed draws anew for every phase of every block (seed 0:
 * ascending, 1: descending). A barrier that only part of a block reaches is an error. Shared memory
 * is NaN at the start of every block, device memory when it is allocated. Arrays are between
 * guards, which are checked after every kernel. Under the address sanitizer the host cannot touch
 * device memory, and a kernel cannot touch shared memory beyond what its launch requested. A copy
 * that a thread starts (cp.async) arrives when that thread waits for it. Streams only queue work.
 * The work runs when the host waits, and streams advance in an order that the seed draws, so that a
 * forgotten wait shows. Copies with pageable memory behave as the runtime's manual says.
 *
 * What it cannot show: time, warps, caches, races within one phase of a block, alignment. */
#ifndef CUDA_SHIM_H
#define CUDA_SHIM_H

#include "cuda_runtime_api.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct shim_machine {
    int driver;                 /* CUDA version that the driver serves, as 13000; 0: no driver */
    int devices;                /* number of devices */
    size_t memory_bytes;        /* of a device */
    int grid_rows, grid_planes; /* largest grid along y and z */
};

/* A machine without faults: driver 13.0, one device of 256 MiB, grids as large as on real ones. */
extern const struct shim_machine shim_sound_machine;

/* Sets the machine and the seed, and forgets calls, faults and injected failures. Allocated arrays
 * stay. Programs that do not call it get the sound machine, altered by the environment:
 * CUDA_SHIM_SEED, CUDA_SHIM_DRIVER, CUDA_SHIM_DEVICES, CUDA_SHIM_MEMORY, CUDA_SHIM_FAIL (the number
 * of the call that fails), CUDA_SHIM_PROCESSORS (multiprocessors, 1), CUDA_SHIM_KERNEL
 * (microseconds that every kernel takes on a simulated clock, see shim_clock). */
void shim_reset(const struct shim_machine *machine, uint64_t seed);

/* Makes the nth call from now on that can fail (including launches) fail with that error; 0: none.
 * Calls that release something do not count: they always release it. */
void shim_fail_at(int64_t nth, cudaError_t error);

/* Makes every call fail with that error, as after a fault of a kernel, until shim_reset. */
void shim_break(cudaError_t error);

/* Returns the calls since shim_reset that could have failed. */
int64_t shim_calls(void);

/* Returns the arrays, pinned arrays, streams and events that were created and not released. */
int64_t shim_live(void);

/* True if some stream has work that was submitted and not done. */
bool shim_busy(void);

/* Starts a journal: a line for each operation, in the order in which the device executes them:
 * "allocate BYTES", "free BYTES" (arrays), "send BYTES", "collect BYTES", "set BYTES", "record",
 * "kernel X Y Z" (blocks of its grid). It ends with shim_reset. shim_journal returns the lines. */
void shim_journal_begin(void);
const char *shim_journal(void);

/* Makes events report simulated times, until shim_reset. Every kernel takes kernel_s. The first
 * kernel after the host waited begins submit_s late, like a kernel that the host has not submitted
 * yet. */
void shim_clock(double kernel_s, double submit_s);

/* Returns what a kernel did wrong, with its name and block, or "". After a fault every call fails,
 * as with a real device, until shim_reset. */
const char *shim_fault(void);

#ifdef __cplusplus
}
#endif

#endif
