/* The fastest of several points. */
#include "experiments/analysis/selections/fastest.h"

#include "experiments/analysis/derived/derived.h"
#include "experiments/analysis/limit_share.h"
#include "experiments/analysis/numbers.h"
#include "experiments/samples/point.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"
#include "harness/limits/rates.h"

#include <math.h>
#include <string.h>

static const struct fastest none = {.point = NULL};

/* True if rivals were measured. */
static bool has_rival(const struct analysis *a, const struct wanted *w, const struct point *best)
{
    bool found = false;
    for (size_t i = 0; i < a->point_count && !found; i++) {
        const struct point *p = &a->points[i];
        found = evidence_fits(p, w) && !p->shares_cores && evidence_is_rival(p, best);
    }
    return found;
}

/* Names the points that may be as fast: by samples, or if doubtful times are right. Returns whether
 * others were measured, and it differs from all. */
static bool name_rivals(const struct analysis *a, const struct wanted *w, const struct fastest *f,
                        const struct language *l, struct selection *out)
{
    struct interval between = {NAN, NAN};
    const struct point *tie = evidence_tie(a, w, f->point, &between),
                       *left_out = evidence_left_out(a, w, f->point);
    if (tie)
        selection_point(out, "tie", tie, NAN);
    if (tie && !isnan(between.lower)) {
        const double value = compare_points(&a->samples, tie, f->point, METRIC_TOTAL).value;
        selection_number(out, "tie_times", tie, value, interval_holding(between, value));
    }
    if (left_out)
        selection_label(out, "left_out", words_left_out(left_out, l).text);
    const bool ranked = !tie && has_rival(a, w, f->point);
    if (!tie)
        selection_label(out, ranked ? "sole" : "only", "");
    return ranked;
}

/* Names the fastest of what is wanted, and lists all of `listed`. */
static void name_fastest(const struct analysis *a, const struct wanted *w, const struct fastest *f,
                         const struct wanted *listed, const struct language *l,
                         struct selection *out)
{
    selection_time(out, "fastest", &f->choice, &f->total);
    const bool ranked = name_rivals(a, w, f, l, out);
    out->finding = f->base ? (evidence_differs(&f->gain) ? "gain" : "even")
                   : selection_find(out, "left_out")  ? "left_out"
                   : f->point->trust >= TRUST_SUSPECT ? "doubted"
                   : ranked                           ? "alone"
                   : selection_find(out, "tie")       ? "tied"
                                                      : "only";
    if (!f->base && ranked && !selection_find(out, "left_out"))
        selection_label(out, "least", "");
    if (f->base) {
        const struct choice base = choice_given(f->base);
        selection_time(out, "base", &base, &f->base->seconds[METRIC_TOTAL]);
        selection_ratio(out, "gain", &base, &f->choice, &f->gain, QUANTITY_TOTAL_RATIO);
        selection_minute(out, f->gain.value, f->gain.interval);
    }
    out->listed_count = evidence_sorted(a, listed, out->listed, SELECTION_LISTED);
}

/* ---- serial methods -------------------------------------------------------------------------- */

static bool is_serial(const struct point *p)
{
    return point_is_alone(&p->samples->identity);
}

static void name_choice(const struct fastest *f, const char *role, struct selection *out)
{
    if (f->point)
        selection_time(out, role, &f->choice, &f->total);
}

/* Names other results for the same problem: several workers, and the maximum without the product.
 */
static void name_further(const struct analysis *a, const struct point *best, struct selection *out)
{
    const struct wanted several = {.problem = best,
                                   .several_workers = true,
                                   .work = best->product ? WORK_PRODUCT : WORK_MAXIMUM},
                        alone = {.problem = best, .one_worker = true, .work = WORK_MAXIMUM};
    const struct fastest many = evidence_choice(a, &several),
                         maximum = best->product ? evidence_choice(a, &alone) : none;
    name_choice(&many, "many", out);
    name_choice(&maximum, "maximum", out);
}

