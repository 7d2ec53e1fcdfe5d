/* Files of rows whose header is of an earlier version: rows are only appended to a file with the
 * present one. */
#ifndef MAXPOOL_OLDER_HEADER_H
#define MAXPOOL_OLDER_HEADER_H

#include "harness/records/table.h"

/* Writes such a file anew, whole or not at all, with the present header; the columns that it lacks
 * are not available in its rows. Nothing changes if the file is missing, has the present header, or
 * has a row or a column that would be lost: appending then says why it cannot. The caller holds the
 * lock of the results. Status 2 if the file cannot be read, 5 if it cannot be written. */
enum status older_header_renew(const char *path, const struct schema *schema, struct failure *f);

#endif
