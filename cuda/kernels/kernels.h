/* The arguments of the CUDA kernels, and the tables through which the host finds the kernels of a
 * method. C and CUDA C++ read this header.
 *
 * A method of pooling and of the matrix product has two kernels. The product kernel computes C = A
 * B, usually with one thread per element: the matrix product, or the product of one window. The
 * pool kernel computes a map, usually with one thread per output: the product of its whole window,
 * reduced in registers. Convolution and distances have kernels of their own. All kernels are
 * launched on square blocks of threads; threadIdx.x runs along columns, so that neighbouring
 * threads read neighbouring elements.
 *
 * To add a method: write cuda/kernels/NAME.cu with its kernels and its table (naive.cu,
 * conv_naive.cu and distances/distances_naive.cu are the shortest), declare the table below, list
 * the file in cuda/CMakeLists.txt and the table in cuda/choice.c, and give it a row in the
 * methods.c of each operator that it is for. The tests find it. If its own kernel does not serve a
 * task, another method's kernel is used (cuda/choice.c). */
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

enum { ANY_SIZE = 0 }; /* a kernel size not known to the compiler */

/* The thread that computed an element (--show-indices). */
struct thread_place {
    int32_t block_y, block_x, thread_y, thread_x;
    int32_t block_z;
    int32_t made; /* how many times it was computed; 1 is right */
};

enum { STEP_TERMS = 16 }; /* that the kernels of products and convolutions by tiles add in a step */

/* Returns the terms of each piece except the last if the terms of a sum are cut into `pieces`:
 * whole steps, so that a piece begins where a step does. */
static inline int64_t terms_of_piece(int64_t terms, int64_t pieces)
{
    return ((terms - 1) / STEP_TERMS / pieces + 1) * STEP_TERMS;
}

/* C (rows x cols) = A (rows x inner) B (inner x cols) for each plane, all row-major on the
 * device. */
struct product_task {
    const float *a, *b; /* b is not read if the kernel has the filter in constant memory */
    float *c;
    struct thread_place *places; /* shaped like c, or NULL */
    int64_t rows, inner, cols;
    int64_t planes;
    int64_t a_plane, c_plane; /* elements from one plane of A, and of C, to the next */
    int64_t b_first, b_plane; /* position of the first plane's B; elements to the next B */
    /* The terms of a sum may be cut into pieces, each summed by its own blocks. A piece stores its
     * sums in `parts`, laid out like C and piece_stride floats after the piece before it, and
     * sum_of_pieces adds them in order (training.h). 0 or 1: a block sums all terms. */
    int32_t pieces, first_piece; /* the latter of the first plane: where a grid begins */
    int64_t piece_stride;
    int64_t piece_terms; /* of each piece except the last: terms_of_piece() */
    float *parts;
};

/* Computes outputs [0, out_rows) x [0, out_cols) of `planes` planes from a band of image rows. Only
 * the band is stored: the window of output (row, col) begins at band row row * stride + top and
 * column col * stride + left, and elements outside the band are padding. So a band in the middle of
 * an image is an image of its own, whose padding above is -top. */
struct pool_task {
    const float *image;  /* planes x in_rows x in_cols */
    const float *filter; /* kernel x kernel; not read if it is in constant memory */
    float *map;
    struct thread_place *places; /* shaped like the map, or NULL */
    int64_t planes, in_rows, in_cols;
    int64_t out_rows, out_cols;
    int64_t map_plane; /* outputs from one plane of the map to the next */
    int64_t top, left; /* 0 or below; top is higher for the later rows of a task that is cut */
    int64_t kernel, stride;
    float pad; /* value of an element outside */
};

/* Steps of images in floats: from one image to the next, from one of its channels to the next, and
 * from one row of a channel to the next. Elements of a row are contiguous. */
struct row_steps {
    int64_t image, channel, row;
};

/* The divisors of positions in a convolution; set by its launch. */
struct conv_divisors {
    struct divisor in_rows, in_cols, out_rows, out_cols;
    struct divisor channels, depth, filters; /* channels of the image; the others of a group */
    struct divisor kernel, stride;
    struct divisor maps, strips; /* maps of an image, strips of a map (conv_depthwise.cu) */
};

enum { CONV_STRIP = 4 }; /* outputs of a thread, one below the other, of a kernel by strips */

