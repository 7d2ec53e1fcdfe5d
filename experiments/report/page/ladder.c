#include "experiments/report/page/ladder.h"
#include "experiments/analysis/limit_share.h"
#include "harness/base/text/messages.h"

#include "experiments/analysis/numbers.h"
#include "experiments/report/claims/findings.h"
#include "experiments/samples/point.h"
#include "harness/base/text/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MAX = 16, CELL_SIZE = 120, CAPTION_SIZE = 400 };

/* One table: an operator's methods with its product or without it, and if it has windows, those
 * with windows apart or overlapping. */
struct group {
    const struct operator_row *kind;
    bool product, windows, overlap;
};

static const struct work_words *words_of(const struct group *g)
{
    return g->product ? &g->kind->words.with_product : &g->kind->words.without;
}

/* A problem: k (0 without windows) and n. */
struct problem {
    int64_t kernel, size;
};

/* The group's points by method and problem. */
struct sheet {
    const struct analysis *analysis;
    const struct group *group;
    struct problem problems[COLUMNS_MAX];
    size_t count;
};

static bool is_plain(const struct record *r)
{
    return point_is_alone(r) && !r->isa_limit[0] && !r->pages_asked[0] && r->rows == r->cols &&
           strcmp(r->input, "random") == 0 && strcmp(r->filter, "identity") == 0;
}

static bool is_plain_pooling(const struct record *r)
{
    return r->planes == 1 && r->padding == 0 && r->kernel > 1;
}

static bool belongs(const struct group *g, const struct point *p)
{
    const struct record *r = &p->samples->identity;
    if (p->rung < 0 || !is_plain(r) || p->kind != g->kind || p->product != g->product)
        return false;
    return !g->windows || (is_plain_pooling(r) && r->stride == (g->overlap ? 1 : r->kernel));
}

static struct problem problem_of(const struct group *g, const struct record *r)
{
    return (struct problem){g->windows ? r->kernel : 0, r->rows};
}

static const struct point *find(const struct sheet *s, ptrdiff_t rung, struct problem problem)
{
    for (size_t i = 0; i < s->analysis->point_count; i++) {
        const struct point *p = &s->analysis->points[i];
        const struct problem other = problem_of(s->group, &p->samples->identity);
        if (p->rung == rung && belongs(s->group, p) && other.kernel == problem.kernel &&
            other.size == problem.size)
            return p;
    }
    return NULL;
}

/* Number of methods measured for a problem. */
static size_t count_methods(const struct sheet *s, struct problem problem)
{
    size_t count = 0;
    for (size_t i = 0; i < s->analysis->point_count; i++) {
        const struct point *p = &s->analysis->points[i];
        const struct problem other = problem_of(s->group, &p->samples->identity);
        count +=
            belongs(s->group, p) && other.kernel == problem.kernel && other.size == problem.size;
    }
    return count;
}

/* Without windows, every size is a column. With windows, every k is one, at the size with the most
 * methods, and of those the largest. */
static void take_problem(struct sheet *s, struct problem next)
{
    for (size_t i = 0; i < s->count; i++) {
        struct problem *known = &s->problems[i];
        if (known->kernel != next.kernel || (!s->group->windows && known->size != next.size))
            continue;
        const size_t here = count_methods(s, *known), there = count_methods(s, next);
        if (there > here || (there == here && next.size > known->size))
            *known = next;
        return;
    }
    if (s->count < COLUMNS_MAX)
        s->problems[s->count++] = next;
}

static int by_kernel_and_size(const void *a, const void *b)
{
    const struct problem *p = a, *q = b;
    if (p->kernel != q->kernel)
        return p->kernel < q->kernel ? -1 : 1;
    return (p->size > q->size) - (p->size < q->size);
}

