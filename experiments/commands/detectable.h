/* The last lines of `study compare` and `study duet`: how large a change the comparison could have
 * found. */
#ifndef MAXPOOL_COMMANDS_DETECTABLE_H
#define MAXPOOL_COMMANDS_DETECTABLE_H

#include "experiments/analysis/comparison.h"

#include <stdbool.h>

struct detectable {
    const struct comparison *all;
    const bool *left_out;  /* true for points whose times are doubted; NULL: no such points */
    size_t count, decided; /* length of `all`; number of points decided together */
    double margin;
    size_t needed;    /* launches or layouts per point that could show a change */
    const char *unit; /* what `needed` counts: N_("launches of each side") */
};

/* Prints the smallest change of one point that is found 19 times of 20, and how many points could
 * not show any. */
void detectable_print(const struct detectable *d);

#endif
