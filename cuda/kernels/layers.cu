/* What layers of a network take beside windows: the mean of a plane, and what is added to outputs
 * and clamped in them. A block is one row of threads here, numbered through. */
#include "cuda/kernels/threads.cuh"

enum { THREADS_MOST = 32 * 32 };

static __device__ __forceinline__ int thread_of_block()
{
    return (int)(threadIdx.y * blockDim.x + threadIdx.x);
}

static __device__ __forceinline__ int threads_of_block()
{
    return (int)(blockDim.x * blockDim.y);
}

/* A thread a cell. NaN stays NaN. */
static __global__ void __launch_bounds__(THREADS_MOST) finish_cells(struct layer_task t)
{
    const int64_t i = (int64_t)blockIdx.x * threads_of_block() + thread_of_block();
    if (i >= t.planes * t.cells)
        return;
    const float value = t.added ? t.from[i] + t.added[i] : t.from[i];
    if (t.clamped)
        t.to[i] = value < t.least ? t.least : value > t.most ? t.most : value;
    else
        t.to[i] = value;
}

/* A block a plane: each thread sums every so many cells, and then pairs of sums are summed, always
 * the same ones. */
static __global__ void __launch_bounds__(THREADS_MOST) average_planes(struct layer_task t)
{
    static __shared__ float sums[THREADS_MOST];
    const float *plane = t.from + blockIdx.x * t.cells;
    const int thread = thread_of_block();
    float sum = 0.0f;
    for (int64_t i = thread; i < t.cells; i += threads_of_block())
        sum += plane[i];
    sums[thread] = sum;
    for (int half = threads_of_block() / 2; half > 0; half /= 2) {
        __syncthreads(); /* all sums of the round before are there */
        if (thread < half)
            sums[thread] += sums[thread + half];
    }
    if (thread == 0)
        t.to[blockIdx.x] = sums[0] / (float)t.cells;
}

layer_kernel *const finish_kernel = finish_cells, *const average_kernel = average_planes;
