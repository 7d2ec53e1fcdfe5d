#include "experiments/report/reproduction/reproduction_page.h"

#include "experiments/common/text/wrap.h"
#include "experiments/report/reproduction/reproduction_parts.h"
#include "experiments/report/reproduction/reproduction_words.h"
#include "harness/base/text/messages.h"

#include <string.h>

/* The sentence beside our value, whose trust word is said once. */
static const char *own_sentence(const struct reproduced_row *row, const struct row_words *sentence,
                                const struct language *l)
{
    return row_names_status(row, l) ? text_without_word(sentence->text, row_status(row, l))
                                    : sentence->text;
}

/* ---- a terminal ------------------------------------------------------------------------------ */

/* "total time, batch 128: 8 s; here: 4.21 [4.18, 4.25] ms, PRECISE; ours / published: 0.0005" */
static void print_row(FILE *stream, const struct reproduced_row *row, const struct language *l)
{
    struct row_words quantity = row_quantity(row, l), published = row_published(row, l),
                     ours = row_ours(row, l), ratio = row_ratio(row, l);
    const struct row_words trust = row_trust(row, l);
    char text[5 * ROW_TEXT], times[200] = "";
    if (ratio.text[0])
        message_format(times, sizeof times, l, "; ours / published: %{ratio}",
                       WITH({"ratio", ratio.text}));
    snprintf(text, sizeof text, "%s: %s; %s: %s%s%s%s", quantity.text, published.text,
             message(l, "here"), ours.text, trust.text[0] ? ", " : "", trust.text, times);
    wrap_write(stream, "  ", "      ", text, "");
    const struct row_words sentence = row_sentence(row, l);
    if (sentence.text[0])
        wrap_write(stream, "      ", "      ", own_sentence(row, &sentence, l), "");
}

/* The numbers of a document, without its figures. */
static void print_numbers(FILE *stream, const struct reproduction *r, enum published_source source,
                          const struct language *l)
{
    const char *item = "";
    for (size_t i = 0; i < r->count; i++) {
        const struct reproduced_row *row = &r->rows[i];
        const char *own = row->published->cells[PUBLISHED_ITEM];
        if (row->published->source != source || row->published->figure)
            continue;
        if (strcmp(item, own) != 0)
            fprintf(stream, "\n%s\n", published_text(own, l));
        item = own;
        print_row(stream, row, l);
    }
}

void reproduction_text(FILE *stream, const struct reproduction *r, const struct language *l)
{
    for (int i = 0; i < SOURCES; i++) {
        const enum published_source source = (enum published_source)i;
        if (!r->shown[i])
            continue;
        fprintf(stream, "\n%s\n", source_title(source, l));
        claims_text(stream, r, source, l);
        figures_text(stream, r, source, l);
        print_numbers(stream, r, source, l);
    }
    putc('\n', stream);
    wrap_write(stream, "", "", claims_summary(r, l).text, "");
    wrap_write(stream, "", "", reproduction_summary(r, l).text, "");
    const struct row_words deviations = reproduction_deviations(r, l);
    if (deviations.text[0])
        wrap_write(stream, "", "", deviations.text, "");
}

/* ---- a page ---------------------------------------------------------------------------------- */

struct paging {
    const struct report_format *format;
    struct document document;
    const struct reproduction *all;
};

enum { COLUMNS = 5 };

static void write_row(const struct paging *p, const struct reproduced_row *row, bool first)
{
    const struct language *l = p->document.language;
    const struct row_words quantity = row_quantity(row, l), published = row_published(row, l),
                           ours = row_ours(row, l), ratio = row_ratio(row, l),
                           sentence = row_sentence(row, l), trust = row_trust(row, l);
    char what[2 * ROW_TEXT];
    snprintf(what, sizeof what, "%s%s%s",
             first ? published_text(row->published->cells[PUBLISHED_ITEM], l) : "",
             first ? ": " : "", quantity.text);
    const struct cell cells[COLUMNS] = {
        {what, NULL},
        {published.text, published_text(row->published->cells[PUBLISHED_MACHINE], l)},
        {ours.text, trust.text},
        {ratio.text, NULL},
        {own_sentence(row, &sentence, l), NULL}};
    p->format->row(&p->document, cells, COLUMNS, false);
}

