/* Where the time of a network goes, from the file of its layers. */
#include "experiments/analysis/numbers.h"
#include "experiments/report/claims/claims.h"
#include "harness/base/text/messages.h"

#include <math.h>

/* Shorter steps are not mentioned. */
static const double shown_share = 0.01;

static size_t longest_of(const struct layer_times *t)
{
    size_t longest = 0;
    for (size_t j = 1; j < t->count; j++)
        if (t->steps[j].share.median > t->steps[longest].share.median)
            longest = j;
    return longest;
}

/* The number of steps, the longest first, that take half of the time. */
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

/* Of the steps that are not too short, returns the one that reaches the smallest share of its roof;
 * NULL if no roof is known. */
static const struct layer_time *furthest_of(const struct layer_times *t)
{
    const struct layer_time *furthest = NULL;
    for (size_t j = 0; j < t->count; j++) {
        const struct layer_time *s = &t->steps[j];
        if (s->share.median >= shown_share && isfinite(s->roof.median) &&
            (!furthest || s->roof.median < furthest->roof.median))
            furthest = s;
    }
    return furthest;
}

static void describe_roof(const struct layer_times *t, const struct language *l, struct claim *c)
{
    const struct layer_time *furthest = furthest_of(t);
    if (!furthest)
        return;
    const struct interval interval = {furthest->roof.lower, furthest->roof.upper};
    const struct interval whole = {t->all.roof.lower, t->all.roof.upper};
    claim_say(c, l,
              " Among the steps that take at least 1 % of the time, %{step} is furthest from this "
              "machine's limit and reaches %{share} of it; all steps together reach %{all}.",
              WITH({"step", furthest->layer},
                   {"share", number_answer_share(l, furthest->roof.median, interval).text},
                   {"all", number_answer_share(l, t->all.roof.median, whole).text}));
}

static void describe_furthest(const struct layer_times *t, const struct language *l,
                              struct claim *c)
{
    const struct layer_time *longest = &t->steps[longest_of(t)];
    const struct interval interval = {longest->share.lower, longest->share.upper};
    claim_title(c, l, "%{step} takes %{share} of the time of %{network}",
                WITH({"step", longest->layer},
                     {"share", number_percent(l, longest->share.median).text},
                     {"network", t->network}));
    claim_say(c, l,
              "Of the %{steps} steps of %{network}, %{longest} takes the most time: %{share}; ",
              WITH({"steps", number_text("%zu", t->count).text}, {"network", t->network},
                   {"longest", longest->layer},
                   {"share", number_answer_share(l, longest->share.median, interval).text}));
    if (half_of(t) == 1)
        claim_say(c, l, "it alone takes at least half.", NULL);
    else
        claim_say(c, l, "the %{steps} longest take half.",
                  WITH({"steps", number_text("%zu", half_of(t)).text}));
    describe_roof(t, l, c);
    claim_plain(c, l,
                "If %{longest} alone were twice as fast, the whole network would save about "
                "%{share} of its time.",
                WITH({"longest", longest->layer},
                     {"share", number_percent(l, 0.5 * longest->share.median).text}));
}

void claim_layers(const struct experiment *e, const struct language *l, struct claim *c)
{
    if (!e->layers) {
        claim_refuse(c, l, "no layers were timed");
        return;
    }
    describe_furthest(e->layers, l, c);
    for (size_t i = 0; i < e->analysis.point_count; i++)
        if (evidence_usable(&e->analysis.points[i]))
            evidence_add(c->rows, &c->count, CLAIM_ROWS, &e->analysis.points[i]);
}
