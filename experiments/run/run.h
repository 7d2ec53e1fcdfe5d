/* State of a run, shared by runner.c and attempt.c. */
#ifndef MAXPOOL_RUN_H
#define MAXPOOL_RUN_H

#include "experiments/common/progress.h"
#include "experiments/common/text/numbering.h"
#include "experiments/program/launch/own_launch.h"
#include "experiments/run/ledger.h"
#include "experiments/run/limit_visits.h"
#include "experiments/run/remaining.h"
#include "experiments/run/runner.h"
#include "experiments/run/sample_store.h"
#include "experiments/run/start_times.h"
#include "harness/base/sha256.h"

/* What launches of programs of others leave for later ones, and for the end of the run. */
struct own_traces {
    struct numbering problems;  /* whose outputs are compared */
    char (*hashes)[SHA256_HEX]; /* of each: of its first output; "": none yet */
    bool *read;                 /* by definition: the hashes of its journal are there */
    struct own_tally *used;     /* by point: what its launches used in this run; NULL: none yet */
    bool *started;              /* by point: its program was started in this run */
};

struct run {
    struct plan *plan;
    const struct run_settings *settings;
    struct run_summary *summary;
    struct ledger ledger;
    struct sample_store store;
    struct table_writer *journal;
    struct starts starts;
    struct progress progress;
    struct estimate_error estimate_error;
    struct limit_visits limits;
    int64_t round; /* of the last task that was run; -1: none yet */
    double began;
    bool measuring;  /* at least one task was run */
    bool only_again; /* only launches of sets that were begun again */
    bool bad_shown;  /* a launch of a program of another that does not count */
    struct own_traces own;
    size_t *scratch; /* space for the indices of all points of the plan */
    struct failure *failure;
};

/* Points of one group that one process measures in one round. */
struct task {
    size_t *points; /* indices in the plan's points */
    size_t count;
    int64_t round;
    bool extra; /* beyond the plan, in the time that is left */
};

/* Journals that a new set of a point begins: before its first launch, so that it is gone on with
 * however the study ends. */
enum status journal_again(struct run *r, size_t point);

/* Runs a task. Points that a signal killed, or that did not finish because of another point, are
 * run again. Failures are journalled; status 5 if samples can no longer be written. */
enum status task_run(struct run *r, const struct task *task);

/* Journals that a point is left out, and why. */
enum status journal_left_out(struct run *r, size_t point);

/* Journals a launch as done that was not run for its experiment; `why` says where it came from. */
enum status journal_adoption(struct run *r, size_t point, int64_t round, const char *why);

#endif
