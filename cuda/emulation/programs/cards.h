/* What follows from the limits of a GPU for a kernel whose work was counted. */
#ifndef CUDA_EMULATION_CARDS_H
#define CUDA_EMULATION_CARDS_H

#include "cuda/emulation/counts.h"
#include "cuda/emulation/programs/compiled.h"
#include "harness/limits/cards.h"

/* Blocks that a multiprocessor holds at a time, and what limits them. Registers are left out, and
 * of static shared memory only what was touched counts, if the GPU's compiler did not tell. */
struct occupancy {
    int64_t blocks, warps, most_warps;
    const char *limit; /* threads, blocks, shared memory, registers */
};
struct occupancy card_occupancy(const struct card *card, const struct emulation_counts *counts,
                                const struct compiled_kernel *compiled);

/* The least time that the card's memory, its shared memory and its schedulers take for what was
 * counted, each alone; the largest binds. A lower bound: waiting is no part of it. */
struct prediction {
    double memory_s; /* each different sector once, over the memory's bandwidth */
    double loads_s;  /* wavefronts of shared memory and of global requests, 128 bytes each, one per
                        clock and multiprocessor */
    double issue_s;  /* accesses, basic blocks and multiply-adds of warps, as instructions: one per
                        clock and scheduler */
    double bound_s;  /* the largest */
    const char *binds;
};
struct prediction card_predict(const struct card *card, const struct emulation_counts *counts,
                               double multiply_adds);

#endif