void fastest_name_serial(const struct experiment *e, const struct language *l,
                         struct selection *out)
{
    const struct analysis *a = &e->analysis;
    struct wanted w = {.one_worker = true, .also = is_serial}, all;
    w.problem = evidence_problem(a, &w);
    all = w;
    w.work = WORK_PRODUCT;
    w.work = w.problem && evidence_fastest(a, &w) ? WORK_PRODUCT : WORK_ANY;
    const struct fastest f = w.problem ? evidence_choice(a, &w) : none;
    if (selection_lacks(out, !f.point, evidence_lack(a, &all, N_("no serial method was measured"))))
        return;
    name_fastest(a, &w, &f, &all, l, out);
    name_further(a, f.point, out);
}

void fastest_name_serial_in_caches(const struct experiment *e, const struct language *l,
                                   struct selection *out)
{
    const struct ceilings *c = &e->analysis.ceilings;
    for (size_t i = 0; i < c->count; i++)
        if (!ceiling_is_peak(&c->rows[i]) && rates_is_line(c, &c->rows[i]) &&
            c->rows[i].bytes > 0.0 && c->rows[i].workers == 1.0) {
            selection_label(out, "vertical", c->rows[i].level)->x =
                sqrt(c->rows[i].bytes / sizeof(float));
        }
    fastest_name_serial(e, l, out);
}

/* ---- kernels of GPUs ------------------------------------------------------------------------- */

static void name_kernel(const struct analysis *a, const char *offload, const struct language *l,
                        struct selection *out)
{
    struct wanted w = {.on_device = true, .offload = offload};
    w.problem = evidence_problem(a, &w);
    const struct wanted all = {.problem = w.problem};
    const struct fastest f = w.problem ? evidence_choice(a, &w) : none;
    out->lack = f.point ? NULL : evidence_lack(a, &w, N_("no GPU was measured"));
    if (f.point)
        name_fastest(a, &w, &f, &all, l, out);
}

void fastest_name_window(const struct experiment *e, const struct language *l,
                         struct selection *out)
{
    name_kernel(&e->analysis, "window", l, out);
}

void fastest_name_lean(const struct experiment *e, const struct language *l, struct selection *out)
{
    name_kernel(&e->analysis, "window-lean", l, out);
}

void fastest_name_image(const struct experiment *e, const struct language *l, struct selection *out)
{
    name_kernel(&e->analysis, "image", l, out);
}

/* ---- spaces ---------------------------------------------------------------------------------- */

/* "literal, staged and fused": the methods that were compared, to qualify "the fastest". */
static struct words methods_named(const struct analysis *a, const struct wanted *w,
                                  const struct language *l)
{
    struct words joined = {""};
    const char *names[16];
    size_t count = 0;
    for (size_t i = 0; i < a->point_count && count < 16; i++) {
        bool known = !evidence_fits(&a->points[i], w);
        for (size_t j = 0; j < count; j++)
            known = known || strcmp(names[j], method_of(&a->points[i])) == 0;
        if (!known)
            names[count++] = method_of(&a->points[i]);
    }
    for (size_t i = 0; i < count; i++) {
        const char *join = i == 0 ? "" : i + 1 < count ? ", " : message(l, " and ");
        text_fit_append(joined.text, sizeof joined.text, "%s%s", join, names[i]);
    }
    return joined;
}

/* The gain divided by the workers is the efficiency of the tesina's figure 44. It exceeds 1 if the
 * method does less work than the baseline, so it is not a percentage. */
void fastest_name_space(const struct experiment *e, const struct language *l, struct selection *out)
{
    const struct analysis *a = &e->analysis;
    const struct wanted all = {0};
    const struct wanted w = {.problem = evidence_problem(a, &all)};
    struct fastest f = w.problem ? evidence_choice(a, &w) : none;
    if (selection_lacks(out, !(f.point && f.point->speedup[BASELINE_NAMED].point >= 0),
                        N_("the serial baseline was not measured")))
        return;
    if (!f.base)
        f.gain = compare_points(&a->samples, f.point, f.point, METRIC_TOTAL);
    f.base = f.base ? f.base : f.point;
    name_fastest(a, &w, &f, &w, l, out);
    selection_label(out, "methods", methods_named(a, &w, l).text);
    const double workers = f.point->workers;
    const struct interval each = {f.gain.interval.lower / workers, f.gain.interval.upper / workers};
    if (workers > 1.0)
        selection_number(out, "each", f.point, f.gain.value / workers, each);
}

