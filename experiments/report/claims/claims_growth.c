/* How the time grows: with n, with the windows, with k, s and p. */
#include "experiments/report/claims/claims.h"
#include "experiments/report/numbers.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Exponent of a curve: the fitted one, or that between its two largest x. */
struct exponent {
    const struct curve *curve;
    double value;
    struct interval interval;
    bool fitted;
    bool bent; /* no one power describes the curve: the value is that between its two largest x */
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

/* The exponent between two points of a curve; NaN where a time is not to be used. */
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

/* Of the curves of a kind, and of a method (NULL: any), the one that most points are on; the
 * baseline method's where several have as many, since the table of methods begins with it. */
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

/* The exponent of a curve between its first two x, and from which x on the time follows it: where a
 * curve that gets steeper has half of the steepest exponent. */
struct bend {
    const struct point *first, *second;
    double least;
    struct interval interval;
    double fixed_below; /* x; 0: from the first x on the time follows it */
};

/* The exponent from the i-th point on; NaN also where the fit of the curve left the point out. */
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
        steepest = fmax(steepest, slope_from(a, c, i, &unused)); /* NaN is left aside */
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

static void title_bend(const struct analysis *a, const struct exponent *x, enum language l,
                       struct claim *c)
{
    const struct bend b = bend_of(a, x->curve);
    const char *name = name_of_x(x->curve->kind);
    claim_title(c,
                say(l, "No one power of %s describes %s: %s^%s to %s^%s",
                    "Ninguna potencia de %s describe %s: de %s^%s a %s^%s"),
                name, method_of(at(a, x->curve, 0)), name, number_plain(l, b.least).text, name,
                number_plain(l, x->value).text);
}

/* "as k^0.4 from k = 2 to 4, as k^2.7 from 16 to 32; fixed costs dominate below k = 8" */
static void say_bend(const struct analysis *a, const struct exponent *x, enum language l,
                     struct claim *c)
{
    const struct curve *curve = x->curve;
    const struct bend b = bend_of(a, curve);
    const char *name = name_of_x(curve->kind);
    claim_say(c,
              say(l,
                  "No one power of %s describes the time of %s (%zu points): it goes as %s^%s from "
                  "%s = %g to %g, and as %s^%s from %g to %g",
                  "Ninguna potencia de %s describe el tiempo de %s (%zu puntos): va como %s^%s de "
                  "%s = %g a %g, y como %s^%s de %g a %g"),
              name, method_of(at(a, curve, 0)), x->points, name,
              number_ratio(l, b.least, b.interval).text, name, curve_x(b.first, curve->kind),
              curve_x(b.second, curve->kind), name, number_ratio(l, x->value, x->interval).text,
              curve_x(at(a, curve, 1), curve->kind), curve_x(at(a, curve, 0), curve->kind));
    if (b.fixed_below > 0.0)
        claim_say(c,
                  say(l, "; costs that do not grow with %s dominate below %s = %g",
                      "; los costos que no crecen con %s dominan por debajo de %s = %g"),
                  name, name, b.fixed_below);
}

/* Points of a curve, evenly chosen, the largest x among them. */
static void take_curve(const struct analysis *a, const struct curve *curve, struct claim *c)
{
    const size_t count = curve->count < CLAIM_ROWS ? curve->count : CLAIM_ROWS;
    for (size_t i = 0; i < count; i++) {
        const size_t place = curve->count - 1 - (count - 1 - i) * curve->count / count;
        evidence_add(c->rows, &c->count, CLAIM_ROWS, &a->points[curve->points[place]]);
    }
}

static void say_basis(const struct exponent *x, enum language l, struct claim *c)
{
    if (x->fitted)
        claim_say(c, say(l, " (%zu sizes fitted)", " (ajuste de %zu tamaños)"), x->points);
    else
        claim_say(c, "%s",
                  say(l, " (between its two largest sizes)", " (entre sus dos tamaños mayores)"));
}

void claim_growth(const struct experiment *e, enum language l, struct claim *c)
{
    const struct analysis *a = &e->analysis;
    const struct exponent x = find_exponent(a, CURVE_GROWTH);
    if (!x.curve) {
        claim_refuse(c, l, "two sizes of one method are needed",
                     "hacen falta dos tamaños de un mismo método");
        return;
    }
    const struct point *last = at(a, x.curve, 0);
    const struct interval twice = {pow(2.0, x.interval.lower), pow(2.0, x.interval.upper)};
    if (x.bent) {
        title_bend(a, &x, l, c);
        say_bend(a, &x, l, c);
    } else {
        claim_title(c, say(l, "The time of %s grows as n^%s", "El tiempo de %s crece como n^%s"),
                    method_of(last), number_plain(l, x.value).text);
        claim_say(c,
                  say(l, "The time of %s grows as n^%s: twice the side takes %s times as long",
                      "El tiempo de %s crece como n^%s: el doble de lado tarda %s veces lo mismo"),
                  method_of(last), number_ratio(l, x.value, x.interval).text,
                  number_told(l, pow(2.0, x.value), twice).text);
        say_basis(&x, l, c);
    }
    claim_say(c, say(l, "; at %s it is %s%s.", "; con %s es %s%s."), words_problem(last, l).text,
              number_told_seconds(l, &last->seconds[METRIC_COMPUTE]).text,
              words_doubt(last, l).text);
    take_curve(a, x.curve, c);
}

/* The same growth; what the chart shows of it is the rate. */
void claim_rate(const struct experiment *e, enum language l, struct claim *c)
{
    const struct analysis *a = &e->analysis;
    struct wanted w = {.one_worker = true};
    claim_growth(e, l, c);
    w.problem = evidence_problem(a, &w);
    const struct point *best = c->told && w.problem ? evidence_fastest(a, &w) : NULL;
    const double operations = best ? arithmetic_operations(&best->need.least) : 0.0;
    if (operations > 0.0)
        claim_title(c, say(l, "%s reaches %s GFLOP/s at %s", "%s alcanza %s GFLOP/s con %s"),
                    method_of(best),
                    number_plain(l, 1e-9 * operations / best->seconds[METRIC_COMPUTE].value).text,
                    words_problem(best, l).text);
}

void claim_windows(const struct experiment *e, enum language l, struct claim *c)
{
    const struct analysis *a = &e->analysis;
    const struct exponent x = find_exponent(a, CURVE_GROWTH);
    if (!x.curve) {
        claim_refuse(c, l, "two sizes of one method are needed",
                     "hacen falta dos tamaños de un mismo método");
        return;
    }
    const struct point *p = at(a, x.curve, 1), *q = at(a, x.curve, 0);
    const double more = q->windows / p->windows;
    const struct comparison_of_points t = compare_points(&a->samples, q, p, METRIC_COMPUTE);
    claim_title(c,
                say(l, "%s times as many windows take %s times as long",
                    "%s veces más ventanas tardan %s veces más"),
                number_plain(l, more).text, number_brief(l, t.value, t.interval).text);
    claim_say(c,
              say(l,
                  "From n = %.0f to %.0f with k = %.0f there are %s times as many windows, and %s "
                  "takes %s times as long.",
                  "De n = %.0f a %.0f con k = %.0f hay %s veces más ventanas, y %s tarda %s veces "
                  "más."),
              p->size, q->size, record_number(q->samples->identity.kernel),
              number_plain(l, more).text, method_of(q), number_told(l, t.value, t.interval).text);
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

void claim_kernel(const struct experiment *e, enum language l, struct claim *c)
{
    const struct analysis *a = &e->analysis;
    const struct fit *fit = NULL;
    const struct curve *shape = find_shape(a, &fit);
    const struct exponent x = find_exponent(a, CURVE_KERNEL);
    if (!x.curve) {
        claim_refuse(c, l, "two kernel sizes of one method are needed",
                     "hacen falta dos tamaños de kernel de un mismo método");
        return;
    }
    const char *method = method_of(at(a, x.curve, 0));
    if (shape)
        claim_title(c,
                    say(l, "The time of a window goes as k^%s with %s",
                        "El tiempo de una ventana va como k^%s con %s"),
                    number_plain(l, fit->value[2]).text, method_of(at(a, shape, 0)));
    else if (x.bent)
        title_bend(a, &x, l, c);
    else
        claim_title(c, say(l, "The time of %s goes as k^%s", "El tiempo de %s va como k^%s"),
                    method, number_plain(l, x.value).text);
    if (!shape && x.bent) {
        say_bend(a, &x, l, c);
        claim_say(c, " (%s).", x.curve->label);
    } else if (shape)
        claim_say(
            c,
            say(l,
                "The time of %s goes as windows^%s × k^%s (%zu points fitted): (n/s)² k³ "
                "is an exponent of 1 and one of 3.",
                "El tiempo de %s va como ventanas^%s × k^%s (ajuste de %zu puntos): (n/s)² k³ "
                "es un exponente de 1 y uno de 3."),
            method_of(at(a, shape, 0)), number_ratio(l, fit->value[1], fit->interval[1]).text,
            number_ratio(l, fit->value[2], fit->interval[2]).text, fit->points);
    else
        claim_say(c,
                  say(l, "The time of %s goes as k^%s (%s).", "El tiempo de %s va como k^%s (%s)."),
                  method, number_ratio(l, x.value, x.interval).text, x.curve->label);
    take_curve(a, x.curve, c);
}

void claim_stride(const struct experiment *e, enum language l, struct claim *c)
{
    const struct analysis *a = &e->analysis;
    const struct exponent x = find_exponent(a, CURVE_STRIDE);
    if (!x.curve) {
        claim_refuse(c, l, "two strides of one method are needed",
                     "hacen falta dos strides de un mismo método");
        return;
    }
    const struct point *first = &a->points[x.curve->points[0]], *last = at(a, x.curve, 0);
    const struct comparison_of_points t = compare_points(&a->samples, last, first, METRIC_COMPUTE);
    if (x.bent) {
        title_bend(a, &x, l, c);
        say_bend(a, &x, l, c);
        claim_say(c, ".");
        take_curve(a, x.curve, c);
        return;
    }
    claim_title(c, say(l, "The time of %s goes as s^%s", "El tiempo de %s va como s^%s"),
                method_of(last), number_plain(l, x.value).text);
    claim_say(c,
              say(l,
                  "With k = %s fixed, the time of %s goes as s^%s: a stride of %s takes %s of the "
                  "time of a stride of %s.",
                  "Con k = %s fijo, el tiempo de %s va como s^%s: un stride de %s tarda %s del "
                  "tiempo de un stride de %s."),
              number_plain(l, record_number(last->samples->identity.kernel)).text, method_of(last),
              number_ratio(l, x.value, x.interval).text,
              number_plain(l, curve_x(last, CURVE_STRIDE)).text,
              number_told_share(l, t.value, t.interval).text,
              number_plain(l, curve_x(first, CURVE_STRIDE)).text);
    take_curve(a, x.curve, c);
}

/* ---- convolutions ------------------------------------------------------------------------------
 */

void claim_filters(const struct experiment *e, enum language l, struct claim *c)
{
    const struct analysis *a = &e->analysis;
    const struct exponent k = find_exponent(a, CURVE_KERNEL);
    if (!k.curve) {
        claim_refuse(c, l, "two kernel sizes of one method are needed",
                     "hacen falta dos tamaños de kernel de un mismo método");
        return;
    }
    const char *method = method_of(at(a, k.curve, 0));
    const struct exponent s = find_exponent_of(a, CURVE_STRIDE, method),
                          n = find_exponent_of(a, CURVE_GROWTH, method);
    claim_title(c, say(l, "The time of %s goes as k^%s", "El tiempo de %s va como k^%s"), method,
                number_plain(l, k.value).text);
    claim_say(c,
              say(l, "With the kernel size the time of %s goes as k^%s (k² multiply-adds: 2)",
                  "Con el tamaño de kernel el tiempo de %s va como k^%s (k² productos: 2)"),
              method, number_ratio(l, k.value, k.interval).text);
    if (s.curve)
        claim_say(c,
                  say(l, "; with the stride as s^%s (windows: -2)",
                      "; con el stride como s^%s (ventanas: -2)"),
                  number_ratio(l, s.value, s.interval).text);
    if (n.curve)
        claim_say(c,
                  say(l, "; with the side of the image as n^%s (windows: 2)",
                      "; con el lado de la imagen como n^%s (ventanas: 2)"),
                  number_ratio(l, n.value, n.interval).text);
    claim_say(c, "%s", ".");
    take_curve(a, k.curve, c);
}
