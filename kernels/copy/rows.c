/* Copies with the C library's memcpy, in the longest contiguous pieces: a row, or the rows of a
 * plane if nothing is between them. memcpy stores a long piece past the caches, which avoids
 * reading memory that is about to be overwritten. */
#include "kernels/copy/copy.h"

#include <string.h>

/* Whether the rows of the block are contiguous in image and map alike. */
static bool is_one_piece(const struct portion *p)
{
    const int64_t cols = p->block.cols;
    return p->image.row_stride == cols && p->map.row_stride == cols;
}

static void copy_plane(const struct portion *p, int64_t plane)
{
    const struct block *b = &p->block;
    const float *from = view_row(&p->image, b->row) + plane * p->image.plane_stride + b->col;
    float *to = map_row(&p->map, b->row) + plane * p->map.plane_stride + b->col;
    const int64_t pieces = is_one_piece(p) ? 1 : b->rows;
    const int64_t elements = is_one_piece(p) ? b->rows * b->cols : b->cols;
    for (int64_t i = 0; i < pieces; i++)
        memcpy(to + i * p->map.row_stride, from + i * p->image.row_stride,
               (size_t)elements * sizeof *to);
}

void copy_rows(const struct portion *portion)
{
    for (int64_t plane = 0; plane < portion->block.planes; plane++)
        copy_plane(portion, plane);
}
