/* The least work that a point needs; its limit follows from it. */
#ifndef MAXPOOL_ROOF_H
#define MAXPOOL_ROOF_H

#include "harness/limits/roof.h"
#include "harness/records/record.h"

/* Returns the least work, from the row of the record's operator (kernels/required_work.h). NaN if
 * the record has no known operator or operation. */
struct need need_of(const struct record *r, bool product);

#endif
