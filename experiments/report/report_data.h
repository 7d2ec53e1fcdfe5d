/* All that one page is about: the experiments of a results folder, analysed and kept, and what was
 * not measured. */
#ifndef MAXPOOL_REPORT_REPORT_DATA_H
#define MAXPOOL_REPORT_REPORT_DATA_H

#include "experiments/report/claims/evidence.h"

/* Launches that were left out or failed for one reason, whatever the numbers in it. */
struct missing {
    char status[16], reason[400];
    char experiments[200]; /* their names */
    char first[192];       /* label of the first launch */
    size_t count;
    bool varies; /* the numbers in the reason differ; it is that of the first */
};

struct report_data {
    const char *folder;
    const char *label; /* the machine, in the user's words or the processor's */
    struct inventory inventory;
    struct experiment *experiments; /* those that could be analysed */
    size_t count;
    struct missing *missing;
    size_t missing_count;
    char scale[64]; /* "quick", or several joined by "+"; "" : no journal has it */
};

/* Opens what has samples in `folder`, or the `count` names given, with its definitions from the
 * folder of that name. An experiment that cannot be
 * analysed stands among the inventory's gaps, and is no failure. Status 2 where there is nothing at
 * all, 4 where memory lacks.
 */
enum status report_data_open(struct report_data *s, const char *folder, const char *definitions,
                             const char *label, char **names, size_t count, struct failure *f);
void report_data_close(struct report_data *s);

/* Points of the page by trust: one that several experiments show counts once. */
void report_data_trust(const struct report_data *s, size_t trusted[TRUSTS]);

/* ---- what the first screen shows ------------------------------------------------------------- */

/* A point and the experiment that it is of; NULL where there is none. */
struct found {
    const struct experiment *experiment;
    const struct point *point;
};

/* The one measured parallel fraction of the page: of the largest image whose product was clocked.
 */
struct found report_data_fraction(const struct report_data *s);

/* The four figures, all of one problem and one experiment. */
struct headline {
    struct found baseline;
    struct fastest one, all,  /* with one worker, and with several; point NULL: none */
        maximum;              /* of all without the product, likewise */
    struct found left_out[2]; /* faster than `one` and `all`, and SUSPECT; point NULL: none */
};
struct headline report_data_headline(const struct report_data *s);

/* The same program and method as `one` in `e`, serial or one worker, with the most workers, no more
 * than cores. */
const struct point *report_data_most_workers(const struct experiment *e, const struct point *one);

#endif
