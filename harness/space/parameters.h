/* Writes an operator's parameters and operands to the columns of a record, and reads them back. */
#ifndef MAXPOOL_SPACE_PARAMETERS_H
#define MAXPOOL_SPACE_PARAMETERS_H

#include "harness/records/record.h"
#include "kernels/operators.h"

/* Writes the parameters that the operator takes; the columns of other parameters do not change. */
void record_parameters(struct record *r, const struct operator_row *o,
                       const struct parameters *values);

/* Writes the names of the operation's operands; "" for an operand without one. */
void record_operands(struct record *r, const struct operation *op);

/* Writes the default as records have it; "" if it follows another parameter. */
void parameter_default(const struct parameter *p, char *text, size_t size);

/* Whether the record has a value of the parameter; of a choice, one of its words. */
bool record_has_parameter(const struct record *r, const struct parameter *p);

/* Returns the operator that the record's parameters select among those that programs of this row
 * run. */
const struct operator_row *record_selected(const struct record *r, const struct operator_row *o);

/* Fills in the parameters that the record lacks. */
void record_settle(struct record *r, const struct operator_row *o);

/* Sets the shapes of the operation that a record describes: sizes, parameters, geometry and map.
 * The operands have the names of the record and no values; the right one has its shape too. A
 * refusal if the record lacks the image's size or a parameter, or if there is no such operation. */
struct refusal operation_of_record(struct operation *op, const struct operator_row *o,
                                   const struct record *r);

/* Whether operation_of_record reads the column, or records name the operator or its method there.
 */
bool operation_has_column(const struct operator_row *o, const char *column);

#endif
