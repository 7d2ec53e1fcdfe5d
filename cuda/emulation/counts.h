/* Counts what the warps of a kernel do with memory, from the accesses that watch.h sees. C and C++
 * read this header.
 *
 * The threads of an emulated block run one after another, so their warps are put together
 * afterwards (lockstep.h): 32 threads with consecutive numbers are the lanes of a warp; lanes that
 * execute the same access at the same time make one request. "The same access" is one instruction
 * of the code that this machine's compiler made. A GPU's compiler may merge accesses, or repeat
 * them, where this one does not. */
#ifndef CUDA_EMULATION_COUNTS_H
#define CUDA_EMULATION_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    COUNT_SECTOR = 32, /* bytes that global memory delivers at once */
    COUNT_BANKS = 32,  /* of shared memory, 4 bytes wide */
    COUNT_WARP = 32    /* lanes */
};

enum counted_memory { COUNTED_GLOBAL, COUNTED_SHARED, COUNTED_CONSTANT, COUNTED_MEMORIES };

/* Requests to one kind of memory.
 *
 * Global: sectors are the different sectors that the lanes of a request touch, least_sectors those
 * that the same number of different bytes would need if they were contiguous and aligned.
 *
 * Shared: a request of 4 bytes or less per lane takes as many wavefronts as the bank with the most
 * different words has; lanes that read one word share it. Requests of 8 and 16 bytes per lane are
 * divided into 2 and 4 parts of consecutive lanes. least_wavefronts is the number of parts in
 * which a lane is active.
 *
 * Constant: wavefronts are the different words, least_wavefronts is 1. */
struct counted_requests {
    int64_t requests, lanes, lane_bytes;
    int64_t sectors, least_sectors;
    int64_t wavefronts, least_wavefronts;
};

enum { COUNTED_READ, COUNTED_WRITE, COUNTED_WAYS };

struct emulation_counts {
    int64_t launches, blocks, warps, threads;
    int64_t barriers;                                /* passed by blocks */
    int64_t grid[3], block[3], dynamic_shared_bytes; /* of the first launch */
    int64_t static_shared_bytes;                     /* that were touched, likewise */
    struct counted_requests requests[COUNTED_MEMORIES][COUNTED_WAYS];
    int64_t distinct_sectors[COUNTED_WAYS]; /* of global memory */
    /* A branch is the end of a basic block that has been left for two or more others by now; a
     * split is a branch after which the lanes of a warp are in different ones. A conditional move
     * is no branch. steps: basic blocks and accesses that warps executed, each with its active
     * lanes. */
    int64_t branches, splits, steps, active_lanes;
};

/* What one line of the source adds to these. */
struct counted_line {
    char place[256]; /* "cuda/kernels/naive.cu:12" */
    struct counted_requests requests[COUNTED_MEMORIES][COUNTED_WAYS];
    int64_t branches, splits;
};

/* A request of warp 0 of the first block, for a picture. Addresses are distances in bytes from the
 * beginning of the array. */
struct counted_picture {
    char place[256];
    enum counted_memory memory;
    bool write;
    int64_t array_bytes, bytes;  /* of the array, and of each lane */
    int64_t address[COUNT_WARP]; /* -1: the lane is not active */
};

/* Counts the kernels from now on, from zero. The emulation must check accesses (emulation_watch),
 * and the kernels must have been compiled for it. */
void emulation_count_begin(void);

/* Stops counting. */
void emulation_count_end(struct emulation_counts *counts);

/* Of the last count: the first kernel that was launched, by its name in the object file and the
 * file of its source; "" for what is not known. */
struct counted_kernel {
    char name[512], file[256];
};
void emulation_count_kernel(struct counted_kernel *kernel);

/* Of the last count, each place of the code that made requests or parted lanes, with its mark
 * (lines.h) as its place: for a process that cannot ask for lines. It returns and fills as
 * emulation_count_lines does. */
int64_t emulation_count_places(struct counted_line *places, int64_t most);

/* Of the last count: lines with requests or splits, by place; the requests of a warp, in their
 * order. They return the number that there is, and fill at most `most`. */
int64_t emulation_count_lines(struct counted_line *lines, int64_t most);
int64_t emulation_count_pictures(struct counted_picture *pictures, int64_t most);

#ifdef __cplusplus
}
#endif

#endif
