/* Two ways of doing the same, and what a GPU's time goes to besides computing. */
#include "experiments/analysis/selections/fastest.h"
#include "experiments/analysis/selections/workers/workers.h"

#include "experiments/samples/point.h"
#include "harness/base/text/messages.h"

#include <math.h>
#include <string.h>

void versus_name(const struct analysis *a, const struct choice *slow, const char *slow_name,
                 const struct choice *fast, const char *fast_name, const struct estimate *total,
                 struct selection *out)
{
    const struct comparison_of_points t = compare_choices(&a->samples, slow, fast, METRIC_TOTAL);
    selection_label(out, "slow", slow_name);
    selection_label(out, "fast", fast_name);
    selection_time(out, "time", fast, total);
    selection_ratio(out, "times", slow, fast, &t, QUANTITY_TOTAL_RATIO);
    selection_minute(out, t.value, t.interval);
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
    out->lack = best.point ? NULL : evidence_lack(a, &fast, N_("no GPU was measured"));
    if (best.point)
        versus_name(a, &other.choice, slow_name, &best.choice, fast_name, &best.total, out);
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

/* ---- epilogues ------------------------------------------------------------------------------- */

static bool is_serial(const struct point *p)
{
    return point_is_alone(&p->samples->identity);
}

static bool is_in_store(const struct point *p)
{
    return is_serial(p) && strcmp(p->samples->identity.epilogue, "store") == 0;
}

static bool is_in_pass(const struct point *p)
{
    return is_serial(p) && strcmp(p->samples->identity.epilogue, "pass") == 0;
}

/* The same method and problem, its epilogue applied as outputs are stored. */
static const struct point *in_store(const struct point *pass, const void *analysis)
{
    const struct wanted w = {
        .one_worker = true, .also = is_in_store, .problem = pass, .method = method_of(pass)};
    return evidence_fastest(analysis, &w);
}

void epilogue_name_share(const struct experiment *e, const struct language *l,
                         struct selection *out)
{
    const struct analysis *a = &e->analysis;
    const struct wanted w = {.one_worker = true, .also = is_in_pass};
    const struct choice in_pass = evidence_choice(a, &w).choice,
                        stored = choice_of_companions(&in_pass, in_store, a);
    (void)l;
    if (selection_lacks(out, !stored.point, N_("one method measured both ways is needed")))
        return;
    const struct comparison_of_points t =
        compare_choices(&a->samples, &stored, &in_pass, METRIC_COMPUTE);
    selection_point(out, "time", stored.point, NAN);
    /* the names of points do not tell epilogues apart */
    selection_ratio(out, "stored", &stored, &in_pass, &t, QUANTITY_NUMBER);
    selection_list(out, stored.point);
    selection_list(out, in_pass.point);
}

/* ---- moving data ----------------------------------------------------------------------------- */

void gpu_name_transfers(const struct experiment *e, const struct language *l, struct selection *out)
{
    const struct analysis *a = &e->analysis;
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
    if (selection_lacks(out, !most, N_("no GPU was measured")))
        return;
    selection_number(out, "least", least, least->transfer_share, no_interval);
    selection_number(out, "most", most, most->transfer_share, no_interval);
    selection_value(out, "minute", 60.0 * most->transfer_share, no_interval, QUANTITY_TOTAL);
    selection_list(out, least);
    selection_list(out, most);
}
