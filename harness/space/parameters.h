/* An operator's parameters and operands in the columns of a record, and back. */
#ifndef MAXPOOL_SPACE_PARAMETERS_H
#define MAXPOOL_SPACE_PARAMETERS_H

#include "harness/records/record.h"
#include "kernels/operators.h"

/* Writes those that the operator takes; the columns of others stay as they are. */
void record_parameters(struct record *r, const struct operator_row *o,
                       const struct parameters *values);

/* Writes the names of the operation's operands; "" of those without one. */
void record_operands(struct record *r, const struct operation *op);

/* The default as a record has it; "" where it follows another parameter. */
void parameter_default(const struct parameter *p, char *text, size_t size);

/* The operator that the record's parameters select of those that a program of the row runs. */
const struct operator_row *record_selected(const struct record *r, const struct operator_row *o);

/* Fills in what the record lacks of them. */
void record_settle(struct record *r, const struct operator_row *o);

/* The shapes of the operation that a record is of, by an operator: sizes, parameters, geometry and
 * map. The operands have their names, which are the record's, and no values; the right one has its
 * shape too. A refusal where the record lacks the image's size or a parameter, or where
 * there is no such operation. */
struct refusal operation_of_record(struct operation *op, const struct operator_row *o,
                                   const struct record *r);

#endif
