/* A point: one command of a point program, identified by the point columns of the record. */
#ifndef MAXPOOL_STUDY_POINT_H
#define MAXPOOL_STUDY_POINT_H

#include "harness/records/columns.h"
#include "harness/space/spaces.h"
#include "kernels/operators.h"

/* The operator and space of a program; each NULL if its name does not contain one. */
struct point_kind {
    const struct operator_row *operator_row;
    const struct space_facts *space;
};

/* The columns that identify a point (COLUMN_POINT), in the order of harness/records/columns.inc;
 * NULL from point_column_count() on. */
const struct record_column *point_column(size_t i);
size_t point_column_count(void);

/* Index of a point column, or -1. */
int point_column_find(const char *name);

/* The operator and space of a program: "maxpool_omp" is maxpool in the space omp. */
struct point_kind point_program_kind(const char *program);

/* Those of a planned point, whose parameters may select another operator of the same program. */
struct point_kind point_planned_kind(const struct record *p);

/* Those of a record. This is the only place that converts their names to table rows. */
struct point_kind point_record_kind(const struct record *r);

/* The operator of a program of another (`study speedup -- COMMAND`), which is none of ours, and the
 * verdict of its launches whose output was checked as its user asked. */
extern const char own_operator[], own_verdict[];
bool point_is_own_program(const struct record *r);

/* Whether one worker alone, several processes, or a GPU computed a record's samples. */
bool point_is_alone(const struct record *r);
bool point_has_ranks(const struct record *r);
bool point_is_on_device(const struct record *r);

/* True if the column has a meaning for a program of that kind. */
bool point_column_applies(const struct record_column *column, struct point_kind kind);

/* As point_column_applies, for any of the operators that the program's options select. */
bool point_column_may_apply(const struct record_column *column, struct point_kind kind);

/* For an operator that options select: blanks the columns of the operators not selected, as in rows
 * of earlier versions. */
void point_keep_own(struct record *r);

/* The option that sets a column in programs of that operator (NULL: unknown), without the dashes;
 * NULL: none. An operand's option is the operator's, and networks have one option for the image
 * size. */
const char *point_column_option(const struct record_column *column, const struct operator_row *o);

/* The default of a point column: that of the option that sets it in programs of that operator
 * (NULL: unknown); "": none. */
const char *point_column_default(const struct record_column *column, const struct operator_row *o,
                                 char text[RECORD_TEXT]);

/* The default of a column that only trainings have; "": none. */
const char *point_training_default(const struct record_column *column);

/* True if a sample is a training step. */
bool point_trains(const struct record *r);

/* True if the workers share the products alone, and one of them computes the other stages. */
bool point_shares_product(const struct record *r);

/* Bytes of the parameters of its network; 0: none known. */
double point_parameter_bytes(const struct record *r);

/* Number of hidden layers of its network if all layers are fully connected; otherwise 0. */
int point_hidden_layers(const struct record *r);

enum { POINT_KEY = 1024 }; /* bytes of a key, including the final 0 */

/* "program=maxpool_omp method=staged rows=1024 ...": every available point column, in order, except
 * those whose value is what a row without one means (`absent`). The keys of two samples are equal
 * if and only if they belong to one point. A key that would not fit ends in a hash of the rest. */
void point_key(const struct record *r, char key[POINT_KEY]);

/* A short name for people: "maxpool_omp staged 1024x1024 k=2 threads=2". */
void point_label(const struct record *r, char *label, size_t size);

/* The same with the folders of files: for points whose files have the same name. */
void point_label_whole(const struct record *r, char *label, size_t size);

/* Writes what distinguishes a sample from another, of columns whose values differ: ", scatter",
 * ", padding=1"; a column without a value is left out. */
void point_difference(const struct record *r, const struct record *other, char *text, size_t size);

/* True if every column with all of these flags (COLUMN_PARAMETER ...) has the same value in both. A
 * column that an earlier version did not record has its default value. */
bool point_same(const struct record *a, const struct record *b, unsigned flags);

/* The same without the column whose field of struct record is at this offset. */
bool point_same_but(const struct record *a, const struct record *b, unsigned flags, size_t offset);

/* True if the columns that describe a network have the same values in both. */
bool point_same_network(const struct record *a, const struct record *b);

/* False for a program of another in two experiments: of two with one title nobody knows whether
 * they are the same. */
bool point_may_share(const struct record *a, const struct record *b);

/* True if a sample belongs to a planned point: every column that the plan sets has the same value.
 * The plan leaves open what the program decides (a file's sizes, a default). In a column that says
 * what a row without a value means, no value and that one are the same. Files are compared by name.
 * A simulated sample never belongs to a point planned for measurement. */
bool point_matches(const struct record *planned, const struct record *sample);

#endif
