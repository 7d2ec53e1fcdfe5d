/* Launches kernels. C and CUDA C++ read this header. */
#ifndef MAXPOOL_CUDA_LAUNCH_H
#define MAXPOOL_CUDA_LAUNCH_H

#include "cuda/kernels/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a method's kernel is distributed over its work. */
struct launch {
    int64_t block;                         /* threads per side */
    struct elements_per_thread per_thread; /* of a thread; 0 counts as 1 */
    size_t shared_bytes;
    int64_t grid_rows, grid_planes; /* blocks that a grid may have along y and z */
    int64_t filling;                /* most blocks of one grid, for kernels that stride; 0: any */
    int64_t processors;             /* of the device */
    bool by_groups;                 /* of a convolution: planes of the grid are groups */
    bool by_strips;                 /* of a convolution: threads are strips of outputs */
    cudaStream_t stream;
};

/* Each launches the kernel over the whole task, in several grids if one would be too large, and
 * returns at once. Of an empty task only the kernel's code is loaded, as by a first launch. The
 * error is that of the launch; an error inside the kernel is reported by the next
 * synchronisation. */
cudaError_t launch_product(product_kernel *kernel, const struct launch *l,
                           const struct product_task *task);
cudaError_t launch_pool(pool_kernel *kernel, const struct launch *l, const struct pool_task *task);
cudaError_t launch_conv(const struct conv_pair *kernel, const struct launch *l,
                        const struct conv_task *task);
cudaError_t launch_distances(distances_kernel *kernel, const struct launch *l,
                             const struct distances_task *task);

/* Returns the divisor for a number >= 1. */
struct divisor divisor_of(int64_t by);

/* True if the narrow kernel of a pair serves: all numbers of outputs, terms and elements, and all
 * positions in arrays, are below 2^31. */
bool conv_is_narrow(const struct conv_task *task);

/* Launches `blocks` blocks in a one-dimensional grid. */
cudaError_t launch_layer(layer_kernel *kernel, const struct launch *l, int64_t blocks,
                         const struct layer_task *task);

/* Launches `blocks` blocks of side x side threads. */
cudaError_t launch_flush(const struct flush_task *task, int64_t blocks, int64_t side,
                         cudaStream_t stream);

/* The resources of a compiled kernel, and how its launch fills a multiprocessor. */
struct kernel_facts {
    int registers;       /* per thread */
    size_t shared_bytes; /* per block, including what the launch adds */
    size_t local_bytes;  /* per thread, for what does not fit registers */
    int architecture;    /* 90 for sm_90 */
    int compiled_for;    /* the same, of the source: the driver may compile it for a later one */
    int blocks;          /* resident at a time on one multiprocessor */
};

cudaError_t query_kernel(const struct device_kernel *kernel, const struct launch *l,
                         struct kernel_facts *facts);

#ifdef __cplusplus
}
#endif

#endif
