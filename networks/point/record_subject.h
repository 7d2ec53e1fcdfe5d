/* The subject of a record: an operator, or instead of it a network, or pictures that a network
 * embeds. */
#ifndef MAXPOOL_POINT_RECORD_SUBJECT_H
#define MAXPOOL_POINT_RECORD_SUBJECT_H

#include "harness/records/record.h"
#include "kernels/operators.h"

/* The row of a name as records have it; NULL: of none. */
const struct operator_row *recorded_row(const char *name);

/* What a record is of: the row of its operator, or the one that its parameters select. */
const struct operator_row *recorded_operator(const struct record *r);

/* True for the rows that stand for networks and for faces, which are distinguished by the record's
 * network, images and sizes instead of an operator's parameters. */
bool recorded_is_network(const struct operator_row *o);

/* True for the one of them that compares pictures with each other. */
bool recorded_compares_pictures(const struct operator_row *o);

/* The i-th of these rows, or NULL from their number on. */
const struct operator_row *recorded_network_at(size_t i);

/* The image where none is asked for, as records name it; `o` NULL: not known of what. */
const char *recorded_input(const struct operator_row *o);

/* True where programs of the row set a column otherwise than those of operators: by *option, or
 * where that is NULL by none. */
bool recorded_option(const struct operator_row *o, const char *column, const char **option);

/* The shapes of the operation that a record is of, as operation_of_record has them. Networks are
 * made once each and kept; the operation reads them, and nothing of it is to be released. What the
 * record of a network leaves open, images and sizes, is taken as its program would. */
struct refusal recorded_operation(struct operation *op, const struct operator_row *o,
                                  const struct record *r);

/* Fills in what the record of a network leaves open: images, planes, rows and columns; of faces the
 * seed of the parameters and the pictures of a batch too. */
void recorded_settle(struct record *r);

/* True where the record is of a training, whose operation then counts backward and update too. */
bool recorded_trains(const struct record *r);

/* Bytes of the parameters of a record's network; 0: of none that is known. */
double recorded_parameter_bytes(const struct record *r);

/* Hidden layers of a record's network where all of its layers are fully connected; 0: they are not,
 * or the network is not known. */
int recorded_hidden_layers(const struct record *r);

/* Bytes that such a training needs in each process. */
size_t recorded_training_bytes(const struct operation *op, const struct record *r);

/* The method of another library, of an operator or of networks; NULL: of none. */
const struct method *recorded_peer(const struct operator_row *o, const char *name);

/* True where the network of a record takes images of any size, --image-size. */
bool recorded_takes_sizes(const struct record *r);

#endif
