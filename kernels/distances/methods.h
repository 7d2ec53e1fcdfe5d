/* The table of methods of distances. */
#ifndef MAXPOOL_DISTANCES_METHODS_H
#define MAXPOOL_DISTANCES_METHODS_H

#include "kernels/distances/distances.h"
#include "kernels/methods.h"

struct distances_method {
    struct method head;
    distances_function *run[ISA_COUNT]; /* NULL if it is not built for the set */
};

/* For the operator's row. */
const struct method *distances_method_at(size_t i);
bool distances_is_built(const struct method *m, enum isa isa);

/* The row of a method. */
const struct distances_method *distances_method_of(const struct method *head);

#endif
