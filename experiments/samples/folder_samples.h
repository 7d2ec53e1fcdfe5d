/* The samples of a results folder, by experiment. R/samples.csv has those of many experiments: an
 * experiment has the points that its rows there name, and those that the journal says it shares. A
 * file R/NAME.csv has those of one experiment. A point has one set of launches, in every experiment
 * that shows it. */
#ifndef MAXPOOL_FOLDER_SAMPLES_H
#define MAXPOOL_FOLDER_SAMPLES_H

#include "experiments/common/lists.h"
#include "experiments/common/results.h"
#include "experiments/samples/samples.h"

struct folder_samples {
    const char *folder;   /* not owned */
    struct texts names;   /* of the experiments that have samples, sorted */
    size_t count;         /* of names */
    struct samples *sets; /* one per experiment; empty if its file could not be read, or once it was
                             moved out */
    bool *alone;          /* whether an experiment has only the rows of its own file */
    bool *same;           /* [count][count]: both experiments have a point */
    struct failure
        unread; /* why R/samples.csv could not be read; status 0: it was, or is not there */
};

/* Reads every file of samples in the folder, once each; `folder` must outlive it. A file of one
 * experiment that cannot be read is empty here; folder_samples_of reports the reason. Status 4 if
 * memory runs out. */
enum status folder_samples_read(struct folder_samples *out, const char *folder, struct failure *f);
void folder_samples_release(struct folder_samples *s);

/* Returns the index of an experiment; s->count: it has no samples. */
size_t folder_samples_find(const struct folder_samples *s, const char *experiment);

/* Returns the samples of an experiment, with the launches that others have of its points. The set
 * of a file of its own that shares no point is moved to `out`, and read again at the next request.
 * Status 2 and 4 as samples_read. */
enum status folder_samples_of(struct samples *out, struct folder_samples *s, size_t index,
                              struct failure *f);

/* Reads those of one experiment of a folder; none if there are none. */
enum status folder_samples_of_one(struct samples *out, const char *folder, const char *experiment,
                                  struct failure *f);

/* The file whose rows an experiment has, for messages: its own, or R/samples.csv. */
struct results_path folder_samples_path(const struct folder_samples *s, size_t index);

/* Whether two experiments show the same point. False for one and itself. */
bool folder_samples_share(const struct folder_samples *s, size_t index, size_t other);

#endif
