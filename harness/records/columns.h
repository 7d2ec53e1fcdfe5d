/* The properties of each column of the sample record. The columns themselves are declared in
 * harness/records/columns.inc, once each; all code that loops over columns uses this table. */
#ifndef MAXPOOL_COLUMNS_H
#define MAXPOOL_COLUMNS_H

#include "harness/records/record.h"

/* The roles of a column. */
enum column_flag {
    COLUMN_POINT = 1,     /* the identity of a point: two samples belong to the same point if all of
                             these are equal */
    COLUMN_AXIS = 2 | 1,  /* ... and a definition may sweep it */
    COLUMN_SIZE = 4,      /* the problem: sizes of the image ... */
    COLUMN_PARAMETER = 8, /* ... what is computed from the image */
    COLUMN_VALUES = 16,   /* ... its values; times are compared only if all three are equal */
    COLUMN_SHAPE = 32,    /* definitions set it by their shapes; ratios show it */
    COLUMN_RANDOM_IMAGE = 64, /* applies to random images only; a file has its own */
    COLUMN_TRAINING = 128,    /* applies to trainings only */
    COLUMN_LIST = 256         /* one value may be a list with commas; blanks separate the values of
                                 an axis */
};

/* What the operator and the space must have for a column to apply. Of parameter, operand, network
 * and pictures, any one suffices. An unknown program counts as having all. */
enum {
    POINT_PLANES = 1,    /* images of several planes */
    POINT_PARAMETER = 2, /* the parameter of that column */
    POINT_OPERAND = 4,   /* the operand of that column */
    POINT_WINDOWS = 8,   /* windows that a GPU can be given one at a time */
    POINT_HOST = 16,     /* computes on the host */
    POINT_DEVICE = 32,   /* ... on a GPU */
    POINT_THREADS = 64,
    POINT_RANKS = 128,
    POINT_NETWORK = 256,  /* a network instead of an operator */
    POINT_OPERATOR = 512, /* no network */
    POINT_PICTURES = 1024 /* pictures that a network compares with each other */
};

/* When a point's label shows a column. */
enum label_rule {
    LABEL_UNUSUAL, /* if the value is not the usual one */
    LABEL_ALWAYS,  /* if it has a value */
    LABEL_WORKERS, /* if there can be several workers */
    LABEL_HEAD /* never as "name=value": the label begins with it, or it distinguishes no points */
};

/* The curves along which the column varies, so that their labels omit it; and which labels of
 * curves show it. */
enum column_curves {
    ALONG_WORKERS = 1, /* curves over the number of workers */
    ALONG_SIDES = 2,   /* curves over the sizes of the image */
    ALONG_PLANES = 4,  /* ... and over planes, if work grows with the workers */
    ALONG_KERNEL = 8,
    ALONG_STRIDE = 16,
    ALONG_PADDING = 32,
    SERIES_ALWAYS = 64,     /* all labels show it */
    SERIES_NEVER = 128,     /* no label shows it */
    SERIES_NOT_SQUARE = 256 /* no label of a square image shows it */
};

struct record_column {
    struct column column; /* name, type, offset in struct record, meaning */
    int number;           /* place in the file, from 1 */
    const char *unit;     /* NULL: a number without unit; see record_column_unit() */
    unsigned flags;       /* enum column_flag */
    /* for points */
    const char *option; /* option of the point programs that sets it, without the dashes; NULL: the
                           launcher or the program sets it. See point_column_option() */
    unsigned where;     /* POINT_ flags; 0: everywhere */
    int64_t least;      /* smallest value of an integer */
    const char *fallback; /* value for a network if not given; NULL: the option's */
    const char *absent;   /* what a row without a value means; NULL: it is unknown */
    /* for labels and texts */
    enum label_rule label;
    const char *usual; /* value that labels leave out; NULL: `absent`, or the option's default */
    const char *brief; /* precedes the value in labels of curves; NULL: "name=" */
    unsigned curves;   /* enum column_curves */
    const char *word;  /* name of a phase in a summary; NULL: not a phase */
    bool is_part;      /* summaries write "of it" before that name: the first part of a phase */
};

/* One byte per column, so that the size is the number of columns. */
struct record_column_bytes {
#define TEXT(field, ...)         char field;
#define INTEGER(field, ...)      char field;
#define REAL(field, ...)         char field;
#define PHASE(field, ...)        char field;
#define LAUNCH_PHASE(field, ...) char field;
#include "harness/records/columns.inc"
};
enum { RECORD_COLUMNS = sizeof(struct record_column_bytes) };

/* ... and one byte per text column. */
struct record_text_bytes {
#define TEXT(field, ...) char field;
#include "harness/records/columns.inc"
};
enum { RECORD_TEXTS = sizeof(struct record_text_bytes) };

extern const struct record_column record_columns[RECORD_COLUMNS]; /* in the order of columns.inc */

/* Returns the column with this name, or with this name in files of earlier versions; NULL if
 * none. */
const struct record_column *record_column_find(const char *name);

/* True if the column has all of these flags. */
bool record_column_is(const struct record_column *c, unsigned flags);

bool record_column_is_phase(const struct record_column *c);
const char *record_column_unit(const struct record_column *c);

/* Returns the address of the column in a row. */
const void *record_field(const struct record *r, const struct record_column *c);

/* True if both rows have the same value; "not available" equals "not available", or what a row
 * without a value means (`absent`). For texts and integers. */
bool record_column_same(const struct record_column *c, const struct record *a,
                        const struct record *b);

/* ... in every column that has all of these flags. */
bool record_same(const struct record *a, const struct record *b, unsigned flags);

#endif
