/* The subject of a record: an operator, a network, or pictures that a network embeds. */
#ifndef MAXPOOL_POINT_RECORD_SUBJECT_H
#define MAXPOOL_POINT_RECORD_SUBJECT_H

#include "harness/records/record.h"
#include "kernels/operators.h"

/* The row of that name in records; NULL if there is none. */
const struct operator_row *recorded_row(const char *name);

/* The row of a record's operator, or the row that its parameters select. */
const struct operator_row *recorded_operator(const struct record *r);

/* True for the rows that represent networks and faces. Their records are distinguished by network,
 * images and sizes instead of an operator's parameters. */
bool recorded_is_network(const struct operator_row *o);

/* True for the row that compares pictures with each other. */
bool recorded_compares_pictures(const struct operator_row *o);

/* The i-th of these rows, or NULL if there is none. */
const struct operator_row *recorded_network_at(size_t i);

/* The image if none is requested, by its name in records; `o` is NULL if the row is unknown. */
const char *recorded_input(const struct operator_row *o);

/* True if programs of the row set a column by a different option than those of operators: *option,
 * NULL for none. */
bool recorded_option(const struct operator_row *o, const char *column, const char **option);

/* Sets the shapes of the operation of a record, like operation_of_record. Networks are made once
 * each and kept; the operation reads them, and nothing of it is to be released. Images and sizes
 * that the record of a network leaves open are set as its program would. */
struct refusal recorded_operation(struct operation *op, const struct operator_row *o,
                                  const struct record *r);

/* Fills in what the record of a network leaves open: images, planes, rows and columns; for faces
 * also the seed of the parameters and the pictures per batch. */
void recorded_settle(struct record *r);

/* True if the record is of a training, whose operation then includes backward and update. */
bool recorded_trains(const struct record *r);

/* Bytes of the parameters of a record's network; 0 if the network is unknown. */
double recorded_parameter_bytes(const struct record *r);

/* Hidden layers of a record's network if all its layers are fully connected; 0 if they are not, or
 * the network is unknown. */
int recorded_hidden_layers(const struct record *r);

/* Bytes that a record's training needs in each process. */
size_t recorded_training_bytes(const struct operation *op, const struct record *r);

/* The method by which another library runs an operator or networks; NULL if there is none. */
const struct method *recorded_peer(const struct operator_row *o, const char *name);

/* True if there is a network of that name; its sizes may still be wrong. */
bool recorded_has_network(const char *name);

/* Lists the networks, "resnet18, mlp:H1-H2-...", as far as they fit. */
void recorded_list_networks(char *text, size_t size);

/* True if the network of a record takes images of any size, --image-size. */
bool recorded_takes_sizes(const struct record *r);

#endif
