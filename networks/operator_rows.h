/* What the operator rows of networks, and of programs made of networks, share
 * (networks/point/row.c, networks/faces/row.c). */
#ifndef MAXPOOL_NETWORKS_OPERATOR_ROWS_H
#define MAXPOOL_NETWORKS_OPERATOR_ROWS_H

#include "harness/space/parameters.h"
#include "networks/network.h"

/* True for every instruction set: each layer chooses the widest one that its own method is built
 * for. */
bool rows_is_built(const struct method *m, enum isa isa);

/* Empty lists: a NULL. */
extern const struct parameter *const rows_no_parameters[];
extern const struct operand_row *const rows_no_operands[];

/* Two operations for each of an output's terms. */
double rows_cost(const struct operation *op);

/* What all methods of the host have in such a row, unless their cost is another. */
#define ROWS_HOST_METHOD .kind = SPACE_HOST, .product = true, .cost = rows_cost

/* Multiply-adds per image that no method can avoid, in one layer and in all. For a convolution the
 * operator's row gives them: it leaves out windows outside of the image and allows Winograd's
 * tiles. */
double rows_least_of_layer(const struct layer *l);
double rows_least_multiply_adds(const struct network *n);

#endif
