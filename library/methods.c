/* The methods that the library offers: the host methods in the tables of the operators, which every
 * build has. */
#include "library/operation.h"

bool maxpool_get_method(const char *operator_name, size_t i, struct maxpool_method_facts *facts)
{
    const struct operator_row *o = facts && operator_name ? operator_find(operator_name) : NULL;
    const struct method *m;
    for (size_t row = 0; o && (m = o->method(row)); row++)
        if (m->kind == SPACE_HOST && i-- == 0) {
            *facts = (struct maxpool_method_facts){m->name, m->idea, m->product};
            return true;
        }
    return false;
}
