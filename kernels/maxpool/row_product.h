/* Max pooling of one row of windows. For every output column c of a range: the maximum, over some
 * image rows, of the row product, max over j of sum over q of x(row, c s - p + q) B(q, j). `simd`
 * passes the k rows of its windows, `shared_rows` one image row at a time.
 *
 * The lanes of a vector hold neighbouring windows (row_product.c): a filter element multiplies a
 * whole vector of pixels, and no operation crosses lanes. Or they hold columns of the filter
 * (row_product_columns.c). Compiled once per instruction set. */
#ifndef MAXPOOL_ROW_PRODUCT_H
#define MAXPOOL_ROW_PRODUCT_H

#include "kernels/isa.h"
#include "kernels/method_call.h"

enum {
    ROW_WIDEST_LANES = 16, /* of any instruction set; the scratch is sized for it */
    ROW_MOST_VECTORS = 4   /* windows are computed up to this many vectors at a time */
};

/* A prepared call. */
struct row_product {
    const struct maxpool_call *call;
    /* Windows of output columns [first, end) are read in place: all pixels that are loaded for them
     * are in the image's columns. Other windows are copied first. */
    int64_t first, end;
    float *line; /* pixels of one vector of windows, padding included */
    int64_t line_stride;
    int64_t ahead;           /* prefetch distance in pixels */
    int64_t prefetched_rows; /* this many last rows of windows come from memory; 0: too few of their
                                pixels do */
    bool stream;             /* stores bypass the caches */
    const float *columns;    /* the filter, its rows padded to whole vectors; set if filter columns
                                fill the lanes */
};

/* Sets out[i], i < cols, to output column col + i: the maximum of the row products over the image
 * rows [row, row + rows), all inside the image, and of `least`. */
typedef void row_product_function(const struct row_product *p, int64_t row, int64_t rows,
                                  int64_t col, int64_t cols, float least, float *out);

/* Returns the floats of scratch that a prepared call needs, or SIZE_MAX / 16 on overflow. */
size_t row_product_scratch(const struct geometry *g);

/* Returns the floats of `line`, the first part of that scratch; SIZE_MAX / 16 on overflow. */
size_t row_product_line_floats(const struct geometry *g);

/* For shared_rows: the outputs of one strip in a block of `cols` outputs, and the floats from one
 * row of R to the next in a strip. */
int64_t shared_rows_strip(const struct geometry *g, int64_t cols);
int64_t shared_rows_slot(int64_t strip);

/* True if the map is too large to be still cached when it is read. Stores that bypass the caches
 * then save reading every line before it is overwritten. */
bool row_product_streams(const struct geometry *g);

/* Prepares a call and returns the function for its k and s. `scratch` has row_product_scratch()
 * floats. */
typedef row_product_function *row_product_prepare_function(struct row_product *p,
                                                           const struct maxpool_call *call,
                                                           float *scratch);
ISA_DECLARE(row_product_prepare_function, row_product_prepare);

/* Returns the function that holds filter columns in its lanes, or NULL if it does not pay. `filter`
 * is the part of the scratch that follows the line. */
typedef row_product_function *
row_product_columns_function(struct row_product *p, const struct maxpool_call *call, float *filter);
ISA_DECLARE(row_product_columns_function, row_product_columns);

/* Prefetches pixels that will be needed soon. */
static inline __attribute__((always_inline)) void row_product_prefetch(const float *pixels,
                                                                       int64_t count)
{
    const int64_t line = 16; /* floats in a cache line of 64 bytes */
    for (int64_t i = 0; i < count; i += line)
        __builtin_prefetch(pixels + i, 0, 2);
}

#endif
