/* Why points are doubtful, by cause: the number of points, the worst one, and the remedy. */
#include "experiments/common/text/messages.h"
#include "experiments/report/numbers.h"
#include "experiments/report/report.h"
#include "experiments/samples/point.h"

#include <stdio.h>
#include <string.h>

struct tally {
    size_t points;
    const struct reason *worst;
    const struct point *at;
};

/* True at the first call for a point and a cause: several experiments may show the same point. */
static bool is_new(struct numbering *seen, const struct point *p, enum cause cause)
{
    char name[POINT_KEY + 16];
    const size_t known = seen->count;
    snprintf(name, sizeof name, "%d %s", (int)cause, p->samples->key);
    return numbering_put(seen, name) == (ptrdiff_t)known;
}

static void count_causes(struct tally t[CAUSES], const struct analysis *a, struct numbering *seen)
{
    for (size_t i = 0; i < a->point_count; i++)
        for (size_t j = 0; j < a->points[i].reason_count; j++) {
            const struct reason *why = &a->points[i].reasons[j];
            struct tally *of = &t[why->kind];
            if (!is_new(seen, &a->points[i], why->kind))
                continue;
            of->points++;
            if (!of->worst || why->amount > of->worst->amount) {
                of->worst = why;
                of->at = &a->points[i];
            }
        }
}

/* ---- one experiment -------------------------------------------------------------------------- */

static void write_cause(const struct part *p, const struct tally *t)
{
    const struct language *l = p->document.language;
    char text[900];
    const struct reason *why = t->worst;
    if (t->points == 1)
        snprintf(text, sizeof text, "%s: %s: %s (%s)", reason_word(why, l), t->at->label,
                 reason_cause(why, l).text, reason_remedy(why, l));
    else
        message_format(
            text, sizeof text, l,
            "%{status}: %{cause}, %{points} points (%{remedy}). The worst is %{worst}: %{seen}",
            WITH({"status", reason_word(why, l)}, {"cause", reason_name(why, l)},
                 {"points", number_text("%zu", t->points).text}, {"remedy", reason_remedy(why, l)},
                 {"worst", t->at->label}, {"seen", reason_cause(why, l).text}));
    p->format->item(&p->document, text);
}

static void write_left_out(const struct part *p, const struct record_report *r)
{
    const struct language *l = p->document.language;
    char text[200];
    if (r->corrupt) {
        message_format(text, sizeof text, l,
                       "%{rows} corrupt rows left out, the first in line %{line}",
                       WITH({"rows", number_text("%lld", (long long)r->corrupt).text},
                            {"line", number_text("%lld", (long long)r->first_corrupt_line).text}));
        p->format->item(&p->document, text);
    }
    if (r->torn)
        p->format->item(&p->document, message(l, "an incomplete last line left out"));
}

static bool has_reasons(const struct analysis *a)
{
    for (size_t i = 0; i < a->point_count; i++)
        if (a->points[i].reason_count)
            return true;
    return false;
}

void report_causes_of(const struct part *p, const struct experiment *e)
{
    const struct language *l = p->document.language;
    const struct analysis *a = &e->analysis;
    const struct record_report *r = &a->samples.report;
    struct tally tallies[CAUSES] = {{0}};
    struct numbering seen = {0};
    if (!has_reasons(a) && !r->corrupt && !r->torn)
        return;
    count_causes(tallies, a, &seen);
    numbering_release(&seen);
    p->format->fold_begin(&p->document, report_trust_words(a->trusted, l).text);
    p->format->list_begin(&p->document, "");
    for (size_t i = 0; i < CAUSES; i++)
        if (tallies[i].points)
            write_cause(p, &tallies[i]);
    write_left_out(p, r);
    p->format->list_end(&p->document);
    format_part(p->format->fold_end, &p->document);
}

/* ---- the whole page -------------------------------------------------------------------------- */

/* "SUSPECT: times in two modes (83 points), ...": only SUSPECT and INVALID. Returns false if there
 * are none. */
static bool describe_alarms(const struct tally t[CAUSES], const struct language *l, char *text,
                            size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < CAUSES && length < size; i++)
        if (t[i].points && t[i].worst->trust >= TRUST_SUSPECT) {
            length += message_fill(
                text + length, size - length,
                message_plural(l, "%{lead}%{cause} (%{points} point)",
                               "%{lead}%{cause} (%{points} points)", t[i].points),
                WITH({"lead", length ? ", " : message(l, "Why some points are doubtful: ")},
                     {"cause", reason_name(t[i].worst, l)},
                     {"points", number_text("%zu", t[i].points).text}));
        }
    return length > 0;
}

enum { CAUSE_CELLS = 4 };

static void write_cause_row(const struct part *p, const struct tally *t)
{
    const struct language *l = p->document.language;
    char points[32];
    snprintf(points, sizeof points, "%zu", t->points);
    const struct cell cells[CAUSE_CELLS] = {{reason_word(t->worst, l), NULL},
                                            {reason_name(t->worst, l), NULL},
                                            {points, NULL},
                                            {reason_remedy(t->worst, l), NULL}};
    p->format->row(&p->document, cells, CAUSE_CELLS, false);
}

static void write_table(const struct part *p, const struct tally t[CAUSES])
{
    const struct language *l = p->document.language;
    const char *const headers[CAUSE_CELLS] = {message(l, "status"), message(l, "what was seen"),
                                              message(l, "points"), message(l, "what to do")};
    p->format->fold_begin(&p->document, message(l, "What to do about it"));
    p->format->table_begin(&p->document, "", headers, CAUSE_CELLS);
    for (size_t i = 0; i < CAUSES; i++)
        if (t[i].points)
            write_cause_row(p, &t[i]);
    p->format->table_end(&p->document, CAUSE_CELLS);
    format_part(p->format->fold_end, &p->document);
}

void report_causes(const struct part *p)
{
    struct tally tallies[CAUSES] = {{0}};
    struct numbering seen = {0};
    char text[1200];
    for (size_t i = 0; i < p->data->count; i++)
        count_causes(tallies, &p->data->experiments[i].analysis, &seen);
    numbering_release(&seen);
    if (!describe_alarms(tallies, p->document.language, text, sizeof text - 2))
        return;
    strcat(text, ".");
    p->format->paragraph(&p->document, text);
    if (p->format->everything)
        write_table(p, tallies);
}
