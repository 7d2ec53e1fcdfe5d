/* An operator's parameters in the columns of a record, and back. */
#ifndef MAXPOOL_SPACE_PARAMETERS_H
#define MAXPOOL_SPACE_PARAMETERS_H

#include "harness/records/record.h"
#include "kernels/operators.h"

/* Writes those that the operator takes; the columns of others stay as they are. */
void record_parameters(struct record *r, const struct operator_row *o,
                       const struct parameters *values);

/* The default as a record has it; "" where it follows another parameter. */
void parameter_default(const struct parameter *p, char *text, size_t size);

/* Fills in what the record does not tell of them. */
void record_settle(struct record *r, const struct operator_row *o);

/* The shapes of the operation that a record is of, by an operator: sizes, parameters, geometry and
 * map. The second operand has its name, the record's, its shape and no values. A refusal where the
 * record does not tell the image's size or a parameter, or where there is no such operation. */
struct refusal operation_of_record(struct operation *op, const struct operator_row *o,
                                   const struct record *r);

#endif
