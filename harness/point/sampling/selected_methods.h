/* The methods that take part: what --method names. */
#ifndef MAXPOOL_SAMPLING_SELECTED_METHODS_H
#define MAXPOOL_SAMPLING_SELECTED_METHODS_H

#include "harness/point/point.h"

/* Makes the contenders out of a name, names separated by commas, or "all": every method of ours
 * that runs here and is not named beside it. Status 2 for a name that there is not or that comes
 * twice, 3 for a method that is not available. */
enum status selected_methods_make(struct point *p, struct failure *f);

/* Settles the contenders on the point's operation and filter. One that cannot do what is asked
 * fails with status 2 or 3 where it was named; of "all" it is left out, and the root says so. */
enum status selected_methods_settle(struct point *p, struct failure *f);

/* The names joined by `between`; empty where `size` does not hold them. */
void selected_methods_text(const struct point *p, const char *between, char *text, size_t size);

#endif
