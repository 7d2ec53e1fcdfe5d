/* The time of each layer: --layers. */
#ifndef MAXPOOL_NETWORK_LAYER_TABLE_H
#define MAXPOOL_NETWORK_LAYER_TABLE_H

#include "networks/point/instance.h"
#include "networks/point/layers/layer_roof.h"

#include <stdio.h>

/* Prints each step of the instance with its layers: output, parameters, multiply-adds of the batch,
 * method, error bound of its outputs and their root mean square error; seconds, share and rate of
 * its fastest execution; the least bytes that it moves and their rate; if there are ceilings the
 * share of the roof (the roof's seconds over the step's); and the totals. */
void layer_table_print(FILE *out, struct instance *in, const struct layer_roofs *r);

#endif
