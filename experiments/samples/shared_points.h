/* The samples of all experiments of a results folder, merged if several experiments measured the
 * same point. A point has one set of launches, in every experiment that shows it. */
#ifndef MAXPOOL_SAMPLES_SHARED_POINTS_H
#define MAXPOOL_SAMPLES_SHARED_POINTS_H

#include "experiments/common/lists.h"
#include "experiments/samples/samples.h"

struct shared_points {
    struct texts files;   /* their paths; not owned */
    size_t count;         /* number of files; 0: nothing was read */
    struct samples *sets; /* one per file; empty if it could not be read or was moved out */
    bool *same;           /* [count][count]: both files have samples of the same point */
};

/* Reads the files, once each; the texts of `files` must outlive it. A file that cannot be read
 * shares nothing; the experiment that shows it reports the reason. Status 4 if memory runs out. */
enum status shared_points_read(struct shared_points *out, const struct texts *files,
                               struct failure *f);
void shared_points_release(struct shared_points *s);

/* Returns the samples of one of the files, with other files' launches of its points. A set that
 * shares no point is moved to `out`, and read again at the next request; a file that is not among
 * those read is read too. Status 2 and 4 as samples_read. */
enum status shared_points_samples(struct samples *out, struct shared_points *s, const char *path,
                                  struct failure *f);

bool shared_points_are_in(const struct shared_points *s, size_t file, size_t other);

#endif
