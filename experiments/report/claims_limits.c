/* How near to what the machine allows, and to what other libraries do. */
#include "experiments/report/claims.h"
#include "experiments/report/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the roof -------------------------------------------------------------------------------- */

static double share_of_roof(const struct point *p)
{
    const double compute = p->seconds[METRIC_COMPUTE].value;
    return evidence_usable(p) && !p->peer && p->rung >= 0 && p->roof.seconds > 0.0 &&
                   arithmetic_operations(&p->need.least) > 0.0
               ? p->roof.seconds / compute
               : (double)NAN;
}

static struct interval interval_of_share(const struct point *p)
{
    const struct interval *i = &p->seconds[METRIC_COMPUTE].interval;
    return (struct interval){p->roof.seconds / i->upper, p->roof.seconds / i->lower};
}

/* The point nearest to its roof whose operator and kind of work are not among the rows yet. */
static const struct point *next_nearest(const struct analysis *a, const struct claim *c,
                                        double workers)
{
    const struct point *best = NULL;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        const struct record *r = &p->samples->identity;
        bool known = isnan(share_of_roof(p)) || p->workers != workers;
        for (size_t j = 0; j < c->count; j++)
            known = known ||
                    (strcmp(c->rows[j]->samples->identity.operator_name, r->operator_name) == 0 &&
                     c->rows[j]->product == p->product);
        if (!known && (!best || share_of_roof(p) > share_of_roof(best)))
            best = p;
    }
    return best;
}

void claim_roof(const struct experiment *e, enum language l, struct claim *c)
{
    const struct analysis *a = &e->analysis;
    const struct point *next = next_nearest(a, c, 1.0);
    if (!next) {
        claim_refuse(c, l, "the machine's ceilings were not measured: 'study roofline' does",
                     "no se midieron los techos de la máquina: 'study roofline' lo hace");
        return;
    }
    claim_title(c, say(l, "%s reaches %s of the roof", "%s alcanza el %s del techo"),
                method_of(next), number_percent(l, share_of_roof(next)).text);
    claim_say(c, "%s", say(l, "With one worker ", "Con un trabajador "));
    for (; next && c->count < CLAIM_ROWS; next = next_nearest(a, c, 1.0)) {
        const struct interval i = interval_of_share(next);
        claim_say(c,
                  say(l, "%s%s %s reaches %s [%s, %s] of the roof of its work (%s)",
                      "%s%s %s alcanza el %s [%s; %s] del techo de su trabajo (%s)"),
                  c->count ? ", " : "", next->samples->identity.operator_name, method_of(next),
                  number_percent(l, share_of_roof(next)).text, number_percent(l, i.lower).text,
                  number_percent(l, i.upper).text, words_problem(next).text);
        c->rows[c->count++] = next;
    }
    claim_say(c, ".");
}

/* ---- other libraries --------------------------------------------------------------------------
 */

struct contest {
    size_t count, won; /* ratios, those above 1 */
    const struct ratio *worst, *best, *middle;
};

static int by_value(const void *a, const void *b)
{
    const struct ratio *const *p = a, *const *q = b;
    return ((*p)->value > (*q)->value) - ((*p)->value < (*q)->value);
}

/* The fastest library of each problem and kind with one worker, of named shapes or of the others.
 */
static struct contest hold_contest(const struct analysis *a, bool named)
{
    struct contest t = {0};
    const struct ratio **sorted = calloc(a->ratio_count + 1, sizeof *sorted);
    for (size_t i = 0; sorted && i < a->ratio_count; i++) {
        const struct ratio *r = &a->ratios[i];
        if (!r->fastest || r->named != named || a->points[r->peer].workers != 1.0)
            continue;
        sorted[t.count++] = r;
        t.won += r->value > 1.0;
    }
    if (t.count > 0) {
        qsort(sorted, t.count, sizeof *sorted, by_value);
        t.worst = sorted[0];
        t.middle = sorted[t.count / 2];
        t.best = sorted[t.count - 1];
    }
    free(sorted);
    return t;
}

static void say_contest(const struct analysis *a, const struct contest *t, enum language l,
                        struct claim *c)
{
    const struct ratio *w = t->worst;
    claim_title(c,
                say(l, "Ours is faster in %zu of %zu comparisons",
                    "Lo nuestro es más rápido en %zu de %zu comparaciones"),
                t->won, t->count);
    claim_say(
        c,
        say(l,
            "With one worker our fastest method beats the fastest library in %zu of %zu "
            "comparisons; in the middle one the library takes %s times as long, in the worst "
            "(%s, %s) %s times.",
            "Con un trabajador nuestro método más rápido le gana a la biblioteca más rápida "
            "en %zu de %zu comparaciones; en la de en medio la biblioteca tarda %s veces más, "
            "en la peor (%s, %s) %s veces."),
        t->won, t->count, number_ratio(l, t->middle->value, t->middle->interval).text,
        method_of(&a->points[w->peer]), w->shape, number_ratio(l, w->value, w->interval).text);
    const struct ratio *told[] = {t->worst, t->middle, t->best};
    for (size_t i = 0; i < 3; i++) {
        evidence_add(c->rows, &c->count, CLAIM_ROWS, &a->points[told[i]->ours]);
        evidence_add(c->rows, &c->count, CLAIM_ROWS, &a->points[told[i]->peer]);
    }
}

static void tell_contest(const struct experiment *e, bool named, enum language l, struct claim *c)
{
    const struct contest t = hold_contest(&e->analysis, named);
    if (t.count == 0)
        claim_refuse(c, l, "no other library was measured with one worker",
                     "no se midió otra biblioteca con un trabajador");
    else
        say_contest(&e->analysis, &t, l, c);
}

void claim_peers(const struct experiment *e, enum language l, struct claim *c)
{
    tell_contest(e, true, l, c);
}

void claim_planes(const struct experiment *e, enum language l, struct claim *c)
{
    tell_contest(e, false, l, c);
}
