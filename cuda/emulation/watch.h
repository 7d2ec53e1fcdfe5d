/* Watches what kernels do with memory. The compiler calls a function before every load and store of
 * an instrumented kernel (-fsanitize=thread; no sanitizer's library is linked).
 *
 * Found, each with its line: an access outside all arrays, or misaligned; a read of memory that was
 * never written; and a race: two threads access the same 4 bytes, at least one of them writes, and
 * neither a barrier nor an order of operations lies between. A race is found whatever the order in
 * which the threads ran. */
#ifndef CUDA_EMULATION_WATCH_H
#define CUDA_EMULATION_WATCH_H

#include "cuda/emulation/operations.h"

#include <cstddef>
#include <cstdint>
#include <string>

enum Memory {
    MEMORY_GLOBAL,
    MEMORY_SHARED,
    MEMORY_CONSTANT /* __constant__, parameters of the kernel, constants of the program */
};

/* The thread that runs. The scheduler of fibers keeps it up to date. */
struct WatchedThread {
    const char *stack; /* of its fiber: local memory */
    size_t stack_bytes;
    unsigned thread;     /* within its block */
    unsigned phase;      /* barriers that its block has passed */
    unsigned warp_phase; /* barriers of its warp since */
};
extern WatchedThread watched_thread;
extern bool watching; /* a thread of a kernel is running, and is watched */

/* What is watched; nothing at first. */
void watch_set(bool checks);
bool watch_checks();

/* Memory of the device. */
void watch_allocated(char *array, size_t bytes, bool written);
void watch_freed(char *array);
/* Constant memory that the host copies to: nothing of it was written before the first copy. */
void watch_symbol(char *symbol, size_t bytes);
/* A copy or a memset of the host, operation number `operation`. */
void watch_copied(const void *array, size_t bytes, bool write, uint32_t operation);

/* A grid, its blocks, and the end of each. `parameters` are the kernel's. */
void watch_grid(uint32_t operation, const void *parameters, size_t parameter_bytes);
void watch_block(unsigned block_x, unsigned block_y, unsigned block_z, size_t shared_bytes);
void watch_grid_end(const void *parameters);

/* An access that the compiler does not report: an atomic operation, a copy into shared memory. */
void watch_access(const void *address, size_t bytes, bool write, bool atomic,
                  const void *instruction);

/* The first thing that was wrong in the running kernel, with line marks (lines.h); "" if nothing
 * was. */
const std::string &watch_fault();
void watch_note(const std::string &wrong);
void watch_forget();

/* What was ordered by the host. */
Operations &watch_operations();

/* Leaves the running thread for good, since something is wrong. Defined by fibers.cpp. */
[[noreturn]] void fibers_abandon();

/* "thread (1, 0, 0)" of the running grid. Defined by fibers.cpp. */
std::string thread_text(unsigned thread);

#endif
