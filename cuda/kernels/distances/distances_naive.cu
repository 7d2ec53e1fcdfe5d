/* Distances with one thread per pair. The thread reads both points, as do all threads of its row
 * and column. */
#include "cuda/kernels/distances/distances.cuh"
#include "cuda/kernels/skeleton.cuh"

template <enum filter_memory MEMORY>
static __global__ void __launch_bounds__(BLOCK_MAX_THREADS) distances_naive(struct distances_task t)
{
    const float *__restrict__ x = t.x, *__restrict__ y = t.y;
    const int64_t row = row_of_thread(), col = col_of_thread();
    if (row >= t.rows || col >= t.cols)
        return;
    float sum = 0.0f;
    for (int64_t k = 0; k < t.dimensions; k++)
        sum = add_square::add(sum, x[row * t.dimensions + k],
                              filter_at<MEMORY>(y, col * t.dimensions + k));
    set_distance(t, row, col, sum);
}

static distances_kernel *kernel(int64_t block, enum filter_memory memory, int64_t each)
{
    (void)block;
    (void)each;
    return memory == FILTER_CONSTANT ? distances_naive<FILTER_CONSTANT>
                                     : distances_naive<FILTER_TRANSFERRED>;
}

HOST_TABLE(distances_kernels, distances_naive_kernels, {"naive", false, constant_filter_address},
           kernel, NULL);
