#include "experiments/report/reproduction/reproduction_parts.h"

#include "experiments/common/text/wrap.h"
#include "experiments/report/reproduction/figure_table.h"
#include "experiments/report/reproduction/reproduction_words.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* ---- claims ---------------------------------------------------------------------------------- */

enum { CLAIM_CELLS = 5 };

void claims_table(const struct report_format *format, const struct document *d,
                  const struct reproduction *r, enum published_source source)
{
    const struct language *l = d->language;
    const char *const headers[CLAIM_CELLS] = {message(l, "claim"), message(l, "place"),
                                              message(l, "verdict"), message(l, "here"),
                                              message(l, "what it rests on")};
    format->heading(d, message(l, "Claims"));
    format->table_begin(d, "", headers, CLAIM_CELLS);
    for (size_t i = 0; i < r->verdicts.count; i++) {
        const struct claim_row *j = &r->verdicts.all[i];
        if (j->claim->source != source)
            continue;
        const bool shown = j->taken.found || j->answer.text[0] || isfinite(j->answer.number);
        const struct row_words ours = claim_ours(j, l), basis = claim_basis(j, l);
        const struct cell cells[CLAIM_CELLS] = {{claim_text(j->claim->cells[CLAIM_TEXT], l), NULL},
                                                {claim_text(j->claim->cells[CLAIM_PLACE], l), NULL},
                                                {message(l, verdict_names[j->verdict]), NULL},
                                                {shown ? ours.text : "-", NULL},
                                                {basis.text, NULL}};
        format->row(d, cells, CLAIM_CELLS, false);
    }
    format->table_end(d, CLAIM_CELLS);
}

/* A line with several texts of rows. */
struct line_words {
    char text[4 * ROW_TEXT];
};

/* "figure 45, text: matmul3 is faster. Disagrees: 0.9 [0.8, 0.95]." */
static struct line_words claim_line(const struct claim_row *j, const struct language *l)
{
    struct line_words w;
    snprintf(w.text, sizeof w.text, "%s: %s %s: %s. %s",
             claim_text(j->claim->cells[CLAIM_PLACE], l),
             claim_text(j->claim->cells[CLAIM_TEXT], l), message(l, verdict_names[j->verdict]),
             claim_ours(j, l).text, claim_basis(j, l).text);
    return w;
}

/* "Claim: matmul3 is faster. Verdict: disagrees, 0.9 [0.8, 0.95]." `explained`: with the claim's
 * remark, which says what a number that was measured here is. */
static struct line_words verdict_line(const struct claim_row *j, bool explained,
                                      const struct language *l)
{
    struct line_words w;
    const char *remark = j->claim->cells[CLAIM_SENTENCE];
    const bool added = explained && j->taken.found && *remark;
    snprintf(w.text, sizeof w.text, "%s: %s %s: %s, %s.%s%s", message(l, "Claim"),
             claim_text(j->claim->cells[CLAIM_TEXT], l), message(l, "Verdict"),
             message(l, verdict_names[j->verdict]), claim_ours(j, l).text, added ? " " : "",
             added ? claim_text(remark, l) : "");
    return w;
}

void claims_text(FILE *stream, const struct reproduction *r, enum published_source source,
                 const struct language *l)
{
    fprintf(stream, "\n%s\n", message(l, "Claims"));
    for (size_t i = 0; i < r->verdicts.count; i++)
        if (r->verdicts.all[i].claim->source == source)
            wrap_write(stream, "  ", "      ", claim_line(&r->verdicts.all[i], l).text, "");
}

/* ---- one figure ------------------------------------------------------------------------------ */

/* The claim after `previous` that is about the figure, or NULL. */
static const struct claim_row *claim_about(const struct reproduction *r,
                                           const struct reproduced_row *row,
                                           const struct claim_row *previous)
{
    const char *item = row->published->cells[PUBLISHED_ITEM];
    for (size_t i = previous ? (size_t)(previous - r->verdicts.all) + 1 : 0; i < r->verdicts.count;
         i++) {
        const struct claim_row *j = &r->verdicts.all[i];
        if (j->claim->source == row->published->source &&
            figure_is_at(j->claim->cells[CLAIM_PLACE], item))
            return j;
    }
    return NULL;
}

/* "Figure 36: Table of max pooling, kernel matmul2" */
static struct line_words figure_title(const struct reproduced_row *row, const struct language *l)
{
    struct line_words w;
    snprintf(w.text, sizeof w.text, "%s: %s",
             published_text(row->published->cells[PUBLISHED_ITEM], l), row_quantity(row, l).text);
    w.text[0] = (char)toupper((unsigned char)w.text[0]);
    return w;
}

