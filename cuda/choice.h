/* Which kernel computes a point, and how it is launched. */
#ifndef MAXPOOL_CUDA_CHOICE_H
#define MAXPOOL_CUDA_CHOICE_H

#include "cuda/instance.h"

/* Every method's kernels. */
extern const struct cuda_kernels *const cuda_methods[];
extern const int cuda_method_count;

struct choice {
    const struct cuda_kernels *kernels; /* the method's, or loop's where those do not serve */
    product_kernel *product;            /* one of the two; the other is NULL */
    pool_kernel *pool;
    struct launch launch; /* but for stream and filling */
};

/* The choice for the instance's operation, offload and options if it were of that method. */
struct choice choose_kernel(const struct instance *in, const struct cuda_kernels *method);

cudaError_t look_at_choice(const struct choice *c, struct kernel_facts *facts);

#endif
