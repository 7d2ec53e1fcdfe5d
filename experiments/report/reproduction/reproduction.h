/* Every published number and figure, compared with the value measured, or computed, here: one row
 * each, in the order of the files of data/published. It contains numbers and findings;
 * reproduction_words.h puts them in words. */
#ifndef MAXPOOL_REPRODUCTION_H
#define MAXPOOL_REPRODUCTION_H

#include "experiments/report/report_data.h"
#include "experiments/report/reproduction/measures.h"
#include "experiments/report/reproduction/verdicts.h"
#include "theses/reproduce/answers.h"

enum reproduced {
    REPRODUCED_MEASURED,
    REPRODUCED_ANSWER,  /* computed here, without a clock */
    REPRODUCED_FACT,    /* about a document, its machines or its data */
    REPRODUCED_ABSENT,  /* nothing to measure; a sentence says why */
    REPRODUCED_MISSING, /* could be measured, but was not */
    REPRODUCED_STATES
};
/* For programs: the column `state`. */
extern const char *const reproduced_names[REPRODUCED_STATES];

/* What a published number is here. */
enum nature {
    NATURE_RESULT,        /* a published result, compared with ours by the same protocol */
    NATURE_CONFIGURATION, /* a setting with which something was measured here */
    NATURE_RECOMPUTED,    /* computed here, without a clock */
    NATURE_NEITHER,
    NATURES
};

struct reproduced_row {
    const struct published_row *published;
    const struct counterpart *counterpart;
    enum reproduced state;
    const struct report_data *source; /* in which it was measured; NULL: not measured */
    const struct experiment *experiment;
    struct measure measure; /* for the states MEASURED and MISSING, and besides an answer */
    struct taken taken;
    struct answer answer;     /* known answer; otherwise NaN and "" */
    bool compared;            /* ours / published is meaningful */
    bool other_protocol;      /* a result that another protocol gave: no ratio */
    double scale;             /* the published value's unit, in the measure's unit */
    double ratio;             /* ours / published; NaN: none */
    struct interval interval; /* of the ratio, 95 % */
};

/* Numbers of rows of a document. */
struct reproduced_counts {
    size_t numbers[REPRODUCED_STATES], figures[REPRODUCED_STATES];
    size_t natures[NATURES];
    size_t other_protocol; /* of NATURE_NEITHER: measured, by another protocol or SUSPECT */
};

struct reproduction {
    struct reproduced_row *rows; /* owned */
    size_t count;
    struct reproduced_counts counts[SOURCES];
    bool shown[SOURCES];      /* documents that pages show: all, unless set otherwise */
    struct verdicts verdicts; /* of the claims of all documents */
};

/* Takes each row from the first of the `sources` that has it, and there from the first experiment
 * of its counterpart. `folder` contains counterparts.csv and claims.csv. Findings are in the
 * language. Status 2, with file, line and column, for an unknown point or measure, a ratio of
 * different units, or an answer that cannot be computed; 4 if memory runs out. */
enum status reproduction_make(struct reproduction *out, const struct published *published,
                              const struct counterparts *counterparts, const char *folder,
                              const struct report_data *const *sources, size_t source_count,
                              const struct language *l, struct failure *f);
void reproduction_release(struct reproduction *r);

/* The sums over the documents that are shown. */
struct reproduced_counts reproduction_counts(const struct reproduction *r);

/* The measured row whose ratio is farthest from 1, or the next one after `previous` in that order;
 * NULL if no further one differs from 1 by more than a twentieth. */
const struct reproduced_row *reproduction_deviating(const struct reproduction *r,
                                                    const struct reproduced_row *previous);

#endif
