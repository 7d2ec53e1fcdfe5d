#include "experiments/analysis/selections/errors.h"

#include "experiments/common/lists.h"
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

static bool has_error(const struct point *p)
{
    return !isnan(p->error_ulps);
}

static bool is_compared(const struct point *p)
{
    const struct wanted w = {.one_worker = true, .peers = true, .also = has_error};
    return evidence_fits(p, &w);
}

/* A chart shows INVALID results too. */
static bool is_shown(const struct point *p)
{
    return is_compared(p) ||
           (has_error(p) && p->trust == TRUST_INVALID && p->workers == 1.0 && total_of(p) > 0.0 &&
            !identity_of(p)->isa_limit[0] && !identity_of(p)->pages_asked[0]);
}

/* True if some method rounds in the problem of p: if all results are exact, they do not distinguish
 * methods. */
static bool is_rounded(const struct analysis *a, const struct point *p)
{
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *q = &a->points[i];
        if (is_compared(q) && q->error_ulps > 0.0 && analysis_same_problem(p, q))
            return true;
    }
    return false;
}

/* A point of the subject's problem that most methods solved; NULL: none rounds. */
static const struct point *problem_of(const struct analysis *a, const char *subject)
{
    const struct point *best = NULL;
    size_t most = 0;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        size_t count = 0;
        if (!is_compared(p) || strcmp(subject_of(p), subject) != 0)
            continue;
        for (size_t j = 0; j < a->point_count; j++)
            count += is_compared(&a->points[j]) && analysis_same_problem(p, &a->points[j]);
        if (count > most && is_rounded(a, p)) {
            most = count;
            best = p;
        }
    }
    return best;
}

/* The point of the problem with the least time, or the least error, of equal errors the faster. */
static const struct point *least_of(const struct analysis *a, const struct point *problem,
                                    bool error)
{
    const struct point *best = NULL;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (!is_compared(p) || !analysis_same_problem(p, problem))
            continue;
        const bool less = best && error && p->error_ulps != best->error_ulps
                              ? p->error_ulps < best->error_ulps
                              : !best || point_stands_before(p, best);
        best = less ? p : best;
    }
    return best;
}

static void draw_problem(const struct analysis *a, const struct point *problem, size_t panel,
                         struct selection *out)
{
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (!is_shown(p) || !analysis_same_problem(p, problem))
            continue;
        struct selection_row *row =
            selection_draw(out, a, p, panel, "error_ulps", "total_s", method_of(p));
        if (row)
            text_fit(row->label, sizeof row->label, row->series);
    }
}

static void add_subject(const struct analysis *a, const struct point *problem, size_t panel,
                        struct selection *out)
{
    static const char *const roles[] = {"fastest", "nearest"};
    selection_label(out, "panel", subject_of(problem));
    draw_problem(a, problem, panel, out);
    const struct wanted rivals = {
        .problem = problem, .one_worker = true, .peers = true, .also = has_error};
    const struct point *tie = evidence_tie(a, &rivals, least_of(a, problem, false), NULL);
    if (tie)
        selection_number(out, "tie", tie, tie->error_ulps, (struct interval){NAN, NAN});
    for (size_t i = 0; i < 2; i++) {
        const struct point *p = least_of(a, problem, i == 1);
        selection_number(out, roles[i], p, p->error_ulps, (struct interval){NAN, NAN});
        selection_list(out, p);
    }
}

void select_errors(const struct experiment *e, const void *parameters, const struct language *l,
                   struct selection *out)
{
    const struct analysis *a = &e->analysis;
    const char *known[2 * MOST_SUBJECTS]; /* also those without a problem that rounds */
    size_t known_count = 0, panels = 0;
    (void)parameters;
    for (size_t i = 0; i < a->point_count && panels < MOST_SUBJECTS; i++) {
        const struct point *p = &a->points[i];
        bool is_new = is_compared(p) && known_count < 2 * MOST_SUBJECTS;
        for (size_t j = 0; j < known_count; j++)
            is_new = is_new && strcmp(known[j], subject_of(p)) != 0;
        const struct point *problem = is_new ? problem_of(a, subject_of(p)) : NULL;
        if (is_new)
            known[known_count++] = subject_of(p);
        if (problem)
            add_subject(a, problem, ++panels, out);
    }
    selection_label(out, "edge", message(l, N_("exact")))->x = edge_ulps;
    out->lack = panels > 0        ? NULL
                : known_count > 0 ? N_("all results are exact")
                                  : N_("no sample records errors");
}
