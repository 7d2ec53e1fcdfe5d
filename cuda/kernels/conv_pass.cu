/* What a convolution leaves to do that stores its sums alone, or those of pieces of its terms:
 * another pass over them, a thread an output. */
#include "cuda/kernels/conv.cuh"

enum { PASS_THREADS = 32 * 32 };

static __device__ __forceinline__ bool is_output(const struct conv_task &t, int64_t filter,
                                                 int64_t number)
{
    return filter < t.groups * t.filters && number < pixels_of(t);
}

static __global__ void __launch_bounds__(PASS_THREADS) finish_sums(struct conv_task t)
{
    const int64_t filter = t.first_filter + row_of_thread(), number = col_of_thread();
    if (!is_output(t, filter, number))
        return;
    const struct pixel p = pixel_of(t, number);
    const float sum = t.map[p.output + filter * t.out.channel];
    set_conv(t, filter, p, t.factor ? sum * t.factor[filter] : sum);
}

static __global__ void __launch_bounds__(PASS_THREADS) add_parts(struct conv_task t)
{
    const int64_t filter = t.first_filter + row_of_thread(), number = col_of_thread();
    if (!is_output(t, filter, number))
        return;
    const struct pixel p = pixel_of(t, number);
    const float *part = t.parts + p.output + filter * t.out.channel;
    float sum = 0.0f;
    for (int64_t i = 0; i < t.pieces; i++)
        sum += part[i * t.apart];
    set_conv(t, filter, p, sum);
}

conv_kernel *const conv_pass_kernel = finish_sums, *const conv_parts_kernel = add_parts;
