/* The work that a point needs at the least, from which its limit follows. */
#ifndef MAXPOOL_ROOF_H
#define MAXPOOL_ROOF_H

#include "harness/ceilings/roof.h"
#include "harness/records/record.h"

/* By the row of the record's operator (kernels/required_work.h); NaN where the record lacks it. */
struct need need_of(const struct record *r, bool product);

#endif
