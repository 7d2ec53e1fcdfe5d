/* How the time grows: with n, with the windows, with k, s and p. */
#include "experiments/analysis/selections/growth.h"

#include "experiments/samples/point.h"
#include "harness/base/text/messages.h"

#include <math.h>
#include <string.h>

/* Exponent of a curve: the fitted one, or the one between its two largest x. */
struct exponent {
    const struct curve *curve;
    double value;
    struct interval interval;
    bool fitted;
    bool bent; /* no single power describes the curve: value is between its two largest x */
    size_t points;
};

static const struct point *at(const struct analysis *a, const struct curve *c, size_t from_end)
{
    return &a->points[c->points[c->count - 1 - from_end]];
}

/* A program of another records its total time alone. */
static enum metric metric_of(const struct point *p)
{
    return point_is_own_program(&p->samples->identity) ? METRIC_TOTAL : METRIC_COMPUTE;
}

static const struct fit *power_of(const struct analysis *a, const struct curve *c)
{
    for (size_t i = 0; i < c->fit_count; i++) {
        const struct fit *fit = &c->fits[metric_of(at(a, c, 0))][i];
        if (fit->model == FIT_POWER && (fit->bent || !fit->reason[0]))
            return fit;
    }
    return NULL;
}

/* The exponent between two points of a curve; NaN if a time is not usable. */
static double slope_between(const struct analysis *a, enum curve_kind kind, const struct point *p,
                            const struct point *q, struct interval *interval)
{
    const double x = curve_x(q, kind) / curve_x(p, kind);
    const struct comparison_of_points y = compare_points(&a->samples, q, p, metric_of(p));
    *interval = no_interval;
    if (!(x > 1.0 && y.value > 0.0 && evidence_usable(p) && evidence_usable(q)))
        return NAN;
    *interval = (struct interval){log(y.interval.lower) / log(x), log(y.interval.upper) / log(x)};
    return log(y.value) / log(x);
}

static struct exponent exponent_of(const struct analysis *a, const struct curve *c)
{
    const struct fit *fit = power_of(a, c);
    if (fit && !fit->bent)
        return (struct exponent){c, fit->value[1], fit->interval[1], true, false, fit->points};
    struct exponent x = {c, NAN, {NAN, NAN}, fit != NULL, fit != NULL, fit ? fit->points : 2};
    if (c->count >= 2)
        x.value = slope_between(a, c->kind, at(a, c, 1), at(a, c, 0), &x.interval);
    return x;
}

/* Of the curves of a kind, and of a method (NULL: any), returns the one with the most points,
 * fitted ones first; of equal ones that of the earliest method in the table, which begins with the
 * baseline. */
static struct exponent find_exponent_of(const struct analysis *a, enum curve_kind kind,
                                        const char *method)
{
    struct exponent best = {.value = NAN};
    for (size_t i = 0; i < a->curve_count; i++) {
        const struct curve *c = &a->curves[i];
        const bool fits =
            c->kind == kind && (!method || strcmp(method, method_of(at(a, c, 0))) == 0);
        const struct exponent here = fits ? exponent_of(a, c) : best;
        if (!fits || isnan(here.value))
            continue;
        const ptrdiff_t rung = at(a, c, 0)->rung;
        if (!best.curve || here.fitted > best.fitted ||
            (here.fitted == best.fitted &&
             (here.points > best.points ||
              (here.points == best.points && rung >= 0 && rung < at(a, best.curve, 0)->rung))))
            best = here;
    }
    return best;
}

/* ---- curves that bend ------------------------------------------------------------------------ */

/* The exponent of a curve between its first two x, and the x from which on the time follows x:
 * there a steepening curve has half of its steepest exponent. */
struct bend {
    const struct point *first, *second;
    double least;
    struct interval interval;
    double fixed_below; /* x; 0: the time follows x from the first one on */
};

