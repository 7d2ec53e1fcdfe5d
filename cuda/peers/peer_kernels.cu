#include "cuda/peers/peer_kernels.h"

#include "cuda/kernels/conv.cuh"

#include <math.h>

static __global__ void pad_band(struct pool_task t)
{
    const int64_t row = row_of_thread();
    const int64_t col = col_of_thread();
    const int64_t r = row + t.top, c = col + t.left;
    if (row >= t.out_rows || col >= t.out_cols)
        return;
    const bool inside = r >= 0 && r < t.in_rows && c >= 0 && c < t.in_cols;
    t.map[blockIdx.z * t.map_plane + row * t.out_cols + col] =
        inside ? t.image[(blockIdx.z * t.in_rows + r) * t.in_cols + c] : t.pad;
}

static __global__ void maximum_of_products(struct pool_task t)
{
    const int64_t row = row_of_thread();
    const int64_t col = col_of_thread();
    if (row >= t.out_rows || col >= t.out_cols)
        return;
    const int64_t line = t.out_cols * t.kernel * t.kernel;
    const float *product = t.image + (row + t.top / t.stride) * line + col * t.stride;
    float best = -INFINITY;
    for (int64_t i = 0; i < t.kernel; i++)
        for (int64_t j = 0; j < t.kernel; j++) {
            const float value = product[i * t.in_cols + j];
            best = value > best ? value : best;
        }
    t.map[row * t.out_cols + col] = best;
}

/* Rows of the grid are terms, through the channels of all groups; columns are pixels. */
template <class INT> static __global__ void windows_of(struct conv_task t)
{
    const float *__restrict__ image = t.image;
    const INT term = (INT)(t.first_filter + row_of_thread()), number = (INT)col_of_thread();
    const INT pixels = pixels_of<INT>(t);
    if (term >= (INT)(t.groups * t.filters) || number >= pixels)
        return;
    const struct pixel<INT> p = pixel_of<INT>(t, number);
    const INT line = quotient(term, t.by.kernel), channel = quotient(line, t.by.kernel);
    const INT i = line - channel * (INT)t.kernel, j = term - line * (INT)t.kernel;
    t.map[(int64_t)term * pixels + number] =
        conv_element<INT>(t, image, p.image + channel * (INT)t.in.channel, p.top + i, p.left + j);
}

template <class INT> static __global__ void biases_of(struct conv_task t)
{
    const INT filter = (INT)(t.first_filter + row_of_thread()), number = (INT)col_of_thread();
    if (filter < (INT)(t.groups * t.filters) && number < pixels_of<INT>(t))
        t.map[pixel_of<INT>(t, number).output + filter * (INT)t.out.channel] = t.bias[filter];
}

const struct conv_pair peer_windows_kernel = {windows_of<int32_t>, windows_of<int64_t>};
const struct conv_pair peer_biases_kernel = {biases_of<int32_t>, biases_of<int64_t>};
pool_kernel *const peer_pad_kernel = pad_band;
pool_kernel *const peer_maximum_kernel = maximum_of_products;
