/* The published numbers that come with the program, read once. */
#ifndef MAXPOOL_PUBLISHED_SUITE_H
#define MAXPOOL_PUBLISHED_SUITE_H

#include "experiments/published/counterparts.h"

struct published_suite {
    struct published published;
    struct counterparts counterparts;
};

/* Returns NULL if they cannot be read; *f then has the reason (f may be NULL). */
const struct published_suite *published_suite(struct failure *f);

/* The row that counterparts.csv calls `name`, such as "amdahl.fraction"; NULL if there is none, or
 * nothing could be read. The others return its number (else NaN) and its printed digits (else "").
 */
const struct published_row *published_named(const char *name);
double published_number(const char *name);
const char *published_digits(const char *name);

#endif
