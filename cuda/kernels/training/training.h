/* The arguments of the kernels of training. C and CUDA C++ read this header. No two threads add to
 * the same sum: a sum belongs to one thread, or to a fixed tree within one block, and has the same
 * order in every run. Each kernel is launched on a one-dimensional grid of square blocks with
 * TRAINING_BLOCK threads per side. */
#ifndef MAXPOOL_CUDA_TRAINING_H
#define MAXPOOL_CUDA_TRAINING_H

#include "cuda/kernels/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TRAINING_BLOCK = 16, TRAINING_MOMENTS = 2 };

/* What an update reads from the device's memory, because it changes from step to step, while a
 * captured graph keeps the arguments of its kernels. */
struct step_numbers {
    float rate;   /* for adam divided by 1 - beta1^step */
    float root;   /* for adam: 1 / sqrt(1 - beta2^step) */
    int32_t held; /* not 0: the update changes nothing */
};

/* Dropout, or the gradient of a clamp, applied in place to the outputs of a step or to their
 * gradients, of all images. */
struct elements_task {
    float *values;
    const float *outputs;    /* of the step; read only for the gradient of a clamp */
    int64_t count, elements; /* of all images, and of one */
    float least, most;       /* gradients pass where the output is between them */
    float scale;             /* of elements that are not dropped */
    const uint64_t *key;     /* on the device, another one at each step: dropout_mask.h */
    int64_t first_image, dropped;
};

/* The data gradient of max pooling: the gradient of each output goes to the first maximum of its
 * window. */
struct pool_gradient_task {
    const float *image;    /* planes x in_rows x in_cols, what the pooling read */
    const float *d_output; /* planes x out_rows x out_cols */
    float *to;             /* shaped like the image */
    int64_t planes, in_rows, in_cols, out_rows, out_cols;
    int64_t kernel, stride, padding;
    struct pool_divisors {
        struct divisor in_rows, in_cols, stride;
    } by; /* set by its launch */
};

/* The gradients of a convolution (kernels/conv/gradients/gradient.h), or of a fully connected
 * layer, which is a convolution of one pixel. The batch is cut into `shards` near-equal shards, and
 * a shard into `pieces` pieces. */
struct gradient_task {
    struct conv_task conv; /* sizes, and the image that the convolution read */
    const float *d_output; /* in the layout conv.out */
    const float *weights;
    float *to; /* weight or bias gradient, rotated or packed weights, or data gradient */
    int64_t shards, pieces;
    int64_t piece_stride; /* floats from one piece's sums to the next; 0: one block sums all */
    /* Set by the launch: rows and columns of the largest lattice (conv_lattices.cu), and the
     * weights of a filter's row that are in one lattice, kernel / stride or one more. */
    struct divisor lattice_rows, lattice_cols, taps, more_taps;
};

/* to[i] = the sum over the shards of the sums over their pieces of
 * from[piece * piece_stride + i]. */
struct pieces_task {
    const float *from;
    float *to;
    int64_t count, piece_stride, shards, pieces;
};

/* The loss of each image, and its output gradient (networks/losses/). */
struct loss_task {
    const float *outputs;  /* images x values */
    const int32_t *labels; /* of each image, for losses with labels */
    const float *targets;  /* images x values, for losses without labels */
    float *d_output;       /* images x values */
    double *losses;        /* of each image */
    int32_t *held;         /* becomes 1 if one of the losses is not finite */
    int64_t images, values;
    int64_t whole; /* images that the loss is averaged over */
};

/* networks/optimizers/ */
struct update_task {
    float *parameters;
    const float *gradients;
    float *moments[TRAINING_MOMENTS];
    const struct step_numbers *numbers;
    int64_t count;
    float keep[2]; /* factor of each moment's old value */
    float take[2]; /* factor of the gradient, or of its square */
    float epsilon; /* for adam */
};

