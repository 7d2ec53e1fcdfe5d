/* The parts of a network's layers that have no windows: the mean of a plane, residual addition and
 * clamp. */
#include "cuda/kernels/linear_blocks.cuh"
#include "cuda/kernels/threads.cuh"

/* One thread per element. NaN stays NaN. */
static __global__ void __launch_bounds__(THREADS_MOST) finish_elements(struct layer_task t)
{
    const int64_t i = thread_of_line();
    if (i >= t.planes * t.elements)
        return;
    const float value = t.added ? t.from[i] + t.added[i] : t.from[i];
    if (t.clamped)
        t.to[i] = value < t.least ? t.least : value > t.most ? t.most : value;
    else
        t.to[i] = value;
}

/* One block per plane. Each thread sums every n-th element, n being the threads of a block. */
static __global__ void __launch_bounds__(THREADS_MOST) average_planes(struct layer_task t)
{
    static __shared__ float sums[THREADS_MOST];
    const float *__restrict__ from = t.from;
    const float *plane = from + blockIdx.x * t.elements;
    float sum = 0.0f;
    for (int64_t i = thread_of_block(); i < t.elements; i += threads_of_block())
        sum += plane[i];
    sum = sum_of_block(sums, sum);
    if (thread_of_block() == 0)
        t.to[blockIdx.x] = sum / (float)t.elements;
}

layer_kernel *const finish_kernel = finish_elements, *const average_kernel = average_planes;
