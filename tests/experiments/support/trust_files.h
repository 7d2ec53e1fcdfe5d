/* What the tests of trust words share: a file of samples and a journal, made up. */
#ifndef MAXPOOL_TEST_TRUST_FILES_H
#define MAXPOOL_TEST_TRUST_FILES_H

#include "experiments/analysis/analysis.h"

extern char samples_path[], journal_path[];

/* Set up and tear down the two files of a group of tests. */
int make_files(void **state);
int remove_files(void **state);

/* Fails the test with the failure's message. */
void must(enum status status, const struct failure *f);

/* The file of samples, which is then empty, between the two calls. */
struct record_writer *begin_samples(void);
void end_samples(struct record_writer *w);

/* The reason of that code that a point has; NULL: none. */
const struct reason *find_reason(const struct point *p, const char *code);

#endif
