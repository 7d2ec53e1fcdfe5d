/* Which of two ways takes less time as fully connected networks grow, and where one overtakes the
 * other: one thread and all, the processor and a GPU, a wide network and a deep one. */
#ifndef MAXPOOL_SELECTION_CROSSING_H
#define MAXPOOL_SELECTION_CROSSING_H

#include "experiments/analysis/selections/selection.h"

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
