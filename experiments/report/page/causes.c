/* Why points are doubtful, by cause: the number of points, the worst one, and the remedy. */
#include "experiments/analysis/numbers.h"
#include "experiments/report/report.h"
#include "experiments/samples/point.h"
#include "harness/base/text/messages.h"

#include <stdio.h>
#include <string.h>

struct cause_count {
    size_t points;
    const struct reason *worst;
    const struct point *at;
    bool of[SAMPLE_SOURCES]; /* whether samples of a source have it */
};

/* What to do about a cause, for each source of samples that has it. */
struct remedies {
    char text[2 * REASON_TEXT];
};

/* True at the first call for a point and a cause: several experiments may show the same point. */
static bool is_new(struct numbering *seen, const struct point *p, enum cause cause)
{
    char name[POINT_KEY + 16];
    const size_t known = seen->count;
    snprintf(name, sizeof name, "%d %s", (int)cause, p->samples->key);
    return numbering_put(seen, name) == (ptrdiff_t)known;
}

static void count_causes(struct cause_count t[CAUSES], const struct experiment *e,
                         struct numbering *seen)
{
    const struct analysis *a = &e->analysis;
    for (size_t i = 0; i < a->point_count; i++)
        for (size_t j = 0; j < a->points[i].reason_count; j++) {
            const struct reason *why = &a->points[i].reasons[j];
            struct cause_count *of = &t[why->kind];
            if (!is_new(seen, &a->points[i], why->kind))
                continue;
            of->points++;
            of->of[experiment_source(e, &a->points[i].samples->identity)] = true;
            if (!of->worst || why->amount > of->worst->amount) {
                of->worst = why;
                of->at = &a->points[i];
            }
        }
}

static struct remedies remedies_of(const struct cause_count *t, const struct language *l)
{
    struct remedies all = {""};
    for (enum sample_source source = 0; source < SAMPLE_SOURCES; source++) {
        const struct reason_text one = reason_remedy(t->worst, l, source);
        const size_t used = strlen(all.text);
        if (t->of[source] && !strstr(all.text, one.text) &&
            used + strlen(one.text) + 2 < sizeof all.text)
            snprintf(all.text + used, sizeof all.text - used, "%s%s", used ? "; " : "", one.text);
    }
    return all;
}

static void count_all(struct cause_count t[CAUSES], const struct report_data *s)
{
    struct numbering seen = {0};
    for (size_t i = 0; i < s->count; i++)
        count_causes(t, &s->experiments[i], &seen);
    numbering_release(&seen);
}

/* ---- one cause for most points --------------------------------------------------------------- */

/* The cause that makes more than half of the points SUSPECT or INVALID, the most frequent one;
 * CAUSES if there is none. */
static enum cause common_cause(const struct report_data *s, struct cause_count t[CAUSES],
                               size_t *all)
{
    enum cause common = CAUSES;
    size_t trusted[TRUSTS];
    report_data_trust(s, trusted);
    count_all(t, s);
    *all = 0;
    for (size_t i = 0; i < TRUSTS; i++)
        *all += trusted[i];
    for (enum cause c = 0; c < CAUSES; c++)
        if (2 * t[c].points > *all && t[c].worst->trust >= TRUST_SUSPECT &&
            (common == CAUSES || t[c].points > t[common].points))
            common = c;
    return common;
}

/* The remedy with the folder instead of DIR. */
static struct remedies remedy_in(const struct cause_count *t, const struct language *l,
                                 const char *folder)
{
    static const char place[] = "DIR";
    struct remedies here;
    const struct remedies remedy = remedies_of(t, l);
    const char *at = strstr(remedy.text, place);
    snprintf(here.text, sizeof here.text, "%.*s%s%s",
             at ? (int)(at - remedy.text) : (int)sizeof here, remedy.text, at ? folder : "",
             at ? at + strlen(place) : "");
    return here;
}

bool report_common_cause(const struct report_data *s, const struct language *l, char *text,
                         size_t size)
{
    struct cause_count t[CAUSES] = {{0}};
    size_t all;
    const enum cause common = common_cause(s, t, &all);
    if (common == CAUSES)
        return false;
    const struct reason *why = t[common].worst;
    message_format(text, size, l,
                   "%{points} of %{all} points are %{status} for one cause: %{cause}. The worst is "
                   "%{worst}: %{seen}. What to do: %{remedy}",
                   WITH({"points", number_of(t[common].points).text}, {"all", number_of(all).text},
                        {"status", reason_word(why, l)}, {"cause", reason_name(why, l)},
                        {"worst", t[common].at->label}, {"seen", reason_cause(why, l).text},
                        {"remedy", remedy_in(&t[common], l, s->folder).text}));
    return true;
}