/* ---- the machine's limit --------------------------------------------------------------------- */

static double share_of_roof(const struct point *p)
{
    const double compute = p->seconds[METRIC_COMPUTE].value;
    return evidence_usable(p) && !p->shares_cores && !p->peer && p->rung >= 0 &&
                   p->roof.seconds > 0.0 && arithmetic_operations(&p->need.least) > 0.0
               ? p->roof.seconds / compute
               : (double)NAN;
}

/* True if a point of its operator and kind of work is in the list. */
static bool is_listed(const struct selection *s, const struct point *p)
{
    for (size_t i = 0; i < s->listed_count; i++) {
        const struct point *q = s->listed[i];
        if (q->product == p->product &&
            strcmp(q->samples->identity.operator_name, p->samples->identity.operator_name) == 0)
            return true;
    }
    return false;
}

/* The drawn point nearest to its roof whose operator and kind of work are not in the list yet. */
static const struct point *next_nearest(const struct selection *s)
{
    const struct point *best = NULL;
    for (size_t i = 0; i < s->count; i++) {
        const struct point *p = s->rows[i].role ? NULL : s->rows[i].of.point;
        if (!p || isnan(share_of_roof(p)) || p->workers != 1.0 || is_listed(s, p))
            continue;
        if (!best || evidence_is_larger(p, share_of_roof(p), best, share_of_roof(best)))
            best = p;
    }
    return best;
}

/* Labels the row of each panel with the largest y. */
static void label_fastest(struct selection *s)
{
    for (size_t i = 0; i < s->count; i++) {
        struct selection_row *row = &s->rows[i];
        bool largest = !row->role;
        for (size_t j = 0; j < s->count && largest; j++)
            largest = s->rows[j].role || s->rows[j].panel != row->panel ||
                      !(s->rows[j].y > row->y || (s->rows[j].y == row->y && j < i));
        if (largest)
            text_fit(row->label, sizeof row->label, row->series);
    }
}

void limits_draw_ceilings(const struct experiment *e, const struct language *l,
                          struct selection *out)
{
    const struct ceilings *all = &e->analysis.ceilings;
    double peak = 0.0;
    label_fastest(out);
    for (size_t i = 0; i < all->count; i++) {
        const struct ceiling *c = &all->rows[i];
        if (c->workers != 1.0 || !derived_is_line(all, c))
            continue;
        if (ceiling_is_peak(c))
            peak = fmax(peak, c->operations.value);
        else
            selection_label(out, "diagonal", message(l, c->level))->y = 1e-9 * c->bandwidth.value;
    }
    if (peak > 0.0)
        selection_label(out, "level", message(l, N_("peak")))->y = 1e-9 * peak;
    selection_label(out, "left_foot", message(l, N_("memory-bound")));
    selection_label(out, "right_foot", message(l, N_("compute-bound")));
    limits_name_roof(e, l, out);
}

void limits_name_roof(const struct experiment *e, const struct language *l, struct selection *out)
{
    const struct point *next = next_nearest(out);
    (void)e;
    (void)l;
    out->lack = next ? NULL : N_("the machine's ceilings were not measured: run 'study roofline'");
    if (next) {
        const struct interval share = point_share_interval(next);
        selection_value(out, "times", 1.0 / share_of_roof(next),
                        (struct interval){1.0 / share.upper, 1.0 / share.lower}, QUANTITY_NUMBER);
    }
    for (; next && out->listed_count < SELECTION_LISTED; next = next_nearest(out)) {
        selection_number(out, out->listed_count ? "next" : "nearest", next, share_of_roof(next),
                         point_share_interval(next));
        selection_list(out, next);
    }
}
