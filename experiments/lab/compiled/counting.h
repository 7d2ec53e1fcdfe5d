/* Calls a kernel whose library counts how often each of its blocks is entered. */
#ifndef MAXPOOL_LAB_COUNTING_H
#define MAXPOOL_LAB_COUNTING_H

#include "experiments/lab/guard/worker_process.h"
#include "experiments/lab/input.h"

/* Calls the kernel once, on one thread of a worker that `how` starts, and sets counts[0 .. blocks).
 * *counted is false if the call did not return. The status reports only failures of the suite. */
enum status lab_count(struct lab_input *in, const struct lab_start *how, uint64_t seed,
                      uint64_t *counts, size_t blocks, bool *counted, struct failure *f);

#endif
