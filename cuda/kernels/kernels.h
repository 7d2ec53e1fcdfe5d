/* What a CUDA kernel is given, and the tables through which the host finds the kernels of a method.
 * C and CUDA C++ read this header.
 *
 * Of pooling and the matrix product two kernels make a method. The product kernel gives C = A B, a
 * thread an element: the matrix product, and the product of one window. The pool kernel gives a
 * map, a thread an output: the product of its whole window, reduced in registers. Convolution and
 * distances have kernels of their own. All are launched on square blocks of threads; threadIdx.x
 * runs along columns, so that neighbours read neighbours.
 *
 * To add a method: write cuda/kernels/NAME.cu with its kernels and its table (naive.cu,
 * conv_naive.cu and distances_naive.cu are the shortest), declare the table below, list the file in
 * cuda/CMakeLists.txt and the table in cuda/choice.c, and give it a row in the methods.c of each
 * operator that it is for. The tests find it. Where its own kernel does not serve, that of another
 * method does (cuda/choice.c). */
#ifndef MAXPOOL_CUDA_KERNELS_H
#define MAXPOOL_CUDA_KERNELS_H

#include "cuda/kernels/division.h"
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

/* C (rows x order) = A (rows x order) B (order x order) of each plane, all row-major on the device.
 */
struct product_task {
    const float *a, *b; /* b is not read where the kernel has the filter in constant memory */
    float *c;
    struct thread_place *places; /* as c, or NULL */
    int64_t rows, order;
    int64_t planes;
    int64_t plane;            /* elements from one plane of A, and of C, to the next */
    int64_t b_first, b_plane; /* where the first plane's B begins in b; from one to the next */
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
    float pad; /* value of an element outside */
};

/* Where the rows of images lie, in floats: from one image to the next, from one of its channels to
 * the next, and from one row of a channel to the next. Elements of a row are neighbours. */
struct row_steps {
    int64_t image, channel, row;
};

/* What positions in a convolution are divided by; set by its launch. */
struct conv_divisors {
    struct divisor in_rows, in_cols, out_rows, out_cols;
    struct divisor channels, depth, filters; /* of the image; of a group */
    struct divisor kernel, stride;
};

/* A convolution (kernels/conv/shape.h) of a band of rows, held as a pool_task's is. Output (image,
 * filter, row, col) is the bias, the sum of its products, and what is added, in this order; clamped
 * where that is asked for. */
struct conv_task {
    const float *image;
    const float *weights; /* filters x depth x kernel x kernel; not read where it is in constant
                             memory */
    const float *bias;    /* of each filter, or NULL */
    const float *added;   /* laid out as `beside` says, or NULL */
    const float *factor;  /* of each filter's sums, or NULL: for a pass behind the sums */
    float *map;
    struct thread_place *places; /* as the map, or NULL */
    struct row_steps in, out, beside;
    int64_t images, in_rows, in_cols;
    int64_t out_rows, out_cols;
    int64_t groups, depth; /* channels of a group */
    int64_t filters;       /* of a group */
    int64_t top, left;     /* 0 or below */
    int64_t kernel, stride;
    /* Terms of an output's sum that blocks of their own add up: each piece leaves its sums in
     * `parts`, as the map has its outputs and `apart` floats from one piece to the next, and
     * conv_parts_kernel adds them in order. 0 or 1: a block sums all terms. */
    int64_t pieces, apart;
    int64_t piece_terms; /* of each piece but the last: conv_piece_terms() */
    float *parts;
    /* Where a grid begins: of all filters, or of each group's from that plane on, of which a group
     * has one for every piece. */
    int64_t first_filter, first_plane;
    struct conv_divisors by;
    bool clamped;
    float least, most;
};

/* D(i, j), the distance of row i of x from row j of y. */
struct distances_task {
    const float *x; /* rows x dimensions */
    const float *y; /* cols x dimensions; not read where it is in constant memory */
    float *map;
    struct thread_place *places; /* as the map, or NULL */
    int64_t rows, cols, dimensions;
};

/* A layer without windows: planes of so many elements, from -> to, which may be the same. */
struct layer_task {
    const float *from;
    const float *added; /* as from, or NULL */
    float *to;
    int64_t planes, elements;
    bool clamped;
    float least, most;
};

