/* The report: answers first, then everything. The same walk over the experiments writes every
 * format: in HTML as pages that link each other, in the others as one document in the same order.
 */
#ifndef MAXPOOL_REPORT_H
#define MAXPOOL_REPORT_H

#include "experiments/report/claims/claims.h"
#include "experiments/report/page/format.h"
#include "experiments/report/report_data.h"

struct reproduction;

/* The pages. PAGE_FIRST has the speedup figure, the answers in a few words, how far they can be
 * trusted, and the tesina's figures compared with ours; PAGE_METHOD how it was measured, what was
 * not, and the glossary; the others have sections. PAGES: all of them. */
enum report_page {
    PAGE_FIRST,
    PAGE_KERNEL,
    PAGE_OPERATORS,
    PAGE_NETWORKS,
    PAGE_TRAINING,
    PAGE_REPRODUCTION, /* reproduction_page.h */
    PAGE_METHOD,
    PAGES
};

/* Its file in R: "report.html" for the first one. */
const char *report_page_file(enum report_page page);
const char *report_page_title(enum report_page page, const struct language *l);

/* Finds out which pages have content: all of them, and that of the published numbers if `r` is not
 * NULL. */
void report_pages_find(const struct report_data *s, const struct reproduction *r,
                       const struct language *l, bool found[PAGES]);

/* Writes one page, with links to those of d->pages. */
void report_write_page(const struct report_format *format, const struct document *d,
                       const struct report_data *s, enum report_page page);

/* Writes the links to the pages of d->pages, and the title. */
void report_page_links(const struct report_format *format, const struct document *d,
                       const char *title, enum report_page here);

/* Writes all of it as one document; unless `r` is NULL, with a section on the published numbers. */
void report_write(const struct report_format *format, const struct document *d,
                  const struct report_data *s, const struct reproduction *r);

/* ---- its parts, in the order of the page ----------------------------------------------------- */

struct part {
    const struct report_format *format;
    struct document document;
    const struct report_data *data;
};

void report_first_screen(const struct part *p);
/* What readers look for first: the answers of four sections, or of five without a speedup figure,
 * in a few words. */
void report_headlines(const struct part *p);

void report_sections(const struct part *p, enum report_page page);
void report_how(const struct part *p);
void report_not_measured(const struct part *p);

/* Writes the meanings of the page's words, of all or of those in d->linked; nothing in a format
 * without a glossary. */
void report_glossary(const struct report_format *format, const struct document *d);

/* The sections in page order: the key that definitions name (NULL after the last one), and the
 * title. */
const char *report_section_key(size_t section);
const char *report_section_title(size_t section, const struct language *l);

/* Writes the anchor and title of each section of a page that has an answer, for the contents. */
void report_section_items(const struct part *p, enum report_page page);

/* The leading chart of each section that has an answer, at most `capacity`. Returns their number.
 */
struct section_lead {
    const char *key, *title, *question;
    const struct experiment *experiment;
    struct claim claim;
};
size_t report_leads(const struct report_data *s, const struct language *l, struct section_lead *out,
                    size_t capacity);

/* The experiments in page order, section by section, ended by NULL; the caller frees the list. NULL
 * if memory runs out. */
const struct experiment **report_order(const struct report_data *s);

/* The machine, the date, the commit and the scale, as a sentence. */
void report_machine_words(const struct report_data *s, const struct language *l, char *text,
                          size_t size);

/* Prints the speedup and the answers of sections, at most `most` lines, for a terminal. */
void report_findings(const struct report_data *s, const struct language *l, size_t most,
                     FILE *stream);

/* Lists the gaps of an experiment; for "", those of the folder and the failures of all. Writes
 * nothing if there are none. */
void report_gaps(const struct part *p, const char *experiment);

/* Writes the folded part below a section: everything about one experiment. `shown` is a chart that
 * the section showed already, or NULL. */
void report_experiment(const struct part *p, const struct experiment *e, const char *shown);

/* "12 PRECISE, 3 ROUGH" */
struct words report_trust_words(const size_t trusted[TRUSTS], const struct language *l);

/* Write why points are not PRECISE, by cause: for one experiment as a list, for the whole page as a
 * sentence and a table; nothing if there is no cause. */
void report_causes_of(const struct part *p, const struct experiment *e);
void report_causes(const struct part *p);

/* The cause that makes more than half of the points doubtful, with its remedy, for the top of the
 * page. Returns false if there is none. */
bool report_common_cause(const struct report_data *s, const struct language *l, char *text,
                         size_t size);

/* Writes the points of a claim about that experiment as a table. */
void report_claim_table(const struct part *p, const struct experiment *e, const struct claim *c);

/* Whether the last column of that table compares the rows with the best of them. */
bool report_compares_with_best(const struct claim *c);

/* Writes a claim: its answer, if wanted, and its chart, if it was drawn. Paper keeps them on one
 * sheet. */
void report_finding(const struct part *p, const struct experiment *e, const char *chart,
                    const struct claim *c, bool with_answer);

bool report_has_chart(const struct part *p, const struct experiment *e, const char *chart);

#endif
