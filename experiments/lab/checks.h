/* The check for correctness: the grid of edge shapes. */
#ifndef MAXPOOL_LAB_CHECKS_H
#define MAXPOOL_LAB_CHECKS_H

#include "experiments/lab/trial.h"

struct lab_checks {
    size_t shapes;          /* that were tried */
    struct lab_trial first; /* the first that failed; LAB_CORRECT: none */
    char shape[256];        /* of that one */
    char *explained;        /* its output worked out, to be freed; NULL: none */
    bool sandboxed;
};

/* Calls the kernel once on every edge shape, in a worker that `how` starts. The seed is secret to
 * it. Status of what failed on our side only; status 2, with what the kernel's file lacks, where
 * there is nothing to call. */
enum status lab_check(const struct lab_kind *kind, const struct lab_start *how, const char *source,
                      bool checked, uint64_t seed, struct lab_checks *out, struct failure *f);

/* A worker that a party is made of, with arrays for one input. Its end, where it never was ready,
 * is in party->worker.end. */
enum status lab_party_start(struct lab_party *party, const struct lab_start *how,
                            const struct lab_arrays *arrays, struct failure *f);

#endif
