/* The samples of all experiments of a results folder, as far as experiments measured the same
 * points. A point has one set of launches, whichever experiment shows it: what one of them added,
 * all of them have. */
#ifndef MAXPOOL_SAMPLES_SHARED_POINTS_H
#define MAXPOOL_SAMPLES_SHARED_POINTS_H

#include "experiments/common/lists.h"
#include "experiments/samples/samples.h"

struct shared_points {
    size_t count;         /* of the files */
    struct samples *sets; /* one of each file; empty where it shares no point with another */
    bool *same;           /* [count][count]: both files hold samples of one point */
};

/* Reads the files. One that cannot be read shares nothing: whoever shows it tells why. Status 4
 * where memory lacks. */
enum status shared_points_read(struct shared_points *out, const struct texts *files,
                               struct failure *f);
void shared_points_release(struct shared_points *s);

bool shared_points_are_in(const struct shared_points *s, size_t file, size_t other);

#endif
