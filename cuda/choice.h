/* Which kernel computes a point, and how it is launched. */
#ifndef MAXPOOL_CUDA_CHOICE_H
#define MAXPOOL_CUDA_CHOICE_H

#include "cuda/instance.h"

struct choice {
    const struct cuda_method *kernels; /* the method's, or another's where those do not serve */
    struct device_kernel kernel;
    struct launch launch; /* but for stream and filling */
    int64_t pieces;       /* of a convolution's terms */
};

/* The methods of the operator's kernels, in turn; NULL from their number on, and that of a name, or
 * NULL. */
const struct cuda_method *cuda_method_at(const struct operator_row *kind, int i);
const struct cuda_method *cuda_method_find(const struct operator_row *kind, const char *name);

/* The choice for the instance's operation, offload and options if it were of that method. */
struct choice choose_kernel(const struct instance *in, const struct cuda_method *method);

/* A convolution by that method, a task whose sizes are set: its kernel and launch. The caller has
 * room for the sums of pieces of its terms, and adds them. */
struct choice choose_conv(const struct conv_kernels *method, const struct conv_task *task,
                          const struct device *device, int64_t block, enum filter_memory memory);

/* The most pieces that a method of the operation's kernels cuts terms into; 1 where none does. */
int64_t choose_most_pieces(const struct instance *in);

#endif
