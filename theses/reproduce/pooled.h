/* A small image and its map, computed by our serial method when it is asked for. */
#ifndef MAXPOOL_POOLED_H
#define MAXPOOL_POOLED_H

#include "harness/base/failure.h"

#include <stdint.h>

enum { POOLED_SIDE = 12 }; /* of an image or a map, at most */

struct pooled {
    int64_t n, kernel, stride, padding; /* n x n image, k x k windows */
    int64_t side;                       /* of the map */
    float image[POOLED_SIDE * POOLED_SIDE], map[POOLED_SIDE * POOLED_SIDE]; /* row by row */
};

/* Pools the tesina's worked image, if n is 4, else a random one of integers from 0 to 9, by the
 * product with the identity (method literal). Elements beyond the edge are zeros. Status 2 if the
 * window does not fit, or the image or the map is too large. */
enum status pooled_make(struct pooled *out, int64_t n, int64_t kernel, int64_t stride,
                        int64_t padding, struct failure *f);

#endif
