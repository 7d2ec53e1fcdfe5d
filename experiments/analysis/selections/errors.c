#include "experiments/analysis/selections/errors.h"

#include "experiments/samples/point.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"

#include <math.h>
#include <string.h>

enum { MOST_SUBJECTS = 4 };

static const double edge_ulps = 0.05; /* smaller errors are drawn here: a logarithm has no zero */

/* The network, or the operator. */
static const char *subject_of(const struct point *p)
{
    const struct record *r = identity_of(p);
    return r->network[0] ? r->network : r->operator_name;
}

static bool on_gpu(const struct point *p)
{
    return point_is_on_device(identity_of(p));
}

static bool same_subject(const struct point *p, const struct point *q)
{
    return on_gpu(p) == on_gpu(q) && strcmp(subject_of(p), subject_of(q)) == 0;
}

/* On a GPU the precisions of one problem have a panel together, and each mark has the name of its
 * own. */
static bool same_panel(const struct point *p, const struct point *q)
{
    return on_gpu(p) ? on_gpu(q) && analysis_same_but_math(p, q)
                     : !on_gpu(q) && analysis_same_problem(p, q);
}

/* One worker, or one GPU. */
static bool is_alone(const struct point *p)
{
    return on_gpu(p) ? record_count(identity_of(p)->ranks) == 1.0 : p->workers == 1.0;
}

static bool has_error(const struct point *p)
{
    return !isnan(p->error_ulps) && is_alone(p);
}

/* The points of the panel of `problem` whose times are compared; of any panel if it is NULL. */
static struct wanted wanted_of(const struct point *problem)
{
    const bool device = problem && on_gpu(problem);
    return (struct wanted){.problem = problem,
                           .any_math = device,
                           .on_device = device,
                           .one_worker = problem && !device,
                           .peers = true,
                           .also = has_error};
}

static bool is_compared(const struct point *p)
{
    const struct wanted w = wanted_of(NULL);
    return evidence_fits(p, &w);
}

/* The digits of an emulated GPU, which has no seconds. */
static bool is_emulated(const struct point *p)
{
    return has_error(p) && on_gpu(p) && p->trust == TRUST_SIMULATED;
}

static bool has_digits(const struct point *p)
{
    return is_compared(p) || is_emulated(p);
}

/* A chart shows INVALID results too. */
static bool is_shown(const struct point *p)
{
    return has_digits(p) || (has_error(p) && p->trust == TRUST_INVALID && total_of(p) > 0.0 &&
                             !identity_of(p)->isa_limit[0] && !identity_of(p)->pages_asked[0]);
}

/* True if some method rounds in the problem of p: if all results are exact, they do not distinguish
 * methods. */
static bool is_rounded(const struct analysis *a, const struct point *p)
{
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *q = &a->points[i];
        if (has_digits(q) && q->error_ulps > 0.0 && same_panel(p, q))
            return true;
    }
    return false;
}

/* A point of the problem that most methods solved, of those with the subject of `like`; NULL: none
 * rounds. */
static const struct point *problem_of(const struct analysis *a, const struct point *like)
{
    const struct point *best = NULL;
    size_t most = 0;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        size_t count = 0;
        if (!has_digits(p) || !same_subject(p, like))
            continue;
        for (size_t j = 0; j < a->point_count; j++)
            count += has_digits(&a->points[j]) && same_panel(p, &a->points[j]);
        if (count > most && is_rounded(a, p)) {
            most = count;
            best = p;
        }
    }
    return best;
}

/* The point of the problem with the least time, or the least error, of equal errors the faster;
 * NULL: all of it is emulated. */
static const struct point *least_of(const struct analysis *a, const struct point *problem,
                                    bool error)
{
    const struct point *best = NULL;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (!is_compared(p) || !same_panel(p, problem))
            continue;
        const bool less = best && error && p->error_ulps != best->error_ulps
                              ? p->error_ulps < best->error_ulps
                              : !best || point_stands_before(p, best);
        best = less ? p : best;
    }
    return best;
}

/* Adds the mark of a point: one without a time has no y. */
static struct selection_row *draw(const struct analysis *a, const struct point *p, size_t panel,
                                  struct selection *out)
{
    const struct words series = words_precise(p);
    if (!is_emulated(p))
        return selection_draw(out, a, p, panel, "error_ulps", "total_s", series.text);
    struct selection_row *row = selection_mark(out, p, panel, series.text);
    row->x = p->error_ulps;
    return row;
}

static void draw_problem(const struct analysis *a, const struct point *problem, size_t panel,
                         struct selection *out)
{
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (!is_shown(p) || !same_panel(p, problem))
            continue;
        struct selection_row *row = draw(a, p, panel, out);
        if (row)
            text_fit(row->label, sizeof row->label, row->series);
    }
}

/* Adds the emulated points of a problem. */
static void add_emulated(const struct analysis *a, const struct point *problem,
                         struct selection *out)
{
    for (size_t i = 0; i < a->point_count; i++)
        if (is_emulated(&a->points[i]) && same_panel(&a->points[i], problem))
            selection_number(out, "emulated", &a->points[i], a->points[i].error_ulps, no_interval);
}

static void add_times(const struct analysis *a, const struct point *problem, struct selection *out)
{
    static const char *const roles[] = {"fastest", "nearest"};
    const struct wanted rivals = wanted_of(problem);
    const struct point *tie = evidence_tie(a, &rivals, least_of(a, problem, false), NULL);
    if (tie)
        selection_number(out, "tie", tie, tie->error_ulps, no_interval);
    for (size_t i = 0; i < 2; i++) {
        const struct point *p = least_of(a, problem, i == 1);
        selection_number(out, roles[i], p, p->error_ulps, no_interval);
        selection_list(out, p);
    }
}

static void add_subject(const struct analysis *a, const struct point *problem, size_t panel,
                        const struct language *l, struct selection *out)
{
    char gpu[64];
    message_format(gpu, sizeof gpu, l, "%{operator} on a GPU",
                   WITH({"operator", subject_of(problem)}));
    selection_label(out, "panel", on_gpu(problem) ? gpu : subject_of(problem));
    draw_problem(a, problem, panel, out);
    if (least_of(a, problem, false))
        add_times(a, problem, out);
    add_emulated(a, problem, out);
}

/* True for the first point of its subject that has digits. */
static bool is_first(const struct analysis *a, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (has_digits(&a->points[j]) && same_subject(&a->points[i], &a->points[j]))
            return false;
    return has_digits(&a->points[i]);
}

void select_errors(const struct experiment *e, const void *parameters, const struct language *l,
                   struct selection *out)
{
    const struct analysis *a = &e->analysis;
    size_t subjects = 0, panels = 0;
    (void)parameters;
    for (int device = 0; device < 2; device++)
        for (size_t i = 0; i < a->point_count && panels < MOST_SUBJECTS; i++) {
            if (on_gpu(&a->points[i]) != device || !is_first(a, i))
                continue;
            const struct point *problem = problem_of(a, &a->points[i]);
            subjects++;
            if (problem)
                add_subject(a, problem, ++panels, l, out);
        }
    selection_label(out, "edge", message(l, N_("exact")))->x = edge_ulps;
    selection_label(out, "foot", message(l, N_("no time")));
    out->lack = panels > 0     ? NULL
                : subjects > 0 ? N_("all results are exact")
                               : N_("no sample records errors");
}
