/* The public failure of the library, from what the suite's functions report. */
#ifndef MAXPOOL_LIBRARY_FAILURE_H
#define MAXPOOL_LIBRARY_FAILURE_H

#include "harness/base/failure.h"
#include "include/maxpool/failure.h"

/* Copies f to *out where both report a failure (out may be NULL), and gives its status. */
enum maxpool_status failure_give(const struct failure *f, struct maxpool_failure *out);

#endif
