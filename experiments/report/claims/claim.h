/* The message of a chart in words and numbers from the data: the title of the chart, the answer of
 * its section, and the few points that both are based on. */
#ifndef MAXPOOL_CLAIM_H
#define MAXPOOL_CLAIM_H

#include "experiments/analysis/selections/evidence.h"
#include "experiments/report/claims/time_counts.h"
#include "harness/base/text/messages.h"

enum { CLAIM_TITLE = 120, CLAIM_ANSWER = 1600, CLAIM_PLAIN = 500, CLAIM_ROWS = 8 };

/* What its points are compared with in the last column of its table. */
enum claim_against { AGAINST_EACH_OTHER, AGAINST_ROOF, AGAINST_ONE_WORKER, AGAINST_PUBLISHED };

struct claim {
    bool has_answer;
    bool doubtful;    /* what it says is based on a SUSPECT time: the title has the word */
    bool no_interval; /* likewise on too few launches for an interval: ROUGH */
    enum claim_against against;
    char title[CLAIM_TITLE];   /* the finding, short */
    char answer[CLAIM_ANSWER]; /* one sentence, with intervals */
    char plain[CLAIM_PLAIN]; /* its meaning, for readers who do not know intervals: rounded numbers,
                                no interval, no term that only the glossary explains */
    char because[CLAIM_PLAIN]; /* what explains it; joins `plain` unless a time is SUSPECT: such
                                  times allow no causal wording */
    char why[CLAIM_TITLE];     /* why there is no answer */
    const struct point *rows[CLAIM_ROWS];
    const char *published[CLAIM_ROWS]; /* published seconds of each row, digit for digit,
                                          AGAINST_PUBLISHED; NULL: none */
    size_t count;
    struct time_counts drawn; /* of the points that the chart draws, or of the rows */
};

/* Refuses the claim, with the reason `id`. */
void claim_refuse(struct claim *c, const struct language *l, const char *id);
void claim_title(struct claim *c, const struct language *l, const char *id,
                 const struct argument *arguments);

/* Add to the answer: a message with its arguments, or NULL if it has none; its form for a count; a
 * text unchanged. */
void claim_say(struct claim *c, const struct language *l, const char *id,
               const struct argument *arguments);
void claim_say_plural(struct claim *c, const struct language *l, const char *one, const char *many,
                      int64_t count, const struct argument *arguments);
void claim_add(struct claim *c, const char *text);

#endif
