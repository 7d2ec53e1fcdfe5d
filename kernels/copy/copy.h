/* The host methods of the copy, one per file; methods.c gives each its row. */
#ifndef MAXPOOL_COPY_H
#define MAXPOOL_COPY_H

#include "kernels/methods.h"

/* Copies the block of the portion from its image to its map. */
typedef void copy_function(const struct portion *portion);

struct copy_method {
    struct method head;
    copy_function *run;
};

/* Every method, the baseline first. */
extern const struct copy_method copy_methods[];
extern const size_t copy_method_count;

/* For the operator's row. */
const struct method *copy_method_at(size_t i);
bool copy_is_built(const struct method *m, enum isa isa);

/* The row of a method. */
const struct copy_method *copy_method_of(const struct method *head);

copy_function copy_literal, copy_rows;

#endif
