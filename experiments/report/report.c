#include "experiments/report/report.h"

#include "experiments/analysis/limit_share.h"
#include "harness/base/text/messages.h"

#include "experiments/analysis/numbers.h"
#include "experiments/report/charts/plots.h"
#include "experiments/report/claims/findings.h"
#include "experiments/report/claims/method_paragraph.h"
#include "experiments/report/page/terms.h"
#include "experiments/samples/point.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/wording.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

bool report_has_chart(const struct part *p, const struct experiment *e, const char *chart)
{
    const struct drawing *d = p->data ? p->data->drawing : NULL;
    const char *format = p->format ? p->format->drawing : "svg";
    for (size_t i = 0; d && i < PLOT_FORMATS; i++)
        if (strcmp(plot_formats[i], format) == 0 && !drawing_wants(d, i))
            return false; /* a file there is from an earlier page */
    return access(plot_path(p->document.folder, e->name, chart, format).text, R_OK) == 0;
}

/* Writes the answer of a claim, and below it its meaning in plain words. */
static void report_answer(const struct part *p, const struct claim *c)
{
    char text[CLAIM_PLAIN + 60];
    p->format->answer(&p->document, c->answer);
    if (!p->format->plain || !c->plain[0])
        return;
    message_format(text, sizeof text, p->document.language, "In plain words: %{text}",
                   WITH({"text", c->plain}));
    p->format->plain(&p->document, text);
}

/* Shows a drawn chart of the experiment, with its finding as caption. */
static void report_chart(const struct part *p, const struct experiment *e, const char *chart,
                         const struct claim *c)
{
    const struct language *l = p->document.language;
    struct document d = p->document;
    char caption[CHART_CAPTION];
    d.place = e->name;
    chart_caption(e, chart, c, l, caption);
    p->format->chart(&d, chart, caption);
}

void report_finding(const struct part *p, const struct experiment *e, const char *chart,
                    const struct claim *c, bool with_answer)
{
    const bool drawn = report_has_chart(p, e, chart);
    if (!with_answer && !drawn)
        return;
    format_part(p->format->claim_begin, &p->document);
    if (with_answer)
        report_answer(p, c);
    if (drawn)
        report_chart(p, e, chart, c);
    format_part(p->format->claim_end, &p->document);
}

struct words report_trust_words(const size_t trusted[TRUSTS], const struct language *l)
{
    struct words w = {""};
    for (enum trust t = 0; t < TRUSTS; t++) {
        const size_t length = strlen(w.text);
        if (trusted[t])
            snprintf(w.text + length, sizeof w.text - length, "%s%zu %s", length ? ", " : "",
                     trusted[t], trust_word(t, l));
    }
    return w;
}

/* ---- how it was measured --------------------------------------------------------------------- */

void report_how(const struct part *p)
{
    const struct language *l = p->document.language;
    const struct report_format *format = p->format;
    struct document d = p->document;
    d.place = "how";
    format->section_begin(&d, message(l, "How it was measured"));
    format->answer(
        &d, message(l, "Every execution is timed by phase, compared with an oracle, and kept. A "
                       "time is the median over launches of each launch's median, with its 95 % "
                       "interval. A ratio is the median of the ratios within rounds, where both "
                       "times were measured in the same rounds. Slow changes of the machine then "
                       "cancel, and the ratio may differ from the quotient of the two times."));
    if (format->everything)
        format->fold_begin(&d, message(l, "Each experiment"));
    for (size_t i = 0; i < p->data->count && format->everything; i++) {
        char methods[METHOD_PARAGRAPH];
        const struct experiment *e = &p->data->experiments[i];
        format->heading(&d, experiment_title(e, l).text);
        method_paragraph(&e->analysis, &e->request, l, methods);
        format->paragraph(&d, methods);
    }
    if (format->everything)
        format_part(format->fold_end, &d);
    format_part(format->section_end, &d);
}

/* ---- what was not measured ------------------------------------------------------------------- */

void report_gaps(const struct part *p, const char *experiment)
{
    const struct language *l = p->document.language;
    const struct gaps *gaps = &p->data->inventory.gaps;
    size_t reported = 0;
    for (size_t i = 0; i < gaps->count; i++) {
        const struct gap *gap = &gaps->items[i];
        char text[sizeof gap->why + 32];
        const bool failure_of_any = !experiment[0] && gap->status != STATUS_OK;
        if (strcmp(gap->experiment, experiment) != 0 && !failure_of_any)
            continue;
        if (reported++ == 0)
            p->format->list_begin(&p->document, message(l, "Not read, not drawn or left out"));
        gap_text(gap, l, text, sizeof text);
        p->format->item(&p->document, text);
    }
    if (reported)
        format_part(p->format->list_end, &p->document);
}

/* ---- the glossary ---------------------------------------------------------------------------- */

/* Is the term a single letter, which no text links to (see term_at()), as n and k? */
static bool is_symbol(const struct term *term)
{
    return term->term[1] == '\0';
}

void report_glossary(const struct report_format *format, const struct document *page)
{
    const struct language *l = page->language;
    struct document d = *page;
    d.place = "glossary";
    if (!format->term)
        return;
    format->section_begin(&d, message(l, "Glossary"));
    format_part(format->terms_begin, &d);
    for (size_t i = 0; i < term_count; i++)
        if (!d.linked || *d.linked >> i & 1 || is_symbol(&terms[i]))
            format->term(&d, terms[i].key, message(l, terms[i].term), message(l, terms[i].meaning));
    format_part(format->terms_end, &d);
    format_part(format->section_end, &d);
}
