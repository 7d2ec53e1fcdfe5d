/* The steps of a network, from the file of its layers. */
#include "experiments/analysis/selections/networks.h"

#include "experiments/analysis/numbers.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"

#include <math.h>
#include <string.h>

static const double shown_share = 0.01; /* shorter steps are not the furthest from the limit */
enum { MOST_DRAWN = 22 };

/* The number of steps with a larger share of the time. */
static size_t count_longer(const struct layer_times *t, size_t step)
{
    size_t longer = 0;
    for (size_t j = 0; j < t->count; j++)
        longer += t->steps[j].share.median > t->steps[step].share.median;
    return longer;
}

static size_t longest_of(const struct layer_times *t)
{
    size_t longest = 0;
    while (count_longer(t, longest) > 0)
        longest++;
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

/* NULL if no limit is known. */
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

/* The next longest step, unless the longest is seen to be longer; NULL: it is. */
static const struct layer_time *tie_of(const struct layer_times *t,
                                       const struct layer_time *longest)
{
    const struct layer_time *next = NULL;
    for (size_t j = 0; j < t->count; j++) {
        const struct layer_time *s = &t->steps[j];
        if (s != longest && !(s->share.upper < longest->share.lower) &&
            (!next || s->share.median > next->share.median))
            next = s;
    }
    return next;
}

/* The same of the share of the limit: another that is not seen to be nearer to it. */
static const struct layer_time *furthest_tie_of(const struct layer_times *t,
                                                const struct layer_time *furthest)
{
    const struct layer_time *next = NULL;
    for (size_t j = 0; j < t->count; j++) {
        const struct layer_time *s = &t->steps[j];
        if (s != furthest && s->share.median >= shown_share && isfinite(s->roof.median) &&
            !(s->roof.lower > furthest->roof.upper) &&
            (!next || s->roof.median < next->roof.median))
            next = s;
    }
    return next;
}

static void name_share(const char *role, const char *label, const struct summary *share,
                       struct selection *out)
{
    const struct interval ends = {share->lower, share->upper};
    struct selection_row *row = selection_value(out, role, share->median, ends, QUANTITY_NUMBER);
    snprintf(row->label, sizeof row->label, "%s", label);
}

static void name_steps(const struct experiment *e, struct selection *out)
{
    const struct layer_times *t = e->layers;
    if (selection_lacks(out, !t, N_("no layers were timed")))
        return;
    const struct layer_time *longest = &t->steps[longest_of(t)], *furthest = furthest_of(t);
    selection_label(out, "network", t->network);
    selection_count(out, "steps", (double)t->count);
    selection_count(out, "half", (double)half_of(t));
    name_share("longest", longest->layer, &longest->share, out);
    const struct layer_time *tie = tie_of(t, longest);
    selection_label(out, tie ? "tie" : "sole", tie ? tie->layer : "");
    selection_plain(out, "saved", 0.5 * longest->share.median);
    if (furthest) {
        const struct layer_time *as_far = furthest_tie_of(t, furthest);
        selection_label(out, as_far ? "as_far" : "alone_far", as_far ? as_far->layer : "");
        name_share("furthest", furthest->layer, &furthest->roof, out);
        name_share("all", "", &t->all.roof, out);
    }
    out->finding = half_of(t) == 1 ? "alone" : "several";
    for (size_t i = 0; i < e->analysis.point_count; i++)
        if (evidence_usable(&e->analysis.points[i]))
            selection_list(out, &e->analysis.points[i]);
}

static void draw_share(size_t step, const char *name, const struct summary *share,
                       const char *meaning, unsigned colour, struct selection *out)
{
    if (!isfinite(share->median))
        return;
    struct selection_row *row = selection_mark(out, NULL, 1, name);
    row->place = step + 1;
    row->colour = colour;
    row->y = 100.0 * share->median;
    row->ends = (struct interval){isnan(share->lower) ? row->y : 100.0 * share->lower,
                                  isnan(share->upper) ? row->y : 100.0 * share->upper};
    snprintf(row->label, sizeof row->label, "%s", meaning);
}

/* "conv1 (direct), 1.2 ms" */
static struct words name_of(const struct layer_time *s, const struct language *l)
{
    const struct number seconds = number_seconds(l, s->seconds.median);
    return words_text("%s%s%s%s, %s", s->layer, s->method[0] ? " (" : "", s->method,
                      s->method[0] ? ")" : "", seconds.text);
}

void layers_name_steps(const struct experiment *e, const struct language *l, struct selection *out)
{
    const struct layer_times *t = e->layers;
    for (size_t i = 0; t && i < t->count; i++) {
        const struct words name = name_of(&t->steps[i], l);
        if (!(t->steps[i].share.median > 0.0) || count_longer(t, i) >= MOST_DRAWN)
            continue;
        draw_share(i, name.text, &t->steps[i].share, message(l, N_("share of the time")), 0x0072B2,
                   out);
        draw_share(i, name.text, &t->steps[i].roof, message(l, N_("share of the limit")), 0xD55E00,
                   out);
    }
    name_steps(e, out);
}

void layers_name_passes(const struct experiment *e, const struct language *l, struct selection *out)
{
    static const struct {
        const char *name;
        unsigned colour;
    } passes[LAYER_PASSES] = {
        {N_("forward"), 0x0072B2}, {N_("backward"), 0x56B4E9}, {N_("update"), 0xCC79A7}};
    const struct layer_times *t = e->layers;
    for (size_t i = 0; t && i < t->count; i++) {
        const bool update = strcmp(t->steps[i].layer, "update") == 0;
        for (size_t pass = 0; pass < LAYER_PASSES; pass++)
            if (t->steps[i].passes[pass].median > 0.0)
                selection_part(out, NULL, pass, message(l, passes[pass].name), passes[pass].colour,
                               update ? message(l, "update") : t->steps[i].layer,
                               100.0 * t->steps[i].passes[pass].median);
    }
    name_steps(e, out);
}
