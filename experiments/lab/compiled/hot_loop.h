/* Shows what the compiler made of the hot loop: the innermost loop that executes the most
 * instructions. It is found by one small call of a library that counts how often its blocks are
 * entered. */
#ifndef MAXPOOL_LAB_HOT_LOOP_H
#define MAXPOOL_LAB_HOT_LOOP_H

#include "experiments/lab/build.h"
#include "experiments/lab/call/kinds.h"
#include "experiments/lab/guard/worker_process.h"

struct lab_hot_loop {
    bool known;           /* false: unsupported processor, compiler or language */
    bool looped;          /* false: no loop; the fields below describe the whole call */
    int line;             /* in the kernel's file; 0: not known */
    double share;         /* its instructions / all executed instructions of the file */
    int lanes;            /* floats that its arithmetic computes at once; 0: none */
    double instructions;  /* per iteration */
    double multiply_adds; /* multiplications of floats per iteration */
    double stack_moves;   /* instructions per iteration that read or write the stack: spills */
    /* Multiply-adds executed by the whole call / those needed by an operator that computes each
     * output separately. */
    double executed_per_needed;
};

/* Makes one small call with the parameters of `size`, in a worker that `how` starts. */
enum status lab_hot_loop_find(struct lab_hot_loop *out, const struct lab_kind *kind,
                              const struct lab_size *size, const struct lab_start *how,
                              const struct lab_build *b, const char *flags, uint64_t seed,
                              struct failure *f);

/* Evaluates the counts of the blocks of a call that needs `needed` multiply-adds. */
void lab_hot_loop_of(struct lab_hot_loop *out, const struct lab_assembly *text,
                     const uint64_t *counts, double needed);

#endif
