/* class.html: one page with every kernel's verdict, step of the ladder and share of the limit. */
#include "classroom/class/board.h"

#include "classroom/lab/guard/protection.h"
#include "experiments/analysis/numbers.h"
#include "experiments/common/output.h"
#include "experiments/common/results.h"
#include "experiments/report/page/format.h"
#include "experiments/report/report.h"
#include "harness/base/text/messages.h"
#include "harness/base/text/wording.h"
#include "kernels/operators.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct page {
    const struct class *class;
    struct document document;
    bool names;
};

static const struct report_format *const format = &report_html;

/* ---- counting -------------------------------------------------------------------------------- */

static bool is_of(const struct class_row *row, const char *operator_name)
{
    return row->doubt != CLASS_UNREADABLE &&
           (!operator_name || strcmp(row->submission.operator_name, operator_name) == 0);
}

/* A kernel whose time counts: it is correct, and there is no reason to doubt that the time is its
 * own. */
static bool is_measured(const struct class_row *row, const char *operator_name)
{
    return is_of(row, operator_name) && row->submission.correct && row->doubt <= CLASS_SAME;
}

static size_t count_rows(const struct class *c, const char *operator_name,
                         bool (*counts)(const struct class_row *row, const char *operator_name))
{
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++)
        count += counts(&c->rows[i], operator_name);
    return count;
}

static bool is_correct(const struct class_row *row, const char *operator_name)
{
    return is_of(row, operator_name) && row->submission.correct;
}

static bool is_doubtful(const struct class_row *row, const char *operator_name)
{
    (void)operator_name;
    return row->doubt > CLASS_SAME;
}

static bool is_same(const struct class_row *row, const char *operator_name)
{
    return is_of(row, operator_name) && row->same_as > 0;
}

/* The median of the kernels' shares of their machines' limits; NaN if there is none. */
static double median_share(const struct class *c, const char *operator_name)
{
    double shares[CLASS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++) {
        const double share = submission_share(&c->rows[i].submission);
        if (is_measured(&c->rows[i], operator_name) && isfinite(share))
            shares[count++] = share;
    }
    return median_of(shares, count);
}

/* ---- the first screen ------------------------------------------------------------------------ */

static void write_cards(const struct page *p)
{
    const struct class *c = p->class;
    const struct language *l = p->document.language;
    const double share = median_share(c, NULL);
    const struct number correct =
        number_text("%zu / %zu", count_rows(c, NULL, is_correct), c->count);
    const struct number reached = number_percent(l, share);
    const struct number same = number_text("%zu", count_rows(c, NULL, is_same));
    const struct number doubtful = number_text("%zu", count_rows(c, NULL, is_doubtful));
    struct card cards[4];
    size_t count = 0;
    cards[count++] =
        (struct card){message(l, "correct"), correct.text,
                      c->passes ? message(l, "of all kernels") : message(l, "of all archives")};
    if (isfinite(share))
        cards[count++] =
            (struct card){message(l, "median share of the machine's limit"), reached.text,
                          c->passes ? message(l, "all on one machine")
                                    : message(l, "each kernel on its own machine")};
    cards[count++] = (struct card){
        message(l, "share a source"), same.text,
        c->passes ? message(l, "the same source, or the same compiled code")
                  : message(l, "identical except for comments, white space and names")};
    cards[count++] = (struct card){message(l, "to be looked at"), doubtful.text,
                                   message(l, "without points until then")};
    format->cards(&p->document, cards, count);
}

/* ---- the ladder ------------------------------------------------------------------------------ */

/* Left end of the scale of shares, and the number of decades from there to 100 %. */
static const double least_share = 1e-4;
enum { DECADES = 4 };

static double place_of(double share)
{
    const double at = 1.0 + log10(share) / DECADES;
    return 100.0 * fmin(1.0, fmax(0.0, at));
}

static void write_scale(const struct page *p)
{
    FILE *to = p->document.stream;
    fputs("<b></b><div class=\"scale\">", to);
    for (int i = 0; i <= DECADES; i++) {
        const double share = least_share * pow(10.0, i);
        fprintf(to, "<span style=\"left:%d%%\">%s</span>", 100 * i / DECADES,
                number_in(p->document.language, "%g %%", 100.0 * share).text);
    }
    fputs("</div><span></span>\n", to);
}

/* Whether the kernel reaches this step; NULL: whether it is slower than all compared methods. */
static bool reaches(const struct class_row *row, const char *operator_name, const char *method)
{
    const struct submission *s = &row->submission;
    if (!is_measured(row, operator_name))
        return false;
    const size_t step = submission_step(s);
    return method ? step > 0 && strcmp(s->methods[step].name, method) == 0 : step == 0;
}

/* Successive dots have three different heights and are half transparent, so that dots at the same
 * place remain visible. */