/* A convolution (kernels/conv/shape.h) of a band of rows, which is stored like a pool_task's.
 * Output (image, filter, row, col) is the sum of its products, plus the bias, plus the residual,
 * added in this order and then clamped if `clamped`. */
struct conv_task {
    const float *image;
    const float *weights; /* filters x depth x kernel x kernel; not read if in constant memory */
    const float *bias;    /* of each filter, or NULL */
    const float *added;   /* what is added, in the layout `residual`, or NULL */
    const float *factor;  /* of each filter's sums, or NULL: only for conv_pass_kernel */
    float *map;
    struct thread_place *places; /* shaped like the map, or NULL */
    struct row_steps in, out, residual;
    int64_t images, in_rows, in_cols;
    int64_t out_rows, out_cols;
    int64_t groups, depth; /* channels of a group */
    int64_t filters;       /* of a group */
    int64_t top, left;     /* as in pool_task */
    int64_t kernel, stride;
    /* The terms of an output's sum may be cut into pieces, each summed by its own blocks. A piece
     * stores its sums in `parts`, laid out like the map and `piece_stride` floats after the piece
     * before it, and conv_parts_kernel adds them in order. 0 or 1: a block sums all terms. */
    int64_t pieces, piece_stride;
    int64_t piece_terms; /* of each piece except the last: conv_piece_terms() */
    float *parts;
    /* Where a grid begins. first_filter counts through all filters or, if planes are groups
     * (launch.h), through each group's. first_plane counts planes: one per group and piece. */
    int64_t first_filter, first_plane;
    struct conv_divisors by;
    bool clamped;
    float least, most;
};

/* D(i, j), the distance of row i of x from row j of y. */
struct distances_task {
    const float *x; /* rows x dimensions */
    const float *y; /* cols x dimensions; not read if it is in constant memory */
    float *map;
    struct thread_place *places; /* shaped like the map, or NULL */
    int64_t rows, cols, dimensions;
    bool same; /* row i of x is row own_col + i of y: a kernel may compute half of these pairs */
    int64_t own_col;
};

/* A layer without windows: `planes` planes of `elements` elements, from -> to, which may be the
 * same. */
struct layer_task {
    const float *from;
    const float *added; /* shaped like from, or NULL */
    float *to;
    int64_t planes, elements;
    bool clamped;
    float least, most;
};

/* Elements that are all 0, read to fill the L2 cache; a multiple of 16 bytes. */
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

/* A kernel with positions of 32 bits, and the same kernel with positions of 64 bits, for tasks with
 * positions beyond 32 bits. The launch chooses (launch.h). */
struct conv_pair {
    conv_kernel *narrow, *wide;
};

/* The kernel of one task. Only one of them is set. */
struct device_kernel {
    product_kernel *product;
    pool_kernel *pool;
    struct conv_pair conv;
    distances_kernel *distances;
};

/* Elements that a thread computes, down and across. Those of a block form a rectangle. */
struct elements_per_thread {
    int64_t rows, cols;
};

/* The tiles that the blocks of a kernel compute. A list of them ends with one of no elements. */
struct tile_size {
    struct elements_per_thread each;
    int64_t instructions; /* of a thread in 16 terms, in the machine code for sm_90 */
};

/* What the tables of all operators have in common: the head of each. Kernels are compiled for each
 * block side (16, 32), filter memory and some kernel sizes, and once more for any size. */
struct cuda_method {
    const char *name;
    bool strides; /* has grid-stride loops: a grid that fills the device covers any work */
    /* Device address of this method's filter in constant memory. */
    cudaError_t (*constant_filter)(void **address);
};

/* One method of pooling and of the matrix product. */
struct cuda_kernels {
    struct cuda_method head;
    product_kernel *(*product)(int64_t block, enum filter_memory memory,
                               struct elements_per_thread each); /* NULL: has none */
    pool_kernel *(*pool)(int64_t block, enum filter_memory memory, int64_t kernel,
                         int64_t stride); /* likewise */
    /* Dynamic shared memory of a block of the pool kernel, bytes; NULL: none. */
    size_t (*pool_shared)(int64_t block, int64_t kernel, int64_t stride);
    /* Of a thread of the pool kernel; NULL: one element. */
    struct elements_per_thread (*share)(int64_t block, int64_t kernel);
    bool (*serves)(int64_t kernel, int64_t stride); /* the pool kernel; NULL: always */
    /* Returns the tiles of the product kernel, the largest ones first, of which the choice takes
     * one (cuda/choice.c); NULL: a thread computes one element. */
    const struct tile_size *(*tile_sizes)(int64_t block);
    /* Returns the product kernel in blocks of 16, B in global memory, of which a block sums one
     * piece of the terms; NULL: terms cannot be cut. */
    product_kernel *(*product_in_pieces)(struct elements_per_thread each);
};

