/* The check for correctness on a set of edge shapes. */
#ifndef MAXPOOL_LAB_CHECKS_H
#define MAXPOOL_LAB_CHECKS_H

#include "classroom/lab/trial.h"

struct lab_checks {
    size_t shapes;          /* number that were tried */
    struct lab_trial first; /* the first one that failed; LAB_CORRECT: none did */
    char shape[256];        /* shape of the failed trial */
    char *explained;        /* the computation of its wrong output, to be freed; NULL: none */
    int protection;         /* of the worker: bits of enum lab_protection */
};

/* Calls the kernel once on every edge shape, in a worker that `how` starts; without sanitizers
 * (`checked`) also on shapes that are drawn now, on half of them with values whose exact result no
 * narrower format holds (digits/exact_values.h). The status
 * reports only failures of the suite; status 2 if there is nothing to call, with what the kernel's
 * file lacks. */
enum status lab_check(const struct operator_row *kind, const struct lab_start *how,
                      const char *source, bool checked, struct lab_checks *out, struct failure *f);

/* Starts the worker of a runner, with arrays for one input. If it ended before it was ready,
 * runner->worker.end says why. */
enum status lab_runner_start(struct lab_runner *runner, const struct lab_start *how,
                             const struct lab_arrays *arrays, struct failure *f);

#endif
