/* The parameters of a network's layers, all in one array (struct layer has the offsets). */
#ifndef MAXPOOL_NETWORKS_PARAMETERS_H
#define MAXPOOL_NETWORKS_PARAMETERS_H

#include "networks/network.h"
#include "networks/safetensors.h"

/* Allocates the network's parameters, contents undefined. Release with free(). */
enum status parameters_allocate(const struct network *n, float **out, struct failure *f);

/* Sets the parameters of a network without a file; each value is a pure function of (seed, name of
 * the tensor, index). Weights are uniform with He's variance, 2 / terms: He, Zhang, Ren & Sun
 * (2015), arXiv:1502.01852, equation 10. Biases are uniform within 1 / sqrt(terms), as PyTorch
 * initializes them; a batch norm is the identity. */
void parameters_seed(const struct network *n, uint64_t seed, float *values);

/* Reads a safetensors file: every tensor of the network by name, of its shape, converted to
 * float32; adds the number of values that were rounded to *rounded (may be NULL). Other tensors of
 * the file are ignored. Status 2 names what is malformed, absent or misshapen. */
enum status parameters_read(const struct network *n, const char *path, float *values,
                            int64_t *rounded, struct failure *f);

/* Writes such a file, whole or not at all. Status 5 if it cannot be written. */
enum status parameters_write(const struct network *n, const char *path, const float *values,
                             struct failure *f);

/* For files that hold other tensors too: reads the tensors named prefix + name from an open file;
 * counts the network's tensors; lists them in `to` for writing, and returns their number. */
enum status parameters_read_from(const struct safetensors *file, const struct network *n,
                                 const char *prefix, float *values, int64_t *rounded,
                                 struct failure *f);
size_t parameters_tensors(const struct network *n);
size_t parameters_list(const struct network *n, const char *prefix, const float *values,
                       struct safetensors_tensor *to);

#endif
