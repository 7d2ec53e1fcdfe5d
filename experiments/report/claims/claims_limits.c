/* How close methods come to the limit of the machine, and how they compare with other libraries. */
#include "experiments/analysis/numbers.h"
#include "experiments/analysis/selections/columns.h"
#include "experiments/analysis/selections/fastest.h"
#include "experiments/common/text/messages.h"
#include "experiments/report/claims/claims.h"
#include "experiments/report/claims/selected_charts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the roof -------------------------------------------------------------------------------- */

/* The places are the roles of limits_name_roof. */
static const struct template roof_sentences = {
    .against = AGAINST_ROOF,
    .title = {{N_("%{nearest.method} reaches %{nearest.share} of this machine's limit"), NULL,
               NULL}},
    .answer =
        {
            {N_("With one worker, these shares of this machine's limit are reached: "
                "%{nearest.operator} %{nearest.method} %{nearest.percent} "
                "(%{nearest})%{nearest.doubt}"),
             NULL, NULL},
            {N_(", %{next.operator} %{next.method} %{next.percent} (%{next})%{next.doubt}"), NULL,
             "each next"},
            {".", NULL, NULL},
        },
    .plain = {{N_("Moving the data and computing take this machine at least a certain time, its "
                  "limit; %{nearest.method} takes about %{times.about} times as long as that."),
               NULL, NULL}},
};

static const struct columns ladder_roof = {
    .panels = {{"kernel", "roof_share", LADDER_POINTS " size^ stride=kernel", "%{method}", false},
               {"kernel", "roof_share", LADDER_POINTS " size^ stride=1", "%{method}", false}},
    .dashed = "kind=maximum",
    .name_roles = limits_name_roof,
};
static const struct form ladder_roof_form = {
    .name = "lines",
    .panels = {{N_("s = k: windows apart"), N_("k, side of the window (elements)"),
                N_("limit / time (1: at the limit)"), "%g", AXIS_LOG, AXIS_LOG, .level = 1.0},
               {N_("s = 1: windows overlap"), N_("k, side of the window (elements)"),
                N_("limit / time (1: at the limit)"), "%g", AXIS_LOG, AXIS_LOG, .level = 1.0}},
    .y_top = 1.6,
};

static const struct columns roof_by_shape = {
    .panels = {{"roof_share", "roof_share", SHAPE_POINTS, SHAPE_ROW, false}},
    .group = SHAPE_GROUP,
    .order = "rung",
    .name_roles = limits_name_roof,
};
static const struct form roof_by_shape_form = {
    .name = "dots",
    .panels = {{NULL, N_("limit / time (1: at the limit)"), NULL, "%g", AXIS_LINEAR, AXIS_LINEAR,
                .level = 1.0}},
};

static const struct columns roof = {.name_roles = limits_name_roof};

const struct selected_chart ladder_roof_chart = {select_columns, &ladder_roof, &ladder_roof_form,
                                                 &roof_sentences},
                            roof_by_shape_chart = {select_columns, &roof_by_shape,
                                                   &roof_by_shape_form, &roof_sentences},
                            roofline_chart = {select_columns, &roof, NULL, &roof_sentences},
                            roofline_share_chart = {select_columns, &roof, NULL, &roof_sentences};

/* ---- other libraries ------------------------------------------------------------------------- */

struct contest {
    size_t count, won, lost;     /* ratios; those significantly above 1, and below 1 */
    const struct ratio **sorted; /* the smallest first; owned */
};

static int by_value(const void *a, const void *b)
{
    const struct ratio *const *p = a, *const *q = b;
    return ((*p)->value > (*q)->value) - ((*p)->value < (*q)->value);
}

/* Decides which ratios differ significantly from 1, for the whole contest together: by Holm's
 * procedure at 5 % divided by the tables of the page. A ratio without a p-value is decided by its
 * interval. */
static void decide_contest(struct contest *t, const struct analysis *a)
{
    double *p_values = malloc((t->count + 1) * sizeof *p_values);
    const double level = 0.05 / (double)(a->tables > 0 ? a->tables : 1);
    for (size_t i = 0; p_values && i < t->count; i++)
        p_values[i] = t->sorted[i]->p_value;
    if (p_values && adjust_p_values(p_values, t->count) == 0)
        for (size_t i = 0; i < t->count; i++) {
            const struct ratio *r = t->sorted[i];
            const bool seen = isnan(p_values[i]) || p_values[i] <= level;
            t->won += seen && r->interval.lower > 1.0;
            t->lost += seen && r->interval.upper < 1.0;
        }
    free(p_values);
}

/* Takes the fastest library of each problem and kind with one worker, for named or for unnamed
 * shapes. */
static struct contest hold_contest(const struct analysis *a, bool named)
{
    struct contest t = {.sorted = calloc(a->ratio_count + 1, sizeof(struct ratio *))};
    for (size_t i = 0; t.sorted && i < a->ratio_count; i++) {
        const struct ratio *r = &a->ratios[i];
        if (!r->fastest || r->named != named || a->points[r->peer].workers != 1.0)
            continue;
        t.sorted[t.count++] = r;
    }
    decide_contest(&t, a);
    if (t.count > 1)
        qsort(t.sorted, t.count, sizeof(struct ratio *), by_value);
    return t;
}

/* "1.38 [1.34, 1.40] (onednn-blocked, alexnet_5)", "374 [370, 380] (onednn by plain loops, ...)" */
static struct words words_ratio(const struct analysis *a, const struct ratio *r,
                                const struct language *l)
{
    struct words w;
    const struct point *peer = &a->points[r->peer];
    snprintf(w.text, sizeof w.text, "%.90s (%.60s%s, %.90s)",
             number_answer(l, r->value, r->interval).text, method_of(peer),
             evidence_plain_loops(a, peer) ? message(l, " by plain loops") : "", r->shape);
    return w;
}

