/* Why points are doubtful, by cause: how many it is seen at, where it is worst, what to do. */
#include "experiments/report/report.h"

#include <stdio.h>
#include <string.h>

struct tally {
    size_t points;
    const struct reason *worst;
    const struct point *at;
};

static void count_causes(struct tally t[CAUSES], const struct analysis *a)
{
    for (size_t i = 0; i < a->point_count; i++)
        for (size_t j = 0; j < a->points[i].reason_count; j++) {
            const struct reason *why = &a->points[i].reasons[j];
            struct tally *of = &t[why->kind];
            of->points++;
            if (!of->worst || why->amount > of->worst->amount) {
                of->worst = why;
                of->at = &a->points[i];
            }
        }
}

/* ---- of one experiment ----------------------------------------------------------------------- */

static void write_cause(const struct part *p, const struct tally *t)
{
    const enum language l = p->document.language;
    char text[900];
    const struct reason *why = t->worst;
    if (t->points == 1)
        snprintf(text, sizeof text, "%s: %s: %s (%s)", reason_word(why, l), t->at->label,
                 why->cause[l], why->remedy[l]);
    else
        snprintf(text, sizeof text,
                 say(l, "%s: %s, %zu points (%s). The worst is %s: %s",
                     "%s: %s, %zu puntos (%s). El peor es %s: %s"),
                 reason_word(why, l), why->name[l], t->points, why->remedy[l], t->at->label,
                 why->cause[l]);
    p->format->item(&p->document, text);
}

static void write_left_out(const struct part *p, const struct record_report *r)
{
    const enum language l = p->document.language;
    char text[200];
    if (r->corrupt) {
        snprintf(text, sizeof text,
                 say(l, "%lld corrupt rows left out, the first in line %lld",
                     "%lld filas corruptas fuera, la primera en la línea %lld"),
                 (long long)r->corrupt, (long long)r->first_corrupt_line);
        p->format->item(&p->document, text);
    }
    if (r->torn)
        p->format->item(&p->document,
                        say(l, "a torn last line left out", "una última línea rota, fuera"));
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
    const enum language l = p->document.language;
    const struct analysis *a = &e->analysis;
    const struct record_report *r = &a->samples.report;
    struct tally tallies[CAUSES] = {{0}};
    if (!has_reasons(a) && !r->corrupt && !r->torn)
        return;
    count_causes(tallies, a);
    p->format->fold_begin(&p->document, report_trust_words(a->trusted, l).text);
    p->format->list_begin(&p->document, "");
    for (size_t i = 0; i < CAUSES; i++)
        if (tallies[i].points)
            write_cause(p, &tallies[i]);
    write_left_out(p, r);
    p->format->list_end(&p->document);
    format_part(p->format->fold_end, &p->document);
}

/* ---- of the page ----------------------------------------------------------------------------- */

/* "SUSPECT: times in two modes (83 points), ..." : the graver half of the statuses alone. */
static bool tell_alarms(const struct tally t[CAUSES], enum language l, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < CAUSES && length < size; i++)
        if (t[i].points && t[i].worst->trust >= TRUST_SUSPECT) {
            const int more =
                snprintf(text + length, size - length,
                         t[i].points == 1 ? say(l, "%s%s (%zu point)", "%s%s (%zu punto)")
                                          : say(l, "%s%s (%zu points)", "%s%s (%zu puntos)"),
                         length ? ", "
                                : say(l, "Why some points are doubtful: ",
                                      "Por qué algunos puntos son dudosos: "),
                         t[i].worst->name[l], t[i].points);
            length += more > 0 ? (size_t)more : 0;
        }
    return length > 0;
}

enum { CAUSE_CELLS = 4 };

static void write_cause_row(const struct part *p, const struct tally *t)
{
    const enum language l = p->document.language;
    char points[32];
    snprintf(points, sizeof points, "%zu", t->points);
    const struct cell cells[CAUSE_CELLS] = {{reason_word(t->worst, l), NULL},
                                            {t->worst->name[l], NULL},
                                            {points, NULL},
                                            {t->worst->remedy[l], NULL}};
    p->format->row(&p->document, cells, CAUSE_CELLS, false);
}

static void write_table(const struct part *p, const struct tally t[CAUSES])
{
    const enum language l = p->document.language;
    const char *const headers[CAUSE_CELLS] = {
        say(l, "status", "estado"), say(l, "what was seen", "lo que se vio"),
        say(l, "points", "puntos"), say(l, "what to do", "qué hacer")};
    p->format->fold_begin(&p->document, say(l, "What to do about it", "Qué hacer al respecto"));
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
    char text[1200];
    for (size_t i = 0; i < p->studied->count; i++)
        count_causes(tallies, &p->studied->experiments[i].analysis);
    if (!tell_alarms(tallies, p->document.language, text, sizeof text - 2))
        return;
    strcat(text, ".");
    p->format->paragraph(&p->document, text);
    if (p->format->everything)
        write_table(p, tallies);
}
