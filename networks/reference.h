/* A network in double precision throughout: its outputs without rounding. The oracle of
 * networks/verify.h computes each layer from the floats that the layer really received; here the
 * errors of all layers add up, as they do for a user of the network. */
#ifndef MAXPOOL_NETWORKS_REFERENCE_H
#define MAXPOOL_NETWORKS_REFERENCE_H

#include "networks/forward.h"

/* The most multiply-adds per image for which the reference is worth waiting: some seconds. */
extern const double reference_most_multiply_adds;

/* Computes the outputs of this process's first image, from the parameters as they were read or
 * seeded, batch norms included. The caller frees *out. Status 4 if memory is lacking. */
enum status reference_outputs(const struct forward *w, double **out, struct failure *f);

#endif