/* Elements that are all 0, read to fill the L2 cache with them: whole pieces of 16 bytes. */
struct flush_task {
    float *elements;
    int64_t count;
};

typedef void product_kernel(struct product_task task);
typedef void pool_kernel(struct pool_task task);
typedef void conv_kernel(struct conv_task task);
typedef void distances_kernel(struct distances_task task);
typedef void layer_kernel(struct layer_task task);
typedef void flush_kernel(struct flush_task task);

/* A kernel with positions of 32 bits, and the same with positions of 64 bits, for tasks in which
 * some position has more. The launch chooses (launch.h). */
struct conv_pair {
    conv_kernel *narrow, *wide;
};

/* The kernel of one task: the one that is set. */
struct device_kernel {
    product_kernel *product;
    pool_kernel *pool;
    struct conv_pair conv;
    distances_kernel *distances;
};

/* Elements that a thread makes, down and across; those of a block are a rectangle. */
struct thread_share {
    int64_t rows, cols;
};

/* What the kernels of a method have in common, whatever they compute: the head of its row. Kernels
 * are compiled for each block side (16, 32), filter memory and some kernel sizes; one more serves
 * any size. */
struct cuda_method {
    const char *name;
    bool strides; /* its loops step by the grid: a grid that fills the device does for any work */
    /* Device address of this method's filter in constant memory. */
    cudaError_t (*constant_filter)(void **address);
};

/* One method of pooling and of the matrix product. */
struct cuda_kernels {
    struct cuda_method head;
    product_kernel *(*product)(int64_t block, enum filter_memory memory); /* NULL: has none */
    pool_kernel *(*pool)(int64_t block, enum filter_memory memory, int64_t kernel,
                         int64_t stride); /* likewise */
    /* Dynamic shared memory of a block of the pool kernel, bytes; NULL: none. */
    size_t (*pool_shared)(int64_t block, int64_t kernel, int64_t stride);
    struct thread_share (*share)(int64_t block, int64_t kernel); /* NULL: an element each */
    bool (*serves)(int64_t kernel, int64_t stride);              /* the pool kernel; NULL: any */
};

/* One of convolution. Its threads make `each` outputs each way. */
struct conv_kernels {
    struct cuda_method head;
    struct conv_pair (*kernel)(int64_t block, enum filter_memory memory, int64_t kernel,
                               int64_t each);
    /* How many, on a device of so many multiprocessors; NULL: one. */
    int64_t (*each)(int64_t block, const struct conv_task *task, int64_t processors);
    /* Pieces of the terms that are worth it, whatever the device, since the order of sums hangs on
     * them; NULL: it cannot. */
    int64_t (*pieces)(const struct conv_task *task);
    bool (*serves)(const struct conv_task *task); /* NULL: any */
    bool by_groups; /* a grid's rows are the filters of a group, and its planes the groups */
};

/* One of distances; a thread makes share x share of them. */
struct distances_kernels {
    struct cuda_method head;
    distances_kernel *(*kernel)(int64_t block, enum filter_memory memory);
    int64_t share;
};

extern const struct cuda_kernels naive_kernels, loop_kernels, tiled_kernels, roof_kernels,
    registers_kernels;
extern const struct conv_kernels conv_naive_kernels, conv_tiled_kernels;
extern const struct distances_kernels distances_naive_kernels, distances_tiled_kernels;

/* A pass over sums that are stored: the factor's product, bias, what is added, clamped. */
extern const struct conv_pair conv_pass_kernel;

/* Terms of a piece, where they are cut into so many: pieces begin where a tile does. */
static inline int64_t conv_piece_terms(const struct conv_task *t, int64_t pieces)
{
    const int64_t tile = 16, terms = t->depth * t->kernel * t->kernel;
    return ((terms - 1) / pieces / tile + 1) * tile;
}

/* The sums of a convolution's pieces, piece after piece, and what an output is finished with. */
extern const struct conv_pair conv_parts_kernel;

/* to = clamped(from + added), a thread an element; the mean of each plane, a block each. */
extern layer_kernel *const finish_kernel, *const average_kernel;

/* Reads every element, threads of all blocks side by side. */
extern flush_kernel *const flush_elements;

#ifdef __cplusplus
}
#endif

#endif
