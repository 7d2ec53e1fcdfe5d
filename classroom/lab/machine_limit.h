/* The least time that this machine can take for an operation. */
#ifndef MAXPOOL_LAB_MACHINE_LIMIT_H
#define MAXPOOL_LAB_MACHINE_LIMIT_H

#include "harness/limits/roof.h"
#include "kernels/operation.h"

#include <stdbool.h>

struct lab_limit {
    struct roof roof;
    bool measured_now; /* in a short measurement: DIR/ceilings.csv has none of this machine */
};

/* Finds the limit from the ceilings in the folder of results. If they do not contain this machine,
 * from rates measured now, in about two seconds. Status 2 for a file that is no file of ceilings,
 * 4. */
enum status lab_limit_find(struct lab_limit *out, const struct operation *op, int64_t threads,
                           const char *results, struct failure *f);

#endif
