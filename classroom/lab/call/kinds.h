/* The operators of `study lab`: those whose rows say how a kernel from outside is called
 * (kernels/foreign_call.h). */
#ifndef MAXPOOL_LAB_KINDS_H
#define MAXPOOL_LAB_KINDS_H

#include "classroom/lab/call/protocol.h"
#include "harness/space/operation.h"

#include <stdio.h>

/* The i-th of them, and that of a name; NULL if there is none. */
const struct operator_row *lab_kind_at(size_t i);
const struct operator_row *lab_kind_find(const char *name);

/* The names of all: "maxpool, matmul, conv and distances". */
struct lab_kind_names {
    char text[256];
};
struct lab_kind_names lab_kind_names(void);

/* Writes the arguments of a kernel: "image, filter, map, planes, rows, ..., threads"; with `types`,
 * as a function in C declares them. */
void lab_kind_arguments(FILE *to, const struct operator_row *kind, bool types);

/* Writes the integers that follow the arrays in a call, and returns their number; and converts them
 * back. */
int32_t lab_integers(const struct operator_row *kind, const struct foreign_sizes *size,
                     int64_t threads, int32_t out[LAB_INTEGERS]);
struct foreign_sizes lab_size_of(const struct operator_row *kind, const int32_t *integers);

/* Sets the shapes of a call: everything of an operation except the values of the operands and the
 * method. Status 2 if there is no such operation. */
enum status lab_operation(struct operation *op, const struct operator_row *kind,
                          const struct foreign_sizes *size, struct failure *f);

/* Writes the lengths of the arrays as a kernel sees them, 0 after the last: planes are images and
 * channels where an image has channels, and left out where no integer counts them. */
void lab_lengths(const struct operation *op, int32_t out[LAB_ARRAYS][LAB_LENGTHS]);

/* Writes "k = 2, stride 2, padding 0, image 2048 x 2048". */
void lab_size_text(const struct operation *op, char *text, size_t size);

#endif
