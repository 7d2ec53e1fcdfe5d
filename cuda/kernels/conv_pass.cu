/* A pass over the output of a convolution that stored only its sums, or sums of pieces of its
 * terms: one thread per output. */
#include "cuda/kernels/conv.cuh"

enum { PASS_THREADS = 32 * 32 };

template <class INT>
static __device__ __forceinline__ bool is_output(const struct conv_task &t, INT filter, INT number)
{
    return filter < (INT)(t.groups * t.filters) && number < pixels_of<INT>(t);
}

template <class INT>
static __global__ void __launch_bounds__(PASS_THREADS) finish_sums(struct conv_task t)
{
    const INT filter = (INT)(t.first_filter + row_of_thread()), number = (INT)col_of_thread();
    if (!is_output<INT>(t, filter, number))
        return;
    const struct pixel<INT> p = pixel_of<INT>(t, number);
    const float sum = t.map[p.output + filter * (INT)t.out.channel];
    set_conv<INT>(t, filter, p, t.factor ? sum * t.factor[filter] : sum);
}

template <class INT>
static __global__ void __launch_bounds__(PASS_THREADS) add_parts(struct conv_task t)
{
    const float *__restrict__ parts = t.parts;
    const INT filter = (INT)(t.first_filter + row_of_thread()), number = (INT)col_of_thread();
    if (!is_output<INT>(t, filter, number))
        return;
    const struct pixel<INT> p = pixel_of<INT>(t, number);
    const float *part = parts + (p.output + filter * (INT)t.out.channel);
    float sum = 0.0f;
    for (int64_t i = 0; i < t.pieces; i++)
        sum += part[i * t.piece_stride];
    set_conv<INT>(t, filter, p, sum);
}

const struct conv_pair conv_pass_kernel = {finish_sums<int32_t>, finish_sums<int64_t>};
const struct conv_pair conv_parts_kernel = {add_parts<int32_t>, add_parts<int64_t>};
