/* Other libraries against our fastest method, on one worker. */
#include "experiments/analysis/selections/contest.h"

#include "experiments/analysis/best/with_best.h"
#include "experiments/analysis/numbers.h"
#include "harness/base/statistics.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- marks ----------------------------------------------------------------------------------- */

static const struct record *problem_of(const struct analysis *a, const struct ratio *r)
{
    return &a->points[r->peer].samples->identity;
}

static bool is_of_one_worker(const struct analysis *a, const struct ratio *r)
{
    return a->points[r->peer].workers == 1.0;
}

static void fill_row(struct selection_row *row, const struct analysis *a, const struct ratio *r)
{
    row->y = r->value;
    row->ends = r->interval;
    row->quantity = QUANTITY_TOTAL_RATIO;
    row->of = choice_given(&a->points[r->peer]);
    row->against = (struct choice){&a->points[r->ours], {r->timed[0], r->timed[1]}};
    row->trust = &r->trust;
}

/* The panel of a single plane; 0: none. */
static size_t panel_of(const struct record *r)
{
    if (r->planes != 1 || r->rows != r->cols || r->kernel <= 0)
        return 0;
    if (r->stride == r->kernel)
        return 3;
    return r->stride == 1 || r->stride == 2 ? (size_t)r->stride : 0;
}

/* Which chart draws the problem: each ratio is drawn, and counted, by one. */
static enum contest_shapes shapes_of(const struct analysis *a, const struct ratio *ratio)
{
    const struct record *r = problem_of(a, ratio);
    if (r->network[0])
        return SHAPES_NETWORKS;
    return ratio->named || panel_of(r) == 0 ? SHAPES_NAMED : SHAPES_PLANES;
}

static bool is_in_contest(const struct analysis *a, const struct ratio *r,
                          enum contest_shapes shapes)
{
    return is_of_one_worker(a, r) && shapes_of(a, r) == shapes;
}

/* One colour for each side of the window. */
static unsigned colour_of(const struct record *r)
{
    static const unsigned colours[] = {0x000000, 0x0072B2, 0xD55E00, 0x009E73,
                                       0xCC79A7, 0xE69F00, 0x56B4E9, 0x999933};
    return colours[(size_t)(r->kernel - 1) % (sizeof colours / sizeof *colours)];
}

static void draw_plane(const struct analysis *a, const struct ratio *ratio, struct selection *out)
{
    const struct record *r = problem_of(a, ratio);
    char series[48];
    snprintf(series, sizeof series, "k = %" PRId64, r->kernel);
    struct selection_row *row = selection_mark(out, &a->points[ratio->peer], panel_of(r), series);
    fill_row(row, a, ratio);
    row->x = (double)r->rows;
    row->colour = colour_of(r);
}

static void draw_shape(const struct analysis *a, const struct ratio *r, struct selection *out)
{
    struct selection_row *row = selection_mark(out, &a->points[r->peer], 1, r->shape);
    fill_row(row, a, r);
    snprintf(row->label, sizeof row->label, "%s", method_of(&a->points[r->peer]));
}

static void draw(const struct analysis *a, enum contest_shapes shapes, struct selection *out)
{
    for (size_t i = 0; i < a->ratio_count; i++) {
        const struct ratio *r = &a->ratios[i];
        if (!is_in_contest(a, r, shapes))
            continue;
        if (shapes != SHAPES_PLANES)
            draw_shape(a, r, out);
        else if (r->fastest)
            draw_plane(a, r, out);
    }
}

/* ---- roles ----------------------------------------------------------------------------------- */

struct contest {
    size_t count, won, lost;     /* ratios; those significantly above 1, and below 1 */
    const struct ratio **sorted; /* the smallest first; owned */
};

static int by_value(const void *a, const void *b)
{
    const struct ratio *const *p = a, *const *q = b;
    return ((*p)->value > (*q)->value) - ((*p)->value < (*q)->value);
}

/* Decides which ratios differ significantly from 1, for the whole contest together: by Holm's
 * procedure at 5 % divided by the tables of the page. A ratio without a p-value is decided by its
 * interval. */
static void decide_contest(struct contest *t, const struct analysis *a)
{
    double *p_values = malloc((t->count + 1) * sizeof *p_values);
    const double level = 0.05 / (double)(a->tables > 0 ? a->tables : 1);
    for (size_t i = 0; p_values && i < t->count; i++)
        p_values[i] = t->sorted[i]->p_value;
    if (p_values && adjust_p_values(p_values, t->count) == 0)
        for (size_t i = 0; i < t->count; i++) {
            const struct ratio *r = t->sorted[i];
            const bool seen = isnan(p_values[i]) || p_values[i] <= level;
            t->won += seen && r->interval.lower > 1.0;
            t->lost += seen && r->interval.upper < 1.0;
        }
    free(p_values);
}

