/* The methods that the library offers: the host methods in the tables of the operators. */
#include "library/operation.h"

static bool computes(const struct method *m)
{
    return m->kind == SPACE_HOST && !m->unavailable;
}

bool maxpool_get_method(const char *operator_name, size_t i, struct maxpool_method_facts *facts)
{
    const struct operator_row *o = facts && operator_name ? operator_find(operator_name) : NULL;
    const struct method *m;
    for (size_t row = 0; o && (m = o->method(row)); row++)
        if (computes(m) && i-- == 0) {
            *facts = (struct maxpool_method_facts){m->name, m->idea, m->product};
            return true;
        }
    return false;
}
