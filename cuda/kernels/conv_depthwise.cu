/* Convolution of groups of one channel (depthwise). A product of matrices has nothing to share
 * here: a channel meets one filter, or a few. What is shared are the elements of windows that
 * overlap. A thread computes DOWN outputs, one below the other: it reads the weights once for all
 * of them, and every element of a row once for each output whose window contains the row. All
 * bounds and positions are those of a row, instead of an element.
 *
 * Shared memory would save requests for elements that neighbouring threads read too. But filling it
 * takes more instructions than these requests, which the L1 cache serves.
 *
 * Threads are numbered through columns, strips of rows, filters and images, so that small maps fill
 * blocks too. Products are added in the order of the weights, as in conv_naive.cu, so outputs have
 * the same bits. */
#include "cuda/kernels/conv.cuh"
#include "cuda/kernels/linear_blocks.cuh"
#include "cuda/kernels/skeleton.cuh"

enum { DOWN = CONV_STRIP }; /* outputs of a thread */

template <int SIZE_, int STRIDE_, filter_memory MEMORY_, class INT_> struct windows {
    using INT = INT_;
    static constexpr int SIZE = SIZE_, STRIDE = STRIDE_;
    static constexpr filter_memory MEMORY = MEMORY_;
    static constexpr int ROWS = (DOWN - 1) * STRIDE + SIZE; /* of the windows of a thread */
};

/* The first output of a thread. */
template <class INT> struct strip {
    INT image, filter, row, col;
};

template <class INT>
static __device__ __forceinline__ struct strip<INT> strip_of_thread(const struct conv_task &t) {
    const INT n = (INT)thread_of_line();
    const INT line = quotient(n, t.by.out_cols), plane = quotient(line, t.by.strips);
    struct strip<INT> s;
    s.col = n - line * (INT)t.out_cols;
    s.row = (line - plane * (INT)t.by.strips.by) * DOWN;
    s.image = quotient(plane, t.by.maps);
    s.filter = plane - s.image * (INT)t.by.maps.by;
    return s;
}

/* Adds the products of all outputs, row by row of their windows. */
template <class WINDOWS, class INT>
static __device__ __forceinline__ void
add_windows(float (&sum)[DOWN], const struct conv_task &t, const float *__restrict__ image,
            const float *__restrict__ weights, const struct strip<INT> &s)
{
    constexpr int k = WINDOWS::SIZE, stride = WINDOWS::STRIDE;
    const INT top = s.row * stride + (INT)t.top, left = s.col * stride + (INT)t.left;
    const INT channel =
        s.image * (INT)t.in.image + quotient(s.filter, t.by.filters) * (INT)t.in.channel;
    float weight[k * k];
    bool inside[k];
#pragma unroll
    for (int i = 0; i < k * k; i++)
        weight[i] = filter_at<WINDOWS::MEMORY>(weights, s.filter * k * k + i);
#pragma unroll
    for (int j = 0; j < k; j++)
        inside[j] = is_below(left + j, t.in_cols);
#pragma unroll
    for (int row = 0; row < WINDOWS::ROWS; row++) {
        const bool row_inside = is_below(top + row, t.in_rows);
        const INT from = channel + (top + row) * (INT)t.in.row + left;
        float element[k];
#pragma unroll
        for (int j = 0; j < k; j++)
            element[j] = row_inside && inside[j] ? image[from + j] : 0.0f;
#pragma unroll
        for (int n = 0; n < DOWN; n++)
#pragma unroll
            for (int j = 0; j < k; j++)
                if (row >= n * stride && row - n * stride < k)
                    sum[n] += element[j] * weight[(row - n * stride) * k + j];
    }
}

template <class WINDOWS>
static __global__ void __launch_bounds__(BLOCK_MAX_THREADS, 1) conv_depthwise(struct conv_task t)
{
    using INT = typename WINDOWS::INT;
    const float *__restrict__ image = t.image, *__restrict__ weights = t.weights;
    const struct strip<INT> s = strip_of_thread<INT>(t);
    if (s.image >= (INT)t.images)
        return;
    float sum[DOWN] = {};
    add_windows<WINDOWS, INT>(sum, t, image, weights, s);
    struct pixel<INT> p = {
        0, 0, 0, s.image *(INT)t.out.image + s.row *(INT)t.out.row + s.col,
            s.image *(INT)t.residual.image + s.row *(INT)t.residual.row + s.col
    };
#pragma unroll
    for (int n = 0; n < DOWN; n++) {
        if (s.row + n < (INT)t.out_rows)
            set_conv<INT>(t, s.filter, p, sum[n]);
        p.output += (INT)t.out.row;
        p.residual += (INT)t.residual.row;
    }
}

template <int SIZE, int STRIDE> static struct conv_pair of_windows(enum filter_memory memory)
{
    const struct conv_pair constant = {
        conv_depthwise<windows<SIZE, STRIDE, FILTER_CONSTANT, int32_t>>,
        conv_depthwise<windows<SIZE, STRIDE, FILTER_CONSTANT, int64_t>>};
    const struct conv_pair transferred = {
        conv_depthwise<windows<SIZE, STRIDE, FILTER_TRANSFERRED, int32_t>>,
        conv_depthwise<windows<SIZE, STRIDE, FILTER_TRANSFERRED, int64_t>>};
    return memory == FILTER_CONSTANT ? constant : transferred;
}

template <int SIZE>
static struct conv_pair of_size(enum filter_memory memory, const struct conv_task *t)
{
    return t->stride == 1 ? of_windows<SIZE, 1>(memory) : of_windows<SIZE, 2>(memory);
}

static struct conv_pair kernel(int64_t block, enum filter_memory memory, const struct conv_task *t,
                               struct elements_per_thread each)
{
    (void)block;
    (void)each;
    return t->kernel == 3 ? of_size<3>(memory, t) : of_size<5>(memory, t);
}

/* The windows of the networks' depthwise layers. */
static bool serves(const struct conv_task *t)
{
    return t->depth == 1 && (t->kernel == 3 || t->kernel == 5) && t->stride <= 2;
}

HOST_TABLE(conv_kernels, conv_depthwise_kernels, {"depthwise", false, constant_filter_address},
           kernel, NULL, NULL, serves, false, true);
