/* Whether a published row is possible: its source, its value, its configuration. */
#ifndef MAXPOOL_PUBLISHED_CHECKS_H
#define MAXPOOL_PUBLISHED_CHECKS_H

#include "experiments/published/published.h"

/* Sets source, number and decimals of the row. Status 2: "FILE:LINE: column 'NAME': ...". */
enum status published_check(struct published_row *row, const char *path, struct failure *f);

#endif
