/* A network in double precision throughout: its outputs if nothing were rounded. The oracle of
 * networks/verify.h computes each layer from the floats that the layer really received; here the
 * errors of all layers add up, as they do for a user of the network. */
#ifndef MAXPOOL_NETWORKS_REFERENCE_H
#define MAXPOOL_NETWORKS_REFERENCE_H

#include "networks/forward.h"

/* Multiply-adds of an image above which nobody should wait for it: some seconds. */
extern const double reference_most_multiply_adds;

/* The outputs of the first image here, from the parameters as they were read or seeded, batch norms
 * included. The caller frees *out. Status 4 where there is no memory. */
enum status reference_outputs(const struct forward *w, double **out, struct failure *f);

#endif
