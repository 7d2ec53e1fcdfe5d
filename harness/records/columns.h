/* What is known of each column of the sample record. The columns themselves are declared in
 * harness/records/columns.inc, once each; everything that walks columns walks this table. */
#ifndef MAXPOOL_COLUMNS_H
#define MAXPOOL_COLUMNS_H

#include "harness/records/record.h"

/* What a column is part of. */
enum column_flag {
    COLUMN_POINT = 1,         /* the identity of a point: two samples are of one point where all of
                                 these are equal */
    COLUMN_AXIS = 2 | 1,      /* ... and a definition may sweep it */
    COLUMN_SIZE = 4,          /* the problem: sizes of the image ... */
    COLUMN_PARAMETER = 8,     /* ... what is computed from it */
    COLUMN_VALUES = 16,       /* ... the values that it has; times are compared where all three
                                 are equal */
    COLUMN_SHAPE = 32,        /* the shapes of a definition set it; ratios show it */
    COLUMN_RANDOM_IMAGE = 64, /* only random images take it; a file has its own */
    COLUMN_TRAINING = 128,    /* only a training has it */
    COLUMN_LIST = 256         /* one value may be a list with commas; blanks separate the values of
                                 an axis */
};

/* Where a column has a meaning: what the operator and the space must have. Of parameter, operand,
 * network and pictures one is enough. A program whose name does not say is taken to have all. */
enum {
    POINT_PLANES = 1,    /* images of several planes */
    POINT_PARAMETER = 2, /* the parameter of that column */
    POINT_OPERAND = 4,   /* the operand of that column */
    POINT_WINDOWS = 8,   /* windows that a GPU can be given one by one */
    POINT_HOST = 16,     /* computes on the host */
    POINT_DEVICE = 32,   /* ... on a GPU */
    POINT_THREADS = 64,
    POINT_RANKS = 128,
    POINT_NETWORK = 256,  /* a network in the operator's place */
    POINT_OPERATOR = 512, /* no network */
    POINT_PICTURES = 1024 /* pictures that are compared with each other, by a network */
};

/* When a point's label shows a column. */
enum label_rule {
    LABEL_UNUSUAL, /* where the value is not the usual one */
    LABEL_ALWAYS,  /* wherever it has a value */
    LABEL_WORKERS, /* where there can be several workers */
    LABEL_HEAD     /* never as "name=value": the label begins with it, or it sets no points apart */
};

/* The curves that run through a column, whose labels do not show it; and in which labels it is. */
enum column_curves {
    ALONG_WORKERS = 1, /* through the workers */
    ALONG_SIDES = 2,   /* through the sizes of the image */
    ALONG_PLANES = 4,  /* ... and where work grows with the workers, through its planes */
    ALONG_KERNEL = 8,
    ALONG_STRIDE = 16,
    ALONG_PADDING = 32,
    SERIES_ALWAYS = 64,     /* in every label */
    SERIES_NEVER = 128,     /* in none */
    SERIES_NOT_SQUARE = 256 /* not where the image is square */
};

struct record_column {
    struct column column; /* name, type, place in struct record, meaning */
    int number;           /* place in the file, from 1 */
    const char *unit;     /* NULL: a number without one; record_column_unit() */
    unsigned flags;       /* enum column_flag */
    /* of a point */
    const char *option;   /* of the point programs that sets it, without the dashes; NULL: the
                             launcher or the program does. point_column_option() */
    unsigned where;       /* POINT_ flags; 0: everywhere */
    int64_t least;        /* smallest value of an integer */
    const char *fallback; /* of a network where nothing is said; NULL: the option's */
    /* in words */
    enum label_rule label;
    const char *usual; /* value that labels leave out; NULL: the option's default */
    const char *brief; /* what stands before the value in labels of curves; NULL: "name=" */
    unsigned curves;   /* enum column_curves */
    const char *word;  /* of a phase, in a summary; NULL: the column is no phase */
};

/* A byte for each column: its size is their number. */
struct record_column_bytes {
#define TEXT(field, ...)         char field;
#define INTEGER(field, ...)      char field;
#define REAL(field, ...)         char field;
#define PHASE(field, ...)        char field;
#define LAUNCH_PHASE(field, ...) char field;
#include "harness/records/columns.inc"
};
enum { RECORD_COLUMNS = sizeof(struct record_column_bytes) };

/* ... for each text. */
struct record_text_bytes {
#define TEXT(field, ...) char field;
#include "harness/records/columns.inc"
};
enum { RECORD_TEXTS = sizeof(struct record_text_bytes) };

extern const struct record_column record_columns[RECORD_COLUMNS]; /* in the order of columns.inc */

/* The column of a name, or of a name that it had in files of earlier versions; NULL: none. */
const struct record_column *record_column_find(const char *name);

/* True where it has all of these flags. */
bool record_column_is(const struct record_column *c, unsigned flags);

bool record_column_is_phase(const struct record_column *c);
const char *record_column_unit(const struct record_column *c);

/* Where a row holds the column. */
const void *record_field(const struct record *r, const struct record_column *c);

/* Equal in both rows; not available equals not available. Of texts and integers. */
bool record_column_same(const struct record_column *c, const struct record *a,
                        const struct record *b);

/* ... in each column that has all of these flags. */
bool record_same(const struct record *a, const struct record *b, unsigned flags);

#endif
