/* A point: one command of a point program, named by its point columns of the record. */
#ifndef MAXPOOL_STUDY_POINT_H
#define MAXPOOL_STUDY_POINT_H

#include "harness/records/record.h"

/* Where a column has a meaning; a program whose name tells neither is taken to have them all. */
enum {
    POINT_MAXPOOL = 1,
    POINT_MATMUL = 2,
    POINT_SERIAL = 4,
    POINT_OMP = 8,
    POINT_MPI = 16,
    POINT_CUDA = 32,
    POINT_ANY_OPERATOR = POINT_MAXPOOL | POINT_MATMUL,
    POINT_ANY_SPACE = POINT_SERIAL | POINT_OMP | POINT_MPI | POINT_CUDA
};

/* A column of the record that names the point, and the option of the point programs that sets it.
 */
struct point_column {
    const char *name;   /* of the record's column, and of the axis in a definition */
    const char *option; /* without the dashes; NULL where the launcher or the program sets it */
    unsigned where;     /* operators and spaces that it applies to */
    int64_t least;      /* smallest value of an integer */
    bool axis;          /* a definition may sweep it */
};

extern const struct point_column point_columns[];
extern const size_t point_column_count;

/* The operator and space that a program's name tells, "maxpool_omp", as flags from above. */
unsigned point_program_kind(const char *program);

/* True where the column has a meaning for a program of that kind. */
bool point_column_applies(const struct point_column *column, unsigned kind);

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

/* True where a sample is of a planned point: every column that the plan sets is the same. The plan
 * leaves open what the program decides (a file's sizes, a default). Files are compared by name.
 * What was simulated is never of a point that was to be measured. */
bool point_matches(const struct record *planned, const struct record *sample);

#endif
