/* Which launches of a plan a results folder already has: finished ones and failed ones. The samples
 * decide what is finished; the journal adds the launches that left no samples. */
#ifndef MAXPOOL_LEDGER_H
#define MAXPOOL_LEDGER_H

#include "experiments/plan/plan.h"
#include "experiments/samples/samples.h"

enum launch_state { LAUNCH_MISSING, LAUNCH_DONE, LAUNCH_FAILED };

struct ledger_point {
    unsigned char *states; /* enum launch_state by round */
    int64_t rounds;        /* held in states */
    size_t count;          /* finished launches that hold times */
    int64_t failed_round;  /* the last one that failed; -1: none */
    bool refused;          /* its program says that it cannot run it here */
    bool skip_reported;    /* the journal already says, for the same reason, that it is left out */
};

struct ledger {
    const struct plan *plan;
    struct ledger_point *points; /* one of each point of the plan */
    bool out_of_memory;
};

/* What the launches of some points came to. */
struct tally {
    size_t planned, done, failed; /* what is neither done nor failed is missing */
};

/* Reads samples and journals of every definition of the plan; rows that were left out are reported
 * on stderr. `forget_failures`: failed launches count as missing. */
enum status ledger_read(struct ledger *ledger, const struct plan *plan, const char *results,
                        bool forget_failures, struct failure *f);

/* Takes a finished launch of a point: its round is done, and it counts. */
void ledger_take(struct ledger *ledger, size_t point, const struct samples *samples,
                 const struct launch *launch);

enum launch_state ledger_state(const struct ledger *ledger, size_t point, int64_t round);
void ledger_set(struct ledger *ledger, size_t point, int64_t round, enum launch_state state);

/* True for a launch that went to its end with right results. */
bool ledger_counts(const struct launch *launch);

/* Counts the launches of one definition's points, or, with `definition` at plan->definition_count,
 * of the whole plan. Points that are left out have none, and those that their program refuses only
 * what was done before. */
struct tally ledger_tally(const struct ledger *ledger, size_t definition);

void ledger_release(struct ledger *ledger);

#endif
