/* The arguments that a kernel or a peer receives for an operation: its sizes, and one chunk of its
 * image with the arrays on the device. */
#ifndef MAXPOOL_CUDA_TASKS_H
#define MAXPOOL_CUDA_TASKS_H

#include "cuda/chunks.h"
#include "cuda/kernels/kernels.h"

/* Arrays of the device: a chunk of image and map, and the operands by their roles, NULL where there
 * is none. */
struct task_arrays {
    const float *image;
    const float *operands[OPERAND_COUNT];
    float *map;
    float *parts;                /* of the chunk: sums of pieces of a convolution's terms */
    struct thread_place *places; /* as the map, or NULL */
};

struct pool_task pool_of(const struct operation *op, const struct chunk *c,
                         const struct task_arrays *a);
struct product_task product_of(const struct operation *op, const struct chunk *c,
                               const struct task_arrays *a);
struct conv_task conv_of(const struct operation *op, const struct chunk *c,
                         const struct task_arrays *a);
struct distances_task distances_of(const struct operation *op, const struct chunk *c,
                                   const struct task_arrays *a);

/* The values of an operand that are sent: of the right one as the method packed it, with a
 * convolution's factor in it where outputs are finished as they are stored. */
const float *sent_values(const struct operation *op, enum operand_role role);

/* Of a convolution that is finished in a pass behind it: what it stores before that. */
struct conv_task sums_of(const struct conv_task *t);

/* All of a convolution, without arrays. */
struct conv_task whole_conv(const struct operation *op);

#endif
