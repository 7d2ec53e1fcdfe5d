/* `study class measure`: measures the kernels of a class on this machine, in passes over all of
 * them, so that a disturbance of the machine affects all students alike. */
#ifndef MAXPOOL_CLASS_MEASURE_H
#define MAXPOOL_CLASS_MEASURE_H

#include "classroom/class/class.h"
#include "classroom/class/sources/handed_in.h"

struct measure_plan {
    const char *output;  /* folder: each measurement is stored in its folder measured/, and a later
                          * call with the same sources measures only what is missing */
    const char *results; /* folder whose ceilings.csv has the limits of this machine */
    int64_t passes;      /* each measures every kernel once, in a random order */
    int64_t rounds;      /* the most of one measurement; each is one sample of every method */
    double seconds;      /* for the rounds of all measurements together */
    uint64_t seed;       /* of the orders */
    bool despite_load;   /* measurements count although other programs were running */
};

/* Compiles, checks and measures what was handed in, which remains in use as long as *c, by the
 * rubric, which names a size. A row's time and ratio
 * are medians over passes of the medians of each pass, with intervals over passes: a pass is a
 * launch. Sources that become the same compiled code are measured once, and have the same points.
 * Status 2 for a file that cannot be read and for a rubric without a size; 3, 4, 5. */
enum status class_measure(struct class *c, const struct handed_in *h,
                          const struct lab_rubric *rubric, const struct measure_plan *plan,
                          struct failure *f);

#endif
