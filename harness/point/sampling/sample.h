/* A sample of one method, and the contents of its row. */
#ifndef MAXPOOL_SAMPLE_H
#define MAXPOOL_SAMPLE_H

#include "harness/point/point.h"

/* Identifies a sample of a method, and its position. */
struct occasion {
    int64_t sample; /* counts from 0 within warm-up and within the timed samples */
    bool warmup;
    int64_t place; /* of the method within the round */
};

/* Poisons the map, executes, verifies, records. After a timed sample, a wrong result or a caught
 * signal, the method may be stopped: its measurement then has a stop_reason. */
enum status sample_take(struct point *p, struct contender *c, const struct occasion *o,
                        struct failure *f);

/* Poisons and executes without a row or a verdict; *seconds is the mean over the method's
 * repeats. */
enum status sample_execute_untimed(struct point *p, struct contender *c, double *seconds,
                                   struct failure *f);

/* Fills, keeps and publishes the row of a sample that the caller has executed and verified; the
 * caller has set the columns that only it knows. `reason` is why it is the last sample, or NULL. */
enum status sample_put(struct point *p, struct contender *c, const struct occasion *o,
                       const struct phases *phases, const char *verified, const char *reason,
                       struct failure *f);

/* True if the interval of the timed samples is as narrow as --relative-ci requires. It is checked
 * only at 10, 20, 40 ... samples: checking after every sample would stop at the first lucky one. */
bool sample_precise(const struct options *o, const struct measurement *m);

/* Ensures that the map in memory is this method's, verified: executes again if another method came
 * later. */
enum status sample_restore(struct point *p, struct contender *c, struct failure *f);

/* Fill the columns that all rows of each method share, in the root; and those of one sample. */
void rows_fill(struct point *p);
void row_fill_sample(struct record *r, const struct phases *phases, const char *verified);

/* Records the errors of the map that was verified last, in the root; the second function clears
 * them, for a wrong map. The first is collective. */
enum status row_fill_errors(struct point *p, const struct contender *c, struct record *r,
                            struct failure *f);
void row_forget_errors(struct record *r);

#endif
