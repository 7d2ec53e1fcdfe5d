/* What is compared with each published row, data/published/counterparts.csv: a point of an
 * experiment and a measure of it, a known answer, a fact about the documents, or the reason why
 * nothing was measured. Every published row has exactly one counterpart, and every counterpart
 * belongs to a row. */
#ifndef MAXPOOL_COUNTERPARTS_H
#define MAXPOOL_COUNTERPARTS_H

#include "theses/published/published.h"

enum counterpart_kind {
    COUNTERPART_MEASURED, /* a point of an experiment, if it was measured */
    COUNTERPART_ANSWER,   /* computed here, without a clock */
    COUNTERPART_FACT,     /* about a document, its machines or its data */
    COUNTERPART_ABSENT,   /* not measured; the sentence gives the reason */
    COUNTERPART_KINDS
};

enum counterpart_column {
    COUNTERPART_FILE,
    COUNTERPART_ITEM,
    COUNTERPART_QUANTITY, /* "*": any */
    COUNTERPART_WHERE,    /* "machine=GTX1080; epochs=2" */
    COUNTERPART_NAME,     /* by which programs refer to the published value; usually "" */
    COUNTERPART_KIND,
    COUNTERPART_ANSWER_OF,   /* a function and its arguments */
    COUNTERPART_EXPERIMENTS, /* experiments that may have the point, in order of preference */
    COUNTERPART_POINT,       /* columns of the record and their values; " / " between points */
    COUNTERPART_MEASURE,     /* the value that is taken of it */
    COUNTERPART_COMPARE,     /* "ratio" if ours / published is meaningful; "limit" if the
                                 published value is an upper limit; "result" for a result of
                                 another protocol; "" for a setting */
    COUNTERPART_SENTENCE,    /* English; a message id of the catalogues */
    COUNTERPART_PROTOCOL,    /* what is not the same here: words of protocol_words */
    COUNTERPART_COLUMNS
};

struct counterpart {
    int64_t line;
    enum counterpart_kind kind;
    char **cells; /* indexed by enum counterpart_column */
    size_t rows;  /* number of published rows that it belongs to */
};

struct counterparts {
    struct strict_table table;
    struct counterpart *all;
    size_t count;
    size_t *of; /* index of the counterpart, per published row */
};

/* Reads and checks the file. Status 2, with file, line and column, for a published row without a
 * counterpart or with two, a counterpart without a row or without what its kind needs, or a
 * duplicate name. */
enum status counterparts_read(struct counterparts *out, const struct published *p,
                              const char *folder, struct failure *f);
void counterparts_release(struct counterparts *c);

/* Status 2: "FOLDER/counterparts.csv:LINE: column 'NAME': 'CELL' WHY". */
enum status counterpart_refuse(const char *folder, const struct counterpart *c,
                               enum counterpart_column column, const char *why, struct failure *f);

/* Fills in a cell: replaces {column} by the published row's value, as in "network=mlp:{network}".
 * What does not fit is truncated. */
enum { FILLED_TEXT = 400 };
void counterpart_fill(const char *cell, const struct published_row *row, char text[FILLED_TEXT]);

#endif
