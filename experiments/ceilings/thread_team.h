/* Workers in step: a piece of work that all of them repeat at once, for so long that the clock can
 * measure it, and several times over. */
#ifndef MAXPOOL_CEILINGS_THREAD_TEAM_H
#define MAXPOOL_CEILINGS_THREAD_TEAM_H

#include "harness/base/failure.h"

#include <stddef.h>
#include <stdint.h>

struct team_task {
    /* What a worker does before the clock runs, on its own thread and core: it touches its memory
     * first. NULL: nothing. */
    void (*begin)(void *context, int64_t worker);
    /* The work, `repeats` times over. */
    void (*run)(void *context, int64_t worker, size_t repeats);
    void *context;
};

/* One visit: starts the workers and gives the median of its samples, of the seconds that one
 * repetition takes the slowest worker: TEAM_SAMPLES of them, or fewer, but not below
 * TEAM_SAMPLES_LEAST, where they take long. *repeats: repetitions in a sample, found where it is 0.
 * Status 4 where threads lack. */
enum { TEAM_SAMPLES = 5, TEAM_SAMPLES_LEAST = 3 };
enum status thread_team_measure(const struct team_task *task, int64_t workers, size_t *repeats,
                                double *seconds, struct failure *f);

#endif
