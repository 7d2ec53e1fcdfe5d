/* Max pooling run backward. A thread is a cell of the input: it looks at the windows that have it,
 * row by row, and takes the slopes of those whose first maximum it is; so nobody adds to what
 * another adds to, and a cell's sum has the host's order (networks/layers/maxpool_backward.c). */
#include "cuda/kernels/linear_blocks.cuh"
#include "cuda/kernels/training.h"

/* A cell, in its plane. */
struct place {
    int64_t row, col;
};

/* Is the cell the first maximum of the window of output (y, x)? */
static __device__ __forceinline__ bool wins(const struct pool_slopes_task &t, const float *plane,
                                            struct place at, int64_t y, int64_t x)
{
    const int64_t top = y * t.stride - t.padding, left = x * t.stride - t.padding;
    const float value = plane[at.row * t.in_cols + at.col];
    for (int64_t row = top < 0 ? 0 : top; row < top + t.kernel && row < t.in_rows; row++)
        for (int64_t col = left < 0 ? 0 : left; col < left + t.kernel && col < t.in_cols; col++) {
            const float other = plane[row * t.in_cols + col];
            const bool before = row < at.row || (row == at.row && col < at.col);
            if (other > value || (before && other == value))
                return false;
        }
    return true;
}

/* The first window along an axis that has the cell, and the one behind the last. */
static __device__ __forceinline__ int64_t first_window(const struct pool_slopes_task &t, int64_t at)
{
    const int64_t past = at + t.padding - t.kernel;
    return past < 0 ? 0 : past / t.stride + 1;
}

static __device__ __forceinline__ int64_t end_window(const struct pool_slopes_task &t, int64_t at,
                                                     int64_t outputs)
{
    const int64_t end = (at + t.padding) / t.stride + 1;
    return end < outputs ? end : outputs;
}

static __global__ void __launch_bounds__(TRAINING_BLOCK *TRAINING_BLOCK)
    pool_cells(struct pool_slopes_task t)
{
    const int64_t i = thread_of_line();
    if (i >= t.planes * t.in_rows * t.in_cols)
        return;
    const int64_t line = i / t.in_cols, plane = line / t.in_rows;
    const struct place at = {line - plane * t.in_rows, i - line * t.in_cols};
    const float *cells = t.image + plane * t.in_rows * t.in_cols;
    const float *slopes = t.slopes + plane * t.out_rows * t.out_cols;
    const int64_t bottom = end_window(t, at.row, t.out_rows),
                  right = end_window(t, at.col, t.out_cols);
    float sum = 0.0f;
    for (int64_t y = first_window(t, at.row); y < bottom; y++)
        for (int64_t x = first_window(t, at.col); x < right; x++)
            if (wins(t, cells, at, y, x))
                sum += slopes[y * t.out_cols + x];
    t.to[i] = sum;
}

pool_slopes_kernel *const pool_slopes = pool_cells;
