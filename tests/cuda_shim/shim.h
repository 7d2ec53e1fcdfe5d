/* A CUDA device that is not there: the kernels' own sources, compiled by the C++ compiler, and the
 * runtime interface the host side calls, so that both are tested where there is no GPU.
 *
 * What it is strict about. The threads of a block are fibers; between two barriers they run one
 * after another, in an order that the seed draws anew for every phase of every block (seed 0:
 * ascending, 1: descending). A barrier that only part of a block reaches is an error. Shared memory
 * is NaN at the start of every block, device memory when allocated. Arrays lie between guards,
 * which every kernel is compared with. Under the address sanitizer the host cannot touch device
 * memory, nor a kernel shared memory beyond what its launch asked for. A copy that a thread begins
 * (cp.async) arrives when that thread waits for it. Streams only queue; what
 * they hold is run when somebody waits, and streams advance in an order drawn by the seed: a wait
 * that was forgotten shows. Copies with pageable memory behave as the runtime's manual says.
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
    int devices;                /* how many */
    size_t memory_bytes;        /* of a device */
    int grid_rows, grid_planes; /* largest grid along y and z */
};

/* A sound machine: driver 13.0, one device of 256 MiB, grids as large as on real ones. */
extern const struct shim_machine shim_sound_machine;

/* Another machine, another order; forgets calls, faults and injected failures. What is allocated
 * stays. Programs that do not call it get the sound machine, altered by the environment:
 * CUDA_SHIM_SEED, CUDA_SHIM_DRIVER, CUDA_SHIM_DEVICES, CUDA_SHIM_MEMORY, CUDA_SHIM_FAIL (the number
 * of the call that fails), CUDA_SHIM_PROCESSORS (multiprocessors, 1), CUDA_SHIM_KERNEL
 * (microseconds that every kernel takes by a made-up clock, see shim_clock). */
void shim_reset(const struct shim_machine *machine, uint64_t seed);

/* The nth call from now on that can fail (launches too) fails with that error; 0: none. Calls that
 * release something do not count: they always do. */
void shim_fail_at(int64_t nth, cudaError_t error);

/* From now on every call fails with that error, as after a fault of a kernel, until shim_reset. */
void shim_break(cudaError_t error);

/* Calls that could have failed, since shim_reset. */
int64_t shim_calls(void);

/* Arrays, pinned arrays, streams and events that were made and not released. */
int64_t shim_live(void);

/* Whether some stream has work that was submitted and not done. */
bool shim_busy(void);

/* From now on what is done is written down, a line each in the order in which the device came to
 * it: "allocate BYTES", "free BYTES" (arrays), "send BYTES", "collect BYTES", "set BYTES",
 * "record", "kernel X Y Z" (blocks of its grid). Until shim_reset; shim_journal gives the lines. */
void shim_journal_begin(void);
const char *shim_journal(void);

/* From now on events report made-up times, until shim_reset: every kernel takes kernel_s, and the
 * first one after the host waited comes submit_s late, as one does that the host has yet to submit.
 */
void shim_clock(double kernel_s, double submit_s);

/* What a kernel did wrong, with its name and block; "" where none did. From then on every call
 * fails, as with a real device, until shim_reset. */
const char *shim_fault(void);

#ifdef __cplusplus
}
#endif

#endif
