/* The methods that the library offers: the host methods in the tables of the operators. */
#include "library/operation.h"

static bool computes(const struct method *m)
{
    return m->kind == SPACE_HOST && !m->unavailable;
}

static const struct method *row_at(enum maxpool_operator of, size_t i)
{
    switch (of) {
    case MAXPOOL_POOL:
        return maxpool_method_at(i);
    case MAXPOOL_MULTIPLY:
        return matmul_method_at(i);
    case MAXPOOL_DISTANCES:
        return distances_method_at(i);
    case MAXPOOL_CONVOLVE:
        return conv_method_at(i);
    }
    return NULL;
}

bool maxpool_get_method(enum maxpool_operator of, size_t i, struct maxpool_method_facts *facts)
{
    const struct method *m;
    if (!facts)
        return false;
    for (size_t row = 0; (m = row_at(of, row)); row++)
        if (computes(m) && i-- == 0) {
            *facts = (struct maxpool_method_facts){m->name, m->idea, m->product};
            return true;
        }
    return false;
}
