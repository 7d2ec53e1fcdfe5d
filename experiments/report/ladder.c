#include "experiments/report/ladder.h"

#include "experiments/report/findings.h"
#include "kernels/methods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MAX = 16, CELL_SIZE = 120, CAPTION_SIZE = 400 };

/* One table. */
struct group {
    bool matmul, product, overlap;
    const char *name; /* for references */
    const char *english, *spanish;
};

static const struct group groups[] = {
    {false, true, false, "ladder-product", "Max pooling by product, windows apart (s = k)",
     "Max pooling por producto, ventanas separadas (s = k)"},
    {false, true, true, "ladder-product-overlap", "Max pooling by product, windows overlap (s = 1)",
     "Max pooling por producto, ventanas traslapadas (s = 1)"},
    {false, false, false, "ladder-maximum", "The maximum alone, windows apart (s = k)",
     "Solo el máximo, ventanas separadas (s = k)"},
    {false, false, true, "ladder-maximum-overlap", "The maximum alone, windows overlap (s = 1)",
     "Solo el máximo, ventanas traslapadas (s = 1)"},
    {true, true, false, "ladder-matmul", "Matrix product", "Producto de matrices"},
};

/* A problem: k (0 for matmul) and n. */
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
    return strcmp(r->space, "serial") == 0 && !r->isa_limit[0] && !r->pages_asked[0] &&
           r->rows == r->cols && strcmp(r->input, "random") == 0 &&
           strcmp(r->filter, "identity") == 0;
}

static bool is_plain_pooling(const struct record *r)
{
    return r->planes == 1 && r->padding == 0 && r->kernel > 1;
}

static bool belongs(const struct group *g, const struct point *p)
{
    const struct record *r = &p->samples->identity;
    const bool matmul = strcmp(r->operator_name, "matmul") == 0;
    if (p->rung < 0 || !is_plain(r) || matmul != g->matmul || p->product != g->product)
        return false;
    return matmul || (is_plain_pooling(r) && r->stride == (g->overlap ? 1 : r->kernel));
}

static struct problem problem_of(const struct group *g, const struct record *r)
{
    return (struct problem){g->matmul ? 0 : r->kernel, r->rows};
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

/* Methods that were measured at a problem. */
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

/* In matmul every size is a column; elsewhere every k is one, at the size that tells most. */
static void take_problem(struct sheet *s, struct problem next)
{
    for (size_t i = 0; i < s->count; i++) {
        struct problem *known = &s->problems[i];
        if (known->kernel != next.kernel || (s->group->matmul && known->size != next.size))
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

/* "1.23 ns, x4.5, 67 %": of one window, or of the whole product in matmul. */
static void write_cell(char *cell, const struct point *p, bool matmul)
{
    if (!p) {
        snprintf(cell, CELL_SIZE, "-");
        return;
    }
    const struct speedup *before = &p->speedup[BASELINE_RUNG];
    const double seconds = p->seconds[METRIC_COMPUTE].value;
    char time[40], times[30] = "", share[30] = "";
    format_seconds_short(time, sizeof time, matmul ? seconds : seconds / p->windows);
    if (before->point >= 0)
        snprintf(times, sizeof times, ", ×%.*f", before->value[METRIC_COMPUTE] < 9.95 ? 1 : 0,
                 before->value[METRIC_COMPUTE]);
    if (p->roof.seconds > 0.0)
        format_share(share, sizeof share, p->roof.seconds / seconds);
    snprintf(cell, CELL_SIZE, "%s%s%s%s%s", time, times, share[0] ? ", " : "", share,
             p->trust == TRUST_INVALID ? " INVALID" : "");
}

static void write_headers(const struct report_format *format, const struct document *d,
                          const struct sheet *s)
{
    char cells[COLUMNS_MAX + 1][CELL_SIZE], caption[CAPTION_SIZE];
    const char *headers[COLUMNS_MAX + 1];
    snprintf(cells[0], CELL_SIZE, "%s", say(d->language, "method", "método"));
    for (size_t i = 0; i < s->count; i++)
        if (s->group->matmul)
            snprintf(cells[i + 1], CELL_SIZE, "n = %lld", (long long)s->problems[i].size);
        else
            snprintf(cells[i + 1], CELL_SIZE, "k = %lld, n = %lld",
                     (long long)s->problems[i].kernel, (long long)s->problems[i].size);
    for (size_t i = 0; i <= s->count; i++)
        headers[i] = cells[i];
    snprintf(caption, sizeof caption,
             say(d->language, "%s: %s, times as fast as the rung before, share of the roof.",
                 "%s: %s, veces más rápido que el peldaño anterior, fracción del techo."),
             say(d->language, s->group->english, s->group->spanish),
             s->group->matmul ? say(d->language, "time", "tiempo")
                              : say(d->language, "time per window", "tiempo por ventana"));
    format->table_begin(d, caption, headers, s->count + 1);
}

static const char *method_name(const struct group *g, size_t rung)
{
    return g->matmul ? matmul_methods[rung].name : maxpool_methods[rung].name;
}

static void write_rung(const struct report_format *format, const struct document *d,
                       const struct sheet *s, size_t rung)
{
    char cells[COLUMNS_MAX + 1][CELL_SIZE];
    struct cell row[COLUMNS_MAX + 1];
    size_t measured = 0;
    snprintf(cells[0], CELL_SIZE, "%s", method_name(s->group, rung));
    for (size_t i = 0; i < s->count; i++) {
        const struct point *p = find(s, (ptrdiff_t)rung, s->problems[i]);
        write_cell(cells[i + 1], p, s->group->matmul);
        measured += p != NULL;
    }
    for (size_t i = 0; i <= s->count; i++)
        row[i] = (struct cell){cells[i], NULL};
    if (measured)
        format->row(d, row, s->count + 1, false);
}

void ladder_write(const struct report_format *format, const struct document *d,
                  const struct analysis *a)
{
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        const struct sheet s = make_sheet(a, &groups[i]);
        const size_t rungs = groups[i].matmul ? matmul_method_count : maxpool_method_count;
        struct document table = *d;
        table.place = groups[i].name;
        if (s.count == 0)
            continue;
        write_headers(format, &table, &s);
        for (size_t rung = 0; rung < rungs; rung++)
            write_rung(format, &table, &s, rung);
        format->table_end(&table);
    }
}