static void write_step(const struct page *p, const char *operator_name, const char *method,
                       const char *label)
{
    FILE *to = p->document.stream;
    size_t count = 0;
    fprintf(to, "<b>%s</b><div class=\"track\">", label);
    for (size_t i = 0; i < p->class->count; i++) {
        const struct class_row *row = &p->class->rows[i];
        const double share = submission_share(&row->submission);
        if (!reaches(row, operator_name, method))
            continue;
        count++;
        if (isfinite(share))
            fprintf(to, "<i class=\"o%zu\" style=\"left:%.1f%%\" title=\"%zu: %s\"></i>", count % 3,
                    place_of(share), row->number, number_percent(p->document.language, share).text);
    }
    fprintf(to, "</div><span>%zu</span>\n", count);
}

/* Whether any measured kernel was compared with this method. */
static bool is_compared(const struct class *c, const char *operator_name, const char *method)
{
    bool compared = false;
    for (size_t i = 0; i < c->count; i++)
        compared = compared || (is_measured(&c->rows[i], operator_name) &&
                                submission_find(&c->rows[i].submission, method) > 0);
    return compared;
}

static void write_strip(const struct page *p, const struct operator_row *op)
{
    const char *slower = message(p->document.language, "slower than all");
    fputs("<div class=\"strip\">\n", p->document.stream);
    write_step(p, op->name, NULL, slower);
    for (size_t i = 0; op->method(i); i++)
        if (op->method(i)->kind == SPACE_HOST &&
            is_compared(p->class, op->name, op->method(i)->name))
            write_step(p, op->name, op->method(i)->name, op->method(i)->name);
    write_scale(p);
    fputs("</div>\n", p->document.stream);
}

static void write_operator(const struct page *page, const struct operator_row *op)
{
    struct page p = *page;
    char text[300];
    const struct class *c = p.class;
    const struct language *l = p.document.language;
    const size_t all = count_rows(c, op->name, is_of), right = count_rows(c, op->name, is_correct);
    const double share = median_share(c, op->name);
    p.document.place = op->name;
    format->section_begin(&p.document, op->name);
    format->question(&p.document,
                     message(l, "Which kernels are correct, which step of the ladder do they "
                                "reach, and what share of their own machine's limit?"));
    message_format(
        text, sizeof text, l,
        isfinite(share) ? N_("%{right} of %{all} kernels are correct; the median reaches %{share} "
                             "of its machine's limit.")
                        : N_("%{right} of %{all} kernels are correct."),
        WITH({"right", number_text("%zu", right).text}, {"all", number_text("%zu", all).text},
             {"share", number_percent(l, share).text}));
    format->answer(&p.document, text);
    if (count_rows(c, op->name, is_measured) > 0)
        write_strip(&p, op);
    format->paragraph(&p.document,
                      message(l, "Each dot is one kernel. Its place along the axis is the share of "
                                 "its own machine's limit. Its row is the fastest of the compared "
                                 "methods that the kernel is at least as fast as, as far as the "
                                 "samples show."));
    if (c->passes == 0)
        format->paragraph(&p.document,
                          message(l, "Seconds of different machines are not compared."));
    format_part(format->section_end, &p.document);
}

/* ---- one by one ------------------------------------------------------------------------------ */

/* Adds a part of a remark after a semicolon; an empty one adds nothing. */
static void add_remark(char *text, size_t size, const char *part)
{
    const size_t used = strlen(text);
    if (part[0])
        snprintf(text + used, size - used, "%s%s", used > 0 ? "; " : "", part);
}

/* Whether there is a run that the system had to protect against. */
static bool has_run(const struct class_row *row)
{
    return row->doubt != CLASS_UNREADABLE &&
           strcmp(row->submission.verdict, lab_verdict_word(LAB_UNCOMPILED)) != 0;
}

/* Says why the points are undecided; nothing if they are not. */
static const char *undecided(const struct class_row *row, const struct language *l)
{
    return row->graded && !row->grade.decided
               ? message(l, "a threshold lies within the interval: more samples may decide it")
               : "";
}

/* Writes what is to be said about a row: why it has no points or doubtful ones, which row is the
 * same, the kernel's own error, and what its system did not protect against. */
static void write_remark(const struct page *p, const struct class_row *row, char *text, size_t size)
{
    const struct language *l = p->document.language;
    const struct submission *s = &row->submission;
    char part[1200] = "";
    text[0] = '\0';
    if (row->doubt != CLASS_SAME)
        class_explain(p->class, row, l, text, size);
    if (row->same_as > 0) {
        message_format(part, sizeof part, l,
                       row->same_code ? N_("the same compiled code as %{number}")
                                      : N_("the same source as %{number}"),
                       WITH({"number", number_text("%zu", row->same_as).text}));
        add_remark(text, size, part);
    }
    add_remark(text, size, undecided(row, l));
    wording_translate(l, "reason", s->cause, part, sizeof part);
    add_remark(text, size, part);
    lab_protection_sentence(l, has_run(row) ? s->lacking : 0, part, sizeof part);
    add_remark(text, size, part);
}

