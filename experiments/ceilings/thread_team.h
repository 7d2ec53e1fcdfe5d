/* Workers in step: a piece of work that all of them repeat at once, for so long that the clock can
 * tell, and several times over. */
#ifndef MAXPOOL_CEILINGS_THREAD_TEAM_H
#define MAXPOOL_CEILINGS_THREAD_TEAM_H

#include "harness/base/failure.h"
#include "harness/base/statistics.h"

#include <stddef.h>
#include <stdint.h>

struct crew_task {
    /* What a worker does before the clock runs, on its own thread and core: it touches its memory
     * first. NULL: nothing. */
    void (*begin)(void *context, int64_t worker);
    /* The work, `repeats` times over. */
    void (*run)(void *context, int64_t worker, size_t repeats);
    void *context;
};

/* Summarises samples of the seconds that one repetition takes the slowest worker: CREW_SAMPLES of
 * them, or fewer, but not below CREW_LEAST, where they take longer than a tenth of a second. Status
 * 4 where threads lack. */
enum { CREW_SAMPLES = 41, CREW_LEAST = 9 };
enum status crew_measure(const struct crew_task *task, int64_t workers, struct summary *seconds,
                         struct failure *f);

#endif
