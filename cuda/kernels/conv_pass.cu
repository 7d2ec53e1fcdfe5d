/* What a convolution leaves to do that stores its sums alone: another pass over them, a thread an
 * output. */
#include "cuda/kernels/conv.cuh"

enum { PASS_THREADS = 32 * 32 };

static __global__ void __launch_bounds__(PASS_THREADS) finish_sums(struct conv_task t)
{
    const int64_t filter = t.first_filter + row_of_thread(), number = col_of_thread();
    if (filter >= t.groups * t.filters || number >= pixels_of(t))
        return;
    const struct pixel p = pixel_of(t, number);
    const float sum = t.map[p.output + filter * t.out.channel];
    set_conv(t, filter, p, t.factor ? sum * t.factor[filter] : sum);
}

conv_kernel *const conv_pass_kernel = finish_sums;
