/* A point: one command of a point program, named by its point columns of the record. */
#ifndef MAXPOOL_STUDY_POINT_H
#define MAXPOOL_STUDY_POINT_H

#include "harness/records/record.h"
#include "harness/space/spaces.h"
#include "kernels/operators.h"

/* The operator and space of a program; each NULL where its name does not tell. */
struct point_kind {
    const struct operator_row *operator_row;
    const struct space_facts *space;
};

/* Where a column has a meaning: what the operator and the space must have. A program whose name
 * does not tell is taken to have all. */
enum {
    POINT_PLANES = 1,    /* images of several planes */
    POINT_PARAMETER = 2, /* the parameter of that column */
    POINT_SECOND = 4,    /* a second operand */
    POINT_WINDOWS = 8,   /* windows that a GPU can be given one by one */
    POINT_HOST = 16,     /* computes on the host */
    POINT_DEVICE = 32,   /* ... on a GPU */
    POINT_THREADS = 64,
    POINT_RANKS = 128,
    POINT_THIRD = 256, /* a third operand, a fourth, a fifth */
    POINT_FOURTH = 512,
    POINT_FIFTH = 1024,
    POINT_NETWORK = 2048,  /* a network in the operator's place */
    POINT_OPERATOR = 4096, /* no network */
    POINT_SIXTH = 8192     /* a sixth operand */
};

/* A column of the record that names the point, and the option of the point programs that sets it.
 */
struct point_column {
    const char *name;   /* of the record's column, and of the axis in a definition */
    const char *option; /* without the dashes; NULL where the launcher or the program sets it. That
                           of a second operand is the operator's, and networks have one size of
                           images: point_column_option() */
    unsigned where;     /* flags from above; 0: everywhere */
    int64_t least;      /* smallest value of an integer */
    bool axis;          /* a definition may sweep it */
};

extern const struct point_column point_columns[];
extern const size_t point_column_count;

/* "maxpool_omp" is the operator maxpool in the space omp. */
struct point_kind point_program_kind(const char *program);

/* Those of a record: here text becomes a row, once and for all who ask. */
struct point_kind point_record_kind(const struct record *r);

/* What computes a record's samples: one worker alone, several processes, a GPU. */
bool point_is_alone(const struct record *r);
bool point_has_ranks(const struct record *r);
bool point_is_on_device(const struct record *r);

/* True where the column has a meaning for a program of that kind. */
bool point_column_applies(const struct point_column *column, struct point_kind kind);

/* The option that sets a column in programs of that operator; NULL: not known which. */
const char *point_column_option(const struct point_column *column, const struct operator_row *o);

/* What a point column is where nothing is said: the default of the option that sets it in programs
 * of that operator (NULL: not known which); "": none. */
const char *point_column_default(const struct point_column *column, const struct operator_row *o,
                                 char text[RECORD_TEXT]);

/* What only a training has, where nothing is said; "": nothing. */
const char *point_training_default(const struct point_column *column);

/* True where a sample is a training step. */
bool point_trains(const struct record *r);

/* Bytes of the parameters of its network; 0: it has none that is known. */
double point_parameter_bytes(const struct record *r);

/* Index in point_columns, or -1. */
int point_column_find(const char *name);

/* The record's column of a point column. */
const struct column *point_record_column(size_t index);

enum { POINT_KEY = 1024 }; /* bytes of a key, the final 0 included */

/* "program=maxpool_omp method=staged rows=1024 ..." of every point column that is available, in the
 * order of point_columns: equal for two samples exactly when they are of one point. A key that
 * would not fit ends in a hash of the rest. */
void point_key(const struct record *r, char key[POINT_KEY]);

/* A short name for people: "maxpool_omp staged 1024x1024 k=2 threads=2". */
void point_label(const struct record *r, char *label, size_t size);

/* True where images of several channels, and the filters over them, are alike in both. */
bool point_same_channels(const struct record *a, const struct record *b);

/* True where the same network with the same parameters takes as many images in both, and is trained
 * in both or in none. */
bool point_same_network(const struct record *a, const struct record *b);

/* True where a sample is of a planned point: every column that the plan sets is the same. The plan
 * leaves open what the program decides (a file's sizes, a default). Files are compared by name.
 * What was simulated is never of a point that was to be measured. */
bool point_matches(const struct record *planned, const struct record *sample);

#endif
