/* One row of windows at a time: for every output column of a range, the maximum over some image
 * rows of the row products, max over j of sum over q of x(row, c s - p + q) B(q, j). `simd` asks
 * for the k rows of its windows, `shared_rows` for one image row at a time.
 *
 * The lanes of a vector are neighbouring windows (row_product.c), so a filter element meets a whole
 * vector of pixels at once and no lane ever talks to another; or they are columns of the filter
 * (row_product_columns.c). Compiled once per instruction set. */
#ifndef MAXPOOL_ROW_PRODUCT_H
#define MAXPOOL_ROW_PRODUCT_H

#include "kernels/isa.h"
#include "kernels/method_call.h"

enum {
    ROW_WIDEST_LANES = 16, /* of any instruction set: what scratch is sized for */
    ROW_MOST_VECTORS = 4   /* windows are computed up to this many vectors at a time */
};

/* One call, prepared. */
struct row_product {
    const struct maxpool_call *call;
    /* Windows of output columns [first, end) may be read in place: all pixels that are loaded for
     * them lie in the image's columns. The others are copied out first. */
    int64_t first, end;
    float *line; /* pixels of one vector of windows, padding included */
    int64_t line_stride;
    int64_t ahead; /* pixels from those at hand to those that should be on their way from memory */
    int64_t
        fresh; /* that many last rows of windows come from memory; 0: too few pixels of theirs do */
    bool stream;          /* store past the caches */
    const float *columns; /* the filter, its rows in whole vectors; where columns fill the lanes */
};

/* Sets out[i], i < cols, for output column col + i: the maximum over the image rows
 * [row, row + rows), all inside the image, and at least `least`. */
typedef void row_product_function(const struct row_product *p, int64_t row, int64_t rows,
                                  int64_t col, int64_t cols, float least, float *out);

/* Floats of scratch that a prepared call needs; SIZE_MAX / 16 where they cannot be counted. */
size_t row_product_scratch(const struct geometry *g);

/* Of these, the line's. */
size_t row_product_line_floats(const struct geometry *g);

/* shared_rows: outputs of one strip in a block of `cols` outputs, and floats from one row of R of a
 * strip to the next. */
int64_t shared_rows_strip(const struct geometry *g, int64_t cols);
int64_t shared_rows_slot(int64_t strip);

/* True where the map is too large to be still in a cache when somebody reads it: storing it past
 * the caches then saves reading every line before it is overwritten. */
bool row_product_streams(const struct geometry *g);

/* Prepares a call, with row_product_scratch() floats, and picks the function for its k and s. */
typedef row_product_function *row_product_prepare_function(struct row_product *p,
                                                           const struct maxpool_call *call,
                                                           float *scratch);
ISA_DECLARE(row_product_prepare_function, row_product_prepare);

/* The function that has the filter's columns in its lanes, or NULL where it does not pay. `filter`
 * is the part of the scratch behind the line. */
typedef row_product_function *
row_product_columns_function(struct row_product *p, const struct maxpool_call *call, float *filter);
ISA_DECLARE(row_product_columns_function, row_product_columns);

/* Asks for pixels that will be needed soon. */
static inline __attribute__((always_inline)) void row_product_prefetch(const float *pixels,
                                                                       int64_t count)
{
    const int64_t line = 16; /* floats in a cache line of 64 bytes */
    for (int64_t i = 0; i < count; i += line)
        __builtin_prefetch(pixels + i, 0, 2);
}

#endif