static void write_row(const struct page *p, const struct class_row *row)
{
    const struct language *l = p->document.language;
    const struct submission *s = &row->submission;
    const size_t reference = class_reference(p->class, row);
    const size_t step = s->correct ? submission_step(s) : 0;
    const struct summary *ratio = &s->methods[reference].ratio;
    char who[PACKAGE_STUDENT + 24], remark[3200];
    const bool readable = row->doubt != CLASS_UNREADABLE;
    snprintf(who, sizeof who, "%zu%s%s", row->number, p->names ? " " : "",
             p->names ? row->student : "");
    write_remark(p, row, remark, sizeof remark);
    const struct number times =
        reference > 0 ? number_ratio(l, 1.0 / ratio->median,
                                     (struct interval){1.0 / ratio->upper, 1.0 / ratio->lower})
                      : number_text("-");
    const struct number share = number_percent(l, submission_share(s)),
                        points = class_points(row, l);
    const struct cell cells[] = {
        {who, NULL},
        {points.text, NULL},
        {readable ? message(l, s->verdict) : message(l, "unreadable"), NULL},
        {step > 0 ? s->methods[step].name : "-", NULL},
        {isfinite(submission_share(s)) ? share.text : "-", NULL},
        {times.text, NULL},
        {remark, NULL}};
    format->row(&p->document, cells, sizeof cells / sizeof *cells, false);
}

static void write_table(const struct page *page)
{
    struct page p = *page;
    const struct class *c = p.class;
    const struct language *l = p.document.language;
    char ratio[120];
    p.document.place = "kernels";
    message_format(
        ratio, sizeof ratio, l, "times as long as %{method}",
        WITH({"method", c->rubric ? c->rubric->method : message(l, "the first method compared")}));
    const char *const headers[] = {message(l, "number"),
                                   message(l, "points"),
                                   message(l, "verdict"),
                                   message(l, "step"),
                                   message(l, "share of the limit"),
                                   ratio,
                                   message(l, "remark")};
    const size_t columns = sizeof headers / sizeof *headers;
    format->section_begin(&p.document, message(l, "Kernel by kernel"));
    format->table_begin(&p.document, "", headers, columns);
    const struct class_row **rows = class_in_order(c, p.names);
    for (size_t i = 0; rows && i < c->count; i++)
        write_row(&p, rows[i]);
    free(rows);
    format->table_end(&p.document, columns);
    format->paragraph(&p.document,
                      message(l, "Numbers follow the archives' hashes, not the students' names. "
                                 "Points with a question mark are undecided: a threshold lies "
                                 "within the interval."));
    format->paragraph(
        &p.document,
        c->passes > 0
            ? message(l, "Basis of all times and points: measured here, from the sources.")
            : message(l, "Basis of all times and points: measured by the student. Not checked: "
                         "whether a machine measured these times. A forgery in which hashes, times "
                         "and clock readings agree is found only by measuring again (study "
                         "audit)."));
    format_part(format->section_end, &p.document);
}

/* ---- the page -------------------------------------------------------------------------------- */

static void write_all(const struct page *p)
{
    const struct class *c = p->class;
    const struct language *l = p->document.language;
    const char *title = message(l, "The class");
    const struct operator_row *kind;
    format->begin(&p->document, title);
    format_part(format->contents_begin, &p->document);
    for (size_t i = 0; (kind = lab_kind_at(i)); i++)
        if (count_rows(c, kind->name, is_of) > 0)
            format->contents_item(&p->document, kind->name, kind->name);
    if (c->passes > 0)
        format->contents_item(&p->document, "board", message(l, "The board"));
    format->contents_item(&p->document, "kernels", message(l, "Kernel by kernel"));
    format->contents_item(&p->document, "glossary", message(l, "Glossary"));
    format->contents_end(&p->document, title);
    write_cards(p);
    if (c->passes > 0)
        class_write_board(c, &p->document, p->names);
    for (size_t i = 0; (kind = lab_kind_at(i)); i++)
        if (count_rows(c, kind->name, is_of) > 0)
            write_operator(p, kind);
    write_table(p);
    report_glossary(format, &p->document);
    format_part(format->end, &p->document);
}

enum status class_write_page(const struct class *c, const char *folder, bool names,
                             const struct language *l, struct failure *f)
{
    struct output o;
    bool marks_defined = false;
    uint64_t linked = 0;
    const struct results_path path = results_file(folder, "class.html");
    const enum status status = output_open(&o, path.text, f);
    if (status != STATUS_OK)
        return status;
    const struct page p = {c,
                           {.stream = o.stream,
                            .folder = folder,
                            .place = "top",
                            .language = l,
                            .marks_defined = &marks_defined,
                            .linked = &linked,
                            .no_term = "point"}, /* here points are marks of a course */
                           names};
    write_all(&p);
    return output_close(&o, f);
}
