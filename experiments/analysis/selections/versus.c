/* Two ways of doing the same, and what a GPU's time goes to besides computing. */
#include "experiments/analysis/selections/fastest.h"

#include "experiments/common/text/messages.h"
#include "experiments/samples/point.h"

#include <math.h>
#include <string.h>

static void name_ways(const struct analysis *a, const struct choice *slow, const char *slow_name,
                      const struct choice *fast, const char *fast_name,
                      const struct estimate *total, struct selection *out)
{
    const struct comparison_of_points t = compare_choices(&a->samples, slow, fast, METRIC_TOTAL);
    selection_label(out, "slow", slow_name);
    selection_label(out, "fast", fast_name);
    selection_time(out, "time", fast, total);
    selection_ratio(out, "times", slow, fast, &t, QUANTITY_TOTAL_RATIO);
    selection_minute(out, t.value);
    out->finding = evidence_differs(&t) ? "differs" : "same";
    selection_list(out, fast->point);
    selection_list(out, slow->point);
}

/* Compares the fastest of two groups at the largest problem that both solved. */
static void name_versus(const struct analysis *a, struct wanted slow, const char *slow_name,
                        struct wanted fast, const char *fast_name, struct selection *out)
{
    struct fastest best = {.point = NULL}, other = {.point = NULL};
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        struct wanted s = slow, f = fast;
        s.problem = f.problem = evidence_fits(p, &f) ? p : NULL;
        const struct fastest pair =
            s.problem ? evidence_choice(a, &s) : (struct fastest){.point = NULL};
        if (pair.point && (!best.point || p->elements > best.point->elements)) {
            best = evidence_choice(a, &f);
            other = pair;
        }
    }
    out->lack = best.point ? NULL : N_("no GPU was measured");
    if (best.point)
        name_ways(a, &other.choice, slow_name, &best.choice, fast_name, &best.total, out);
}

void versus_name_offload(const struct experiment *e, const struct language *l,
                         struct selection *out)
{
    name_versus(&e->analysis, (struct wanted){.on_device = true, .offload = "window"},
                message(l, "window by window"),
                (struct wanted){.on_device = true, .offload = "image"},
                message(l, "the whole image at once"), out);
}

static bool is_pinned(const struct point *p)
{
    return strcmp(p->samples->identity.host_memory, "pinned") == 0;
}

static bool is_pageable(const struct point *p)
{
    return !is_pinned(p);
}

void versus_name_pinned(const struct experiment *e, const struct language *l, struct selection *out)
{
    name_versus(&e->analysis,
                (struct wanted){.on_device = true, .offload = "image", .also = is_pageable},
                message(l, "pageable memory"),
                (struct wanted){.on_device = true, .offload = "image", .also = is_pinned},
                message(l, "pinned memory"), out);
}

static bool is_constant(const struct point *p)
{
    return strcmp(p->samples->identity.filter_memory, "constant") == 0;
}

static bool is_transferred(const struct point *p)
{
    return strcmp(p->samples->identity.filter_memory, "transferred") == 0;
}

static void name_filter(const struct analysis *a, const char *offload, const struct language *l,
                        struct selection *out)
{
    name_versus(a, (struct wanted){.on_device = true, .offload = offload, .also = is_transferred},
                message(l, "a transferred filter"),
                (struct wanted){.on_device = true, .offload = offload, .also = is_constant},
                message(l, "one in constant memory"), out);
}

void versus_name_filter_window(const struct experiment *e, const struct language *l,
                               struct selection *out)
{
    name_filter(&e->analysis, "window", l, out);
}

void versus_name_filter_image(const struct experiment *e, const struct language *l,
                              struct selection *out)
{
    name_filter(&e->analysis, "image", l, out);
}

/* ---- the two distributions of an image to ranks ---------------------------------------------- */

/* Of the points with several ranks, no more than cores, whose messages were clocked, the one with
 * the most ranks and then the largest image. */
static const struct point *most_ranks(const struct analysis *a)
{
    const struct point *best = NULL;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (evidence_usable(p) && p->workers > 1.0 && !isnan(p->transfer_share) &&
            !p->shares_cores &&
            (!best || p->workers > best->workers ||
             (p->workers == best->workers && p->elements > best->elements)))
            best = p;
    }
    return best;
}

/* The same method, ranks and problem with the other distribution. */
static const struct point *other_way(const struct analysis *a, const struct point *p)
{
    const struct record *r = &p->samples->identity;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct record *o = &a->points[i].samples->identity;
        if (evidence_usable(&a->points[i]) && analysis_same_problem(p, &a->points[i]) &&
            strcmp(r->method, o->method) == 0 && r->ranks == o->ranks && r->threads == o->threads &&
            strcmp(r->distribution, o->distribution) != 0)
            return &a->points[i];
    }
    return NULL;
}

void versus_name_distribution(const struct experiment *e, const struct language *l,
                              struct selection *out)
{
    const struct analysis *a = &e->analysis;
    const struct point *own = most_ranks(a), *other = own ? other_way(a, own) : NULL;
    (void)l;
    out->lack = other ? NULL : N_("only one way to distribute the image was measured");
    if (!other)
        return;
    const bool swapped = total_of(other) < total_of(own);
    const struct choice fast = choice_given(swapped ? other : own),
                        slow = choice_given(swapped ? own : other);
    name_ways(a, &slow, slow.point->samples->identity.distribution, &fast,
              fast.point->samples->identity.distribution, &fast.point->seconds[METRIC_TOTAL], out);
}

/* ---- moving data ----------------------------------------------------------------------------- */

void gpu_name_transfers(const struct experiment *e, const struct language *l, struct selection *out)
{
    const struct analysis *a = &e->analysis;
    const struct interval none = {NAN, NAN};
    const struct point *most = NULL, *least = NULL;
    (void)l;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        const double share = p->transfer_share;
        if (!evidence_fits(p, &(struct wanted){.on_device = true}) || isnan(share))
            continue;
        most = !most || evidence_is_larger(p, share, most, most->transfer_share) ? p : most;
        least = !least || evidence_is_larger(p, -share, least, -least->transfer_share) ? p : least;
    }
    out->lack = most ? NULL : N_("no GPU was measured");
    if (!most)
        return;
    selection_number(out, "least", least, least->transfer_share, none);
    selection_number(out, "most", most, most->transfer_share, none);
    selection_value(out, "minute", 60.0 * most->transfer_share, none, QUANTITY_TOTAL);
    selection_list(out, least);
    selection_list(out, most);
}
