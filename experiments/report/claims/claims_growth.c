/* How the time grows: with n, with the windows, with k, s and p. */
#include "experiments/analysis/numbers.h"
#include "experiments/common/text/messages.h"
#include "experiments/report/claims/claims.h"

#include <inttypes.h>
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

static const struct fit *power_of(const struct curve *c)
{
    for (size_t i = 0; i < c->fit_count; i++) {
        const struct fit *fit = &c->fits[METRIC_COMPUTE][i];
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
    const struct comparison_of_points y = compare_points(&a->samples, q, p, METRIC_COMPUTE);
    *interval = (struct interval){NAN, NAN};
    if (!(x > 1.0 && y.value > 0.0 && evidence_usable(p) && evidence_usable(q)))
        return NAN;
    *interval = (struct interval){log(y.interval.lower) / log(x), log(y.interval.upper) / log(x)};
    return log(y.value) / log(x);
}

static struct exponent exponent_of(const struct analysis *a, const struct curve *c)
{
    const struct fit *fit = power_of(c);
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

static struct exponent find_exponent(const struct analysis *a, enum curve_kind kind)
{
    return find_exponent_of(a, kind, NULL);
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
    return curve_x(p, c->kind) < power_of(c)->least_x ? (double)NAN : slope;
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

static void title_bend(const struct analysis *a, const struct exponent *x, const struct language *l,
                       struct claim *c)
{
    const struct bend b = bend_of(a, x->curve);
    const char *name = name_of_x(x->curve->kind);
    claim_title(c, l, "No single power of %{x} describes %{method}: %{x}^%{low} to %{x}^%{high}",
                WITH({"x", name}, {"method", method_of(at(a, x->curve, 0))},
                     {"low", number_plain(l, b.least).text},
                     {"high", number_plain(l, x->value).text}));
}

/* "as k^0.4 from k = 2 to 4, as k^2.7 from 16 to 32; fixed costs dominate below k = 8" */
static void say_bend(const struct analysis *a, const struct exponent *x, const struct language *l,
                     struct claim *c)
{
    const struct curve *curve = x->curve;
    const struct bend b = bend_of(a, curve);
    const char *name = name_of_x(curve->kind);
    claim_say(
        c, l,
        "No single power of %{x} describes the time of %{method} (%{points} points): it varies as "
        "%{x}^%{low} from %{x} = %{low_from} to %{low_to}, and as %{x}^%{high} from "
        "%{high_from} to %{high_to}",
        WITH({"x", name}, {"method", method_of(at(a, curve, 0))},
             {"points", number_text("%zu", x->points).text},
             {"low", number_ratio(l, b.least, b.interval).text},
             {"low_from", number_text("%g", curve_x(b.first, curve->kind)).text},
             {"low_to", number_text("%g", curve_x(b.second, curve->kind)).text},
             {"high", number_ratio(l, x->value, x->interval).text},
             {"high_from", number_text("%g", curve_x(at(a, curve, 1), curve->kind)).text},
             {"high_to", number_text("%g", curve_x(at(a, curve, 0), curve->kind)).text}));
    if (b.fixed_below > 0.0)
        claim_say(c, l, "; costs that do not grow with %{x} dominate below %{x} = %{limit}",
                  WITH({"x", name}, {"limit", number_text("%g", b.fixed_below).text}));
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

/* Explains an exponent in plain words. */
static void explain_exponent(const struct analysis *a, const struct exponent *x,
                             const struct language *l, struct claim *c)
{
    const double twice = pow(2.0, fabs(x->value));
    const char *what = words_of_x(at(a, x->curve, 0), x->curve->kind, l);
    if (x->bent)
        claim_plain(
            c, l,
            "No single rule holds for all sizes; the following holds between the two largest. ",
            NULL);
    if (x->value < 0.0)
        claim_plain(c, l, "Doubling %{what} divides the time by about %{times}.",
                    WITH({"what", what}, {"times", number_about(l, twice).text}));
    else
        claim_plain(c, l, "Doubling %{what} makes the time about %{times} times as long.",
                    WITH({"what", what}, {"times", number_about(l, twice).text}));
}

/* Adds points of a curve, evenly spaced, with the largest x. */
static void take_curve(const struct analysis *a, const struct curve *curve, struct claim *c)
{
    const size_t count = curve->count < CLAIM_ROWS ? curve->count : CLAIM_ROWS;
    for (size_t i = 0; i < count; i++) {
        const size_t place = curve->count - 1 - (count - 1 - i) * curve->count / count;
        evidence_add(c->rows, &c->count, CLAIM_ROWS, &a->points[curve->points[place]]);
    }
}

static void say_basis(const struct exponent *x, const struct language *l, struct claim *c)
{
    if (x->fitted)
        claim_say(c, l, " (fitted to %{sizes} sizes)",
                  WITH({"sizes", number_text("%zu", x->points).text}));
    else
        claim_say(c, l, " (between its two largest sizes)", NULL);
}

void claim_growth(const struct experiment *e, const struct language *l, struct claim *c)
{
    const struct analysis *a = &e->analysis;
    const struct exponent x = find_exponent(a, CURVE_GROWTH);
    if (!x.curve) {
        claim_refuse(c, l, "two sizes of one method are needed");
        return;
    }
    const struct point *last = at(a, x.curve, 0);
    const struct interval twice = {pow(2.0, x.interval.lower), pow(2.0, x.interval.upper)};
    if (x.bent) {
        title_bend(a, &x, l, c);
        say_bend(a, &x, l, c);
    } else {
        claim_title(c, l, "The time of %{method} grows as n^%{exponent}",
                    WITH({"method", method_of(last)}, {"exponent", number_plain(l, x.value).text}));
        claim_say(c, l,
                  has_side(last)
                      ? N_("The time of %{method} grows as n^%{exponent}: twice the side "
                           "takes %{times} times as long")
                      : N_("The time of %{method} grows as n^%{exponent}: twice the n "
                           "takes %{times} times as long"),
                  WITH({"method", method_of(last)},
                       {"exponent", number_ratio(l, x.value, x.interval).text},
                       {"times", number_answer(l, pow(2.0, x.value), twice).text}));
        say_basis(&x, l, c);
    }
    claim_say(c, l, "; at %{problem} it is %{time}%{doubt}.",
              WITH({"problem", words_problem(last, l).text},
                   {"time", number_answer_seconds(l, &last->seconds[METRIC_COMPUTE]).text},
                   {"doubt", words_doubt(last, l).text}));
    explain_exponent(a, &x, l, c);
    take_curve(a, x.curve, c);
}

/* The same growth as claim_growth; the chart shows it as a rate. */
void claim_rate(const struct experiment *e, const struct language *l, struct claim *c)
{
    const struct analysis *a = &e->analysis;
    struct wanted w = {.one_worker = true};
    claim_growth(e, l, c);
    w.problem = evidence_problem(a, &w);
    const struct fastest f =
        c->has_answer && w.problem ? evidence_choice(a, &w) : (struct fastest){.point = NULL};
    const struct point *best = f.point;
    const double operations = best ? arithmetic_operations(&best->need.least) : 0.0;
    const double seconds =
        best ? choice_seconds(&a->samples, &f.choice, METRIC_COMPUTE).value : (double)NAN;
    if (operations > 0.0)
        claim_title(c, l, "%{method} reaches %{rate} GFLOP/s at %{problem}",
                    WITH({"method", method_of(best)},
                         {"rate", number_plain(l, 1e-9 * operations / seconds).text},
                         {"problem", words_problem(best, l).text}));
}

void claim_windows(const struct experiment *e, const struct language *l, struct claim *c)
{
    const struct analysis *a = &e->analysis;
    const struct exponent x = find_exponent(a, CURVE_GROWTH);
    if (!x.curve) {
        claim_refuse(c, l, "two sizes of one method are needed");
        return;
    }
    const struct point *p = at(a, x.curve, 1), *q = at(a, x.curve, 0);
    const double more = q->windows / p->windows;
    const struct comparison_of_points t = compare_points(&a->samples, q, p, METRIC_COMPUTE);
    claim_title(c, l, "%{more} times as many windows take %{times} times as long",
                WITH({"more", number_plain(l, more).text},
                     {"times", number_brief(l, t.value, t.interval).text}));
    claim_say(c, l,
              "From n = %{from} to %{to} with k = %{k} there are %{more} times as many windows, "
              "and %{method} takes %{times} times as long.",
              WITH({"from", number_text("%.0f", p->size).text},
                   {"to", number_text("%.0f", q->size).text},
                   {"k", number_text("%.0f", record_number(q->samples->identity.kernel)).text},
                   {"more", number_plain(l, more).text}, {"method", method_of(q)},
                   {"times", number_answer(l, t.value, t.interval).text}));
    if (t.interval.lower <= more && t.interval.upper >= more)
        claim_plain(c, l, "A window of the larger image takes as long as one of the smaller image.",
                    NULL);
    else
        claim_plain(
            c, l,
            "A window of the larger image takes %{times} times as long as one of the smaller "
            "image.",
            WITH({"times", number_roughly(
                               l, t.value / more,
                               (struct interval){t.interval.lower / more, t.interval.upper / more})
                               .text}));
    take_curve(a, x.curve, c);
}

/* ---- k --------------------------------------------------------------------------------------- */

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

void claim_kernel(const struct experiment *e, const struct language *l, struct claim *c)
{
    const struct analysis *a = &e->analysis;
    const struct fit *fit = NULL;
    const struct curve *shape = find_shape(a, &fit);
    const struct exponent x = find_exponent(a, CURVE_KERNEL);
    if (!x.curve) {
        claim_refuse(c, l, "two kernel sizes of one method are needed");
        return;
    }
    const char *method = method_of(at(a, x.curve, 0));
    if (shape)
        claim_title(c, l, "The time of a window varies as k^%{exponent} with %{method}",
                    WITH({"exponent", number_plain(l, fit->value[2]).text},
                         {"method", method_of(at(a, shape, 0))}));
    else if (x.bent)
        title_bend(a, &x, l, c);
    else
        claim_title(c, l, "The time of %{method} varies as k^%{exponent}",
                    WITH({"method", method}, {"exponent", number_plain(l, x.value).text}));
    if (!shape && x.bent) {
        say_bend(a, &x, l, c);
        claim_say(c, l, " (%{curve}).", WITH({"curve", x.curve->label}));
    } else if (shape)
        claim_say(
            c, l,
            "The time of %{method} varies as windows^%{windows} × k^%{k} (fitted to %{points} "
            "points); (n/s)² k³ would be windows^1 × k^3.",
            WITH({"method", method_of(at(a, shape, 0))},
                 {"windows", number_ratio(l, fit->value[1], fit->interval[1]).text},
                 {"k", number_ratio(l, fit->value[2], fit->interval[2]).text},
                 {"points", number_text("%zu", fit->points).text}));
    else
        claim_say(c, l, "The time of %{method} varies as k^%{exponent} (%{curve}).",
                  WITH({"method", method}, {"exponent", number_ratio(l, x.value, x.interval).text},
                       {"curve", x.curve->label}));
    if (shape)
        claim_plain(
            c, l,
            "With the same number of windows, doubling the side of the window makes the time "
            "about %{times} times as long.",
            WITH({"times", number_about(l, pow(2.0, fit->value[2])).text}));
    else
        explain_exponent(a, &x, l, c);
    take_curve(a, x.curve, c);
}

void claim_stride(const struct experiment *e, const struct language *l, struct claim *c)
{
    const struct analysis *a = &e->analysis;
    const struct exponent x = find_exponent(a, CURVE_STRIDE);
    if (!x.curve) {
        claim_refuse(c, l, "two strides of one method are needed");
        return;
    }
    const struct point *first = &a->points[x.curve->points[0]], *last = at(a, x.curve, 0);
    const struct comparison_of_points t = compare_points(&a->samples, last, first, METRIC_COMPUTE);
    if (x.bent) {
        title_bend(a, &x, l, c);
        say_bend(a, &x, l, c);
        claim_add(c, ".");
        explain_exponent(a, &x, l, c);
        take_curve(a, x.curve, c);
        return;
    }
    claim_title(c, l, "The time of %{method} varies as s^%{exponent}",
                WITH({"method", method_of(last)}, {"exponent", number_plain(l, x.value).text}));
    claim_say(c, l,
              "With k = %{k} fixed, the time of %{method} varies as s^%{exponent}: a stride of "
              "%{last} takes %{share} of the time of a stride of %{first}.",
              WITH({"k", number_plain(l, record_number(last->samples->identity.kernel)).text},
                   {"method", method_of(last)},
                   {"exponent", number_ratio(l, x.value, x.interval).text},
                   {"last", number_plain(l, curve_x(last, CURVE_STRIDE)).text},
                   {"share", number_answer_share(l, t.value, t.interval).text},
                   {"first", number_plain(l, curve_x(first, CURVE_STRIDE)).text}));
    explain_exponent(a, &x, l, c);
    take_curve(a, x.curve, c);
}

/* ---- convolutions ---------------------------------------------------------------------------- */

void claim_filters(const struct experiment *e, const struct language *l, struct claim *c)
{
    const struct analysis *a = &e->analysis;
    const struct exponent k = find_exponent(a, CURVE_KERNEL);
    if (!k.curve) {
        claim_refuse(c, l, "two kernel sizes of one method are needed");
        return;
    }
    const char *method = method_of(at(a, k.curve, 0));
    const struct exponent s = find_exponent_of(a, CURVE_STRIDE, method),
                          n = find_exponent_of(a, CURVE_GROWTH, method);
    claim_title(c, l, "The time of %{method} varies as k^%{exponent}",
                WITH({"method", method}, {"exponent", number_plain(l, k.value).text}));
    claim_say(
        c, l,
        "The time of %{method} varies with the kernel size as k^%{exponent} (expected from the "
        "multiply-adds: 2)",
        WITH({"method", method}, {"exponent", number_ratio(l, k.value, k.interval).text}));
    if (s.curve)
        claim_say(c, l, "; with the stride as s^%{exponent} (expected from the windows: -2)",
                  WITH({"exponent", number_ratio(l, s.value, s.interval).text}));
    if (n.curve)
        claim_say(c, l,
                  "; with the side of the image as n^%{exponent} (expected from the windows: 2)",
                  WITH({"exponent", number_ratio(l, n.value, n.interval).text}));
    claim_add(c, ".");
    explain_exponent(a, &k, l, c);
    take_curve(a, k.curve, c);
}
