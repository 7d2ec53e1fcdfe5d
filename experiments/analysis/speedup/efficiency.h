/* Where the efficiency of p workers went: E = balance x messages x idle x frequency x memory x the
 * rest. Each factor is the efficiency that would be left if it were the only loss, so 1 is none; it
 * comes from what is recorded with the times, never from the speedup itself:
 *
 *   balance    mean / maximum of the workers' compute times
 *   messages   share of the total time in which ranks compute, relative to the base
 *   idle       of a program of another: processor time / (workers x time), relative to the base
 *   frequency  of the processors, relative to the base
 *   memory     time of the base / workers, relative to the least time of the operator's bytes at
 *              the bandwidth of that many workers: at most 1, and a bound of the loss from below.
 *              Where that does not explain the loss, and the base moves its bytes at half of the
 *              bandwidth of its workers or more: the growth of the bandwidth per worker
 *
 * The idea of factors that multiply is that of the POP project's metrics: Rosas, Gimenez & Labarta
 * (2014), "Scalability prediction for fundamental performance factors", Supercomputing Frontiers
 * and Innovations 1(2), 4-19. Intervals of products: limit_interval.h. */
#ifndef MAXPOOL_EFFICIENCY_H
#define MAXPOOL_EFFICIENCY_H

#include "experiments/analysis/speedup/speedup_figure.h"
#include "experiments/limits/limit_interval.h"
#include "harness/machine/counters/counters.h"

enum factor {
    FACTOR_BALANCE,
    FACTOR_MESSAGES,
    FACTOR_IDLE,
    FACTOR_FREQUENCY,
    FACTOR_MEMORY,
    FACTOR_REST, /* what the others leave; it is no cause */
    FACTORS
};
extern const char *const factor_names[FACTORS];

enum loss {
    LOSS_UNKNOWN,  /* no efficiency, or none with an interval */
    LOSS_DOUBTFUL, /* a time is SUSPECT: nothing may be concluded */
    LOSS_NOT_SEEN, /* the interval of the efficiency contains 1 */
    LOSS_NEGATIVE, /* all of it lies above 1: superlinear */
    LOSS_UNEXPLAINED,
    LOSS_PARTLY,    /* `cause` holds half of it or more, and not all */
    LOSS_EXPLAINED, /* by `cause` */
    LOSSES
};
extern const char *const loss_names[LOSSES];

struct efficiency {
    struct bounded total;            /* speedup / workers */
    struct bounded factors[FACTORS]; /* value NaN: not measured; ends NaN: no interval */
    /* What splits the rest, relative to the base, where the processor's counters were read: the
     * instructions of all workers, fewer of them as a number above 1, and the instructions per
     * cycle beyond what the memory's factor has of them. Value NaN: not counted. */
    struct bounded instructions, per_cycle;
    enum counters_state counters;  /* COUNTERS_STATES: not recorded */
    struct bounded processor_time; /* of all workers of a program of another, relative to the base;
                                    * NaN: not known for its time, or the work grows */
    bool doubtful;                 /* its time or that of the base is SUSPECT or INVALID */
    enum loss loss;
    enum factor cause;   /* if the loss is explained, or a part of it */
    struct bounded part; /* share of the loss that the cause holds, as that of the logarithms; NaN:
                          * no cause */
};

/* Sets the rest, the loss and the cause from the other members. A factor is the cause if it is seen
 * to be below 1, is the largest loss beyond the intervals of the others, holds half of the loss at
 * least, and what it leaves of the efficiency may be 1. If that is not 1, such a factor explains a
 * part of the loss: the interval of its share must lie above one half. */
void efficiency_conclude(struct efficiency *e);

/* What the launches of a point of a program of another used: medians. NaN: not recorded. */
struct usage {
    double user_s, system_s, voluntary, involuntary, peak_memory_bytes;
};
struct usage point_usage(const struct analysis *a, const struct point *p);

/* The factors of a mark that counts, with more workers than the base. */
struct efficiency efficiency_of(const struct speedup_figure *figure, const struct analysis *a,
                                const struct speedup_mark *mark);

/* Total time of the base of a mark's series over that of the best serial method: the speedup that
 * the mark must exceed to gain anything. NaN if no serial program was measured, or the base is not
 * one worker. */
struct bounded speedup_over_serial(const struct speedup_figure *figure,
                                   const struct speedup_mark *mark);

/* The share of this machine's limit that a point reaches; of a program of another, whose user says
 * its bytes, that of the bandwidth. NaN: not known, or the bytes exceed what the machine can move.
 */
struct bounded speedup_limit_share(const struct analysis *a, const struct point *p);

/* The bytes that a point moves in a second, of a program of another those that its user says, and
 * those that the machine could move with so many workers. NaN: not known, or without meaning for
 * this time. */
struct moved {
    double rate, limit_rate; /* in bytes / s */
};
struct moved speedup_moved(const struct analysis *a, const struct point *p);

/* The smallest cache that holds a worker's share of image and map, if the whole does not fit it for
 * one worker; "": none, or not known. */
const char *efficiency_cache(const struct analysis *a, const struct point *p);

/* True if a factor is seen to be below 1. */
bool factor_is_loss(struct bounded factor);

#endif
