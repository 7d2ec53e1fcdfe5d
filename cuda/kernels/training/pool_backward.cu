/* Backward pass of max pooling. One thread per element of the input: it visits the windows that
 * contain the element, row by row, and adds the output gradients of those windows whose first
 * maximum the element is. No two threads add to the same sum, and sums have the same order as on
 * the host (networks/layers/maxpool_backward.c). */
#include "cuda/kernels/linear_blocks.cuh"
#include "cuda/kernels/threads.cuh"
#include "cuda/kernels/training/training.h"

template <class INT> static __device__ __forceinline__ INT smaller_of(INT a, INT b)
{
    return a < b ? a : b;
}

/* The position of an element in its plane. */
template <class INT> struct place {
    INT row, col;
};

/* True if the element is the first maximum of the window of output (y, x). */
template <class INT>
static __device__ __forceinline__ bool wins(const struct pool_gradient_task &t,
                                            const float *__restrict__ plane, struct place<INT> at,
                                            INT y, INT x)
{
    const INT top = y * (INT)t.stride - (INT)t.padding, left = x * (INT)t.stride - (INT)t.padding;
    const INT bottom = smaller_of<INT>(top + (INT)t.kernel, (INT)t.in_rows);
    const INT right = smaller_of<INT>(left + (INT)t.kernel, (INT)t.in_cols);
    const float value = plane[at.row * (INT)t.in_cols + at.col];
    for (INT row = top < 0 ? 0 : top; row < bottom; row++)
        for (INT col = left < 0 ? 0 : left; col < right; col++) {
            const float other = plane[row * (INT)t.in_cols + col];
            const bool before = row < at.row || (row == at.row && col < at.col);
            if (other > value || (before && other == value))
                return false;
        }
    return true;
}

/* Return the first window along an axis that contains the element, and the one after the last. */
template <class INT>
static __device__ __forceinline__ INT first_window(const struct pool_gradient_task &t, INT at)
{
    const INT past = at + (INT)t.padding - (INT)t.kernel;
    return past < 0 ? 0 : quotient(past, t.by.stride) + 1;
}

template <class INT>
static __device__ __forceinline__ INT end_window(const struct pool_gradient_task &t, INT at,
                                                 INT outputs)
{
    return smaller_of<INT>(quotient(at + (INT)t.padding, t.by.stride) + 1, outputs);
}

template <class INT>
static __global__ void __launch_bounds__(TRAINING_BLOCK *TRAINING_BLOCK)
    pool_elements(struct pool_gradient_task t)
{
    const float *__restrict__ image = t.image, *__restrict__ d_outputs = t.d_output;
    float *__restrict__ to = t.to;
    const INT i = (INT)thread_of_line(), rows = (INT)t.in_rows, cols = (INT)t.in_cols;
    if (i >= (INT)t.planes * rows * cols)
        return;
    const INT line = quotient(i, t.by.in_cols), plane = quotient(line, t.by.in_rows);
    const place<INT> at = {line - plane * rows, i - line * cols};
    const float *elements = image + plane * rows * cols;
    const float *d_output = d_outputs + plane * (INT)t.out_rows * (INT)t.out_cols;
    const INT bottom = end_window<INT>(t, at.row, (INT)t.out_rows);
    const INT right = end_window<INT>(t, at.col, (INT)t.out_cols);
    float sum = 0.0f;
    for (INT y = first_window<INT>(t, at.row); y < bottom; y++)
        for (INT x = first_window<INT>(t, at.col); x < right; x++)
            if (wins<INT>(t, elements, at, y, x))
                sum += d_output[y * (INT)t.out_cols + x];
    to[i] = sum;
}

const struct pool_gradient_pair pool_gradient = {pool_elements<int32_t>, pool_elements<int64_t>};