/* One method of convolution. */
struct conv_kernels {
    struct cuda_method head;
    struct conv_pair (*kernel)(int64_t block, enum filter_memory memory,
                               const struct conv_task *task, struct elements_per_thread each);
    /* As in cuda_kernels, where the terms are cut into so many pieces: filters down, pixels
     * across. */
    const struct tile_size *(*tile_sizes)(int64_t block, enum filter_memory memory, int64_t pieces);
    /* Returns the pieces to cut the terms into. They do not depend on the device, because the order
     * of sums depends on them. NULL: terms cannot be cut. */
    int64_t (*pieces)(const struct conv_task *task);
    bool (*serves)(const struct conv_task *task); /* NULL: always */
    bool by_groups; /* a grid's rows are the filters of a group, and its planes the groups */
    bool by_strips; /* threads are strips of CONV_STRIP outputs, numbered through all maps */
};

/* One method of distances. A thread computes each x each of them. */
struct distances_kernels {
    struct cuda_method head;
    distances_kernel *(*kernel)(int64_t block, enum filter_memory memory, int64_t each);
    /* Returns `each` for a device with `processors` multiprocessors; NULL: 1. */
    int64_t (*each)(int64_t block, enum filter_memory memory, const struct distances_task *task,
                    int64_t processors);
};

/* Defines a table of functions of the host. Clang, which compiles HIP, would make a constant of the
 * device of it too, where these functions are not. */
#ifdef __HIP_DEVICE_COMPILE__
#define HOST_TABLE(type, name, ...) extern const struct type name
#else
#define HOST_TABLE(type, name, ...) const struct type name = {__VA_ARGS__}
#endif

extern const struct cuda_kernels naive_kernels, loop_kernels, tiled_kernels, roof_kernels,
    registers_kernels;
/* The method `tensor`, for operands in tf32 and in bf16 (cuda/choice.c). */
extern const struct cuda_kernels tensor_tf32_kernels, tensor_bf16_kernels;
extern const struct conv_kernels conv_naive_kernels, conv_tiled_kernels, conv_depthwise_kernels,
    conv_tensor_tf32_kernels, conv_tensor_bf16_kernels;
extern const struct distances_kernels distances_naive_kernels, distances_tiled_kernels;

/* A pass over stored sums: multiplies by the factor, adds bias and residual, clamps. */
extern const struct conv_pair conv_pass_kernel;

static inline int64_t conv_piece_terms(const struct conv_task *t, int64_t pieces)
{
    return terms_of_piece(t->depth * t->kernel * t->kernel, pieces);
}

/* Returns as many pieces as give ENOUGH blocks of tiles of side x side outputs: work for a current
 * device, but the same on every device. A piece of fewer than LEAST terms costs more to add than it
 * gains. */
static inline int64_t conv_pieces(const struct conv_task *t, int64_t side)
{
    enum { ENOUGH = 256, LEAST = 64 };
    const int64_t terms = t->depth * t->kernel * t->kernel;
    const int64_t pixels = t->images * t->out_rows * t->out_cols;
    const int64_t blocks = ((t->filters - 1) / side + 1) * ((pixels - 1) / side + 1) * t->groups;
    const int64_t wanted = ENOUGH / blocks, most = terms / LEAST;
    const int64_t fewer = wanted < most ? wanted : most;
    return fewer > 1 ? (terms - 1) / conv_piece_terms(t, fewer) + 1 : 1;
}

/* Adds the sums of a convolution's pieces, piece after piece, and applies the epilogue. */
extern const struct conv_pair conv_parts_kernel;

/* finish_kernel: to = clamped(from + added), one thread per element. average_kernel: the mean of
 * each plane, one block per plane. */
extern layer_kernel *const finish_kernel, *const average_kernel;

/* Reads every element. Neighbouring threads read neighbouring pieces. */
extern flush_kernel *const flush_elements;

#ifdef __cplusplus
}
#endif

#endif
