/* --kernel-facts and --show-indices. */
#ifndef MAXPOOL_CUDA_TELL_H
#define MAXPOOL_CUDA_TELL_H

#include "cuda/instance.h"

/* Every method, for reading its kernels. */
extern const struct cuda_kernels *const cuda_methods[];
extern const int cuda_method_count;

/* Registers, shared and local memory of each method's kernel for this point, and its theoretical
 * occupancy: the share of a multiprocessor's threads that can be resident at a time. */
enum status tell_kernel_facts(const struct instance *in, FILE *out, struct failure *f);

/* Which elements each thread made. */
enum status tell_indices(struct instance *in, FILE *out, struct failure *f);

#endif