/* The exponent after the i-th point; NaN also if the fit of the curve left the point out. */
static double slope_from(const struct analysis *a, const struct curve *c, size_t i,
                         struct interval *interval)
{
    const struct point *p = &a->points[c->points[i]], *q = &a->points[c->points[i + 1]];
    const double slope = slope_between(a, c->kind, p, q, interval);
    return curve_x(p, c->kind) < power_of(a, c)->least_x ? (double)NAN : slope;
}

static double steepest_of(const struct analysis *a, const struct curve *c)
{
    struct interval unused;
    double steepest = 0.0;
    for (size_t i = 0; i + 1 < c->count; i++)
        steepest = fmax(steepest, slope_from(a, c, i, &unused)); /* ignores NaN */
    return steepest;
}

static struct bend bend_of(const struct analysis *a, const struct curve *c)
{
    struct bend b = {.least = NAN, .interval = {NAN, NAN}};
    const double steepest = steepest_of(a, c);
    bool flat = true;
    for (size_t i = 0; i + 1 < c->count; i++) {
        struct interval interval;
        const double slope = slope_from(a, c, i, &interval);
        if (isnan(slope))
            continue;
        const struct point *p = &a->points[c->points[i]], *q = &a->points[c->points[i + 1]];
        if (!b.first)
            b = (struct bend){p, q, slope, interval, 0.0};
        flat = flat && 2.0 * slope < steepest;
        if (flat)
            b.fixed_below = curve_x(q, c->kind);
    }
    return b;
}

static const char *name_of_x(enum curve_kind kind)
{
    return kind == CURVE_GROWTH ? "n" : kind == CURVE_STRIDE ? "s" : "k";
}

/* False for operators without windows, whose n is not a side of an image. */
static bool has_side(const struct point *p)
{
    return p->kind && p->kind->words.unit;
}

/* The quantity that grows along a curve. */
static const char *words_of_x(const struct point *p, enum curve_kind kind, const struct language *l)
{
    if (kind == CURVE_GROWTH)
        return has_side(p) ? message(l, "the side of the image") : "n";
    return kind == CURVE_STRIDE ? message(l, "the stride") : message(l, "the side of the window");
}

/* ---- roles ----------------------------------------------------------------------------------- */

/* Lists points of a curve, evenly spaced, with the largest x. */
static void list_curve(const struct analysis *a, const struct curve *curve, struct selection *out)
{
    const size_t count = curve->count < SELECTION_LISTED ? curve->count : SELECTION_LISTED;
    for (size_t i = 0; i < count; i++) {
        const size_t place = curve->count - 1 - (count - 1 - i) * curve->count / count;
        selection_list(out, &a->points[curve->points[place]]);
    }
}

/* A time over another: `of` takes so many times as long as `against`. */
static void name_ratio(struct selection *out, const char *role, const struct point *of,
                       const struct point *against, const struct comparison_of_points *c)
{
    const struct choice choices[] = {choice_given(of), choice_given(against)};
    selection_ratio(out, role, &choices[0], &choices[1], c, QUANTITY_COMPUTE_RATIO);
}

/* Names what bends: the exponents at both ends, and between which x they are. */
static void name_bend(const struct analysis *a, const struct exponent *x, struct selection *out)
{
    const struct curve *c = x->curve;
    const struct bend b = bend_of(a, c);
    out->finding = "bent";
    selection_label(out, "bent", "");
    selection_number(out, "low", at(a, c, 0), b.least, b.interval);
    selection_point(out, "low_from", b.first, curve_x(b.first, c->kind));
    selection_point(out, "low_to", b.second, curve_x(b.second, c->kind));
    selection_point(out, "high_from", at(a, c, 1), curve_x(at(a, c, 1), c->kind));
    selection_point(out, "high_to", at(a, c, 0), curve_x(at(a, c, 0), c->kind));
    if (b.fixed_below > 0.0)
        selection_count(out, "fixed", b.fixed_below);
}

