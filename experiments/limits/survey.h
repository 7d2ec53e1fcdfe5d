/* The rows of a machine's ceilings during their measurement. A row is a pass over a size or an
 * arithmetic peak, with a number of workers. All rows are visited once before any is visited again,
 * so that the visits of one row are as far apart in time as possible. */
#ifndef MAXPOOL_CEILINGS_SURVEY_H
#define MAXPOOL_CEILINGS_SURVEY_H

#include "experiments/limits/peaks.h"
#include "experiments/limits/streams.h"
#include "harness/limits/ceilings.h"
#include "harness/machine/machine.h"

struct surveyed {
    bool peak;
    size_t which; /* index into stream_passes or peaks */
    enum isa isa; /* of a peak */
    int64_t workers;
    struct stream_size size; /* of a pass */
    double working_set;      /* of a pass of a file, as the file rounds it; 0: of none */
    double operations;       /* of a peak */
    struct visits visits;    /* of a peak; the visits of a pass are in `size` */
};

struct survey {
    struct surveyed *rows;
    size_t count;
};

void survey_release(struct survey *s);

/* Adds a row, which may already have visits. Status 4 if memory is lacking. */
enum status survey_add(struct survey *s, const struct surveyed *row, struct failure *f);

/* Sets *out to the row to visit for a row of a file; false where this build or processor lacks its
 * pass, its peak or its instruction set. */
bool survey_row_of(const struct ceiling *row, struct surveyed *out);

/* Visits a row once more, with the buffers of other visits. If memory or threads are lacking and
 * the row already has visits, it keeps those, and this is no failure. Status 4. */
enum status survey_visit(struct surveyed *row, struct stream_buffers *buffers, struct failure *f);

/* Returns the row in the form of the file of ceilings. */
struct ceiling survey_ceiling(const struct surveyed *row, const struct machine *m);

/* Adds all rows in that form. Status 4 if memory is lacking. */
enum status survey_ceilings(const struct survey *s, const struct machine *m, struct ceilings *out,
                            struct failure *f);

/* Whether to measure a row of a host's ceilings again: its visits differ too much
 * (visits_are_apart), a larger size is faster than it beyond both intervals, or a later visit, as
 * of a study's rounds, was faster than its interval by more than a tenth. */
bool ceiling_is_doubtful(const struct ceilings *of_host, size_t row);

#endif
