/* Guards: elements before and after a block that no execution may write. They are written after the
 * worker that computes there has first touched the block, and checked outside the timed region.
 * They change neither the alignment nor the huge pages that the block would have without them. */
#ifndef MAXPOOL_GUARD_H
#define MAXPOOL_GUARD_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes on either side, a page: writes further away are not detected. Elements are floats. */
enum { GUARD_BYTES = 4096, GUARD_ELEMENTS = GUARD_BYTES / 4 };

/* ---- one guard ------------------------------------------------------------------------------- */

/* Fills a guard with NaNs that no computation produces; neighbours all differ. `place` has
 * GUARD_BYTES, at any alignment. */
void guard_fill(void *place);

/* Returns the first element that has changed since it was filled, or -1. */
int64_t guard_damage(const void *place);

/* ---- a block between two guards -------------------------------------------------------------- */

/* Zeroed, it is an empty block without guards. */
struct guarded {
    void *base;  /* what is released */
    void *block; /* aligned as by memory_allocate(), or if it is cold and large at a huge page */
    size_t bytes;
    bool planted;
};

/* Allocates as memory_allocate() does, with space for the guards; folded memory (memory_fold()) has
 * none. */
enum status guarded_allocate(struct guarded *g, size_t bytes, const char *what, struct failure *f);

/* The same for a block that is read once per execution and otherwise forgotten by the caches: it is
 * large from 512 KiB on, since finding its ordinary pages would take as long as reading them. */
enum status guarded_allocate_cold(struct guarded *g, size_t bytes, const char *what,
                                  struct failure *f);
void guarded_release(struct guarded *g);

/* Fills both guards. To be called after the first touch of the block, which shares its last page
 * with the guard after it. */
void guarded_plant(struct guarded *g);

/* Was something written next to the block since the guards were planted? Then *element is the first
 * such position, counted from the block's first element (negative before it, bytes / 4 or more
 * after it), and the guards are filled again. */
bool guarded_damage(struct guarded *g, int64_t *element);

#endif
