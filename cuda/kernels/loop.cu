/* Grid-stride loops: a thread computes its first element and then every element that is a whole
 * grid's width further, so a grid that fills the device once covers work of any size. The tesina's
 * second kernel. */
#include "cuda/kernels/skeleton.cuh"

/* Blocks of 16 x 16 that must fit on a multiprocessor at a time. Six leave a thread 40 registers:
 * enough for windows of 2 x 2 and for a dot product, for which the compiler would otherwise take
 * about 45, and only five blocks would fit. Larger windows would spill, and get 64. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
enum { SMALL_RESIDENT = 4 }; /* 1024 threads: all that a multiprocessor holds */
#else
enum { SMALL_RESIDENT = 6 };
#endif

__host__ __device__ constexpr int resident(int block, bool small)
{
    return block == 32 ? 1 : small ? SMALL_RESIDENT : 4;
}

template <int BLOCK, enum filter_memory MEMORY>
static __global__ void __launch_bounds__(BLOCK *BLOCK, resident(BLOCK, true))
    product_loop(struct product_task all)
{
    const int64_t down = (int64_t)gridDim.y * blockDim.y, across = (int64_t)gridDim.x * blockDim.x;
    for (int64_t plane = blockIdx.z; plane < all.planes; plane += gridDim.z) {
        const struct product_task t = plane_of(all, plane);
        for (int64_t row = row_of_thread(); row < t.rows; row += down)
            for (int64_t col = col_of_thread(); col < t.cols; col += across)
                set_element(t, row, col, element<MEMORY>(t, row, col));
    }
}

template <int BLOCK, int SIZE, enum filter_memory MEMORY>
static __global__ void __launch_bounds__(BLOCK *BLOCK, resident(BLOCK, SIZE == 2))
    pool_loop(struct pool_task t)
{
    const int64_t down = (int64_t)gridDim.y * blockDim.y, across = (int64_t)gridDim.x * blockDim.x;
    for (int64_t plane = blockIdx.z; plane < t.planes; plane += gridDim.z)
        for (int64_t row = row_of_thread(); row < t.out_rows; row += down)
            for (int64_t col = col_of_thread(); col < t.out_cols; col += across)
                set_output(t, plane, row, col, output<SIZE, MEMORY>(t, plane, row, col));
}

template <int BLOCK> static product_kernel *product_of_block(enum filter_memory memory)
{
    return memory == FILTER_CONSTANT ? product_loop<BLOCK, FILTER_CONSTANT>
                                     : product_loop<BLOCK, FILTER_TRANSFERRED>;
}

static product_kernel *product(int64_t block, enum filter_memory memory,
                               struct elements_per_thread each)
{
    (void)each;
    return block == 32 ? product_of_block<32>(memory) : product_of_block<16>(memory);
}

template <int BLOCK, int SIZE> static pool_kernel *of_size(enum filter_memory memory)
{
    return memory == FILTER_CONSTANT ? pool_loop<BLOCK, SIZE, FILTER_CONSTANT>
                                     : pool_loop<BLOCK, SIZE, FILTER_TRANSFERRED>;
}

template <int BLOCK> static pool_kernel *pool_of_block(enum filter_memory memory, int64_t kernel)
{
    return kernel == 2   ? of_size<BLOCK, 2>(memory)
           : kernel == 3 ? of_size<BLOCK, 3>(memory)
                         : of_size<BLOCK, ANY_SIZE>(memory);
}

static pool_kernel *pool(int64_t block, enum filter_memory memory, int64_t kernel, int64_t stride)
{
    (void)stride;
    return block == 32 ? pool_of_block<32>(memory, kernel) : pool_of_block<16>(memory, kernel);
}

HOST_TABLE(cuda_kernels, loop_kernels, {"loop", true, constant_filter_address}, product, pool, NULL,
           NULL, NULL, NULL, NULL);
