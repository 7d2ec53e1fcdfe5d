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
 * The work runs when the host waits, or asks for an event, and streams advance in an order that the
 * seed draws, so that a forgotten wait shows. Copies with pageable memory behave as the runtime's
 * manual says. While a stream is captured, a call that waits, allocates, frees or copies pageable
 * memory is refused and the capture is lost; a graph that uses an array which was freed breaks the
 * device (graphs.h).
 *
 * What it cannot show: time, warps, caches, races within one phase of a block, alignment except
 * that of copies into shared memory. */
#ifndef CUDA_EMULATION_H
#define CUDA_EMULATION_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct emulation_machine {
    int driver;                 /* CUDA version that the driver serves, as 13000; 0: no driver */
    int devices;                /* number of devices */
    size_t memory_bytes;        /* of a device */
    int grid_rows, grid_planes; /* largest grid along y and z */
};

/* A machine without faults: driver 13.0, one device of 256 MiB, grids as large as on real ones. */
extern const struct emulation_machine emulation_sound_machine;

/* Sets the machine and the seed, and forgets calls, faults and injected failures. Allocated arrays
 * stay. Programs that do not call it get the sound machine, altered by the environment:
 * CUDA_EMULATION_SEED, CUDA_EMULATION_DRIVER, CUDA_EMULATION_DEVICES, CUDA_EMULATION_MEMORY,
 * CUDA_EMULATION_FAIL (the number of the call that fails), CUDA_EMULATION_PROCESSORS
 * (multiprocessors, 1), CUDA_EMULATION_CAPABILITY (compute capability, 90 for 9.0),
 * CUDA_EMULATION_COMPILED_FOR (architecture of the kernels, the same if not given),
 * CUDA_EMULATION_KERNEL (microseconds that every kernel takes on a simulated clock, see
 * emulation_clock). */
void emulation_reset(const struct emulation_machine *machine, uint64_t seed);

/* Makes the nth call from now on that can fail (including launches) fail with that error; 0: none.
 * Calls that release something do not count: they always release it. */
void emulation_fail_at(int64_t nth, cudaError_t error);

/* Makes every call fail with that error, as after a fault of a kernel, until emulation_reset. */
void emulation_break(cudaError_t error);

/* Returns the calls since emulation_reset that could have failed. */
int64_t emulation_calls(void);

/* Returns how often the host waited for a stream, an event or the device since emulation_reset: in
 * copies of which the manual says that they wait, too. */
int64_t emulation_waits(void);

/* Returns the arrays, pinned arrays, streams, events and graphs that were created and not
 * released. */
int64_t emulation_live(void);

/* True if some stream has work that was submitted and not done. */
bool emulation_busy(void);

/* Starts a journal: a line for each operation, in the order in which the device executes them:
 * "allocate BYTES", "free BYTES" (arrays), "send BYTES", "collect BYTES", "set BYTES", "record",
 * "kernel X Y Z" (blocks of its grid), "graph NODES" (before what is in it). It ends with
 * emulation_reset. emulation_journal returns the lines. */
void emulation_journal_begin(void);
const char *emulation_journal(void);

/* Makes events report simulated times, until emulation_reset. Every kernel takes kernel_s. The
 * first kernel after the host waited begins submit_s late, like a kernel that the host has not
 * submitted yet. */
void emulation_clock(double kernel_s, double submit_s);

/* Every kernel that is not in a graph begins gap_s later than the one before has ended, until
 * emulation_reset. */
void emulation_gap(double gap_s);

/* Returns what a kernel did wrong, with its name and block, or "". After a fault every call fails,
 * as with a real device, until emulation_reset. Places in the source are marks (lines.h). */
const char *emulation_fault(void);

/* Checks every access of kernels that were compiled for it (watch.h), from now on. Call it before
 * anything is allocated. */
void emulation_watch(bool checks);

/* Replaces the array at `hidden`, for checks, by a part of one: kernels may access [first, first +
 * bytes) in its place.
 */
void emulation_show(void *hidden, void *first, size_t bytes, bool written);

/* The order of fibers and streams from now on; the memory of the device; whether faults are printed
 * on stderr, with their places (otherwise emulation_fault returns them). */
void emulation_seed(uint64_t seed);
void emulation_memory(size_t bytes);
/* Multiprocessors of the device, and the threads and blocks that one holds. */
void emulation_residence(int64_t processors, int64_t threads, int64_t blocks);
void emulation_print_faults(bool printed);

#ifdef __cplusplus
}
#endif

#endif
