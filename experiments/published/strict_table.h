/* A CSV file that is data of the project. It is read whole, and refused at the first entry that is
 * not as declared, with file, line and column. (Samples are read by harness/records/table.h, which
 * leaves corrupt rows out and continues.) */
#ifndef MAXPOOL_STRICT_TABLE_H
#define MAXPOOL_STRICT_TABLE_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The columns that there may be, ended by NULL; each row has a cell for each, "" where absent. */
struct strict_row {
    int64_t line; /* from 1, the header's */
    char **cells; /* in the order of the columns */
    char *bytes;  /* owned: the line */
};

struct strict_table {
    struct strict_row *rows; /* owned */
    size_t count;
    size_t columns; /* that there may be */
};

/* Status 2: it cannot be read, a column is unknown or stands twice, a row has another number of
 * fields than the header, a quote is not closed, a line is empty. Status 4 where memory lacks. */
enum status strict_table_read(struct strict_table *out, const char *path,
                              const char *const *columns, struct failure *f);
void strict_table_release(struct strict_table *t);

#endif
