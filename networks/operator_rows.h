/* What the rows that represent networks, and programs made of networks, have in common in the
 * harness (networks/point/row.c, networks/faces/row.c). */
#ifndef MAXPOOL_NETWORKS_OPERATOR_ROWS_H
#define MAXPOOL_NETWORKS_OPERATOR_ROWS_H

#include "harness/space/parameters.h"
#include "networks/network.h"

/* For every instruction set: each layer finds the widest that its own method is built for. */
bool rows_is_built(const struct method *m, enum isa isa);

/* None: a NULL. */
extern const struct parameter *const rows_no_parameters[];
extern const struct operand_row *const rows_no_operands[];

/* Multiply-adds that no method can do one image without, in a layer and in all of them: of a
 * convolution what its operator's row says, which leaves out windows outside of the image and
 * allows Winograd's tiles. */
double rows_least_of_layer(const struct layer *l);
double rows_least_multiply_adds(const struct network *n);

#endif
