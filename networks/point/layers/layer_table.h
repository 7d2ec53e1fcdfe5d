/* Where the time goes, layer by layer: --layers. */
#ifndef MAXPOOL_NETWORK_LAYER_TABLE_H
#define MAXPOOL_NETWORK_LAYER_TABLE_H

#include "networks/point/instance.h"
#include "networks/point/layers/layer_roof.h"

#include <stdio.h>

/* Each step of the instance with its layers: output, parameters, multiply-adds of the batch,
 * method, the bound that its outputs are held to, their root mean square error, and of its fastest
 * execution seconds, share of all and rate; the bytes that it moves at the least, and their rate;
 * where there are ceilings the share of the roof, which is the roof's seconds over the step's; and
 * the totals. */
void layer_table_print(FILE *out, struct instance *in, const struct layer_roofs *r);

#endif
