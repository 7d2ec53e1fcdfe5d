/* The methods that the library offers: the host methods in the tables of the operators. */
#include "library/operation.h"

static bool computes(const struct method *m)
{
    return m->kind == SPACE_HOST && !m->unavailable;
}

static const struct operator_row *const rows[] = {[MAXPOOL_POOL] = &maxpool_operator,
                                                  [MAXPOOL_MULTIPLY] = &matmul_operator,
                                                  [MAXPOOL_CONVOLVE] = &conv_operator,
                                                  [MAXPOOL_DISTANCES] = &distances_operator};

bool maxpool_get_method(enum maxpool_operator of, size_t i, struct maxpool_method_facts *facts)
{
    const struct method *m;
    if (!facts || (size_t)of >= sizeof rows / sizeof *rows)
        return false;
    for (size_t row = 0; (m = rows[of]->method(row)); row++)
        if (computes(m) && i-- == 0) {
            *facts = (struct maxpool_method_facts){m->name, m->idea, m->product};
            return true;
        }
    return false;
}