/* Takes the fastest library of each problem and kind with one worker. */
static struct contest hold_contest(const struct analysis *a, enum contest_shapes shapes)
{
    struct contest t = {.sorted = calloc(a->ratio_count + 1, sizeof(struct ratio *))};
    for (size_t i = 0; t.sorted && i < a->ratio_count; i++) {
        const struct ratio *r = &a->ratios[i];
        if (r->fastest && is_in_contest(a, r, shapes))
            t.sorted[t.count++] = r;
    }
    decide_contest(&t, a);
    if (t.count > 1)
        qsort(t.sorted, t.count, sizeof(struct ratio *), by_value);
    return t;
}

/* Names a ratio: "1.38 [1.34, 1.40]" of "onednn by plain loops, alexnet_5". */
static void name_ratio(const struct analysis *a, const char *role, const struct ratio *r,
                       const struct language *l, struct selection *out)
{
    const struct point *peer = &a->points[r->peer];
    struct selection_row *row = selection_name(out, role);
    fill_row(row, a, r);
    text_fit_format(row->label, sizeof row->label, "%s%s, %s", method_of(peer),
                    evidence_plain_loops(a, peer) ? message(l, " by plain loops") : "", r->shape);
}

/* Names the numbers of ratios, if there are any. */
static void name_counts(const struct analysis *a, const struct contest *t, struct selection *out)
{
    size_t plain = 0;
    for (size_t i = 0; i < t->count; i++)
        plain += evidence_plain_loops(a, &a->points[t->sorted[i]->peer]);
    const struct {
        const char *role;
        size_t count;
    } counts[] = {{"lost", t->lost}, {"even", t->count - t->won - t->lost}, {"plain_loops", plain}};
    out->finding = t->won + t->lost ? "differs" : "even";
    selection_count(out, "equal", 1.0); /* the ratio of equal times */
    selection_count(out, "count", (double)t->count);
    selection_count(out, "won", (double)t->won);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i].count)
            selection_count(out, counts[i].role, (double)counts[i].count);
}

/* Names the smallest and the largest ratio, and from three on the middle one. */
static void name_ends(const struct analysis *a, const struct contest *t, const struct language *l,
                      struct selection *out)
{
    const struct ratio *shown[] = {t->sorted[0], t->sorted[t->count / 2], t->sorted[t->count - 1]};
    const struct words similar = words_similar(a, l);
    name_ratio(a, t->count == 1 ? "only" : "low", shown[0], l, out);
    if (t->count > 1)
        name_ratio(a, "high", shown[2], l, out);
    if (t->count > 2)
        name_ratio(a, "middle", shown[1], l, out);
    selection_label(out, "similar", similar.text);
    for (size_t i = 0; i < 3; i++) {
        selection_list(out, &a->points[shown[i]->ours]);
        selection_list(out, &a->points[shown[i]->peer]);
    }
}

/* True if the ratio's library is a separate program with one worker: maxpool_openvino. */
static bool is_of_program(const struct analysis *a, const struct ratio *r,
                          enum contest_shapes shapes)
{
    const struct record *peer = problem_of(a, r);
    const char *name = strchr(peer->program, '_');
    return name && strcmp(name + 1, peer->method) == 0 && is_in_contest(a, r, shapes);
}

/* Names the ratio of each of these to ours, for the problems where it is least and most. */
static void name_programs(const struct analysis *a, enum contest_shapes shapes,
                          const struct language *l, struct selection *out)
{
    for (size_t i = 0; i < a->ratio_count; i++) {
        const struct ratio *r = &a->ratios[i], *least = r, *most = r;
        const char *method = method_of(&a->points[r->peer]);
        bool shown = !is_of_program(a, r, shapes);
        size_t problems = 0;
        for (size_t j = 0; j < a->ratio_count && !shown; j++) {
            const struct ratio *other = &a->ratios[j];
            if (!is_of_program(a, other, shapes) ||
                strcmp(method_of(&a->points[other->peer]), method) != 0)
                continue;
            shown = j < i;
            problems++;
            least = other->value < least->value ? other : least;
            most = other->value > most->value ? other : most;
        }
        if (shown)
            continue;
        struct selection_row *row = selection_name(out, problems == 1 ? "program" : "programs");
        fill_row(row, a, least);
        if (problems > 1) {
            snprintf(row->label, sizeof row->label, "%s",
                     number_answer(l, most->value, most->interval).text);
            fill_row(selection_name(out, "programs_high"), a, most);
        }
    }
}

void select_contest(const struct experiment *e, const void *parameters, const struct language *l,
                    struct selection *out)
{
    const struct analysis *a = &e->analysis;
    const struct contest_chart *of = parameters;
    const struct contest t = hold_contest(a, of->shapes);
    draw(a, of->shapes, out);
    out->lack = t.count ? NULL : N_("no other library was measured with one worker");
    if (t.count) {
        name_counts(a, &t, out);
        name_ends(a, &t, l, out);
        name_programs(a, of->shapes, l, out);
    }
    free(t.sorted);
}
