/* Other libraries against our fastest method, on one worker. */
#ifndef MAXPOOL_SELECTION_CONTEST_H
#define MAXPOOL_SELECTION_CONTEST_H

#include "experiments/analysis/selections/selection.h"

enum contest_shapes {
    SHAPES_NAMED, /* by the definition, and whatever the others do not draw: a row for each shape, a
                     mark for each library */
    SHAPES_PLANES, /* single planes without a name: the fastest library over n, a panel for s = 1, 2
                      and k */
    SHAPES_NETWORKS /* a row for each network, a mark for each library */
};

struct contest_chart {
    enum contest_shapes shapes;
};

/* Draws the time of libraries over ours. Names `count`, the problems and kinds of work with a
 * fastest library; `won`, where ours is faster, `lost` and `even`, where no difference is seen;
 * `low` and `high`, the smallest and the largest ratio, or `only`; `middle`; `plain_loops`, where
 * the library fell back to these; `similar`, what errors have to do with it, in words; each
 * `program` of a library with its ratio, or `programs` with the smallest, its label being the
 * largest, `programs_high`; `equal`, the ratio of equal times. */
selection_function select_contest;

#endif