/* The rows of a table: figures, numbers, or facts. */
enum kind_of_row { ROWS_FIGURES, ROWS_NUMBERS, ROWS_FACTS };

static bool belongs(const struct reproduced_row *row, enum published_source source,
                    enum kind_of_row kind)
{
    const enum kind_of_row own = row->published->figure          ? ROWS_FIGURES
                                 : row->state == REPRODUCED_FACT ? ROWS_FACTS
                                                                 : ROWS_NUMBERS;
    return row->published->source == source && own == kind;
}

static size_t count_rows(const struct reproduction *r, enum published_source source,
                         enum kind_of_row kind)
{
    size_t count = 0;
    for (size_t i = 0; i < r->count; i++)
        count += belongs(&r->rows[i], source, kind);
    return count;
}

static void write_table(const struct paging *p, enum published_source source, enum kind_of_row kind)
{
    const struct language *l = p->document.language;
    const char *const headers[COLUMNS] = {message(l, "what was published"), message(l, "published"),
                                          message(l, "here"), message(l, "ours / published"),
                                          message(l, "remark")};
    const char *item = "";
    p->format->table_begin(&p->document, "", headers, COLUMNS);
    for (size_t i = 0; i < p->all->count; i++) {
        const struct reproduced_row *row = &p->all->rows[i];
        if (!belongs(row, source, kind))
            continue;
        const char *own = row->published->cells[PUBLISHED_ITEM];
        write_row(p, row, strcmp(item, own) != 0);
        item = own;
    }
    p->format->table_end(&p->document, COLUMNS);
}

static size_t count_shown(const struct reproduction *r)
{
    size_t count = 0;
    for (int i = 0; i < SOURCES; i++)
        count += r->shown[i];
    return count;
}

/* Writes the figures: one by one where the page is about one document, else as a table. */
static void write_figures(const struct paging *p, enum published_source source)
{
    if (!count_rows(p->all, source, ROWS_FIGURES))
        return;
    p->format->heading(&p->document, message(p->document.language, "Figures"));
    if (count_shown(p->all) == 1)
        figures_one_by_one(p->format, &p->document, p->all, source);
    else
        write_table(p, source, ROWS_FIGURES);
}

/* Writes the numbers; folded where the page is about one document, whose figures come first. */
static void write_numbers(const struct paging *p, enum published_source source)
{
    const struct language *l = p->document.language;
    char summary[200];
    message_format(summary, sizeof summary, l, "Numbers (%{rows})",
                   WITH({"rows", number_of(count_rows(p->all, source, ROWS_NUMBERS)).text}));
    if (count_shown(p->all) == 1)
        p->format->fold_begin(&p->document, summary);
    else
        p->format->heading(&p->document, summary);
    write_table(p, source, ROWS_NUMBERS);
    if (count_shown(p->all) == 1)
        format_part(p->format->fold_end, &p->document);
}

/* Writes a document: its claims, its figures, its numbers compared with ours, and its facts,
 * folded. */
static void write_source(struct paging *p, enum published_source source)
{
    const struct language *l = p->document.language;
    const size_t facts = count_rows(p->all, source, ROWS_FACTS);
    char summary[200];
    p->document.place = published_source_words[source];
    p->format->section_begin(&p->document, source_title(source, l));
    claims_table(p->format, &p->document, p->all, source);
    write_figures(p, source);
    write_numbers(p, source);
    if (facts && p->format->everything) {
        message_format(summary, sizeof summary, l,
                       "Facts about the document, its machines and its data (%{rows})",
                       WITH({"rows", number_of(facts).text}));
        p->format->fold_begin(&p->document, summary);
        write_table(p, source, ROWS_FACTS);
        format_part(p->format->fold_end, &p->document);
    }
    format_part(p->format->section_end, &p->document);
}

