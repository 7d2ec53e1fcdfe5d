/* The sample record: one CSV row per timed execution. The columns are declared once, in
 * columns.inc, for header, writer and reader. Readers find columns by name, including names of
 * earlier versions, and take an absent column as not available, so that later versions may append
 * columns; only appending to a file requires the same header. The record holds raw samples only:
 * every statistic is derived later. */
#ifndef MAXPOOL_RECORD_H
#define MAXPOOL_RECORD_H

#include "harness/records/table.h"

enum { RECORD_TEXT = 256 }; /* bytes of a text field, including the final 0 */

/* One row: a field for each line of columns.inc, which gives the meanings. If a column does not
 * apply, a text is "", an integer RECORD_NO_INT and a real NaN. */
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

/* Returns a row in which every column is not available. */
struct record record_empty(void);

/* Names a run by its computer, its process and the present. */
void record_name_run(char *run_id, size_t size, const char *host);

/* Returns an integer of a row as a real: NaN if the column does not apply. */
double record_number(int64_t value);

/* Returns a count of a row: 1 if the column does not apply, since a serial program has no ranks. */
double record_count(int64_t value);

/* Returns the number of images of a sample: pictures that are compared, or else the images of the
 * batch; RECORD_NO_INT if neither applies. */
int64_t record_images(const struct record *r);

/* Writes the header line or one row, including the newline, to a stream (RFC 4180 quoting; reals
 * with 9 significant digits, so that nanoseconds of a second are kept). */
void record_print_header(FILE *stream);
void record_print(FILE *stream, const struct record *r);

/* Name of the device of `--device cpu`: a row from there has a verdict and no seconds. */
static const char emulated_device[] = "CPU emulation";

/* ---- appending ------------------------------------------------------------------------------ */

struct record_writer;

/* As table_writer_open, table_append and table_writer_close: status 2 for a file with another
 * header, 5 if it cannot be written; an incomplete last line is cut off and reported in *torn (may
 * be NULL). */
enum status record_writer_open(struct record_writer **out, const char *path, bool *torn,
                               struct failure *f);
enum status record_append(struct record_writer *w, const struct record *r, struct failure *f);
enum status record_writer_close(struct record_writer *w, struct failure *f); /* NULL is fine */

/* ---- reading -------------------------------------------------------------------------------- */

/* Called for each row; a false return stops the reading. */
typedef bool record_visitor(const struct record *r, int64_t line, void *context);

/* As table_read; rows of an emulated device are passed on without seconds. *report (may be NULL)
 * counts what was found, including rows left out. */
enum status record_read(const char *path, record_visitor *visit, void *context,
                        struct record_report *report, struct failure *f);

#endif
