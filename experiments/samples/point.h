/* A point: one command of a point program, named by its point columns of the record. */
#ifndef MAXPOOL_STUDY_POINT_H
#define MAXPOOL_STUDY_POINT_H

#include "harness/records/columns.h"
#include "harness/space/spaces.h"
#include "kernels/operators.h"

/* The operator and space of a program; each NULL where its name does not say. */
struct point_kind {
    const struct operator_row *operator_row;
    const struct space_facts *space;
};

/* The columns that name a point (COLUMN_POINT), in the order of harness/records/columns.inc; NULL
 * at point_column_count() and beyond. */
const struct record_column *point_column(size_t i);
size_t point_column_count(void);

/* Index of a point column, or -1. */
int point_column_find(const char *name);

/* "maxpool_omp" is the operator maxpool in the space omp. */
struct point_kind point_program_kind(const char *program);

/* ... of a planned point, whose parameters may select another operator of the program's. */
struct point_kind point_planned_kind(const struct record *p);

/* Those of a record: here text becomes a row, once and for all who ask. */
struct point_kind point_record_kind(const struct record *r);

/* What computes a record's samples: one worker alone, several processes, a GPU. */
bool point_is_alone(const struct record *r);
bool point_has_ranks(const struct record *r);
bool point_is_on_device(const struct record *r);

/* True where the column has a meaning for a program of that kind. */
bool point_column_applies(const struct record_column *column, struct point_kind kind);

/* ... for a program of that kind with one of the operators that its options select. */
bool point_column_may_apply(const struct record_column *column, struct point_kind kind);

/* Of an operator that options select: blanks the columns of those that were not selected, as rows
 * of earlier versions have them. */
void point_keep_own(struct record *r);

/* The option that sets a column in programs of that operator (NULL: not known which), without the
 * dashes; NULL: none. That of an operand is the operator's, and networks have one size of images.
 */
const char *point_column_option(const struct record_column *column, const struct operator_row *o);

/* What a point column is where nothing is said: the default of the option that sets it in programs
 * of that operator (NULL: not known which); "": none. */
const char *point_column_default(const struct record_column *column, const struct operator_row *o,
                                 char text[RECORD_TEXT]);

/* What only a training has, where nothing is said; "": nothing. */
const char *point_training_default(const struct record_column *column);

/* True where a sample is a training step. */
bool point_trains(const struct record *r);

/* Bytes of the parameters of its network; 0: it has none that is known. */
double point_parameter_bytes(const struct record *r);

/* Hidden layers of its network where all layers are fully connected; 0: they are not. */
int point_hidden_layers(const struct record *r);

enum { POINT_KEY = 1024 }; /* bytes of a key, the final 0 included */

/* "program=maxpool_omp method=staged rows=1024 ..." of every point column that is available, in the
 * order of the columns: equal for two samples exactly when they are of one point. A key that
 * would not fit ends in a hash of the rest. */
void point_key(const struct record *r, char key[POINT_KEY]);

/* A short name for people: "maxpool_omp staged 1024x1024 k=2 threads=2". */
void point_label(const struct record *r, char *label, size_t size);

/* True where every column with all of these flags (COLUMN_PARAMETER ...) has the same value in
 * both. What an earlier version did not record is as its default. */
bool point_same(const struct record *a, const struct record *b, unsigned flags);

/* ... of those columns that describe a network. */
bool point_same_network(const struct record *a, const struct record *b);

/* True where a sample is of a planned point: every column that the plan sets is the same. The plan
 * leaves open what the program decides (a file's sizes, a default). Files are compared by name.
 * What was simulated is never of a point that was to be measured. */
bool point_matches(const struct record *planned, const struct record *sample);

#endif