/* Says in how many the fastest library has no vector code for the shape. */
static void say_plain_loops(const struct analysis *a, const struct contest *t,
                            const struct language *l, struct claim *c)
{
    size_t count = 0;
    for (size_t i = 0; i < t->count; i++)
        count += evidence_plain_loops(a, &a->points[t->sorted[i]->peer]);
    if (count)
        claim_say(c, l,
                  " In %{count} of these the fastest library has no vector code for the shape and "
                  "fell back to plain loops.",
                  WITH({"count", number_text("%zu", count).text}));
}

static void say_counts(const struct contest *t, const struct language *l, struct claim *c)
{
    const size_t even = t->count - t->won - t->lost;
    claim_title(c, l, "Ours is faster in %{won} of %{count} comparisons",
                WITH({"won", number_text("%zu", t->won).text},
                     {"count", number_text("%zu", t->count).text}));
    claim_say(c, l,
              "With one worker, our fastest method is faster than the fastest library in %{won} of "
              "%{count} comparisons",
              WITH({"won", number_text("%zu", t->won).text},
                   {"count", number_text("%zu", t->count).text}));
    if (t->lost)
        claim_say(c, l, ", slower in %{lost}", WITH({"lost", number_text("%zu", t->lost).text}));
    if (even)
        claim_say(c, l, ", and no difference is seen in %{even}",
                  WITH({"even", number_text("%zu", even).text}));
}

/* Writes the smallest and the largest ratio, and from three on the middle one. */
static void say_contest(const struct analysis *a, const struct contest *t, const struct language *l,
                        struct claim *c)
{
    const struct ratio *shown[] = {t->sorted[0], t->sorted[t->count / 2], t->sorted[t->count - 1]};
    say_counts(t, l, c);
    if (t->count == 1)
        claim_say(c, l, "; the time of the library is %{times} times ours.",
                  WITH({"times", words_ratio(a, shown[0], l).text}));
    else
        claim_say(c, l, "; the time of the library is between %{low} and %{high} times ours%{end}",
                  WITH({"low", words_ratio(a, shown[0], l).text},
                       {"high", words_ratio(a, shown[2], l).text},
                       {"end", t->count == 2 ? "." : ""}));
    if (t->count > 2)
        claim_say(c, l, ", and %{times} times ours in the middle of the list.",
                  WITH({"times", number_answer(l, shown[1]->value, shown[1]->interval).text}));
    say_plain_loops(a, t, l, c);
    claim_say_similar(a, l, c);
    claim_plain(
        c, l,
        "A number above 1 means that the library takes longer than our method; below 1, our "
        "method takes longer.",
        NULL);
    for (size_t i = 0; i < 3; i++) {
        evidence_add(c->rows, &c->count, CLAIM_ROWS, &a->points[shown[i]->ours]);
        evidence_add(c->rows, &c->count, CLAIM_ROWS, &a->points[shown[i]->peer]);
    }
}

/* True if the ratio's library is a separate program with one worker: maxpool_openvino. */
static bool is_of_program(const struct analysis *a, const struct ratio *r, bool named)
{
    const struct record *peer = &a->points[r->peer].samples->identity;
    const char *name = strchr(peer->program, '_');
    return name && strcmp(name + 1, peer->method) == 0 && r->named == named &&
           a->points[r->peer].workers == 1.0;
}

/* Writes the ratio of each of these to ours, for the problems where it is least and most. */
static void say_programs(const struct analysis *a, bool named, const struct language *l,
                         struct claim *c)
{
    for (size_t i = 0; i < a->ratio_count; i++) {
        const struct ratio *r = &a->ratios[i], *least = r, *most = r;
        const char *method = method_of(&a->points[r->peer]);
        bool shown = !is_of_program(a, r, named);
        size_t problems = 0;
        for (size_t j = 0; j < a->ratio_count && !shown; j++) {
            const struct ratio *other = &a->ratios[j];
            if (!is_of_program(a, other, named) ||
                strcmp(method_of(&a->points[other->peer]), method) != 0)
                continue;
            shown = j < i;
            problems++;
            least = other->value < least->value ? other : least;
            most = other->value > most->value ? other : most;
        }
        if (shown)
            continue;
        if (problems == 1)
            claim_say(
                c, l, " %{library} takes %{times} times our time.",
                WITH({"library", method}, {"times", number_answer(l, r->value, r->interval).text}));
        else
            claim_say(c, l, " %{library} takes between %{low} and %{high} times our time.",
                      WITH({"library", method},
                           {"low", number_answer(l, least->value, least->interval).text},
                           {"high", number_answer(l, most->value, most->interval).text}));
    }
}

static void describe_contest(const struct experiment *e, bool named, const struct language *l,
                             struct claim *c)
{
    const struct contest t = hold_contest(&e->analysis, named);
    if (t.count == 0)
        claim_refuse(c, l, "no other library was measured with one worker");
    else {
        say_contest(&e->analysis, &t, l, c);
        say_programs(&e->analysis, named, l, c);
    }
    free(t.sorted);
}

void claim_peers(const struct experiment *e, const struct language *l, struct claim *c)
{
    describe_contest(e, true, l, c);
}

void claim_planes(const struct experiment *e, const struct language *l, struct claim *c)
{
    describe_contest(e, false, l, c);
}
