/* The journal of a folder, R/journal.csv: the outcome of each launch (experiment, point, round). A
 * launch that several experiments show has a row for each: so the journal also says which points an
 * experiment has. Rows are appended; the last row of a (point, set, round) counts. A row "again",
 * without a round, begins a new set of launches of its point. */
#ifndef MAXPOOL_JOURNAL_H
#define MAXPOOL_JOURNAL_H

#include "harness/records/record.h"

enum { JOURNAL_STATUS = 16, JOURNAL_TEXT = 1024, JOURNAL_OUTPUT = 4096 };

struct journal_row {
    struct record point; /* only experiment, round, set, set_launches, time_utc and the point
                             columns are used */
    char scale[JOURNAL_STATUS];
    char status[JOURNAL_STATUS];  /* done, failed, timeout, skipped, interrupted, again */
    char reason[JOURNAL_TEXT];    /* why; if done: why it was measured, or "" */
    char command[JOURNAL_OUTPUT]; /* as for a shell */
    int64_t exit_status;          /* of the program; absent if it did not exit */
    int64_t signal;               /* that ended it; otherwise absent */
    double seconds;               /* of the launch, from start to end */
    char output[JOURNAL_OUTPUT];  /* of failures: end of stdout and stderr, line breaks as " | " */
};

/* The reason of a launch beyond the plan, done in a further round. */
extern const char journal_further[];

const struct schema *journal_schema(void);

struct journal_row journal_blank(void);

/* Called for each row in file order; returning false stops the reading. */
typedef bool journal_visitor(const struct journal_row *row, void *context);

/* A file that is missing, or ends within its header, has no rows and is no failure. */
enum status journal_read(const char *path, journal_visitor *visit, void *context,
                         struct record_report *report, struct failure *f);

/* Opens R/journal.csv to append rows to, with the header of this version. Status 2 and 5 as
 * table_writer_open. */
enum status journal_open(struct table_writer **out, const char *folder, struct failure *f);

/* Visits the rows of one experiment of a folder: those of its own journal, if it has one, then
 * those of R/journal.csv. */
enum status journal_read_of(const char *folder, const char *experiment, journal_visitor *visit,
                            void *context, struct failure *f);

#endif
