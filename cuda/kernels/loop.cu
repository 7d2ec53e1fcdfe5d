/* Loops that step by the whole grid: a thread makes every element that is a grid's width further,
 * so a grid as large as the device holds at a time serves work of any size. The tesina's second
 * kernel. */
#include "cuda/kernels/skeleton.cuh"

template <enum filter_memory MEMORY>
static __global__ void __launch_bounds__(BLOCK_MAX_THREADS) product_loop(struct product_task t)
{
    const int64_t down = (int64_t)gridDim.y * blockDim.y, across = (int64_t)gridDim.x * blockDim.x;
    for (int64_t row = row_of_thread(); row < t.rows; row += down)
        for (int64_t col = col_of_thread(); col < t.order; col += across)
            set_element(t, row, col, element<MEMORY>(t, row, col));
}

template <int SIZE, enum filter_memory MEMORY>
static __global__ void __launch_bounds__(BLOCK_MAX_THREADS) pool_loop(struct pool_task t)
{
    const int64_t down = (int64_t)gridDim.y * blockDim.y, across = (int64_t)gridDim.x * blockDim.x;
    for (int64_t plane = blockIdx.z; plane < t.planes; plane += gridDim.z)
        for (int64_t row = row_of_thread(); row < t.out_rows; row += down)
            for (int64_t col = col_of_thread(); col < t.out_cols; col += across)
                set_output(t, plane, row, col, output<SIZE, MEMORY>(t, plane, row, col));
}

static product_kernel *product(int64_t block, enum filter_memory memory)
{
    (void)block;
    return memory == FILTER_CONSTANT ? product_loop<FILTER_CONSTANT>
                                     : product_loop<FILTER_TRANSFERRED>;
}

template <int SIZE> static pool_kernel *of_size(enum filter_memory memory)
{
    return memory == FILTER_CONSTANT ? pool_loop<SIZE, FILTER_CONSTANT>
                                     : pool_loop<SIZE, FILTER_TRANSFERRED>;
}

static pool_kernel *pool(int64_t block, enum filter_memory memory, int64_t kernel)
{
    (void)block;
    return kernel == 2   ? of_size<2>(memory)
           : kernel == 3 ? of_size<3>(memory)
                         : of_size<ANY_SIZE>(memory);
}

static size_t no_shared(int64_t block, int64_t kernel, int64_t stride)
{
    (void)block;
    (void)kernel;
    (void)stride;
    return 0;
}

const struct cuda_kernels loop_kernels = {"loop", true,      product,
                                          pool,   no_shared, constant_filter_address};
