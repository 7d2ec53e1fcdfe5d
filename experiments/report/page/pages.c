/* The pages of the report, and the one document that other formats than HTML have instead. */
#include "experiments/report/report.h"
#include "experiments/report/reproduction/reproduction_page.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"

#include <string.h>

/* Writes the links to the sections of a page. */
static void write_places(const struct part *p, enum report_page page)
{
    const struct language *l = p->document.language;
    const struct report_format *format = p->format;
    if (page == PAGE_FIRST || page == PAGE_NETWORKS || page == PAGE_TRAINING)
        return; /* not several sections */
    format_part(format->places_begin, &p->document);
    if (page == PAGE_METHOD) {
        format->contents_item(&p->document, "how", message(l, "How it was measured"));
        format->contents_item(&p->document, "missing", message(l, "What was not measured"));
        format->contents_item(&p->document, "methods", message(l, "Methods"));
        format->contents_item(&p->document, "glossary", message(l, "Glossary"));
    } else {
        report_section_items(p, page);
    }
    format_part(format->places_end, &p->document);
}

static bool has_operator(const struct report_data *s, const char *name)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct analysis *a = &s->experiments[i].analysis;
        for (size_t j = 0; j < a->point_count; j++)
            if (a->points[j].kind && strcmp(a->points[j].kind->name, name) == 0)
                return true;
    }
    return false;
}

static const char *report_title(const struct report_data *s, const struct language *l)
{
    return has_operator(s, "maxpool") ? message(l, "Max pooling: what was measured")
                                      : message(l, "What was measured");
}

/* ---- the methods ----------------------------------------------------------------------------- */

static bool is_measured(const struct report_data *s, const struct operator_row *kind,
                        const char *method)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct analysis *a = &s->experiments[i].analysis;
        for (size_t j = 0; j < a->point_count; j++)
            if (a->points[j].kind == kind && strcmp(method_of(&a->points[j]), method) == 0)
                return true;
    }
    return false;
}

/* Writes what each method of an operator does that any point was measured with. */
static void write_methods_of(const struct part *p, const struct operator_row *kind)
{
    const struct language *l = p->document.language;
    const struct method *m;
    char key[120], name[120];
    for (size_t i = 0; (m = kind->method(i)); i++) {
        if (!is_measured(p->data, kind, m->name))
            continue;
        text_fit_format(key, sizeof key, "%s-%s", kind->name, m->name);
        text_fit_format(name, sizeof name, "%s (%s)", m->name, kind->name);
        p->format->term(&p->document, key, name, message_in(l, "method", m->idea));
    }
}

/* The operators in the order of their first points. */
enum { KINDS_MOST = 16 };
static size_t find_kinds(const struct report_data *s, const struct operator_row *kinds[KINDS_MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        const struct analysis *a = &s->experiments[i].analysis;
        for (size_t j = 0; j < a->point_count; j++) {
            size_t known = 0;
            while (known < count && kinds[known] != a->points[j].kind)
                known++;
            if (known == count && count < KINDS_MOST && a->points[j].kind)
                kinds[count++] = a->points[j].kind;
        }
    }
    return count;
}

static void write_methods(const struct part *part)
{
    struct part p = *part;
    const struct operator_row *kinds[KINDS_MOST];
    const size_t count = find_kinds(p.data, kinds);
    p.document.place = "methods";
    if (count == 0 || !p.format->term)
        return;
    p.format->section_begin(&p.document, message(p.document.language, "Methods"));
    format_part(p.format->terms_begin, &p.document);
    for (size_t i = 0; i < count; i++)
        write_methods_of(&p, kinds[i]);
    format_part(p.format->terms_end, &p.document);
    format_part(p.format->section_end, &p.document);
}

/* ---- the pages ------------------------------------------------------------------------------- */

/* Writes how it was measured, what was not measured, the methods, and the glossary. */
static void write_method(const struct part *p)
{
    report_how(p);
    report_not_measured(p);
    write_methods(p);
    report_glossary(p->format, &p->document);
}

void report_write_page(const struct report_format *format, const struct document *d,
                       const struct report_data *s, enum report_page page)
{
    struct part p = {format, *d, s};
    const char *title =
        page == PAGE_FIRST ? report_title(s, d->language) : report_page_title(page, d->language);
    p.document.words = page == PAGE_METHOD ? NULL : report_page_file(PAGE_METHOD);
    format->begin(&p.document, title);
    report_page_links(format, &p.document, title, page);
    write_places(&p, page);
    if (page == PAGE_FIRST)
        report_first_screen(&p);
    else if (page == PAGE_METHOD)
        write_method(&p);
    else
        report_sections(&p, page);
    format_part(format->end, &p.document);
}

void report_write(const struct report_format *format, const struct document *d,
                  const struct report_data *s, const struct reproduction *r)
{
    const struct part p = {format, *d, s};
    format->begin(d, report_title(s, d->language));
    report_first_screen(&p);
    report_sections(&p, PAGES);
    if (r)
        reproduction_section(format, d, r);
    write_method(&p);
    format_part(format->end, d);
}
