/* Guards: elements before and behind a block that no execution may write. They are written after
 * the worker that computes there has touched the block, checked outside the timed region, and leave
 * the block as it would be without them: with the same alignment, on the same pages. */
#ifndef MAXPOOL_GUARD_H
#define MAXPOOL_GUARD_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes on either side, a page: what reaches further is not seen. Elements are floats. */
enum { GUARD_BYTES = 4096, GUARD_ELEMENTS = GUARD_BYTES / 4 };

/* ---- one guard --------------------------------------------------------------------------------
 */

/* NaNs that no computation makes, and of which no two neighbours are alike. `place` has
 * GUARD_BYTES, at any alignment. */
void guard_fill(void *place);

/* The first element that is no longer as it was filled, or -1. */
int64_t guard_damage(const void *place);

/* ---- a block between two ----------------------------------------------------------------------
 */

/* Zeroed, it is a block of no bytes without guards. */
struct guarded {
    void *base;  /* what is released */
    void *block; /* aligned as memory_allocate()'s */
    size_t bytes;
    bool planted;
};

/* Allocates as memory_allocate() does, with room for the guards; folded memory (memory_fold()) has
 * none. */
enum status guarded_allocate(struct guarded *g, size_t bytes, const char *what, struct failure *f);
void guarded_release(struct guarded *g);

/* Fills both guards. To be called after the first touch of the block, whose last page is that of
 * the guard behind it. */
void guarded_plant(struct guarded *g);

/* Was something written beside the block since the guards were planted? *element is then the first
 * such place, counted from the block's first element: negative in front of it, bytes / 4 or more
 * behind it; and the guards are as new. */
bool guarded_damage(struct guarded *g, int64_t *element);

#endif
