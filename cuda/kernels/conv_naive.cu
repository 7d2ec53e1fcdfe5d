/* Convolution, one thread an output: it reads every cell of its window and every weight of its
 * filter, which its neighbours read too. Columns of threads are pixels, rows are filters. */
#include "cuda/kernels/conv.cuh"
#include "cuda/kernels/skeleton.cuh"

/* Weights of a filter lie in the order of these loops. */
template <int SIZE, enum filter_memory MEMORY>
static __device__ __forceinline__ float window_sum(const struct conv_task &t, int64_t filter,
                                                   const struct pixel &p)
{
    const int k = SIZE == ANY_SIZE ? (int)t.kernel : SIZE;
    const float *channel = t.image + p.image + filter / t.filters * t.depth * t.in.channel;
    int64_t weight = filter * t.depth * k * k;
    float sum = 0.0f;
    for (int64_t c = 0; c < t.depth; c++, channel += t.in.channel)
        for (int i = 0; i < k; i++)
            for (int j = 0; j < k; j++)
                sum += conv_cell(t, channel, p.top + i, p.left + j) *
                       filter_at<MEMORY>(t.weights, weight++);
    return sum;
}

template <int SIZE, enum filter_memory MEMORY>
static __global__ void __launch_bounds__(BLOCK_MAX_THREADS, 1) conv_naive(struct conv_task t)
{
    const int64_t filter = t.first_filter + row_of_thread(), number = col_of_thread();
    if (filter >= t.groups * t.filters || number >= pixels_of(t))
        return;
    const struct pixel p = pixel_of(t, number);
    set_conv(t, filter, p, window_sum<SIZE, MEMORY>(t, filter, p));
}

template <int SIZE> static conv_kernel *of_size(enum filter_memory memory)
{
    return memory == FILTER_CONSTANT ? conv_naive<SIZE, FILTER_CONSTANT>
                                     : conv_naive<SIZE, FILTER_TRANSFERRED>;
}

static conv_kernel *kernel(int64_t block, enum filter_memory memory, int64_t kernel, int64_t each)
{
    (void)block;
    (void)each;
    return kernel == 1   ? of_size<1>(memory)
           : kernel == 3 ? of_size<3>(memory)
                         : of_size<ANY_SIZE>(memory);
}

const struct conv_kernels conv_naive_kernels = {
    {"naive", false, constant_filter_address}, kernel, NULL, NULL, NULL, false};
