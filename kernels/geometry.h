/* The shape arithmetic of max pooling: the only place that has the output-size formula. Pure
 * functions of int64 sizes; nothing here allocates or prints. */
#ifndef MAXPOOL_GEOMETRY_H
#define MAXPOOL_GEOMETRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image_shape {
    int64_t planes, rows, cols;
};

enum pad_mode {
    PAD_ZERO,  /* elements outside the image are 0 and take part, any padding >= 0 */
    PAD_IGNORE /* elements outside the image never win, padding < kernel size */
};

/* The global geometry of one pooling: image planes x rows x cols, window side `kernel`, `stride`
 * and `padding` in elements, and the feature map out_rows x out_cols per plane that follows. */
struct geometry {
    int64_t planes, rows, cols;
    int64_t kernel, stride, padding;
    enum pad_mode pad_mode;
    int64_t out_rows, out_cols;
};

enum geometry_status {
    GEOMETRY_OK,
    GEOMETRY_BAD_SIZE,     /* planes, rows or cols below 1 */
    GEOMETRY_BAD_KERNEL,   /* kernel size below 1 */
    GEOMETRY_BAD_STRIDE,   /* stride below 1 */
    GEOMETRY_BAD_PADDING,  /* padding below 0 */
    GEOMETRY_PAD_TOO_WIDE, /* pad mode ignore with padding >= kernel size */
    GEOMETRY_NO_FIT,       /* the window does not fit the padded image: the map is empty */
    GEOMETRY_OVERFLOW      /* a padded size, or the bytes of image or map, exceed 63 bits */
};

/* Outputs along an axis of n elements: floor((n + 2p - k) / s) + 1, or 0 if the window does not
 * fit. -1 if n + 2p exceeds 63 bits. Source: the convolution arithmetic of Dumoulin & Visin (2016),
 * relationship 6. Requires n >= 1, k >= 1, s >= 1, p >= 0. */
int64_t geometry_outputs(int64_t n, int64_t k, int64_t s, int64_t p);

/* Checks every field except out_rows and out_cols, and sets those two. On any status except
 * GEOMETRY_OK both are 0. */
enum geometry_status geometry_complete(struct geometry *g);

/* planes * rows * cols, or -1 if this number, or its size in bytes as float32, exceeds 63 bits. */
int64_t geometry_elements(int64_t planes, int64_t rows, int64_t cols);

/* Image rows [*first, *first + *count) that output rows [row, row + rows) read, clipped to the
 * image; count is 0 if those windows are wholly in the padding. */
void geometry_rows_needed(const struct geometry *g, int64_t row, int64_t rows, int64_t *first,
                          int64_t *count);

/* The value of an element outside the image: 0, or -FLT_MAX under PAD_IGNORE. Never -infinity,
 * because 0 * -infinity is NaN; -FLT_MAX times the identity is exact. */
float geometry_pad_value(const struct geometry *g);

#endif
