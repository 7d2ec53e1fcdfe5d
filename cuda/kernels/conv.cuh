/* What the kernels of convolution share: where an output's window begins, its cells, and how an
 * output is finished. */
#ifndef MAXPOOL_CUDA_CONV_CUH
#define MAXPOOL_CUDA_CONV_CUH

#include "cuda/kernels/threads.cuh"

/* Outputs of one filter, all images: pixels, numbered row by row, image by image. */
static __device__ __forceinline__ int64_t pixels_of(const struct conv_task &t)
{
    return t.images * t.out_rows * t.out_cols;
}

/* One pixel: its window's first cell in channel 0 of the band, and its output of filter 0. */
struct pixel {
    int64_t image; /* where the window's image begins, floats */
    int64_t top, left;
    int64_t output, beside; /* where its output of filter 0 lies, and what is added to that */
};

static __device__ __forceinline__ struct pixel pixel_of(const struct conv_task &t, int64_t number)
{
    const int64_t line = number / t.out_cols, col = number - line * t.out_cols;
    const int64_t image = line / t.out_rows, row = line - image * t.out_rows;
    struct pixel p;
    p.image = image * t.in.image;
    p.top = row * t.stride + t.top;
    p.left = col * t.stride + t.left;
    p.output = image * t.out.image + row * t.out.row + col;
    p.beside = image * t.beside.image + row * t.beside.row + col;
    return p;
}

/* Cell (row, col) of a channel of the band; 0 outside. */
static __device__ __forceinline__ float conv_cell(const struct conv_task &t, const float *channel,
                                                  int64_t row, int64_t col)
{
    const bool inside = row >= 0 && row < t.in_rows && col >= 0 && col < t.in_cols;
    return inside ? channel[row * t.in.row + col] : 0.0f;
}

/* NaN stays NaN. */
static __device__ __forceinline__ float conv_clamp(const struct conv_task &t, float value)
{
    if (!t.clamped)
        return value;
    return value < t.least ? t.least : value > t.most ? t.most : value;
}

/* The output of a filter, numbered through all groups, at a pixel. */
static __device__ __forceinline__ void set_conv(const struct conv_task &t, int64_t filter,
                                                const struct pixel &p, float sum)
{
    const int64_t output = p.output + filter * t.out.channel;
    const float biased = t.bias ? sum + t.bias[filter] : sum;
    t.map[output] =
        conv_clamp(t, t.added ? biased + t.added[p.beside + filter * t.beside.channel] : biased);
    note_place(t.places, output);
}

#endif
