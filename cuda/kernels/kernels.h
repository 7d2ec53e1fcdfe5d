/* What a CUDA kernel is given, and the table through which the host finds the kernels of a method.
 * C and CUDA C++ read this header.
 *
 * Two kernels make a method. The product kernel gives C = A B, a thread an element: the matrix
 * product, and the product of one window. The pool kernel gives a map, a thread an output: the
 * product of its whole window, reduced in registers. Both are launched on square blocks of threads;
 * threadIdx.x runs along columns, so that neighbours read neighbours.
 *
 * To add a method: write cuda/kernels/NAME.cu with both kernels and its table (naive.cu is the
 * shortest), declare the table below, list the file in cuda/CMakeLists.txt and the table in
 * cuda/choice.c, and give it a row in kernels/maxpool/methods.c and kernels/matmul/methods.c, or
 * one of them. The tests find it. Where its own kernel does not serve, loop's does. */
#ifndef MAXPOOL_CUDA_KERNELS_H
#define MAXPOOL_CUDA_KERNELS_H

#include "harness/space/offload.h"

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which thread made an element (--show-indices). */
struct thread_place {
    int32_t block_y, block_x, thread_y, thread_x;
    int32_t block_z;
    int32_t made; /* how many times; 1 is right */
};

/* C (rows x order) = A (rows x order) B (order x order), all row-major on the device. */
struct product_task {
    const float *a, *b; /* b is not read where the kernel has the filter in constant memory */
    float *c;
    struct thread_place *places; /* rows x order, or NULL */
    int64_t rows, order;
};

/* Outputs [0, out_rows) x [0, out_cols) of `planes` planes from a band of image rows. Of the padded
 * image only the band is held: the window of output (row, col) begins at band row
 * row * stride + top and column col * stride + left, and what lies outside the band is padding. So
 * a band in the middle of an image is one more image, whose padding above is -top. */
struct pool_task {
    const float *image;  /* planes x in_rows x in_cols */
    const float *filter; /* kernel x kernel; not read where it is in constant memory */
    float *map;
    struct thread_place *places; /* as the map, or NULL */
    int64_t planes, in_rows, in_cols;
    int64_t out_rows, out_cols;
    int64_t map_plane; /* outputs from one plane of the map to the next */
    int64_t top, left; /* 0 or below */
    int64_t kernel, stride;
    float pad; /* value of a cell outside */
};

typedef void product_kernel(struct product_task task);
typedef void pool_kernel(struct pool_task task);

/* Elements that a thread makes, down and across; those of a block are a rectangle. */
struct thread_share {
    int64_t rows, cols;
};

/* One method. Kernels are compiled for each block side (16, 32), filter memory and, of the kernel
 * sizes, for 2 and 3; one more serves any size. */
struct cuda_kernels {
    const char *name;
    bool strides; /* its loops step by the grid: a grid that fills the device does for any work */
    product_kernel *(*product)(int64_t block, enum filter_memory memory); /* NULL: has none */
    pool_kernel *(*pool)(int64_t block, enum filter_memory memory, int64_t kernel,
                         int64_t stride); /* likewise */
    /* Dynamic shared memory of a block of the pool kernel, bytes; NULL: none. */
    size_t (*pool_shared)(int64_t block, int64_t kernel, int64_t stride);
    /* Device address of this method's filter in constant memory. */
    cudaError_t (*constant_filter)(void **address);
    struct thread_share (*share)(int64_t block, int64_t kernel); /* NULL: an element each */
    bool (*serves)(int64_t kernel, int64_t stride);              /* the pool kernel; NULL: any */
};

extern const struct cuda_kernels naive_kernels, loop_kernels, tiled_kernels, roof_kernels,
    registers_kernels;

#ifdef __cplusplus
}
#endif

#endif
