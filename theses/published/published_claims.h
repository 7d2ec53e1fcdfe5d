/* What the four documents claim, in words of our own, data/published/claims.csv: one claim a row,
 * with what is measured or computed for it and the values that agree with it. */
#ifndef MAXPOOL_PUBLISHED_CLAIMS_H
#define MAXPOOL_PUBLISHED_CLAIMS_H

#include "theses/published/published.h"

enum claim_column {
    CLAIM_SOURCE,      /* a word of published_source_words */
    CLAIM_PLACE,       /* figure, table or section */
    CLAIM_TEXT,        /* English; a message id of the catalogues, context "claim" */
    CLAIM_ANSWER_OF,   /* a known answer: a function and its arguments */
    CLAIM_EXPERIMENTS, /* experiments that may have the point, in order of preference */
    CLAIM_POINT,       /* as in counterparts.csv */
    CLAIM_MEASURE,     /* likewise */
    CLAIM_EXPECTED,    /* "above 1", "below 1", "from 1.9 to 2.1", "equal 4", "equal 2x2" */
    CLAIM_PROTOCOL,    /* what is not the same here, words of protocol_words; "": nothing */
    CLAIM_SENTENCE,    /* English, for the reader; likewise a message id */
    CLAIM_COLUMNS
};

/* Ends: agreeing values are between them; an end may be infinite. */
enum expected { EXPECT_NOTHING, EXPECT_RANGE, EXPECT_ABOVE, EXPECT_BELOW, EXPECT_EQUAL };

struct published_claim {
    int64_t line;
    enum published_source source;
    enum expected expectation;
    double low, high;  /* of agreeing values; of EXPECT_EQUAL NaN */
    const char *equal; /* the expected digits or shape; "" for others */
    char **cells;
};

struct published_claims {
    struct strict_table table;
    struct published_claim *all; /* owned */
    size_t count;
};

/* Reads and checks FOLDER/claims.csv. Status 2, with file, line and column, for an unknown source
 * or protocol word, an expectation of another form, or a claim with nothing that decides it: every
 * claim has a known answer, a measure, or a protocol that differs. */
enum status published_claims_read(struct published_claims *out, const char *folder,
                                  struct failure *f);
void published_claims_release(struct published_claims *c);

/* Status 2: "FOLDER/claims.csv:LINE: column 'NAME': 'CELL' WHY". */
enum status published_claim_refuse(const char *folder, const struct published_claim *c,
                                   enum claim_column column, const char *why, struct failure *f);

/* What a protocol may differ in, ended by NULL: data, split, ... */
extern const char *const protocol_words[];

/* True if the text is empty, or words of protocol_words separated by blanks. */
bool protocol_is_known(const char *text);

#endif
