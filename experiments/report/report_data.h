/* The data of one page: the analysed experiments of a results folder, and what was not measured. */
#ifndef MAXPOOL_REPORT_REPORT_DATA_H
#define MAXPOOL_REPORT_REPORT_DATA_H

#include "experiments/analysis/selections/evidence.h"
#include "experiments/report/claims/claims.h"

/* Launches left out or failed for one reason, whatever the numbers in its text. */
struct missing {
    char status[16], reason[400];
    char experiments[200]; /* their names */
    char first[192];       /* label of the first launch */
    size_t count;
    bool varies; /* the numbers in the reason differ; it has the first ones */
};

struct drawing;     /* experiments/report/charts/plots.h */
struct made_claims; /* of one experiment: report_data.c */

struct report_data {
    const char *folder;
    const char *label; /* of the machine: the user's words, or the processor */
    struct inventory inventory;
    struct experiment *experiments; /* those that could be analysed */
    size_t count;
    struct made_claims *claims; /* of each of them, as far as a page asked for them */
    struct missing *missing;
    size_t missing_count;
    const struct drawing *drawing; /* of the page's charts; NULL: those that are there */
    char scale[64];                /* "quick", or several joined by " + "; "": in no journal */
};

/* The experiment of that name; NULL: it is not among them. */
const struct experiment *report_data_experiment(const struct report_data *s, const char *name);

/* Opens the experiments that have samples in `folder`, or the `count` names given, with the
 * definitions of the folder `definitions`. An experiment that cannot be analysed is noted in the
 * inventory's gaps and is no failure. Status 2 if there is nothing at all, 4 if memory runs out. */
enum status report_data_open(struct report_data *s, const char *folder, const char *definitions,
                             const char *label, char **names, size_t count, struct failure *f);
void report_data_close(struct report_data *s);

/* The claim of a chart of one of the experiments, made once per language: pages, sections and
 * formats ask for the same ones, and an experiment that is open does not change. */
void report_data_claim(const struct report_data *s, const struct experiment *e, const char *chart,
                       const struct language *l, struct claim *c);

/* Points of the page by trust; a point that several experiments show counts once. */
void report_data_trust(const struct report_data *s, size_t trusted[TRUSTS]);

/* ---- the first screen ------------------------------------------------------------------------ */

/* A point and its experiment; NULL: none. */
struct found {
    const struct experiment *experiment;
    const struct point *point;
};

/* The measured parallel fraction of the page. Of the points whose product was clocked, it is that
 * of the smallest window, then the largest image. */
struct found report_data_fraction(const struct report_data *s);

/* The four figures, all for one problem in one experiment. */
struct headline {
    struct found baseline;
    struct fastest one, all,  /* one worker; several workers; point NULL: none */
        maximum;              /* without the product; point NULL: none */
    struct found left_out[2]; /* faster than `one` and `all`, but SUSPECT; point NULL: none */
};
struct headline report_data_headline(const struct report_data *s);

/* The point in `e` with the problem and method of `one` and the most workers, no more than cores;
 * of equal ones the fastest. NULL: none with several workers. */
const struct point *report_data_most_workers(const struct experiment *e, const struct point *one);

#endif
