/* What the tests that make samples up share: points with usual values, and the files of
 * experiments. Such samples are for tests, never for results. */
#ifndef MAXPOOL_TEST_MAKER_H
#define MAXPOOL_TEST_MAKER_H

#include "harness/records/record.h"

struct maker {
    const char *experiment;
    struct record_writer *writer;
};

/* Fails the test with the failure's message, unless the status is good. */
void must(enum status status, const struct failure *f);

/* Samples of the experiment are written between the two calls, into its file in the folder. */
struct maker maker_begin(const char *folder, const char *experiment);
void maker_end(struct maker *m);

/* Appends a sample of a launch; the last one of its samples ends the launch. */
void maker_append(struct record_writer *w, struct record *r, int sample, int samples);

/* Returns a point of maxpool_SPACE with one worker: 1024 x 1024, k = s = 2. */
struct record maker_blank(const char *space, const char *method);

#endif