/* Names what a doubled x does to the time. */
static void name_doubling(const struct analysis *a, const struct exponent *x,
                          const struct language *l, struct selection *out)
{
    const struct interval ends = {exp2(x->interval.lower), exp2(x->interval.upper)};
    selection_label(out, "what", words_of_x(at(a, x->curve, 0), x->curve->kind, l));
    selection_value(out, "times", exp2(x->value), ends, QUANTITY_NUMBER);
    if (x->value < 0.0)
        selection_plain(out, "divided", exp2(-x->value));
    else
        selection_label(out, "grows", "");
}

/* Names an exponent, the x that it is of, and what it is based on. */
static void name_exponent(const struct analysis *a, const struct exponent *x,
                          const struct language *l, struct selection *out)
{
    selection_label(out, "x", name_of_x(x->curve->kind));
    selection_number(out, "exponent", at(a, x->curve, 0), x->value, x->interval);
    selection_count(out, "points", (double)x->points);
    selection_label(out, "curve", x->curve->label);
    out->finding = "power";
    if (x->bent)
        name_bend(a, x, out);
    name_doubling(a, x, l, out);
    list_curve(a, x->curve, out);
}

/* Finds the exponent of the curves of a kind, or sets why there is none. */
static struct exponent find_exponent(const struct analysis *a, enum curve_kind kind,
                                     const char *lack, struct selection *out)
{
    const struct exponent x = find_exponent_of(a, kind, NULL);
    out->lack = x.curve ? NULL : lack;
    return x;
}

void growth_name_size(const struct experiment *e, const struct language *l, struct selection *out)
{
    const struct analysis *a = &e->analysis;
    const struct exponent x =
        find_exponent(a, CURVE_GROWTH, N_("two sizes of one method are needed"), out);
    if (out->lack)
        return;
    name_exponent(a, &x, l, out);
    const struct point *last = at(a, x.curve, 0);
    const enum metric metric = metric_of(last);
    const struct estimate *t = &last->seconds[metric];
    selection_label(out, "size", "");
    selection_label(out, has_side(last) ? "side" : "no_side", "");
    selection_count(out, x.fitted ? "fitted" : "between", (double)x.points);
    selection_value(out, "last", t->value, t->interval,
                    metric == METRIC_TOTAL ? QUANTITY_TOTAL : QUANTITY_COMPUTE)
        ->of = choice_given(last);
}

/* Names the highest peak of one core, and the fastest method of one worker with its rate. */
void growth_name_rate(const struct experiment *e, const struct language *l, struct selection *out)
{
    const struct analysis *a = &e->analysis;
    struct wanted w = {.one_worker = true};
    double peak = 0.0;
    growth_name_size(e, l, out);
    for (size_t i = 0; i < a->ceilings.count; i++) {
        const struct ceiling *row = &a->ceilings.rows[i];
        if (ceiling_is_peak(row) && strcmp(row->what, "multiply_add") == 0 && row->workers == 1.0)
            peak = fmax(peak, 1e-9 * row->operations.value);
    }
    if (peak > 0.0)
        selection_plain(out, "peak", peak);
    w.problem = evidence_problem(a, &w);
    if (out->lack || !w.problem)
        return;
    const struct fastest f = evidence_choice(a, &w);
    const double operations = f.point ? arithmetic_operations(&f.point->need.least) : 0.0;
    if (operations > 0.0)
        selection_number(out, "best", f.point,
                         1e-9 * operations /
                             choice_seconds(&a->samples, &f.choice, METRIC_COMPUTE).value,
                         no_interval);
}