static void write_contents(const struct paging *p, const char *title)
{
    const struct language *l = p->document.language;
    if (!p->format->contents_begin)
        return;
    const bool among_pages = p->document.pages && p->format->pages_begin;
    if (among_pages) {
        report_page_links(p->format, &p->document, title, PAGE_REPRODUCTION);
        format_part(p->format->places_begin, &p->document);
    } else {
        format_part(p->format->contents_begin, &p->document);
        p->format->contents_item(&p->document, "top", message(l, "At a glance"));
    }
    for (int i = 0; i < SOURCES; i++)
        if (p->all->shown[i])
            p->format->contents_item(&p->document, published_source_words[i],
                                     source_title((enum published_source)i, l));
    p->format->contents_item(&p->document, "glossary", message(l, "Glossary"));
    if (among_pages)
        format_part(p->format->places_end, &p->document);
    else
        p->format->contents_end(&p->document, title);
}

/* Writes the machines that rows come from, in order of first occurrence. */
static void write_machines(const struct paging *p)
{
    const struct report_data *shown[16];
    size_t count = 0;
    for (size_t i = 0; i < p->all->count; i++) {
        const struct report_data *s = p->all->rows[i].source;
        char text[900];
        size_t j = 0;
        while (j < count && shown[j] != s)
            j++;
        if (!s || !p->all->shown[p->all->rows[i].published->source] || j < count ||
            count == sizeof shown / sizeof *shown)
            continue;
        shown[count++] = s;
        report_machine_words(s, p->document.language, text, sizeof text);
        p->format->paragraph(&p->document, text);
    }
}

/* "The tesina, figure by figure" of a page about one document. */
static const char *page_title(const struct reproduction *r, const struct language *l)
{
    static const char *const titles[SOURCES] = {
        N_("The tesina, figure by figure"), N_("The master's thesis, figure by figure"),
        N_("The assignment, figure by figure"), N_("The project report, figure by figure")};
    if (count_shown(r) == 1)
        for (int i = 0; i < SOURCES; i++)
            if (r->shown[i])
                return message(l, titles[i]);
    return report_page_title(PAGE_REPRODUCTION, l);
}

void reproduction_page(const struct report_format *format, const struct document *d,
                       const struct reproduction *r)
{
    struct paging p = {format, *d, r};
    const struct language *l = d->language;
    const char *title = page_title(r, l);
    uint64_t linked = 0;
    p.document.place = "top";
    p.document.linked = &linked;
    format->begin(&p.document, title);
    write_contents(&p, title);
    format->answer(&p.document, claims_summary(r, l).text);
    format->paragraph(&p.document, reproduction_summary(r, l).text);
    const struct row_words deviations = reproduction_deviations(r, l);
    if (deviations.text[0])
        format->paragraph(&p.document, deviations.text);
    write_machines(&p);
    format->paragraph(
        &p.document,
        message(l,
                "Published values are printed digit for digit. Ours have a 95 % interval in "
                "brackets and a word that says how far they can be trusted. A ratio is given "
                "only where both values are of the same kind and the same protocol. A verdict is "
                "a rule's: a claim agrees if our whole interval does, disagrees if none of it "
                "does, and is undecided otherwise, also where our value is SUSPECT or has no "
                "interval."));
    for (int i = 0; i < SOURCES; i++)
        if (r->shown[i])
            write_source(&p, (enum published_source)i);
    report_glossary(format, &p.document);
    format_part(format->end, &p.document);
}

/* ---- a section of the report ----------------------------------------------------------------- */

static const char reproduction_anchor[] = "reproduction";

void reproduction_section(const struct report_format *format, const struct document *d,
                          const struct reproduction *r)
{
    const struct language *l = d->language;
    struct document own = *d;
    own.place = reproduction_anchor;
    format->section_begin(&own, report_page_title(PAGE_REPRODUCTION, l));
    format->question(&own,
                     message(l, "What did the four documents find, and what was measured here?"));
    format->answer(&own, claims_summary(r, l).text);
    format->paragraph(&own, reproduction_summary(r, l).text);
    const struct row_words deviations = reproduction_deviations(r, l);
    if (deviations.text[0])
        format->paragraph(&own, deviations.text);
    if (format->link)
        format->link(&own, report_page_file(PAGE_REPRODUCTION),
                     message(l, "Every number and figure, compared with ours"));
    format_part(format->section_end, &own);
}
