/* Chooses the kernel that computes a point, and how it is launched. */
#ifndef MAXPOOL_CUDA_CHOICE_H
#define MAXPOOL_CUDA_CHOICE_H

#include "cuda/instance.h"

struct choice {
    const struct cuda_method *kernels; /* of the method, or of another that serves */
    struct device_kernel kernel;
    struct launch launch; /* except stream and filling */
    int64_t pieces;       /* that the terms of a sum are cut into; 0 or 1: not cut */
};

/* Return the i-th method of an operator's kernels, or NULL beyond the last one; and the method of
 * that name, or NULL if there is none. */
const struct cuda_method *cuda_method_at(const struct operator_row *kind, int i);
const struct cuda_method *cuda_method_find(const struct operator_row *kind, const char *name);

/* Returns a launch of blocks of that side within the device's grid. */
struct launch launch_on(const struct device *d, int64_t block);

/* Returns the kernel and launch that `method` would use for the instance's operation, offload and
 * options. */
struct choice choose_kernel(const struct instance *in, const struct cuda_method *method);

/* Returns the kernel and launch of a product by that method. The sizes of the task must be set. If
 * the choice has several pieces, the caller provides an array for their sums and adds them. */
struct choice choose_product(const struct cuda_kernels *method, const struct product_task *task,
                             const struct device *device, int64_t block, enum filter_memory memory);

/* Returns the kernel and launch of a convolution by that method. The sizes of the task must be set.
 * If the choice has several pieces, the caller provides an array for their sums and adds them. */
struct choice choose_conv(const struct conv_kernels *method, const struct conv_task *task,
                          const struct device *device, int64_t block, enum filter_memory memory);

/* Returns the kernel and launch of distances by that method. The sizes of the task must be set. */
struct choice choose_distances(const struct distances_kernels *method,
                               const struct distances_task *task, const struct device *device,
                               int64_t block, enum filter_memory memory);

/* Returns the largest number of pieces into which any method of the operation cuts its terms; 1 if
 * none cuts them. */
int64_t choose_most_pieces(const struct instance *in);

#endif
