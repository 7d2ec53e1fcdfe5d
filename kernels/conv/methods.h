/* The table of methods of convolution, and what its operation becomes for a kernel. */
#ifndef MAXPOOL_CONV_METHODS_H
#define MAXPOOL_CONV_METHODS_H

#include "kernels/conv/conv.h"
#include "kernels/methods.h"

struct conv_method {
    struct method head;
    conv_function *run[ISA_COUNT];       /* NULL where it is not built for the set */
    conv_pack_function *pack[ISA_COUNT]; /* likewise; all NULL: it packs nothing */
};

/* Every method, the baseline first. */
enum { CONV_METHODS = 5 };
extern const struct conv_method conv_methods[CONV_METHODS];

/* For the operator's row. */
const struct method *conv_method_at(size_t i);
bool conv_is_built(const struct method *m, enum isa isa);

/* The row of a method. */
const struct conv_method *conv_method_of(const struct method *head);

/* Operations of one output by the definition: a multiply-add for each term. */
double conv_cost(const struct operation *op);

/* The shape of an operation whose geometry is complete. */
struct conv_shape conv_shape_of(const struct operation *op);

#endif
