/* Where one of two ways of computing overtakes the other as networks grow.
 *
 * Each pair has the times of both ways for one size. A difference counts if the test of the pair is
 * significant among those of all pairs, by Holm's procedure, at 5 % (analysis/best/with_best.h).
 * The crossover is between the smallest sizes, at which the first way takes less time, and the
 * largest, at which the second does. At sizes without a significant difference, the samples do not
 * decide. */
#ifndef MAXPOOL_SELECTION_CROSSOVER_H
#define MAXPOOL_SELECTION_CROSSOVER_H

#include "experiments/analysis/selections/selection.h"

struct crossover_pair {
    double parameters; /* of the first way's network */
    struct choice first, second;
    struct comparison_of_points ratio; /* total seconds of the first / of the second */
    double p_value;                    /* of "no difference", adjusted for all pairs, or NaN */
};

struct crossover {
    struct crossover_pair *pairs; /* in ascending parameters */
    size_t count, capacity;
    bool lacks_memory; /* memory ran out: pairs may be missing */
    size_t known;      /* number of pairs whose difference can be tested */
    size_t first;      /* pairs, from the smallest on, in which the first way takes less */
    size_t second;     /* index from which on the second way takes less; `count`: none */
    size_t changes;    /* changes of the faster way from one significant difference to the next */
    size_t before, after; /* the pairs on either side of the last change */
};

/* Adds a pair, unless a way has no time. */
void crossover_add(struct crossover *c, const struct samples *s, double parameters,
                   const struct choice *first, const struct choice *second);

/* Sorts the pairs and finds where the ways cross. */
void crossover_find(struct crossover *c);

/* True if the difference of a pair is significant and the second way, or else the first, takes less
 * time. */
bool crossover_is_significant(const struct crossover_pair *p, bool second);

void crossover_release(struct crossover *c);

/* ---- as a selection -------------------------------------------------------------------------- */

/* One thread and all, the processor and a GPU, a wide network and a deep one, fully connected. */
enum way { WAY_ONE_THREAD, WAY_ALL_THREADS, WAY_PROCESSOR, WAY_GPU };

struct crossing {
    bool trains;            /* steps of training, or of inference */
    enum way first, second; /* the two ways; equal: networks of one hidden layer and of several */
    enum way dashed;        /* the way with dashed lines; none if the two are equal */
    const char *names[2];   /* as readers call them, message ids; NULL: its number of workers */
    const char *few;        /* what is needed where there are fewer than two pairs, a message id */
};

/* Selects the batch with the most pairs, of equal ones the largest. Draws seconds over bytes of
 * parameters. Roles: `first` and `second`, the ways; `networks`, the number of pairs; `small` and
 * `large`, the pairs at both ends: parameters, and the second way's time over the first's (of
 * depths: the first's over the second's, and `small_deep` and `large_deep`, the deeper networks);
 * `training` or `inference`, and `ways`; or `depths`; `batch`, the images of its batch;
 * `low` and `high`, the parameters on either side of the crossover; `minute`, the seconds of what
 * takes the other way a minute. Findings: `changes`, `apart` (`nearer` is the way for the smaller
 * networks, `farther` for the larger), `second`, `first`, `between`, `from`, `up_to`, `unseen`. */
selection_function select_crossing;

#endif