void growth_name_windows(const struct experiment *e, const struct language *l,
                         struct selection *out)
{
    const struct analysis *a = &e->analysis;
    const struct exponent x =
        find_exponent(a, CURVE_GROWTH, N_("two sizes of one method are needed"), out);
    (void)l;
    if (out->lack)
        return;
    const struct point *p = at(a, x.curve, 1), *q = at(a, x.curve, 0);
    const double more = q->windows / p->windows;
    const struct comparison_of_points t = compare_points(&a->samples, q, p, METRIC_COMPUTE);
    const bool same = t.interval.lower <= more && t.interval.upper >= more;
    selection_point(out, "from", p, p->size);
    selection_point(out, "to", q, q->size);
    selection_point(out, "k", q, record_number(q->samples->identity.kernel));
    selection_number(out, "more", q, more, no_interval);
    name_ratio(out, "times", q, p, &t);
    selection_number(out, same ? "same" : "window", q, t.value / more,
                     (struct interval){t.interval.lower / more, t.interval.upper / more});
    list_curve(a, x.curve, out);
}

/* ---- k, s and n ------------------------------------------------------------------------------ */

static const struct curve *find_shape(const struct analysis *a, const struct fit **fit)
{
    for (size_t i = 0; i < a->curve_count; i++)
        for (size_t j = 0; j < a->curves[i].fit_count; j++) {
            *fit = &a->curves[i].fits[METRIC_COMPUTE][j];
            if (a->curves[i].kind == CURVE_SHAPE && (*fit)->model == FIT_PRODUCT &&
                !(*fit)->reason[0])
                return &a->curves[i];
        }
    return NULL;
}

static const char few_kernels[] = N_("two kernel sizes of one method are needed");

/* Names the powers of windows and k that all points were fitted to. */
static void name_shape(const struct analysis *a, const struct curve *shape, const struct fit *fit,
                       struct selection *out)
{
    const struct point *last = at(a, shape, 0);
    out->finding = "shape";
    selection_number(out, "windows", last, fit->value[1], fit->interval[1]);
    selection_number(out, "k", last, fit->value[2], fit->interval[2]);
    selection_number(out, "twice", last, exp2(fit->value[2]), no_interval);
    selection_count(out, "points", (double)fit->points);
}

void growth_name_kernel(const struct experiment *e, const struct language *l, struct selection *out)
{
    const struct analysis *a = &e->analysis;
    const struct fit *fit = NULL;
    const struct curve *shape = find_shape(a, &fit);
    const struct exponent x = find_exponent(a, CURVE_KERNEL, few_kernels, out);
    if (out->lack)
        return;
    selection_label(out, "kernel", "");
    if (shape)
        name_shape(a, shape, fit, out);
    else
        name_exponent(a, &x, l, out);
    list_curve(a, x.curve, out);
}

void growth_name_stride(const struct experiment *e, const struct language *l, struct selection *out)
{
    const struct analysis *a = &e->analysis;
    const struct exponent x =
        find_exponent(a, CURVE_STRIDE, N_("two strides of one method are needed"), out);
    if (out->lack)
        return;
    name_exponent(a, &x, l, out);
    const struct point *first = &a->points[x.curve->points[0]], *last = at(a, x.curve, 0);
    const struct comparison_of_points t = compare_points(&a->samples, last, first, METRIC_COMPUTE);
    selection_label(out, "stride", "");
    selection_point(out, "k", last, record_number(last->samples->identity.kernel));
    selection_point(out, "from", first, curve_x(first, CURVE_STRIDE));
    selection_point(out, "to", last, curve_x(last, CURVE_STRIDE));
    name_ratio(out, "share", last, first, &t);
}

void growth_name_filters(const struct experiment *e, const struct language *l,
                         struct selection *out)
{
    const struct analysis *a = &e->analysis;
    const struct exponent k = find_exponent(a, CURVE_KERNEL, few_kernels, out);
    if (out->lack)
        return;
    name_exponent(a, &k, l, out);
    const struct point *last = at(a, k.curve, 0);
    const struct exponent s = find_exponent_of(a, CURVE_STRIDE, method_of(last)),
                          n = find_exponent_of(a, CURVE_GROWTH, method_of(last));
    out->finding = "filters";
    if (s.curve)
        selection_number(out, "strides", last, s.value, s.interval);
    if (n.curve)
        selection_number(out, "images", last, n.value, n.interval);
}
