/* The published numbers that come with the program, read once. */
#ifndef MAXPOOL_PUBLISHED_SUITE_H
#define MAXPOOL_PUBLISHED_SUITE_H

#include "theses/published/counterparts.h"

struct published_suite {
    struct published published;
    struct counterparts counterparts;
};

/* Returns NULL if they cannot be read; *f then has the reason (f may be NULL). */
const struct published_suite *published_suite(struct failure *f);

/* The number of the row that counterparts.csv calls `name`, such as "amdahl.fraction", and its
 * printed digits; NaN and "" if there is none, or nothing could be read. */
double published_number(const char *name);
const char *published_digits(const char *name);

#endif