static bool is_shown(const struct reproduced_row *row)
{
    return row->state == REPRODUCED_MEASURED || row->state == REPRODUCED_ANSWER;
}

static bool has_note_of(const struct reproduced_row *row, const struct reproduced_row *before)
{
    return before->published->figure && before->published->source == row->published->source &&
           strcmp(before->published->cells[PUBLISHED_NOTE],
                  row->published->cells[PUBLISHED_NOTE]) == 0;
}

/* The remark, and the note unless the figure before it has it too. */
static struct line_words figure_remark(const struct reproduction *r,
                                       const struct reproduced_row *row, bool device_said,
                                       const struct language *l)
{
    struct line_words w;
    const bool repeated = row > r->rows && has_note_of(row, row - 1);
    const struct row_words remark = row_remark(row, device_said, l), note = row_note(row, l);
    snprintf(w.text, sizeof w.text, "%s%s%s", remark.text,
             repeated || !remark.text[0] || !note.text[0] ? "" : " ", repeated ? "" : note.text);
    return w;
}

/* "Published: matmul2, Tesla T4, window by window. Here: ..."; without "Here" if nothing is. The
 * trust word is said once. `device_said`: a verdict behind it says that a GPU is needed. */
static struct line_words figure_words(const struct reproduction *r,
                                      const struct reproduced_row *row, bool device_said,
                                      const struct language *l)
{
    struct line_words w = {""};
    const char *series = row->published->cells[PUBLISHED_SERIES], *status = row_status(row, l);
    const struct row_words ours = row_ours(row, l), trust = row_trust(row, l);
    const struct line_words remark = figure_remark(r, row, device_said, l);
    const bool named = row_names_status(row, l);
    if (*series)
        text_fit_append(w.text, sizeof w.text, "%s: %s. ", message(l, "Published"),
                        published_text(series, l));
    if (is_shown(row))
        text_fit_append(w.text, sizeof w.text, "%s: %s%s%s. ", message(l, "Here"), ours.text,
                        trust.text[0] ? ", " : "", trust.text);
    text_fit_append(w.text, sizeof w.text, "%s",
                    is_shown(row) && named ? text_without_word(remark.text, status) : remark.text);
    return w;
}

static void write_table(const struct report_format *format, const struct document *d,
                        const struct figure_table *t)
{
    const char *headers[FIGURE_TABLE_COLUMNS];
    for (size_t i = 0; i < t->columns; i++)
        headers[i] = t->headers[i];
    format->table_begin(d, "", headers, t->columns);
    for (size_t i = 0; i < t->rows; i++) {
        struct cell cells[FIGURE_TABLE_COLUMNS];
        for (size_t j = 0; j < t->columns; j++)
            cells[j] = (struct cell){t->cells[i][j], NULL};
        format->row(d, cells, t->columns, false);
    }
    format->table_end(d, t->columns);
}

/* The figure before it that shows the same here, such as the table of another node; or NULL. */
static const struct reproduced_row *shown_before(const struct reproduction *r,
                                                 const struct reproduced_row *row)
{
    static const enum counterpart_column same[] = {COUNTERPART_POINT, COUNTERPART_MEASURE,
                                                   COUNTERPART_EXPERIMENTS};
    for (const struct reproduced_row *before = r->rows; before < row; before++) {
        size_t equal = 0;
        for (size_t i = 0; i < sizeof same / sizeof *same; i++)
            equal +=
                strcmp(before->counterpart->cells[same[i]], row->counterpart->cells[same[i]]) == 0;
        if (before->published->figure && before->state == REPRODUCED_MEASURED &&
            before->published->source == row->published->source &&
            before->experiment == row->experiment && equal == sizeof same / sizeof *same)
            return before;
    }
    return NULL;
}

/* Sets *again to "Here: as figure 28." if an earlier figure shows the same. */
static bool is_shown_again(const struct reproduction *r, const struct reproduced_row *row,
                           const struct language *l, struct line_words *again)
{
    const struct reproduced_row *before =
        row->state == REPRODUCED_MEASURED ? shown_before(r, row) : NULL;
    const char *series = row->published->cells[PUBLISHED_SERIES];
    if (before)
        message_format(
            again->text, sizeof again->text, l,
            *series ? N_("Published: %{series}. Here: as %{figure}; this machine has one such "
                         "measurement.")
                    : N_("Here: as %{figure}; this machine has one such measurement."),
            WITH({"series", published_text(series, l)},
                 {"figure", published_text(before->published->cells[PUBLISHED_ITEM], l)}));
    return before != NULL;
}

