/* Guards around what an execution computes with: image, map and the scratch of its workers; and
 * what is said where a method wrote beside them. */
#ifndef MAXPOOL_GUARDS_H
#define MAXPOOL_GUARDS_H

#include "harness/machine/guard.h"
#include "kernels/operation.h"

/* Lines of an image or of a map, one behind the other through all planes. */
struct guarded_lines {
    const char *what;         /* "map", "image" */
    struct image_shape shape; /* of the whole, of which lines from `first` on are held */
    int64_t first, count;
};

/* STATUS_WRONG where something was written beside the lines: "wrote outside its block at row 3,
 * column 512 of the map", for the element behind the last of row 3 of 512 columns. */
enum status guards_check_lines(struct guarded *g, const struct guarded_lines *lines,
                               struct failure *f);

/* The same for memory without rows, named by its element. */
enum status guards_check_floats(struct guarded *g, const char *what, struct failure *f);

/* Scratch of several workers, guards between any two. Zeroed, there is none. */
struct scratch {
    struct guarded all;
    size_t needed, step; /* bytes of one part, and from one to the next, guards included */
    int64_t parts;
};

/* Settles the sizes; parts begin at multiples of `page` bytes. All of it takes scratch_total()
 * bytes, SIZE_MAX where they cannot be counted, of which scratch_bytes() are not guards. */
void scratch_settle(struct scratch *s, size_t needed, size_t page, int64_t parts);
size_t scratch_total(const struct scratch *s);
size_t scratch_bytes(const struct scratch *s);

enum status scratch_allocate(struct scratch *s, const char *what, struct failure *f);
void scratch_release(struct scratch *s);

/* Where a worker's part begins; NULL where none is needed. */
void *scratch_part(const struct scratch *s, int64_t part);

/* As guarded_plant(), of one part, by the worker that it is of; the last worker's call plants what
 * surrounds them all. */
void scratch_plant(struct scratch *s, int64_t part);

/* As guards_check_floats(), of every part. */
enum status scratch_check(struct scratch *s, struct failure *f);

#endif
