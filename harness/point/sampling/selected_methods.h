/* The methods that take part: those that --method names. */
#ifndef MAXPOOL_SAMPLING_SELECTED_METHODS_H
#define MAXPOOL_SAMPLING_SELECTED_METHODS_H

#include "harness/point/point.h"

/* Makes the contenders from names separated by commas; "all" stands for every method of ours that
 * runs here and is not named itself. Status 2 for an unknown name or one that occurs twice, 3 for a
 * method that is not available. */
enum status selected_methods_make(struct point *p, struct failure *f);

/* Gives the contenders the point's operation and operands. If one cannot compute them: status 2 or
 * 3 if it was named; if it came from "all", it is left out, and the root reports that. */
enum status selected_methods_settle(struct point *p, struct failure *f);

/* Writes the names joined by `between`; empty if they exceed `size`. */
void selected_methods_text(const struct point *p, const char *between, char *text, size_t size);

#endif