/* ---- one experiment -------------------------------------------------------------------------- */

static void write_cause(const struct part *p, const struct cause_count *t, bool at_top)
{
    const struct language *l = p->document.language;
    char text[1200];
    const struct reason *why = t->worst;
    const struct remedies remedy = remedies_of(t, l);
    if (at_top)
        message_format(text, sizeof text, l,
                       "%{status}: %{cause}, %{points} of the points: see the top of the page",
                       WITH({"status", reason_word(why, l)}, {"cause", reason_name(why, l)},
                            {"points", number_of(t->points).text}));
    else if (t->points == 1)
        snprintf(text, sizeof text, "%s: %s: %s (%s)", reason_word(why, l), t->at->label,
                 reason_cause(why, l).text, remedy.text);
    else
        message_format(
            text, sizeof text, l,
            "%{status}: %{cause}, %{points} points (%{remedy}). The worst is %{worst}: %{seen}",
            WITH({"status", reason_word(why, l)}, {"cause", reason_name(why, l)},
                 {"points", number_of(t->points).text}, {"remedy", remedy.text},
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
                       WITH({"rows", number_of(r->corrupt).text},
                            {"line", number_of(r->first_corrupt_line).text}));
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
    struct cause_count tallies[CAUSES] = {{0}}, page[CAUSES] = {{0}};
    struct numbering seen = {0};
    size_t all;
    if (!has_reasons(a) && !r->corrupt && !r->torn)
        return;
    const enum cause common = common_cause(p->data, page, &all);
    count_causes(tallies, e, &seen);
    numbering_release(&seen);
    p->format->fold_begin(&p->document, report_trust_words(a->trusted, l).text);
    p->format->list_begin(&p->document, "");
    for (enum cause i = 0; i < CAUSES; i++)
        if (tallies[i].points)
            write_cause(p, &tallies[i], i == common);
    write_left_out(p, r);
    format_part(p->format->list_end, &p->document);
    format_part(p->format->fold_end, &p->document);
}

/* ---- the whole page -------------------------------------------------------------------------- */

/* "SUSPECT: times in two modes (83 points), ...": only SUSPECT and INVALID, without the cause that
 * stands at the top. Returns false if there are none. */
static bool describe_alarms(const struct cause_count t[CAUSES], enum cause at_top,
                            const struct language *l, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (enum cause i = 0; i < CAUSES && length < size; i++)
        if (i != at_top && t[i].points && t[i].worst->trust >= TRUST_SUSPECT) {
            length += message_fill(
                text + length, size - length,
                message_plural(l, "%{lead}%{cause} (%{points} point)",
                               "%{lead}%{cause} (%{points} points)", t[i].points),
                WITH({"lead", length ? ", " : message(l, "Why some points are doubtful: ")},
                     {"cause", reason_name(t[i].worst, l)},
                     {"points", number_of(t[i].points).text}));
        }
    return length > 0;
}

enum { CAUSE_CELLS = 4 };

static void write_cause_row(const struct part *p, const struct cause_count *t)
{
    const struct language *l = p->document.language;
    const struct remedies remedy = remedies_of(t, l);
    char points[32];
    snprintf(points, sizeof points, "%zu", t->points);
    const struct cell cells[CAUSE_CELLS] = {{reason_word(t->worst, l), NULL},
                                            {reason_name(t->worst, l), NULL},
                                            {points, NULL},
                                            {remedy.text, NULL}};
    p->format->row(&p->document, cells, CAUSE_CELLS, false);
}

static void write_table(const struct part *p, const struct cause_count t[CAUSES])
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
    struct cause_count tallies[CAUSES] = {{0}};
    char text[1200];
    size_t all;
    const enum cause common = common_cause(p->data, tallies, &all);
    const bool more = describe_alarms(tallies, common, p->document.language, text, sizeof text - 2);
    if (more)
        p->format->paragraph(&p->document, strcat(text, "."));
    if (p->format->everything && (more || common < CAUSES))
        write_table(p, tallies);
}
