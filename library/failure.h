/* Converts failures of the suite's functions into the public failure of the library. */
#ifndef MAXPOOL_LIBRARY_FAILURE_H
#define MAXPOOL_LIBRARY_FAILURE_H

#include "harness/base/failure.h"
#include "include/maxpool/failure.h"

/* If f is a failure, copies it to *out (unless out is NULL). Returns its status. */
enum maxpool_status failure_give(const struct failure *f, struct maxpool_failure *out);

/* Status 2 with "`what` is NULL" if the pointer is. */
enum status failure_if_null(const void *pointer, const char *what, struct failure *f);

#endif