/* Whether the verdict on a figure is that it needs a GPU: no claim about it has another one. */
static bool is_for_a_gpu(const struct reproduction *r, const struct reproduced_row *row)
{
    bool needs = row->state == REPRODUCED_MISSING && measure_needs_device(&row->measure);
    for (const struct claim_row *j = NULL; (j = claim_about(r, row, j)) != NULL;)
        needs = needs && j->verdict == VERDICT_NEEDS_GPU;
    return needs;
}

/* A figure of which nothing is shown, in one paragraph, with its verdicts. What needs a GPU is said
 * once: the table of claims has each of them. */
static void write_empty_figure(const struct report_format *format, const struct document *d,
                               const struct reproduction *r, const struct reproduced_row *row)
{
    struct line_words line = figure_title(row, d->language);
    const bool needs_gpu = is_for_a_gpu(r, row);
    text_fit_append(line.text, sizeof line.text, ". %s",
                    figure_words(r, row, needs_gpu, d->language).text);
    for (const struct claim_row *j = NULL; (j = claim_about(r, row, j)) != NULL;) {
        if (j->verdict == VERDICT_NEEDS_GPU)
            continue;
        text_fit_append(line.text, sizeof line.text, " %s",
                        verdict_line(j, false, d->language).text);
    }
    if (needs_gpu)
        text_fit_append(line.text, sizeof line.text, " %s: %s.", message(d->language, "Verdict"),
                        message(d->language, verdict_names[VERDICT_NEEDS_GPU]));
    format->paragraph(d, line.text);
}

/* Whether a figure before this one has the claim's verdict and what it rests on. */
static bool is_explained(const struct reproduction *r, const struct reproduced_row *row,
                         const struct claim_row *j)
{
    for (const struct reproduced_row *before = r->rows; before < row; before++)
        if (before->published->figure && before->published->source == row->published->source &&
            is_shown(before) &&
            figure_is_at(j->claim->cells[CLAIM_PLACE], before->published->cells[PUBLISHED_ITEM]))
            return true;
    return false;
}

static void write_figure(const struct report_format *format, const struct document *d,
                         const struct reproduction *r, const struct reproduced_row *row)
{
    const struct language *l = d->language;
    struct figure_table t;
    struct line_words again;
    const bool drawn = format != &report_latex; /* whose fonts lack the bars */
    if (!is_shown(row)) {
        write_empty_figure(format, d, r, row);
        return;
    }
    if (is_shown_again(r, row, l, &again)) {
        struct line_words line = figure_title(row, l);
        text_fit_append(line.text, sizeof line.text, ". %s", again.text);
        format->paragraph(d, line.text);
        return;
    }
    format->heading(d, figure_title(row, l).text);
    format->paragraph(d, figure_words(r, row, false, l).text);
    if (figure_table_make(&t, row, drawn, l))
        write_table(format, d, &t);
    for (const struct claim_row *j = NULL; (j = claim_about(r, row, j)) != NULL;)
        format->paragraph(d, verdict_line(j, !is_explained(r, row, j), l).text);
}

static bool is_figure_of(const struct reproduced_row *row, enum published_source source)
{
    return row->published->figure && row->published->source == source;
}

void figures_one_by_one(const struct report_format *format, const struct document *d,
                        const struct reproduction *r, enum published_source source)
{
    for (size_t i = 0; i < r->count; i++)
        if (is_figure_of(&r->rows[i], source))
            write_figure(format, d, r, &r->rows[i]);
}

/* ---- a terminal ------------------------------------------------------------------------------ */

static void table_text(FILE *stream, const struct figure_table *t)
{
    for (size_t i = 0; i <= t->rows; i++) {
        fputs("      ", stream);
        for (size_t j = 0; j < t->columns; j++)
            fprintf(stream, "%s%s", j ? " | " : "", i ? t->cells[i - 1][j] : t->headers[j]);
        putc('\n', stream);
    }
}

void figures_text(FILE *stream, const struct reproduction *r, enum published_source source,
                  const struct language *l)
{
    struct figure_table t;
    struct line_words again;
    for (size_t i = 0; i < r->count; i++) {
        const struct reproduced_row *row = &r->rows[i];
        if (!is_figure_of(row, source))
            continue;
        fprintf(stream, "\n%s\n", figure_title(row, l).text);
        if (is_shown_again(r, row, l, &again)) {
            wrap_write(stream, "  ", "      ", again.text, "");
            continue;
        }
        wrap_write(stream, "  ", "      ", figure_words(r, row, false, l).text, "");
        if (figure_table_make(&t, row, true, l))
            table_text(stream, &t);
        for (const struct claim_row *j = NULL; (j = claim_about(r, row, j)) != NULL;)
            wrap_write(stream, "  ", "      ", verdict_line(j, !is_explained(r, row, j), l).text,
                       "");
    }
}
