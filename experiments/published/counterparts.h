/* What is compared with each published row, data/published/counterparts.csv: a point of an
 * experiment and a measure of it, a known answer, a fact about the documents, or the reason why
 * nothing was measured. Every published row has exactly one counterpart, and every counterpart
 * belongs to a row. */
#ifndef MAXPOOL_COUNTERPARTS_H
#define MAXPOOL_COUNTERPARTS_H

#include "experiments/published/published.h"

enum counterpart_kind {
    COUNTERPART_MEASURED, /* a point of an experiment, once it was measured */
    COUNTERPART_ANSWER,   /* computed here, without a clock */
    COUNTERPART_FACT,     /* about a document, its machines or its data */
    COUNTERPART_ABSENT,   /* not measured; the sentence says why */
    COUNTERPART_KINDS
};

enum counterpart_column {
    COUNTERPART_FILE,
    COUNTERPART_ITEM,
    COUNTERPART_QUANTITY, /* "*": any */
    COUNTERPART_WHERE,    /* "machine=GTX1080; epochs=2" */
    COUNTERPART_NAME,     /* by which programs find the published value; "" for most */
    COUNTERPART_KIND,
    COUNTERPART_ANSWER_OF,   /* a function and its arguments */
    COUNTERPART_EXPERIMENTS, /* where to look, in this order */
    COUNTERPART_POINT,       /* columns of the record and their values; several points by " / " */
    COUNTERPART_MEASURE,     /* what is taken of it */
    COUNTERPART_COMPARE,     /* "ratio" where ours over the published value means something;
                                "limit" where that is the most that may be */
    COUNTERPART_SENTENCE,    /* English; an id of the catalogues */
    COUNTERPART_COLUMNS
};

extern const char *const counterpart_columns[COUNTERPART_COLUMNS + 1];

struct counterpart {
    int64_t line;
    enum counterpart_kind kind;
    char **cells; /* by enum counterpart_column */
    size_t rows;  /* published rows that it stands beside */
};

struct counterparts {
    struct strict_table table;
    struct counterpart *all;
    size_t count;
    size_t *of; /* the counterpart of each published row */
};

/* Status 2, with file, line and column: a published row without a counterpart or with two, a
 * counterpart without a row, one that lacks what its kind needs, a name that stands twice. */
enum status counterparts_read(struct counterparts *out, const struct published *p,
                              const char *folder, struct failure *f);
void counterparts_release(struct counterparts *c);

/* Status 2: "FOLDER/counterparts.csv:LINE: column 'NAME': 'CELL' WHY". */
enum status counterpart_refuse(const char *folder, const struct counterpart *c,
                               enum counterpart_column column, const char *why, struct failure *f);

/* The cell with the published row's own values instead of {column}: "network=mlp:{network}".
 * What does not fit is cut. */
enum { FILLED_TEXT = 400 };
void counterpart_fill(const char *cell, const struct published_row *row, char text[FILLED_TEXT]);

#endif
