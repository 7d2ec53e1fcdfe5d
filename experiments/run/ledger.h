/* The launches of a plan that a folder of results already has, finished or failed. The samples
 * determine what is finished; the journal adds the launches that left no samples. */
#ifndef MAXPOOL_LEDGER_H
#define MAXPOOL_LEDGER_H

#include "experiments/common/text/numbering.h"
#include "experiments/plan/plan.h"
#include "experiments/samples/samples.h"

enum launch_state { LAUNCH_MISSING, LAUNCH_DONE, LAUNCH_FAILED };

struct ledger_round {
    enum launch_state state;
    bool journalled; /* done, as the journal of its experiment says */
};

/* The launches of the newest set of a point that was begun. Those of its other sets are not in the
 * ledger. */
struct ledger_point {
    int64_t set;                /* from 1 */
    int64_t set_launches;       /* that make it whole; 0: those of the plan */
    struct ledger_round *known; /* by round */
    int64_t rounds;             /* length of `known` */
    size_t count;               /* finished launches that have times */
    int64_t failed_round;       /* round of the last failure; -1: none */
    bool refused;               /* its program reports that it cannot run it here */
    bool skip_reported; /* the journal already says that it is left out, for the same reason */
};

/* A finished launch of a point that its experiment's journal does not have. */
struct adoption {
    size_t point;
    int64_t round;
    bool recovered; /* of a study that was killed; otherwise measured for another experiment */
};

struct ledger {
    const struct plan *plan;
    struct ledger_point *points;       /* one per point of the plan */
    const struct numbering *recovered; /* run_ids, as ledger_read got them */
    struct adoption *adoptions;        /* owned */
    size_t adoption_count;
    bool out_of_memory;
};

/* Counts of launches of some points. */
struct launch_tally {
    size_t planned, done, failed; /* a launch that is neither done nor failed is missing */
};

/* Reads the samples of the folder, whatever experiment they were measured for, and the journals of
 * the plan's definitions; reports corrupt rows on stderr. `forget_failures`: failed launches count
 * as missing. `recovered`: run_ids of a study that was killed; NULL: none. */
enum status ledger_read(struct ledger *ledger, const struct plan *plan, const char *results,
                        bool forget_failures, const struct numbering *recovered, struct failure *f);

/* Notes a finished launch of a point: its round is done, and it counts if it has times. */
void ledger_take(struct ledger *ledger, size_t point, const struct samples *samples,
                 const struct launch *launch);

/* Begins a set of launches of a point, if it is newer than the present one: all of it is missing.
 */
void ledger_begin_set(struct ledger *ledger, size_t point, int64_t set, int64_t set_launches);

/* True if a second or later set of a point was begun and lacks launches that can be done. */
bool ledger_set_is_open(const struct ledger *ledger, size_t point);

enum launch_state ledger_state(const struct ledger *ledger, size_t point, int64_t round);
void ledger_set(struct ledger *ledger, size_t point, int64_t round, enum launch_state state);

/* Counts the launches of one definition's points or, if `definition` is plan->definition_count, of
 * the whole plan. Points that are left out do not count; of points that their program refuses only
 * finished and failed launches count. */
struct launch_tally ledger_tally(const struct ledger *ledger, size_t definition);

void ledger_release(struct ledger *ledger);

#endif
