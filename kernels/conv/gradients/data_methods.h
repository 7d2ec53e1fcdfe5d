/* The one table of methods of the data gradient, whoever calls them: the operator, layers of
 * networks, tests. */
#ifndef MAXPOOL_CONV_DATA_METHODS_H
#define MAXPOOL_CONV_DATA_METHODS_H

#include "kernels/conv/gradients/gradient.h"
#include "kernels/conv/methods.h"

struct conv_data_gradient_method {
    struct method head; /* its functions ask those below for the shape of the operation */
    /* One of the two is set: by the definition, without packing or scratch; or by a method of
     * convolution, as conv/gradients/gradient_phases.h has it. */
    void (*direct)(const struct conv_data_gradient *call);
    const struct conv_method *forward;
    /* With `forward`, in place of its phases where conv_gradient_strides(); built for the sets that
     * it is built for. All NULL: never. */
    conv_data_gradient_function *strided[ISA_COUNT];
    conv_turn_function *pack_strided[ISA_COUNT];
};

/* Every method, the baseline first. */
extern const struct conv_data_gradient_method conv_data_gradient_methods[];
extern const size_t conv_data_gradient_method_count;

/* For the operator's row. */
const struct method *conv_data_gradient_method_at(size_t i);
bool conv_data_gradient_is_built(const struct method *m, enum isa isa);

/* The row of a method; that of a name, or NULL; and the widest set up to `limit` that it is built
 * for. */
const struct conv_data_gradient_method *conv_data_gradient_method_of(const struct method *head);
const struct conv_data_gradient_method *conv_data_gradient_find(const char *name);
enum isa conv_data_gradient_isa(const struct conv_data_gradient_method *m, enum isa limit);

#endif
