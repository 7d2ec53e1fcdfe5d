/* What results a folder already holds of a plan: which launches are finished, which failed, and the
 * medians they gave. Finished is what the samples say; the journal adds what left no samples. */
#ifndef MAXPOOL_LEDGER_H
#define MAXPOOL_LEDGER_H

#include "experiments/plan/plan.h"

enum launch_state { LAUNCH_MISSING, LAUNCH_DONE, LAUNCH_FAILED };

struct ledger_point {
    unsigned char *states; /* enum launch_state by round */
    int64_t rounds;        /* held in states */
    double *medians;       /* seconds of total_s, one of each finished launch */
    size_t count;
    int64_t failed_round; /* the last one that failed; -1: none */
    bool skip_told;       /* the journal already says, for the same reason, that it is left out */
};

struct ledger {
    const struct plan *plan;
    struct ledger_point *points; /* one of each point of the plan */
    /* the launch whose rows are being read */
    char run_id[RECORD_TEXT];
    double *totals;
    size_t total_count, total_room;
    bool out_of_memory;
};

/* Reads samples and journals of every definition of the plan; rows that were left out are told on
 * stderr. `forget_failures`: failed launches count as missing. */
enum status ledger_read(struct ledger *ledger, const struct plan *plan, const char *results,
                        bool forget_failures, struct failure *f);

/* Takes one launch's rows, from byte `offset` of the samples on. Sets *rows to the samples of that
 * point and round, *wrong where one was, *finished where its last row says so. */
struct launch_rows {
    int64_t rows;
    bool wrong, finished;
};
enum status ledger_take(struct ledger *ledger, size_t point, int64_t round, const char *samples,
                        int64_t offset, struct launch_rows *seen, struct failure *f);

enum launch_state ledger_state(const struct ledger *ledger, size_t point, int64_t round);
void ledger_set(struct ledger *ledger, size_t point, int64_t round, enum launch_state state);

/* Half the interval's width across launches over the median; where they are too few for an
 * interval, half their range, and infinity for fewer than two. */
double ledger_width(const struct ledger *ledger, size_t point);

void ledger_release(struct ledger *ledger);

#endif
