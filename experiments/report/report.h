/* The report: one page with answers first. One walk over the experiments writes every format. */
#ifndef MAXPOOL_REPORT_H
#define MAXPOOL_REPORT_H

#include "experiments/report/claims/claims.h"
#include "experiments/report/page/format.h"
#include "experiments/report/report_data.h"

struct reproduction;

/* Writes the whole page; with a section of the published numbers unless `r` is NULL. */
void report_write(const struct report_format *format, const struct document *d,
                  const struct report_data *s, const struct reproduction *r);

/* ---- its parts, in the order of the page ----------------------------------------------------- */

struct part {
    const struct report_format *format;
    struct document document;
    const struct report_data *data;
};

void report_first_screen(const struct part *p);
/* What a reader looks for before any detail: how the time grows, and the share of the limit. */
void report_headlines(const struct part *p);

void report_sections(const struct part *p);
void report_how(const struct part *p);
void report_not_measured(const struct part *p);

/* What the words of the page mean; nothing in a format without a glossary. */
void report_glossary(const struct report_format *format, const struct document *d);

/* Sections that nothing was measured for: why, and what there is of them, folded away. */
void report_unanswered(const struct part *p);

/* The sections in the order of the page: the key that definitions name, NULL beyond the last one,
 * and the title. */
const char *report_section_key(size_t section);
const char *report_section_title(size_t section, const struct language *l);

/* The anchor and title of each section that has something to show, for the contents. */
void report_section_items(const struct part *p);

/* What stands for each section that has an answer: at most `room`. Returns how many. */
struct section_lead {
    const char *key, *title, *question;
    const struct experiment *experiment;
    struct claim claim;
};
size_t report_leads(const struct report_data *s, const struct language *l, struct section_lead *out,
                    size_t room);

/* The experiments in the order of the page, section by section; the caller frees the list, which
 * NULL ends. NULL where memory lacks. */
const struct experiment **report_order(const struct report_data *s);

/* The machine, the date, the commit and the scale, as a sentence. */
void report_machine_words(const struct report_data *s, const struct language *l, char *text,
                          size_t size);

/* The answers of at most so many sections, a line each, for who looks at a terminal. */
void report_findings(const struct report_data *s, const struct language *l, size_t most,
                     FILE *stream);

/* The gaps of an experiment, or where it is "" those of the folder and the failures of all, as a
 * list; nothing where there are none. */
void report_gaps(const struct part *p, const char *experiment);

/* What is folded away below a section: everything about one experiment. `shown` is a chart that the
 * section showed already, or NULL. */
void report_experiment(const struct part *p, const struct experiment *e, const char *shown);

/* "12 PRECISE, 3 ROUGH" */
struct words report_trust_words(const size_t trusted[TRUSTS], const struct language *l);

/* Why points are not PRECISE, cause by cause: of one experiment as a list, or of the whole page in
 * a sentence and a table; nothing where nothing was seen. */
void report_causes_of(const struct part *p, const struct experiment *e);
void report_causes(const struct part *p);

/* The points of a claim about that experiment as a table. */
void report_claim_table(const struct part *p, const struct experiment *e, const struct claim *c);

/* Whether the last column of that table compares the rows with the best of them. */
bool report_compares_with_best(const struct claim *c);

/* The answer of a claim, and below it what that means in plain words. */
void report_answer(const struct part *p, const struct claim *c);

/* A drawn chart of the experiment, under its finding. */
void report_chart(const struct part *p, const struct experiment *e, const char *chart,
                  const struct claim *c);
bool report_has_chart(const struct part *p, const struct experiment *e, const char *chart);

#endif
