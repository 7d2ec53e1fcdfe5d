/* Shared by the kernels of convolution: where an output's window begins, its elements, and the
 * epilogue of an output. */
#ifndef MAXPOOL_CUDA_CONV_CUH
#define MAXPOOL_CUDA_CONV_CUH

#include "cuda/kernels/threads.cuh"

/* INT is the type of positions: 32 bits if all of them fit, else 64. */

/* Returns the outputs of one filter in all images: pixels, numbered row by row, image by image. */
template <class INT> static __device__ __forceinline__ INT pixels_of(const struct conv_task &t)
{
    return (INT)t.images * (INT)t.out_rows * (INT)t.out_cols;
}

/* One pixel: its window's first element in channel 0 of the band, and its output of filter 0. */
template <class INT> struct pixel {
    INT image; /* where the window's image begins, floats */
    INT top, left;
    INT output, residual; /* positions of its output of filter 0, and of that output's residual */
};

template <class INT>
static __device__ __forceinline__ struct pixel<INT> pixel_of(const struct conv_task &t,
                                                             INT number) {
    const INT line = quotient(number, t.by.out_cols), col = number - line * (INT)t.out_cols;
    const INT image = quotient(line, t.by.out_rows), row = line - image * (INT)t.out_rows;
    struct pixel<INT> p;
    p.image = image * (INT)t.in.image;
    p.top = row * (INT)t.stride + (INT)t.top;
    p.left = col * (INT)t.stride + (INT)t.left;
    p.output = image * (INT)t.out.image + row * (INT)t.out.row + col;
    p.residual = image * (INT)t.residual.image + row * (INT)t.residual.row + col;
    return p;
}

/* Returns element (row, col) of the channel that begins at position `channel`, or 0 outside the
 * band. */
template <class INT>
static __device__ __forceinline__ float conv_element(const struct conv_task &t, const float *image,
                                                     INT channel, INT row, INT col)
{
    const bool inside = is_below(row, t.in_rows) && is_below(col, t.in_cols);
    return inside ? image[channel + row * (INT)t.in.row + col] : 0.0f;
}

/* NaN stays NaN. */
static __device__ __forceinline__ float conv_clamp(const struct conv_task &t, float value)
{
    if (!t.clamped)
        return value;
    return value < t.least ? t.least : value > t.most ? t.most : value;
}

/* Returns the output of a sum, whose residual is at that position plus the filter's. Filters are
 * numbered through all groups. */
template <class INT>
static __device__ __forceinline__ float conv_output(const struct conv_task &t, INT filter,
                                                    INT residual, float sum)
{
    const float *__restrict__ bias = t.bias;
    const float biased = bias ? sum + bias[filter] : sum;
    return conv_clamp(t, t.added ? biased + t.added[residual + filter * (INT)t.residual.channel]
                                 : biased);
}

/* Applies the epilogue to a sum and stores the output. */
template <class INT>
static __device__ __forceinline__ void set_conv(const struct conv_task &t, INT filter,
                                                const struct pixel<INT> &p, float sum)
{
    const INT output = p.output + filter * (INT)t.out.channel;
    t.map[output] = conv_output<INT>(t, filter, p.residual, sum);
    note_place(t.places, output);
}

#endif
