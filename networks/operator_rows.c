#include "networks/operator_rows.h"

#include "kernels/operators.h"
#include "networks/layers/kinds.h"

bool rows_is_built(const struct method *m, enum isa isa)
{
    (void)m;
    (void)isa;
    return true;
}

const struct parameter *const rows_no_parameters[] = {NULL};
const struct operand_row *const rows_no_operands[] = {NULL};

double rows_least_of_layer(const struct layer *l)
{
    if (!l->kind->multiply_adds)
        return 0.0;
    if (l->kind != &conv_layer)
        return l->kind->multiply_adds(l);
    struct operation op = {.kind = &conv_operator,
                           .parameters = {.kernel = l->kernel,
                                          .stride = l->stride,
                                          .padding = l->padding,
                                          .batch = 1,
                                          .channels = l->in.channels,
                                          .filters = l->filters,
                                          .groups = l->groups}};
    op.image = shape_of_lines((struct image_shape){l->in.channels, l->in.rows, l->in.cols},
                              l->in.channels);
    return conv_operator.shape(&op).kind == REFUSAL_NONE
               ? conv_operator.need(&op, true).least.multiply_adds
               : 0.0;
}

double rows_least_multiply_adds(const struct network *n)
{
    double least = 0.0;
    for (int i = 0; i < n->count; i++)
        least += rows_least_of_layer(&n->layers[i]);
    return least;
}
