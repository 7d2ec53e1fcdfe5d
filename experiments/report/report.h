/* The report: one page that answers before it shows. One walk over what was studied writes any
 * format; a format is a table of functions that print the parts. */
#ifndef MAXPOOL_REPORT_H
#define MAXPOOL_REPORT_H

#include "experiments/report/claims.h"
#include "experiments/report/studied.h"

#include <stdio.h>

struct document {
    FILE *stream;
    const char *folder; /* R, where the charts lie */
    const char *place;  /* what is being written: the name of an experiment, a section or a table */
    enum language language;
    bool *marks_defined; /* of drawings within the page: the first of them defines them */
};

/* A cell of a table: its text, and what stands behind it in gray. */
struct cell {
    const char *text, *soft; /* soft: NULL or "" for none */
};

/* One of the large figures of the first screen. */
struct card {
    const char *name, *value, *note;
};

/* All texts are plain UTF-8; a format escapes them. */
struct report_format {
    const char *name;    /* as --format has it: html, markdown, latex */
    const char *file;    /* in R */
    const char *drawing; /* format of the charts that it shows */
    bool everything;     /* writes what is folded away: all points, fits, causes */
    void (*begin)(const struct document *d, const char *title);
    void (*end)(const struct document *d);
    void (*contents_begin)(const struct document *d);
    void (*contents_item)(const struct document *d, const char *anchor, const char *text);
    void (*contents_end)(const struct document *d);
    void (*section_begin)(const struct document *d, const char *title); /* anchor: the place */
    void (*section_end)(const struct document *d);
    void (*heading)(const struct document *d, const char *text); /* within a section */
    void (*paragraph)(const struct document *d, const char *text);
    void (*question)(const struct document *d, const char *text);
    void (*answer)(const struct document *d, const char *text);
    void (*fold_begin)(const struct document *d, const char *summary);
    void (*fold_end)(const struct document *d);
    void (*list_begin)(const struct document *d, const char *title);
    void (*item)(const struct document *d, const char *text);
    void (*list_end)(const struct document *d);
    void (*cards)(const struct document *d, const struct card *cards, size_t count);
    void (*trust)(const struct document *d, const size_t trusted[TRUSTS]);
    void (*picture)(const struct document *d, const char *path, const char *caption);
    void (*chart)(const struct document *d, const char *chart, const char *caption);
    void (*table_begin)(const struct document *d, const char *caption, const char *const *headers,
                        size_t count);
    void (*row)(const struct document *d, const struct cell *cells, size_t count, bool best);
    void (*table_end)(const struct document *d);
};

extern const struct report_format report_html, report_markdown, report_latex;

/* Writes the whole page. */
void report_write(const struct report_format *format, const struct document *d,
                  const struct studied *s);

/* ---- its parts, in the order of the page
 * --------------------------------------------------------- */

struct part {
    const struct report_format *format;
    struct document document;
    const struct studied *studied;
};

void report_first_screen(const struct part *p);
void report_sections(const struct part *p);
void report_how(const struct part *p);
void report_not_measured(const struct part *p);

/* The anchor and title of each section that has something to show, for the contents. */
void report_section_items(const struct part *p);

/* The answers of at most so many sections, a line each, for who looks at a terminal. */
void report_findings(const struct studied *s, enum language l, size_t most, FILE *stream);

/* The gaps of an experiment, or where it is "" those of the folder and the failures of all, as a
 * list; nothing where there are none. */
void report_gaps(const struct part *p, const char *experiment);

/* What is folded away below a section: everything about one experiment. `shown` is a chart that the
 * section showed already, or NULL. */
void report_experiment(const struct part *p, const struct experiment *e, const char *shown);

/* "12 PRECISE, 3 ROUGH" */
struct words report_trust_words(const size_t trusted[TRUSTS], enum language l);

/* The points of a claim as a table. */
void report_claim_table(const struct part *p, const struct claim *c);

/* A drawn chart of the experiment, under its finding. */
void report_chart(const struct part *p, const struct experiment *e, const char *chart,
                  const struct claim *c);
bool report_has_chart(const struct part *p, const struct experiment *e, const char *chart);

#endif
