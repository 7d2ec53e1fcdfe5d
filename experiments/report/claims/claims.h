/* The charts of the suite and their claims. A chart without data for its claim is not drawn, and
 * the claim gives the reason. */
#ifndef MAXPOOL_CLAIMS_H
#define MAXPOOL_CLAIMS_H

#include "experiments/report/claims/claim.h"

struct selected_chart; /* selected_charts.h */

/* A chart of the suite. The table has the order of the argument. */
struct chart_kind {
    const char *name;
    const char *quantity;                  /* for the subtitle; a message id */
    const struct selected_chart *selected; /* its rows, its form and its sentences */
};

extern const struct chart_kind chart_kinds[];
extern const size_t chart_kind_count;

/* Returns the row of a chart, or NULL for a chart of the user's own. */
const struct chart_kind *chart_kind_find(const char *name);

/* Its quantity, for subtitle and caption; "" for a chart of the user's own. A speedup over a base
 * of several workers says so. */
struct words chart_quantity(const struct experiment *e, const char *chart,
                            const struct language *l);

/* Makes the claim of a chart of this experiment. A chart of the user's own gets only the
 * experiment's title. */
void claim_make(const struct experiment *e, const char *chart, const struct language *l,
                struct claim *c);

/* Writes the caption of a chart: the finding, the quantity, and of how many launches its times are
 * medians. */
enum { CHART_CAPTION = 2 * CLAIM_TITLE + 200 + TIME_COUNTS_TEXT };
void chart_caption(const struct experiment *e, const char *chart, const struct claim *c,
                   const struct language *l, char caption[CHART_CAPTION]);

#endif
