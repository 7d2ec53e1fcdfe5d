/* One thread per element; an `if` guards the edge, where blocks reach beyond the work. The tesina's
 * first kernel. */
#include "cuda/kernels/skeleton.cuh"

template <enum filter_memory MEMORY>
static __global__ void __launch_bounds__(BLOCK_MAX_THREADS) product_naive(struct product_task all)
{
    const struct product_task t = plane_of(all, blockIdx.z);
    const int64_t row = row_of_thread(), col = col_of_thread();
    if (row < t.rows && col < t.cols)
        set_element(t, row, col, element<MEMORY>(t, row, col));
}

template <int SIZE, enum filter_memory MEMORY>
static __global__ void __launch_bounds__(BLOCK_MAX_THREADS) pool_naive(struct pool_task t)
{
    const int64_t plane = blockIdx.z, row = row_of_thread(), col = col_of_thread();
    if (row < t.out_rows && col < t.out_cols)
        set_output(t, plane, row, col, output<SIZE, MEMORY>(t, plane, row, col));
}

static product_kernel *product(int64_t block, enum filter_memory memory,
                               struct elements_per_thread each)
{
    (void)each;
    (void)block;
    return memory == FILTER_CONSTANT ? product_naive<FILTER_CONSTANT>
                                     : product_naive<FILTER_TRANSFERRED>;
}

template <int SIZE> static pool_kernel *of_size(enum filter_memory memory)
{
    return memory == FILTER_CONSTANT ? pool_naive<SIZE, FILTER_CONSTANT>
                                     : pool_naive<SIZE, FILTER_TRANSFERRED>;
}

static pool_kernel *pool(int64_t block, enum filter_memory memory, int64_t kernel, int64_t stride)
{
    (void)stride;
    (void)block;
    return kernel == 2   ? of_size<2>(memory)
           : kernel == 3 ? of_size<3>(memory)
                         : of_size<ANY_SIZE>(memory);
}

HOST_TABLE(cuda_kernels, naive_kernels, {"naive", false, constant_filter_address}, product, pool,
           NULL, NULL, NULL, NULL, NULL);