typedef void elements_kernel(struct elements_task task);
typedef void pool_gradient_kernel(struct pool_gradient_task task);
typedef void gradient_kernel(struct gradient_task task);
typedef void pieces_kernel(struct pieces_task task);
typedef void loss_kernel(struct loss_task task);
typedef void update_kernel(struct update_task task);

/* Like struct conv_pair. */
struct gradient_pair {
    gradient_kernel *narrow, *wide;
};
struct pool_gradient_pair {
    pool_gradient_kernel *narrow, *wide;
};

/* One thread per element. */
extern elements_kernel *const drop_kernel, *const gate_kernel;
extern const struct pool_gradient_pair pool_gradient;
/* The weight gradient in tiles of `filters` x `terms` weights: its kernels for maps of many pixels,
 * and for maps of one. */
struct weight_tiling {
    int64_t filters, terms;
    struct gradient_pair maps, vectors;
};
/* The first is of conv_gradient.cu, the others are pipelined (conv_gradient_registers.cu). For the
 * same pieces all have the same bits. */
extern const struct weight_tiling weights_64_by_64, weights_64_by_128, weights_128_by_128;
extern const struct gradient_pair bias_gradient;   /* one block per filter and piece, sums apart */
extern const struct gradient_pair rotated_weights; /* one thread per weight */
extern const struct gradient_pair input_gradient;  /* one thread per element, any stride */
/* The data gradient of any stride in tiles, with the same bits as input_gradient: its weights,
 * packed by one thread each, and its sums, whose task has the packed weights. */
extern const struct gradient_pair lattice_weights, lattice_gradient;
extern pieces_kernel *const sum_of_pieces; /* one thread per value */
/* One thread per image. */
extern loss_kernel *const cross_entropy_kernel, *const mean_squared_kernel;
extern update_kernel *const adam_kernel, *const sgd_kernel; /* one thread per parameter */

/* Blocks of weight gradients that fill a current device. It is a constant, because the order of
 * sums must not depend on the device. */
enum { WEIGHT_BLOCKS = 256 };

/* Returns the tiles for a batch of the task's images in so many shards. They depend on sizes
 * only. */
const struct weight_tiling *weight_tiling_of(const struct conv_task *t, int64_t shards);
/* Returns the tiles of one piece's weight gradient, in all groups, and their kernels. */
int64_t weight_tiles(const struct weight_tiling *w, const struct conv_task *t);
const struct gradient_pair *weight_gradient(const struct weight_tiling *w,
                                            const struct conv_task *t);

/* True if groups have so many channels that lattice_gradient is faster than input_gradient. */
bool lattices_serve(const struct conv_task *t);
/* Returns the blocks of lattice_gradient. */
int64_t lattice_tiles(const struct conv_task *t);

/* Like conv_is_narrow. */
bool pool_gradient_is_narrow(const struct pool_gradient_task *task);

/* Launch on one-dimensional grids. Of an empty task, or one without images, only the kernel's code
 * is loaded. The error is that of the launch. */
cudaError_t launch_elements(elements_kernel *kernel, const struct elements_task *task,
                            cudaStream_t stream);
cudaError_t launch_pool_gradient(const struct pool_gradient_pair *kernel,
                                 const struct pool_gradient_task *task, cudaStream_t stream);
cudaError_t launch_gradient(const struct gradient_pair *kernel, int64_t blocks,
                            const struct gradient_task *task, cudaStream_t stream);
cudaError_t launch_pieces(const struct pieces_task *task, cudaStream_t stream);
cudaError_t launch_loss(loss_kernel *kernel, const struct loss_task *task, cudaStream_t stream);
cudaError_t launch_update(update_kernel *kernel, const struct update_task *task,
                          cudaStream_t stream);

/* Returns the blocks that hold `threads` threads; 0 for none. */
static inline int64_t training_blocks(int64_t threads)
{
    const int64_t block = TRAINING_BLOCK * TRAINING_BLOCK;
    return threads > 0 ? (threads - 1) / block + 1 : 0;
}

#ifdef __cplusplus
}
#endif

#endif
