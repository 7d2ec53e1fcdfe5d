/* The rows of a machine's ceilings while they are measured: each a pass over a size or an
 * arithmetic peak, by a number of workers. All rows are visited once before any is visited again,
 * so that a row's visits lie as far apart as the time allows. */
#ifndef MAXPOOL_CEILINGS_SURVEY_H
#define MAXPOOL_CEILINGS_SURVEY_H

#include "experiments/ceilings/peaks.h"
#include "experiments/ceilings/streams.h"
#include "harness/ceilings/ceilings.h"
#include "harness/machine/machine.h"

struct surveyed {
    bool peak;
    size_t which; /* stream_passes or peaks */
    enum isa isa; /* of a peak */
    int64_t workers;
    struct stream_size size; /* of a pass */
    double operations;       /* of a peak */
    struct visits visits;    /* of a peak; those of a pass are the size's */
};

struct survey {
    struct surveyed *rows;
    size_t count;
};

void survey_release(struct survey *s);

/* Adds a row that may have been visited before. Status 4 where memory lacks. */
enum status survey_add(struct survey *s, const struct surveyed *row, struct failure *f);

/* Visits a row once more. Where memory is short meanwhile, a row that has visits keeps those, and
 * that is no failure. Status 4. */
enum status survey_visit(struct surveyed *row, struct failure *f);

/* The row as the file of ceilings has it. */
struct ceiling survey_ceiling(const struct surveyed *row, const struct machine *m);

/* Which rows are to be measured again: those whose visits lie apart (visits_are_apart), and sizes
 * that a larger size exceeds beyond both intervals. */
bool survey_is_doubtful(const struct survey *s, size_t row);

#endif
