/* The parameters of a network's layers, all in one array (struct layer has the offsets). */
#ifndef MAXPOOL_NETWORKS_PARAMETERS_H
#define MAXPOOL_NETWORKS_PARAMETERS_H

#include "networks/network.h"
#include "networks/safetensors.h"

/* Allocates the network's parameters, contents undefined. Release with free(). */
enum status parameters_allocate(const struct network *n, float **out, struct failure *f);

/* How the weights of a network without a file are drawn: from which distribution, and with which
 * variance. fan_in is the number of terms that an output sums, fan_out the number of outputs that
 * an input contributes to, both within one group of a convolution.
 *   He:     2 / fan_in. He, Zhang, Ren & Sun (2015), arXiv:1502.01852, equation 10; PyTorch's
 *           kaiming with mode fan_in and the gain of a ReLU.
 *   Glorot: 2 / (fan_in + fan_out). Glorot & Bengio (2010), "Understanding the difficulty of
 *           training deep feedforward neural networks", equation 12; PyTorch's xavier, gain 1.
 *   tesina: convolutions normal by He, linear layers normal by Glorot with the gain of a ReLU,
 *           sqrt(2): 4 / (fan_in + fan_out).
 * Biases are 0, as in both papers; only with INIT_HE_UNIFORM, the default, are they uniform within
 * 1 / sqrt(fan_in), as PyTorch initializes them. A batch norm is the identity. */
enum initialization {
    INIT_HE_UNIFORM,
    INIT_HE_NORMAL,
    INIT_GLOROT_UNIFORM,
    INIT_GLOROT_NORMAL,
    INIT_TESINA,
    INITIALIZATIONS
};
extern const char *const initialization_words[INITIALIZATIONS]; /* "he-uniform" */

/* Sets the parameters; each value is a pure function of (how, seed, name of the tensor, index). */
void parameters_initialize(const struct network *n, enum initialization how, uint64_t seed,
                           float *values);

/* The same by INIT_HE_UNIFORM. */
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
