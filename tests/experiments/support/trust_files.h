/* What the tests of trust words share: a file of samples and a journal, made up. */
#ifndef MAXPOOL_TEST_TRUST_FILES_H
#define MAXPOOL_TEST_TRUST_FILES_H

#include "experiments/analysis/analysis.h"

extern char samples_path[], journal_path[];

/* Set up and tear down the two files of a group of tests. */
int make_files(void **state);
int remove_files(void **state);

/* Empties the file of samples and opens it; analyse() closes it. */
struct record_writer *begin_samples(void);

/* Appends a launch of a point: samples that take these seconds. */
void put_samples(struct record_writer *w, const struct record *point, int64_t round,
                 const double *seconds, int count);

/* Makes the journal: the point is done, at a scale and for a reason. */
void make_journal(const struct record *point, const char *scale, const char *reason);

/* Analyses the samples, as of that machine and, unless NULL, with those ceilings. */
struct analysis analyse(struct record_writer *w, const struct machine_facts *machine,
                        const struct ceilings *ceilings);

/* The reason of that code that a point has; NULL: none. */
const struct reason *find_reason(const struct point *p, const char *code);

#endif
