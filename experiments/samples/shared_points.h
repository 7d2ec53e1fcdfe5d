/* The samples of all experiments of a results folder, merged where several experiments measured the
 * same point. A point has one set of launches, whichever experiment shows it. */
#ifndef MAXPOOL_SAMPLES_SHARED_POINTS_H
#define MAXPOOL_SAMPLES_SHARED_POINTS_H

#include "experiments/common/lists.h"
#include "experiments/samples/samples.h"

struct shared_points {
    struct texts files;   /* their paths; not owned */
    size_t count;         /* of the files; 0: nothing was read */
    struct samples *sets; /* one of each file; empty where it was not read, or was taken */
    bool *same;           /* [count][count]: both files hold samples of one point */
};

/* Reads the files, once each; the texts of `files` outlive it. One that cannot be read shares
 * nothing: whoever shows it says why. Status 4 where memory lacks. */
enum status shared_points_read(struct shared_points *out, const struct texts *files,
                               struct failure *f);
void shared_points_release(struct shared_points *s);

/* The samples of one of the files with the launches that others have of its points. A set that is
 * shared with no other is moved to `out`, and read anew if it is asked for again; so is a file that
 * is not among those that were read. Status 2 and 4 as samples_read has them. */
enum status shared_points_samples(struct samples *out, struct shared_points *s, const char *path,
                                  struct failure *f);

bool shared_points_are_in(const struct shared_points *s, size_t file, size_t other);

#endif
