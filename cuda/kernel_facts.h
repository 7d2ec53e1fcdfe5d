/* --kernel-facts and --show-indices. */
#ifndef MAXPOOL_CUDA_KERNEL_FACTS_H
#define MAXPOOL_CUDA_KERNEL_FACTS_H

#include "cuda/instance.h"

/* Prints registers, shared and local memory of the kernel of each method of the operator for this
 * point, and its theoretical occupancy: the share of a multiprocessor's threads that can be
 * resident at a time. */
enum status describe_kernel_facts(const struct instance *in, FILE *out, struct failure *f);

/* Prints which elements each thread computed. */
enum status describe_indices(struct instance *in, FILE *out, struct failure *f);

#endif
