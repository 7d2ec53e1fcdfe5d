/* The columns of a record, without what reads and writes files: the library has a blank record, but
 * no archives. */
#include "harness/records/columns.h"
#include "harness/records/record.h"

/* The columns in the order of the file, by their numbers. */
static const struct column columns[RECORD_COLUMNS] = {
#define COLUMN(field, name, number, type, size, meaning)                                           \
    [(number)-1] = {name, type, offsetof(struct record, field), size, meaning},
#define TEXT(field, name, number, meaning, ...)                                                    \
    COLUMN(field, name, number, COLUMN_TEXT, RECORD_TEXT, meaning)
#define INTEGER(field, name, number, meaning, ...)                                                 \
    COLUMN(field, name, number, COLUMN_INT, sizeof(int64_t), meaning)
#define REAL(field, name, number, meaning, ...)                                                    \
    COLUMN(field, name, number, COLUMN_REAL, sizeof(double), meaning)
#define PHASE(constant, field, name, number, meaning, ...)                                         \
    COLUMN(field, name, number, COLUMN_REAL, sizeof(double), meaning)
#define LAUNCH_PHASE PHASE
#include "harness/records/columns.inc"
};

const struct schema record_schema = {columns, RECORD_COLUMNS, sizeof(struct record)};

_Static_assert(TABLE_LINE_FITS(struct record, columns), "a row must fit a line");

struct record record_empty(void)
{
    struct record r;
    table_blank(&record_schema, &r);
    return r;
}
