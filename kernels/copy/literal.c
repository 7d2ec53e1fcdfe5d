/* The definition: copies one element at a time, and leaves all optimization to the compiler. */
#include "kernels/copy/copy.h"

void copy_literal(const struct portion *portion)
{
    const struct block *b = &portion->block;
    for (int64_t row = b->row; row < b->row + b->rows; row++) {
        const float *from = view_row(&portion->image, row);
        float *to = map_row(&portion->map, row);
        for (int64_t col = b->col; col < b->col + b->cols; col++)
            to[col] = from[col];
    }
}
