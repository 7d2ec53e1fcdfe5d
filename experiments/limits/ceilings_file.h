/* Writes the file of the ceilings, R/ceilings.csv. */
#ifndef MAXPOOL_CEILINGS_FILE_H
#define MAXPOOL_CEILINGS_FILE_H

#include "harness/limits/ceilings.h"

/* Replaces the file's contents by the rows of `c`. On failure the file is unchanged. Status 5. */
enum status ceilings_write(const struct ceilings *c, const char *path, struct failure *f);

#endif
