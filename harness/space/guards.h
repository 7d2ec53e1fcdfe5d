/* Guards around the memory of an execution (image, map and the scratch of its workers), and the
 * messages if a method writes outside its block. */
#ifndef MAXPOOL_GUARDS_H
#define MAXPOOL_GUARDS_H

#include "harness/machine/guard.h"
#include "kernels/operation.h"

/* Consecutive lines of an image or of a map, through all planes. */
struct guarded_lines {
    const char *what;         /* "map", "image" */
    struct image_shape shape; /* of the whole, of which `count` lines from `first` on are held */
    int64_t first, count;
};

/* STATUS_WRONG if something was written next to the lines. The message "wrote outside its block at
 * row 3, column 512 of the map" means the element after the last one of row 3, if there are 512
 * columns. */
enum status guards_check_lines(struct guarded *g, const struct guarded_lines *lines,
                               struct failure *f);

/* The same for memory without rows; the message names the element. */
enum status guards_check_floats(struct guarded *g, const char *what, struct failure *f);

/* Scratch of several workers, with guards between any two. Zeroed, there is none. */
struct scratch {
    struct guarded all;
    size_t needed, step; /* bytes of one part; distance between parts, guards included */
    int64_t parts;
};

/* Sets the sizes; parts begin at multiples of `page` bytes. The whole takes scratch_total() bytes
 * (SIZE_MAX if they cannot be counted), of which scratch_bytes() are not guards. */
void scratch_settle(struct scratch *s, size_t needed, size_t page, int64_t parts);
size_t scratch_total(const struct scratch *s);
size_t scratch_bytes(const struct scratch *s);

enum status scratch_allocate(struct scratch *s, const char *what, struct failure *f);
void scratch_release(struct scratch *s);

/* Returns the address of a worker's part; NULL if none is needed. */
void *scratch_part(const struct scratch *s, int64_t part);

/* As guarded_plant(), for one part; each worker calls it for its own. The last worker's call also
 * plants the guards around the whole. */
void scratch_plant(struct scratch *s, int64_t part);

/* As guards_check_floats(), for every part. */
enum status scratch_check(struct scratch *s, struct failure *f);

#endif
