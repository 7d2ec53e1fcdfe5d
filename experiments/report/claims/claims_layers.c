/* Where the time of a network goes, from the file of its layers. */
#include "experiments/report/claims/claims.h"
#include "experiments/report/numbers.h"

#include <math.h>

/* A step that takes less is not worth the words. */
static const double told_share = 0.01;

static size_t longest_of(const struct layer_times *t)
{
    size_t longest = 0;
    for (size_t j = 1; j < t->count; j++)
        if (t->steps[j].share.median > t->steps[longest].share.median)
            longest = j;
    return longest;
}

/* How many steps, the longest first, take half of the time. */
static size_t half_of(const struct layer_times *t)
{
    double shares[LAYER_STEPS], sum = 0.0;
    size_t count = 0;
    for (size_t j = 0; j < t->count; j++)
        shares[j] = t->steps[j].share.median;
    sort_samples(shares, t->count);
    while (sum < 0.5 && count < t->count)
        sum += shares[t->count - ++count];
    return count;
}

/* Of those that take some time, the step that reaches the least of its roof; NULL where no roof is
 * known. */
static const struct layer_time *furthest_of(const struct layer_times *t)
{
    const struct layer_time *furthest = NULL;
    for (size_t j = 0; j < t->count; j++) {
        const struct layer_time *s = &t->steps[j];
        if (s->share.median >= told_share && isfinite(s->roof.median) &&
            (!furthest || s->roof.median < furthest->roof.median))
            furthest = s;
    }
    return furthest;
}

static void tell_roof(const struct layer_times *t, enum language l, struct claim *c)
{
    const struct layer_time *furthest = furthest_of(t);
    if (!furthest)
        return;
    const struct interval interval = {furthest->roof.lower, furthest->roof.upper};
    const struct interval whole = {t->all.roof.lower, t->all.roof.upper};
    claim_say(c,
              say(l,
                  " Of the steps that take at least 1 %% of it %s is furthest from its roof and "
                  "reaches %s of it; all steps together reach %s.",
                  " De los pasos que toman al menos el 1 %% %s es el más alejado de su techo y "
                  "alcanza el %s; todos juntos alcanzan el %s."),
              furthest->layer, number_told_share(l, furthest->roof.median, interval).text,
              number_told_share(l, t->all.roof.median, whole).text);
}

static void tell(const struct layer_times *t, enum language l, struct claim *c)
{
    const struct layer_time *longest = &t->steps[longest_of(t)];
    const struct interval interval = {longest->share.lower, longest->share.upper};
    claim_title(
        c, say(l, "%.40s takes %s of the time of %.40s", "%.40s toma el %s del tiempo de %.40s"),
        longest->layer, number_percent(l, longest->share.median).text, t->network);
    claim_say(c,
              say(l, "Of the %zu steps of %s %s takes the most time, %s of it; ",
                  "De los %zu pasos de %s %s es el que más tarda, el %s del tiempo; "),
              t->count, t->network, longest->layer,
              number_told_share(l, longest->share.median, interval).text);
    if (half_of(t) == 1)
        claim_say(c, "%s",
                  say(l, "it alone takes at least half.", "él solo toma al menos la mitad."));
    else
        claim_say(c, say(l, "the %zu longest take half.", "los %zu más largos toman la mitad."),
                  half_of(t));
    tell_roof(t, l, c);
}

void claim_layers(const struct experiment *e, enum language l, struct claim *c)
{
    if (!e->layers) {
        claim_refuse(c, l, "no layers were clocked", "no se cronometraron capas");
        return;
    }
    tell(e->layers, l, c);
    for (size_t i = 0; i < e->analysis.point_count; i++)
        if (evidence_usable(&e->analysis.points[i]))
            evidence_add(c->rows, &c->count, CLAIM_ROWS, &e->analysis.points[i]);
}
