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

/* Outputs of a step, or their gradients, all images: what is dropped of them, or let through by a
 * clamp. In place. */
struct elements_task {
    float *values;
    const float *outputs;    /* of the step, where they say what the clamp held; else not read */
    int64_t count, elements; /* all, and of an image */
    float least, most;       /* outputs between them let gradients through */
    float scale;             /* of what is not dropped */
    uint64_t key;            /* networks/layers/dropout_mask.h */
    int64_t first_image, dropped;
};

/* The gradients of a pooling's input: each output's goes to the first element of its window that is
 * the maximum. */
struct pool_gradient_task {
    const float *image;    /* planes x in_rows x in_cols, what the pooling read */
    const float *d_output; /* planes x out_rows x out_cols */
    float *to;             /* as the image */
    int64_t planes, in_rows, in_cols, out_rows, out_cols;
    int64_t kernel, stride, padding;
    struct pool_divisors {
        struct divisor in_rows, in_cols, stride;
    } by; /* set by its launch */
};

/* The gradients of a convolution (kernels/conv/gradients/gradient.h), or of a fully connected
 * layer, which is one of one pixel. The batch is `shards` parts of near-equal size, and a shard as
 * many `pieces`.
 */
struct gradient_task {
    struct conv_task conv; /* sizes, and the image that it read */
    const float *d_output; /* laid out as conv.out says */
    const float *weights;
    float *to; /* gradients, or turned weights, or gradients of the input */
    int64_t shards, pieces;
    int64_t apart; /* floats from one piece's weights to the next; 0: all are summed by one block */
};

/* to[i] = the sum over the shards of the sums over their pieces of from[piece * apart + i]. */
struct pieces_task {
    const float *from;
    float *to;
    int64_t count, apart, shards, pieces;
};

/* Of each image of `images` the loss and its output gradient (networks/losses/). */
struct loss_task {
    const float *outputs;  /* images x values */
    const int32_t *labels; /* of each image, or */
    const float *targets;  /* images x values */
    float *d_output;       /* images x values */
    double *losses;        /* of each image */
    int64_t images, values;
    int64_t whole; /* images of the mean that d_output is of */
};

/* networks/optimizers/ */
struct update_task {
    float *parameters;
    const float *gradients;
    float *moments[TRAINING_MOMENTS];
    int64_t count;
    float rate;          /* of adam over 1 - beta1^step */
    float keep[2];       /* of each moment, what it keeps of itself */
    float take[2];       /* and takes of the gradient, or of its square */
    float root, epsilon; /* of adam: 1 over the root of 1 - beta2^step */
};

typedef void elements_kernel(struct elements_task task);
typedef void pool_gradient_kernel(struct pool_gradient_task task);
typedef void gradient_kernel(struct gradient_task task);
typedef void pieces_kernel(struct pieces_task task);
typedef void loss_kernel(struct loss_task task);
typedef void update_kernel(struct update_task task);

/* As struct conv_pair. */
struct gradient_pair {
    gradient_kernel *narrow, *wide;
};
struct pool_gradient_pair {
    pool_gradient_kernel *narrow, *wide;
};

/* A thread an element. */
extern elements_kernel *const drop_kernel, *const gate_kernel;
extern const struct pool_gradient_pair pool_gradient;
/* Tiles of weights: where a map has many pixels, and where it has one. */
extern const struct gradient_pair weight_gradient, weight_gradient_of_vectors;
extern const struct gradient_pair bias_gradient;  /* a block a filter and piece, apart */
extern const struct gradient_pair turned_weights; /* a thread a weight */
extern const struct gradient_pair input_gradient; /* a thread an element, any stride */
extern pieces_kernel *const sum_of_pieces;        /* a thread a value */
/* A thread an image. */
extern loss_kernel *const cross_entropy_kernel, *const mean_squared_kernel;
extern update_kernel *const adam_kernel, *const sgd_kernel; /* a thread a parameter */

/* Tiles of weights that the gradients of one piece are, all groups. */
int64_t weight_tiles(const struct conv_task *t);

/* As conv_is_narrow. */
bool pool_gradient_is_narrow(const struct pool_gradient_task *task);

/* Blocks on a line; the error is that of the launch. */
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

/* Blocks for a thread each. */
static inline int64_t training_blocks(int64_t threads)
{
    const int64_t block = TRAINING_BLOCK * TRAINING_BLOCK;
    return threads > 0 ? (threads - 1) / block + 1 : 1;
}

#ifdef __cplusplus
}
#endif

#endif
