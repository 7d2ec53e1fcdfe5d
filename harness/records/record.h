/* The sample record: one CSV row per timed execution. The columns are declared once, in
 * columns.inc, and walked by header, writer and reader. Readers go by name, also by the names of
 * earlier versions, and take an absent column as not available, so that later versions may append
 * columns; only appending to a file needs the same header. Raw samples only: every statistic is
 * derived later. */
#ifndef MAXPOOL_RECORD_H
#define MAXPOOL_RECORD_H

#include "harness/records/table.h"

enum { RECORD_TEXT = 256 }; /* bytes of a text field, the final 0 included */

/* One row: a field for each line of columns.inc, which says what they mean. Texts hold "", integers
 * RECORD_NO_INT and reals NaN where a column does not apply. */
struct record {
#define TEXT(field, ...)                   char field[RECORD_TEXT];
#define INTEGER(field, ...)                int64_t field;
#define REAL(field, ...)                   double field;
#define PHASE(constant, field, ...)        double field;
#define LAUNCH_PHASE(constant, field, ...) double field;
#include "harness/records/columns.inc"
};

/* The columns in the order of the file, for harness/records/table.h. */
extern const struct schema record_schema;

/* A row with every column not available. */
struct record record_empty(void);

/* An integer of a row as a real: NaN where the column does not apply. */
double record_number(int64_t value);

/* A count of a row: 1 where the column does not apply, since a serial program has no ranks. */
double record_count(int64_t value);

/* How many images a sample is of: pictures that are compared, or else those of a batch;
 * RECORD_NO_INT where it is neither. */
int64_t record_images(const struct record *r);

/* Writes the header line or one row, newline included, to a stream (RFC 4180 quoting; reals with 9
 * significant digits, so nanoseconds of a second survive). */
void record_print_header(FILE *stream);
void record_print(FILE *stream, const struct record *r);

/* ---- appending ------------------------------------------------------------------------------ */

struct record_writer;

/* As table_writer_open, table_append and table_writer_close: status 2 for a file with another
 * header, 5 where it cannot be written; a torn last line is cut off and reported in *torn (may be
 * NULL). */
enum status record_writer_open(struct record_writer **out, const char *path, bool *torn,
                               struct failure *f);
enum status record_append(struct record_writer *w, const struct record *r, struct failure *f);
enum status record_writer_close(struct record_writer *w, struct failure *f); /* NULL is fine */

/* ---- reading -------------------------------------------------------------------------------- */

/* Called for each row; a false return stops the reading. */
typedef bool record_visitor(const struct record *r, int64_t line, void *context);

/* As table_read; what it came across, rows left out too, is reported in *report (may be NULL). */
enum status record_read(const char *path, record_visitor *visit, void *context,
                        struct record_report *report, struct failure *f);

#endif
