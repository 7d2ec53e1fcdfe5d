/* A CSV file with data of the project. The first entry that is not as declared makes it invalid;
 * the message has file, line and column. (Samples are read by harness/records/table.h, which skips
 * corrupt rows and continues.) */
#ifndef MAXPOOL_STRICT_TABLE_H
#define MAXPOOL_STRICT_TABLE_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `columns` lists the allowed columns, ended by NULL; a row has a cell for each, "" if absent. */
struct strict_row {
    int64_t line; /* line number; the header is line 1 */
    char **cells; /* in the order of the columns */
    char *bytes;  /* owned: the line */
};

struct strict_table {
    struct strict_row *rows; /* owned */
    size_t count;
    size_t columns; /* number of allowed columns */
};

/* Status 2: the file cannot be read, a column is unknown or duplicate, a row does not have as many
 * fields as the header, a quote is not closed, a line is empty. Status 4 if memory runs out. */
enum status strict_table_read(struct strict_table *out, const char *path,
                              const char *const *columns, struct failure *f);
void strict_table_release(struct strict_table *t);

#endif
