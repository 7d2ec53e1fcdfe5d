/* A network in double precision throughout: what its outputs would be if nothing were rounded. The
 * oracle of networks/verify.h begins each layer with the floats that the layer was really given;
 * here errors of all layers add up as they do for whoever uses the network. */
#ifndef MAXPOOL_NETWORKS_REFERENCE_H
#define MAXPOOL_NETWORKS_REFERENCE_H

#include "networks/forward.h"

/* Multiply-adds of an image above which nobody should wait for it: some seconds. */
extern const double reference_most_multiply_adds;

/* The outputs of the first image here, from the parameters as they were read or seeded, batch norms
 * included. The caller frees *out. Status 4 where there is no memory. */
enum status reference_outputs(const struct forward *w, double **out, struct failure *f);

#endif
