/* The fastest of several points. */
#include "experiments/analysis/selections/fastest.h"

#include "experiments/analysis/numbers.h"
#include "experiments/samples/point.h"
#include "harness/base/text/messages.h"
#include "harness/ceilings/rates.h"

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
    out->lack = f.point ? NULL : N_("no serial method was measured");
    if (out->lack)
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
    out->lack = f.point ? NULL : N_("no GPU was measured");
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
        const size_t length = strlen(joined.text);
        const char *join = i == 0 ? "" : i + 1 < count ? ", " : message(l, " and ");
        snprintf(joined.text + length, sizeof joined.text - length, "%s%.40s", join, names[i]);
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
    out->lack = f.point && f.point->speedup[BASELINE_NAMED].point >= 0
                    ? NULL
                    : N_("the serial baseline was not measured");
    if (out->lack)
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
