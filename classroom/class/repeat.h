/* Measures a random part of an audit's points again on this machine. A point is one method of one
 * archive. Since machines differ, shares of the two machines' limits are compared, not times. */
#ifndef MAXPOOL_CLASS_REPEAT_H
#define MAXPOOL_CLASS_REPEAT_H

#include "classroom/class/submission.h"
#include "harness/base/text/language.h"

struct repeat_plan {
    double share;        /* of all points, to be repeated; rounded up to a whole point */
    double tolerance;    /* factor by which a share may differ between the machines */
    double seconds;      /* for the rounds of one archive; 0: the default of `study lab` */
    uint64_t seed;       /* of the draw */
    bool despite_load;   /* compare although other programs are running here */
    const char *results; /* folder whose ceilings.csv has the limits of this machine */
    const struct language *language; /* of the sentences */
};

/* Result of repeating a point. */
enum repeat_end { REPEAT_CONSISTENT, REPEAT_DIFFERENT, REPEAT_IMPOSSIBLE };

struct repeated {
    size_t submission, method;
    enum repeat_end end;
    char text[500]; /* a sentence */
};

struct repeats {
    struct repeated *items;
    size_t count;
};

/* Draws from the methods of all correct submissions; the draw is a pure function of seed and
 * counts. Status 4. */
enum status repeat_draw(struct repeats *r, const struct submission *all, size_t count,
                        const struct repeat_plan *plan, struct failure *f);

/* Measures the drawn points of submission `which`: its source is compiled, checked and timed as in
 * `study lab`, in the same sandbox. A point that cannot be measured here becomes REPEAT_IMPOSSIBLE.
 * Status 4, 5. */
enum status repeat_measure(struct repeats *r, const struct submission *all, size_t which,
                           const struct repeat_plan *plan, struct failure *f);

void repeat_release(struct repeats *r);

#endif
