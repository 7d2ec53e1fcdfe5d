/* The arguments that a kernel or a peer receives for an operation: its sizes, and one chunk of its
 * image with the arrays on the device. */
#ifndef MAXPOOL_CUDA_TASKS_H
#define MAXPOOL_CUDA_TASKS_H

#include "cuda/chunks.h"
#include "cuda/kernels/kernels.h"

/* Device arrays: a chunk of image and map, and the operands by role (NULL if there is none). */
struct task_arrays {
    const float *image;
    const float *operands[OPERAND_COUNT];
    float *map;
    float *parts;                /* of the chunk: sums of the pieces of its terms */
    struct thread_place *places; /* shaped like the map, or NULL */
};

struct pool_task pool_of(const struct operation *op, const struct chunk *c,
                         const struct task_arrays *a);
struct product_task product_of(const struct operation *op, const struct chunk *c,
                               const struct task_arrays *a);
struct conv_task conv_of(const struct operation *op, const struct chunk *c,
                         const struct task_arrays *a);
struct distances_task distances_of(const struct operation *op, const struct chunk *c,
                                   const struct task_arrays *a);

/* Returns the values of an operand to send. The right operand is sent as the method packed it, with
 * a convolution's factor in it if the epilogue is applied as outputs are stored. */
const float *sent_values(const struct operation *op, enum operand_role role);

/* Returns the task of the bare sums of a convolution whose epilogue is a later pass. */
struct conv_task sums_of(const struct conv_task *t);

/* Return the task of the whole operation, without arrays. */
struct product_task whole_product(const struct operation *op);
struct conv_task whole_conv(const struct operation *op);
struct distances_task whole_distances(const struct operation *op);

#endif
