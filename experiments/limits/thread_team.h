/* Workers in step: all of them repeat a piece of work at the same time, for long enough that the
 * clock can measure it, and several times. */
#ifndef MAXPOOL_CEILINGS_THREAD_TEAM_H
#define MAXPOOL_CEILINGS_THREAD_TEAM_H

#include "harness/base/failure.h"

#include <stddef.h>
#include <stdint.h>

struct team_task {
    /* What a worker does before the timed part, on its own thread and core: it touches its memory
     * first. NULL: nothing. */
    void (*begin)(void *context, int64_t worker);
    /* The work, repeated `repeats` times. */
    void (*run)(void *context, int64_t worker, size_t repeats);
    void *context;
};

/* One visit: starts the workers and takes TEAM_SAMPLES samples, or fewer if they take long, but at
 * least TEAM_SAMPLES_LEAST. *seconds: the median over the samples of the seconds per repetition of
 * the slowest worker. *repeats: repetitions per sample; if 0, they are determined here. Status 4 if
 * threads cannot be started. */
enum { TEAM_SAMPLES = 5, TEAM_SAMPLES_LEAST = 3 };
enum status thread_team_measure(const struct team_task *task, int64_t workers, size_t *repeats,
                                double *seconds, struct failure *f);

#endif