static struct sheet make_sheet(const struct analysis *a, const struct group *g)
{
    struct sheet s = {.analysis = a, .group = g};
    for (size_t i = 0; i < a->point_count; i++)
        if (belongs(g, &a->points[i]))
            take_problem(&s, problem_of(g, &a->points[i].samples->identity));
    qsort(s.problems, s.count, sizeof *s.problems, by_kernel_and_size);
    return s;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* "1.23 ns, ×4.5, 67.0 [65.1, 68.2] %": time per window, or in all if outputs have no name. */
static void write_cell(char *cell, const struct point *p, const struct language *l)
{
    if (!p) {
        snprintf(cell, CELL_SIZE, "-");
        return;
    }
    const struct speedup *before = &p->speedup[BASELINE_RUNG];
    const double seconds = p->seconds[METRIC_COMPUTE].value, times = before->value[METRIC_COMPUTE];
    char time[40];
    format_seconds_short(time, sizeof time, p->kind->words.unit ? seconds / p->windows : seconds);
    number_localize(l, time);
    const struct number share = number_answer_share(l, point_share(p), point_share_interval(p));
    const bool known = p->roof.seconds > 0.0;
    text_fit_format(
        cell, CELL_SIZE, "%s%s%s%s%s%s%s", time, before->point >= 0 ? ", ×" : "",
        before->point >= 0 ? number_in(l, times < 9.95 ? "%.1f" : "%.0f", times).text : "",
        known ? ", " : "", known ? share.text : "", p->trust == TRUST_INVALID ? " " : "",
        p->trust == TRUST_INVALID ? trust_word(p->trust, l) : "");
}

/* "Max pooling by product, windows apart (s = k): time per window, times as fast ..." */
static void make_caption(char *caption, const struct group *g, const struct language *language)
{
    const struct operator_words *words = &g->kind->words;
    const char *lie = !g->windows  ? ""
                      : g->overlap ? message(language, ", windows overlap (s = 1)")
                                   : message(language, ", windows apart (s = k)");
    char of[60] = "";
    if (words->unit)
        message_format(of, sizeof of, language, " per %{unit}",
                       WITH({"unit", message(language, words->unit)}));
    message_format(caption, CAPTION_SIZE, language,
                   "%{work}%{windows}: %{time}%{unit}, times as fast as the rung before, share of "
                   "the machine's limit.",
                   WITH({"work", message(language, words_of(g)->title)}, {"windows", lie},
                        {"time", message(language, "time")}, {"unit", of}));
}

static void write_headers(const struct report_format *format, const struct document *d,
                          const struct sheet *s)
{
    char cells[COLUMNS_MAX + 1][CELL_SIZE], caption[CAPTION_SIZE];
    const char *headers[COLUMNS_MAX + 1];
    snprintf(cells[0], CELL_SIZE, "%s", message(d->language, "method"));
    for (size_t i = 0; i < s->count; i++)
        if (!s->group->windows)
            snprintf(cells[i + 1], CELL_SIZE, "n = %lld", (long long)s->problems[i].size);
        else
            snprintf(cells[i + 1], CELL_SIZE, "k = %lld, n = %lld",
                     (long long)s->problems[i].kernel, (long long)s->problems[i].size);
    for (size_t i = 0; i <= s->count; i++)
        headers[i] = cells[i];
    make_caption(caption, s->group, d->language);
    format->table_begin(d, caption, headers, s->count + 1);
}

static void write_rung(const struct report_format *format, const struct document *d,
                       const struct sheet *s, size_t rung)
{
    char cells[COLUMNS_MAX + 1][CELL_SIZE];
    struct cell row[COLUMNS_MAX + 1];
    size_t measured = 0;
    snprintf(cells[0], CELL_SIZE, "%s", s->group->kind->method(rung)->name);
    for (size_t i = 0; i < s->count; i++) {
        const struct point *p = find(s, (ptrdiff_t)rung, s->problems[i]);
        write_cell(cells[i + 1], p, d->language);
        measured += p != NULL;
    }
    for (size_t i = 0; i <= s->count; i++)
        row[i] = (struct cell){cells[i], NULL};
    if (measured)
        format->row(d, row, s->count + 1, false);
}

static void write_group(const struct report_format *format, const struct document *d,
                        const struct analysis *a, const struct group *g)
{
    const struct sheet s = make_sheet(a, g);
    struct document table = *d;
    char place[80];
    snprintf(place, sizeof place, "ladder-%s%s", words_of(g)->id, g->overlap ? "-overlap" : "");
    table.place = place;
    if (s.count == 0)
        return;
    write_headers(format, &table, &s);
    for (size_t rung = 0; rung < operator_method_count(g->kind); rung++)
        write_rung(format, &table, &s, rung);
    format->table_end(&table, s.count + 1);
}

void ladder_write(const struct report_format *format, const struct document *d,
                  const struct analysis *a)
{
    for (size_t i = 0; i < operator_count; i++)
        for (int product = 1; product >= 0; product--) {
            struct group g = {.kind = operators[i], .product = product != 0};
            g.windows = operator_parameter_of_column(g.kind, "stride") != NULL;
            for (int overlap = 0; words_of(&g)->id && overlap <= g.windows; overlap++) {
                g.overlap = overlap != 0;
                write_group(format, d, a, &g);
            }
        }
}
