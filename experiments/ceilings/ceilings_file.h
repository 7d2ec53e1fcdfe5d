/* The file of the ceilings, R/ceilings.csv, written. */
#ifndef MAXPOOL_CEILINGS_FILE_H
#define MAXPOOL_CEILINGS_FILE_H

#include "harness/ceilings/ceilings.h"

/* Writes all rows in place of what the file held, or leaves it as it was. Status 5. */
enum status ceilings_write(const struct ceilings *c, const char *path, struct failure *f);

#endif
