/* The parameters of a network's layers, in one array for all (struct layer has the offset). */
#ifndef MAXPOOL_NETWORKS_PARAMETERS_H
#define MAXPOOL_NETWORKS_PARAMETERS_H

#include "networks/network.h"
#include "networks/safetensors.h"

/* Allocates what the network holds, contents undefined. Release with free(). */
enum status parameters_allocate(const struct network *n, float **out, struct failure *f);

/* What networks hold without a file, each value a pure function of (seed, name of the tensor,
 * index). Weights are uniform with He's variance, 2 / terms: He, Zhang, Ren & Sun (2015),
 * arXiv:1502.01852, equation 10. Biases are uniform within 1 / sqrt(terms), as PyTorch begins with
 * them; a batch norm is the identity. */
void parameters_seed(const struct network *n, uint64_t seed, float *values);

/* Reads a safetensors file: every tensor of the network by its name and of its shape, float32. What
 * else the file holds is passed over. Status 2 names what is malformed, absent or misshapen. */
enum status parameters_read(const struct network *n, const char *path, float *values,
                            struct failure *f);

/* Writes one, whole or not at all. Status 5 where it cannot be written. */
enum status parameters_write(const struct network *n, const char *path, const float *values,
                             struct failure *f);

/* The same for files that hold more: tensors of these names behind a prefix, read from one that is
 * open; and the list of them for one that is to be written, of which there are so many. */
enum status parameters_read_from(const struct safetensors *file, const struct network *n,
                                 const char *prefix, float *values, struct failure *f);
size_t parameters_tensors(const struct network *n);
size_t parameters_list(const struct network *n, const char *prefix, const float *values,
                       struct safetensors_tensor *to);

#endif
