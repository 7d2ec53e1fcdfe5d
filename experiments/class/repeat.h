/* A random part of an audit's points, measured again on this machine. A point is one method of one
 * archive. Machines differ, so the shares of the two machines' limits are compared. */
#ifndef MAXPOOL_CLASS_REPEAT_H
#define MAXPOOL_CLASS_REPEAT_H

#include "experiments/class/submission.h"
#include "experiments/common/text/language.h"

struct repeat_plan {
    double share;        /* of all points that are repeated: at least one, unless it is 0 */
    double tolerance;    /* by which factor a share may differ between machines */
    double seconds;      /* of the rounds of one archive; 0: the laboratory's default */
    uint64_t seed;       /* of the draw */
    const char *results; /* folder whose ceilings.csv has this machine's limits */
    const struct language *language; /* of the sentences */
};

/* What came of a point. */
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

/* Draws among the methods of all correct submissions: a pure function of seed and counts. Status 4.
 */
enum status repeat_draw(struct repeats *r, const struct submission *all, size_t count,
                        const struct repeat_plan *plan, struct failure *f);

/* Measures the drawn points of one submission: its source is compiled, checked and timed as by
 * `study lab`, in the same sandbox. What cannot be done here is REPEAT_IMPOSSIBLE. Status 4, 5. */
enum status repeat_measure(struct repeats *r, const struct submission *all, size_t which,
                           const struct repeat_plan *plan, struct failure *f);

void repeat_release(struct repeats *r);

#endif
