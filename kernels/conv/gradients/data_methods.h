/* The one table of the methods of the data gradient, for all callers: the operator, layers of
 * networks, tests. */
#ifndef MAXPOOL_CONV_DATA_METHODS_H
#define MAXPOOL_CONV_DATA_METHODS_H

#include "kernels/conv/gradients/gradient.h"
#include "kernels/conv/methods.h"

struct conv_data_gradient_method {
    struct method head; /* its functions call those below with the shape of the operation */
    /* One of the two is set: the definition, without packing or scratch; or a method of
     * convolution, used as conv/gradients/gradient_phases.h describes. */
    void (*direct)(const struct conv_data_gradient *call);
    const struct conv_method *forward;
    /* With `forward`: used instead of its phases if conv_data_gradient_prefers_strided(); built for
     * the same instruction sets. All NULL: never. */
    conv_data_gradient_function *strided[ISA_COUNT];
    conv_data_gradient_pack_function *pack_strided[ISA_COUNT];
};

/* Every method, the baseline first. */
extern const struct conv_data_gradient_method conv_data_gradient_methods[];
extern const size_t conv_data_gradient_method_count;

/* For the operator's table row. */
const struct method *conv_data_gradient_method_at(size_t i);
bool conv_data_gradient_is_built(const struct method *m, enum isa isa);

/* The table row of a method; the row with this name, or NULL; and the widest instruction set up to
 * `limit` that it is built for. */
const struct conv_data_gradient_method *conv_data_gradient_method_of(const struct method *head);
const struct conv_data_gradient_method *conv_data_gradient_find(const char *name);
enum isa conv_data_gradient_isa(const struct conv_data_gradient_method *m, enum isa limit);

#endif
