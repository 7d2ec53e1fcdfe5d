/* Every published number and figure beside what was measured, or computed, here: one row each, in
 * the order of the files of data/published. Numbers and findings; reproduction_words.h has their
 * words.
 */
#ifndef MAXPOOL_REPRODUCTION_H
#define MAXPOOL_REPRODUCTION_H

#include "experiments/report/report_data.h"
#include "experiments/report/reproduction/measures.h"
#include "experiments/reproduce/answers.h"

enum reproduced {
    REPRODUCED_MEASURED,
    REPRODUCED_ANSWER,  /* computed here, without a clock */
    REPRODUCED_FACT,    /* about a document, its machines or its data */
    REPRODUCED_ABSENT,  /* nothing to measure; a sentence says why */
    REPRODUCED_MISSING, /* could be measured, and was not */
    REPRODUCED_STATES
};
/* For machines: the column `state`. */
extern const char *const reproduced_names[REPRODUCED_STATES];

struct reproduced_row {
    const struct published_row *published;
    const struct counterpart *counterpart;
    enum reproduced state;
    const struct report_data *source; /* that it was measured in; NULL: nothing was */
    const struct experiment *experiment;
    struct measure measure; /* of a measured one, and a missing one */
    struct taken taken;
    struct answer answer;     /* of a known answer; NaN and "" otherwise */
    bool compared;            /* ours over the published value means something */
    double scale;             /* that unit of the published value in the measure's own unit */
    double ratio;             /* ours over the published value; NaN: none */
    struct interval interval; /* 95 %, of the ratio */
};

struct reproduction {
    struct reproduced_row *rows; /* owned */
    size_t count;
    size_t numbers[REPRODUCED_STATES], figures[REPRODUCED_STATES];
};

/* Takes each row from the first of the `sources` that has it, there from the first experiment of
 * its counterpart. `folder` is where counterparts.csv lies. Findings are in the language. Status 2,
 * with file, line and column, for a point or a measure that there is not, a ratio of unlike units,
 * or an answer that cannot be computed; 4 where memory lacks. */
enum status reproduction_make(struct reproduction *out, const struct published *published,
                              const struct counterparts *counterparts, const char *folder,
                              const struct report_data *const *sources, size_t source_count,
                              const struct language *l, struct failure *f);
void reproduction_release(struct reproduction *r);

/* The measured row whose ratio is farthest from 1, after `previous` (NULL: of all) in that order;
 * NULL where there is no further one that differs from 1 by a twentieth. */
const struct reproduced_row *reproduction_deviating(const struct reproduction *r,
                                                    const struct reproduced_row *previous);

#endif
