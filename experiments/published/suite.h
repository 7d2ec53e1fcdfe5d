/* The published numbers that come with the program, read once. */
#ifndef MAXPOOL_PUBLISHED_SUITE_H
#define MAXPOOL_PUBLISHED_SUITE_H

#include "experiments/published/counterparts.h"

struct published_suite {
    struct published published;
    struct counterparts counterparts;
};

/* NULL where they cannot be read; *f then says why (NULL is fine). */
const struct published_suite *published_suite(struct failure *f);

/* The row that counterparts.csv calls `name`, "amdahl.fraction"; NULL: there is none, or nothing
 * could be read. Its number (NaN), and its digits as printed (""). */
const struct published_row *published_named(const char *name);
double published_number(const char *name);
const char *published_digits(const char *name);

#endif
