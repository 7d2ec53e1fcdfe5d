/* One method's part of a round, and the contents of a row. */
#ifndef MAXPOOL_SAMPLE_H
#define MAXPOOL_SAMPLE_H

#include "harness/point/point.h"

/* Which sample of a method, and where it stands. */
struct occasion {
    int64_t sample; /* counts from 0 within warm-up and within the timed samples */
    bool warmup;
    int64_t place; /* of the method within the turn */
};

/* Poisons the map, executes, verifies, records. After a timed sample, or where a result was wrong
 * or a signal was caught, the method may have stopped: its measurement then has a stop_reason. */
enum status sample_take(struct point *p, struct contender *c, const struct occasion *o,
                        struct failure *f);

/* Poisons and executes without a row or a verdict; *seconds is the mean of the method's repeats.
 */
enum status sample_execute_untimed(struct point *p, struct contender *c, double *seconds,
                                   struct failure *f);

/* A sample that was executed and verified elsewhere: its row, whose own columns the caller has set,
 * is filled, kept and published; `reason` is why it is the last one, or NULL. */
enum status sample_put(struct point *p, struct contender *c, const struct occasion *o,
                       const struct phases *phases, const char *verified, const char *reason,
                       struct failure *f);

/* Is the interval of the timed samples as narrow as --relative-ci asks? It is looked at only at 10,
 * 20, 40 ... samples: looking after each would stop at the first lucky one. */
bool sample_precise(const struct options *o, const struct measurement *m);

/* Makes the map in memory that of this method, verified, where another's came after it. */
enum status sample_restore(struct point *p, struct contender *c, struct failure *f);

/* The columns that all rows of each method share, in the root; and those of one sample. */
void rows_fill(struct point *p);
void row_fill_sample(struct record *r, const struct phases *phases, const char *verified);

/* How far the map that was verified last is from what is right, in the root; and what is said of a
 * map that is wrong. The first is collective. */
enum status row_fill_errors(struct point *p, const struct contender *c, struct record *r,
                            struct failure *f);
void row_forget_errors(struct record *r);

#endif
