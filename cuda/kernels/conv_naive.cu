/* Convolution with one thread per output. The thread reads every element of its window and every
 * weight of its filter, which its neighbours read too. Columns of threads are pixels, rows are
 * filters. */
#include "cuda/kernels/conv.cuh"
#include "cuda/kernels/skeleton.cuh"

/* The weights of a filter are stored in the order of these loops. */
template <int SIZE, enum filter_memory MEMORY, class INT>
static __device__ __forceinline__ float
window_sum(const struct conv_task &t, const float *__restrict__ image,
           const float *__restrict__ weights, INT filter, const struct pixel<INT> &p)
{
    const int k = SIZE == ANY_SIZE ? (int)t.kernel : SIZE;
    INT channel = p.image + quotient(filter, t.by.filters) * (INT)t.depth * (INT)t.in.channel;
    INT weight = filter * (INT)t.depth * k * k;
    float sum = 0.0f;
    for (INT c = 0; c < (INT)t.depth; c++, channel += (INT)t.in.channel)
        for (int i = 0; i < k; i++)
            for (int j = 0; j < k; j++)
                sum += conv_element<INT>(t, image, channel, p.top + i, p.left + j) *
                       filter_at<MEMORY>(weights, weight++);
    return sum;
}

template <int SIZE, enum filter_memory MEMORY, class INT>
static __global__ void __launch_bounds__(BLOCK_MAX_THREADS, 1) conv_naive(struct conv_task t)
{
    const float *__restrict__ image = t.image, *__restrict__ weights = t.weights;
    const INT filter = (INT)(t.first_filter + row_of_thread()), number = (INT)col_of_thread();
    if (filter >= (INT)(t.groups * t.filters) || number >= pixels_of<INT>(t))
        return;
    const struct pixel<INT> p = pixel_of<INT>(t, number);
    set_conv<INT>(t, filter, p, window_sum<SIZE, MEMORY, INT>(t, image, weights, filter, p));
}

/* Tasks that need positions of 64 bits are rare, so those kernels are not compiled for single
 * sizes. */
template <int SIZE> static struct conv_pair of_size(enum filter_memory memory)
{
    const struct conv_pair constant = {conv_naive<SIZE, FILTER_CONSTANT, int32_t>,
                                       conv_naive<ANY_SIZE, FILTER_CONSTANT, int64_t>};
    const struct conv_pair transferred = {conv_naive<SIZE, FILTER_TRANSFERRED, int32_t>,
                                          conv_naive<ANY_SIZE, FILTER_TRANSFERRED, int64_t>};
    return memory == FILTER_CONSTANT ? constant : transferred;
}

static struct conv_pair kernel(int64_t block, enum filter_memory memory, const struct conv_task *t,
                               struct elements_per_thread each)
{
    (void)block;
    (void)each;
    return t->kernel == 1   ? of_size<1>(memory)
           : t->kernel == 3 ? of_size<3>(memory)
                            : of_size<ANY_SIZE>(memory);
}

HOST_TABLE(conv_kernels, conv_naive_kernels, {"naive", false, constant_filter_address}, kernel,
           NULL, NULL, NULL, false, false);
