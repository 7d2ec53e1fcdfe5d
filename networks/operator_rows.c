#include "networks/operator_rows.h"

bool rows_is_built(const struct method *m, enum isa isa)
{
    (void)m;
    (void)isa;
    return true;
}

const struct parameter *const rows_no_parameters[] = {NULL};
const struct operand_row *const rows_no_operands[] = {NULL};

double rows_cost(const struct operation *op)
{
    return 2.0 * (double)op->kind->terms(op);
}

double rows_least_of_layer(const struct layer *l)
{
    const struct layer_kind *kind = l->kind;
    if (kind->least_multiply_adds)
        return kind->least_multiply_adds(l);
    return kind->multiply_adds ? kind->multiply_adds(l) : 0.0;
}

double rows_least_multiply_adds(const struct network *n)
{
    double least = 0.0;
    for (int i = 0; i < n->count; i++)
        least += rows_least_of_layer(&n->layers[i]);
    return least;
}
