/* The table of methods of the copy. To add one: write kernels/copy/NAME.c with a copy_function,
 * declare it in kernels/copy/copy.h and add a row below. */
#include "kernels/copy/copy.h"

/* One operation per output: a value is moved. */
static double cost(const struct operation *op)
{
    (void)op;
    return 1.0;
}

const struct copy_method copy_methods[] = {
    {.head = {.name = "literal",
              .kind = SPACE_HOST,
              .idea = "one element at a time",
              .cost = cost,
              .operations_per_s = SCALAR_OPERATIONS_PER_S},
     .run = copy_literal},
    {.head = {.name = "rows",
              .kind = SPACE_HOST,
              .idea = "the C library's memcpy of all contiguous parts",
              .cost = cost,
              .whole_planes = true},
     .run = copy_rows},
};
const size_t copy_method_count = sizeof copy_methods / sizeof *copy_methods;

const struct method *copy_method_at(size_t i)
{
    return i < copy_method_count ? &copy_methods[i].head : NULL;
}

const struct copy_method *copy_method_of(const struct method *head)
{
    return (const struct copy_method *)head; /* its first member */
}

bool copy_is_built(const struct method *m, enum isa isa)
{
    (void)m;
    return isa == ISA_BASELINE;
}
