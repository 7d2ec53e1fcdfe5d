/* What the compiler made of the part of the kernel that takes most of the time: the innermost loop
 * that executes the most instructions, found by one small call of a library whose blocks count how
 * often they are entered. */
#ifndef MAXPOOL_LAB_HOT_LOOP_H
#define MAXPOOL_LAB_HOT_LOOP_H

#include "experiments/lab/build.h"
#include "experiments/lab/call/kinds.h"
#include "experiments/lab/worker_process.h"

struct lab_hot_loop {
    bool known;           /* false: not of this processor, compiler or language */
    bool looped;          /* false: nothing repeats, and what follows is of the whole call */
    int line;             /* of the kernel's file; 0: no line is known */
    double share;         /* of the instructions of the file that were executed */
    int lanes;            /* floats that its arithmetic is of at once; 0: it computes none */
    double instructions;  /* of one pass */
    double multiply_adds; /* floats multiplied in one pass */
    double stack_moves;   /* instructions of one pass that read or write the stack: spills */
    /* Multiply-adds of the whole call over those of an operator that computes each output by
     * itself. */
    double executed_per_needed;
};

/* Makes one small call with these parameters, in a worker that `how` starts. */
enum status lab_hot_loop_find(struct lab_hot_loop *out, const struct lab_kind *kind,
                              const struct lab_size *size, const struct lab_start *how,
                              const struct lab_build *b, const char *flags, uint64_t seed,
                              struct failure *f);

/* From the counts of its blocks, in a call that needs so many multiply-adds. */
void lab_hot_loop_of(struct lab_hot_loop *out, const struct lab_assembly *text,
                     const uint64_t *counts, double needed);

#endif
