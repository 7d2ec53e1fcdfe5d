/* How large a change a comparison could have found: what `study compare` and `study duet` end with.
 */
#ifndef MAXPOOL_COMMANDS_DETECTABLE_H
#define MAXPOOL_COMMANDS_DETECTABLE_H

#include "experiments/analysis/comparison.h"

#include <stdbool.h>

struct detectable {
    const struct comparison *all;
    const bool *left_out;  /* those whose times say nothing; NULL: none of them */
    size_t count, decided; /* of all, and of those that were decided together */
    double margin;
    size_t needed;    /* launches of a point that could show a change ... */
    const char *unit; /* ... as the reader knows them: "launches of each side" */
};

/* Prints the smallest change of one point that is found 19 times of 20, and how many points could
 * show none. */
void detectable_print(const struct detectable *d);

#endif
