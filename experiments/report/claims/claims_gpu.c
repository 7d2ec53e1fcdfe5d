/* The gain from a GPU, and where its time goes. */
#include "experiments/analysis/numbers.h"
#include "experiments/common/text/messages.h"
#include "experiments/report/claims/claims.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static void refuse_gpu(struct claim *c, const struct language *l)
{
    claim_refuse(c, l, "no GPU was measured");
}

/* ---- kernels --------------------------------------------------------------------------------- */

static void claim_offload_way(const struct experiment *e, const char *offload,
                              const struct language *l, struct claim *c)
{
    const struct analysis *a = &e->analysis;
    struct wanted w = {.on_device = true, .offload = offload};
    w.problem = evidence_problem(a, &w);
    const struct fastest f = w.problem ? evidence_choice(a, &w) : (struct fastest){.point = NULL};
    const struct point *best = f.point;
    if (!best) {
        refuse_gpu(c, l);
        return;
    }
    claim_title(c, l, "%{method} is the fastest kernel: %{time} at %{problem}",
                WITH({"method", method_of(best)}, {"time", number_seconds(l, f.total.value).text},
                     {"problem", words_problem(best, l).text}));
    claim_say(c, l, "At %{problem}, the fastest kernel is %{method}: %{time} in all%{doubt}",
              WITH({"problem", words_problem(best, l).text}, {"method", method_of(best)},
                   {"time", number_answer_seconds(l, &f.total).text},
                   {"doubt", words_doubt(best, l).text}));
    if (f.base)
        claim_say(c, l, ", %{times} times as fast as serial %{method}",
                  WITH({"times", number_answer(l, f.gain.value, f.gain.interval).text},
                       {"method", method_of(f.base)}));
    claim_say_tie(c, l, a, &w, best);
    claim_add(c, ".");
    if (f.base)
        claim_plain_minute(c, l, method_of(f.base), method_of(best), f.gain.value);
    else
        claim_plain(c, l, "%{method} needs the least time of all GPU kernels that were measured.",
                    WITH({"method", method_of(best)}));
    w.on_device = false;
    w.offload = NULL;
    c->count = evidence_sorted(a, &w, c->rows, CLAIM_ROWS);
}

void claim_gpu_window(const struct experiment *e, const struct language *l, struct claim *c)
{
    claim_offload_way(e, "window", l, c);
}

void claim_gpu_lean(const struct experiment *e, const struct language *l, struct claim *c)
{
    claim_offload_way(e, "window-lean", l, c);
}

void claim_gpu_image(const struct experiment *e, const struct language *l, struct claim *c)
{
    claim_offload_way(e, "image", l, c);
}

/* ---- two ways to do the same ----------------------------------------------------------------- */

/* Compares the fastest of two groups at the largest problem that both solved. */
static void claim_versus(const struct experiment *e, struct wanted slow, struct wanted fast,
                         const struct language *l, const char *slow_name, const char *fast_name,
                         struct claim *c)
{
    const struct analysis *a = &e->analysis;
    struct fastest best = {.point = NULL}, other = {.point = NULL};
    for (size_t i = 0; i < a->point_count;
         i++) { /* the largest problem that both were measured at */
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
    if (!best.point) {
        refuse_gpu(c, l);
        return;
    }
    const struct comparison_of_points t =
        compare_choices(&a->samples, &other.choice, &best.choice, METRIC_TOTAL);
    if (evidence_differs(&t))
        claim_title(c, l, "%{slow} takes %{times} times as long as %{fast}",
                    WITH({"slow", slow_name}, {"times", number_brief(l, t.value, t.interval).text},
                         {"fast", fast_name}));
    else
        claim_title(c, l, "%{slow} and %{fast}: no difference is seen",
                    WITH({"slow", slow_name}, {"fast", fast_name}));
    c->title[0] = (char)toupper((unsigned char)c->title[0]);
    claim_say(
        c, l,
        "At %{problem}, %{slow} takes in total %{times} times as long as %{fast} (%{time} with "
        "%{method}%{doubt}).",
        WITH({"problem", words_problem(best.point, l).text}, {"slow", slow_name},
             {"times", number_answer(l, t.value, t.interval).text}, {"fast", fast_name},
             {"time", number_answer_seconds(l, &best.total).text},
             {"method", method_of(best.point)}, {"doubt", words_doubt(best.point, l).text}));
    if (evidence_differs(&t))
        claim_plain_minute(c, l, slow_name, fast_name, t.value);
    else
        claim_plain(c, l, "The samples do not show which of the two is faster.", NULL);
    evidence_add(c->rows, &c->count, CLAIM_ROWS, best.point);
    evidence_add(c->rows, &c->count, CLAIM_ROWS, other.point);
}

static bool is_pinned(const struct point *p)
{
    return strcmp(p->samples->identity.host_memory, "pinned") == 0;
}

static bool is_pageable(const struct point *p)
{
    return !is_pinned(p);
}

static bool is_constant(const struct point *p)
{
    return strcmp(p->samples->identity.filter_memory, "constant") == 0;
}

static bool is_transferred(const struct point *p)
{
    return strcmp(p->samples->identity.filter_memory, "transferred") == 0;
}

void claim_offload(const struct experiment *e, const struct language *l, struct claim *c)
{
    claim_versus(e, (struct wanted){.on_device = true, .offload = "window"},
                 (struct wanted){.on_device = true, .offload = "image"}, l,
                 message(l, "window by window"), message(l, "the whole image at once"), c);
}

void claim_pinned(const struct experiment *e, const struct language *l, struct claim *c)
{
    claim_versus(e, (struct wanted){.on_device = true, .offload = "image", .also = is_pageable},
                 (struct wanted){.on_device = true, .offload = "image", .also = is_pinned}, l,
                 message(l, "pageable memory"), message(l, "pinned memory"), c);
}

static void claim_filter(const struct experiment *e, const char *offload, const struct language *l,
                         struct claim *c)
{
    claim_versus(e, (struct wanted){.on_device = true, .offload = offload, .also = is_transferred},
                 (struct wanted){.on_device = true, .offload = offload, .also = is_constant}, l,
                 message(l, "a transferred filter"), message(l, "one in constant memory"), c);
}

void claim_filter_window(const struct experiment *e, const struct language *l, struct claim *c)
{
    claim_filter(e, "window", l, c);
}

void claim_filter_image(const struct experiment *e, const struct language *l, struct claim *c)
{
    claim_filter(e, "image", l, c);
}

/* ---- moving data ----------------------------------------------------------------------------- */

void claim_transfers(const struct experiment *e, const struct language *l, struct claim *c)
{
    const struct analysis *a = &e->analysis;
    const struct point *most = NULL, *least = NULL;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (!evidence_fits(p, &(struct wanted){.on_device = true}) || isnan(p->transfer_share))
            continue;
        const double share = p->transfer_share;
        most = !most || evidence_is_larger(p, share, most, most->transfer_share) ? p : most;
        least = !least || evidence_is_larger(p, -share, least, -least->transfer_share) ? p : least;
    }
    if (!most) {
        refuse_gpu(c, l);
        return;
    }
    claim_title(c, l, "Moving data takes %{least} to %{most} of the time",
                WITH({"least", number_percent(l, least->transfer_share).text},
                     {"most", number_percent(l, most->transfer_share).text}));
    claim_say(
        c, l,
        "Moving data takes from %{least} (%{least_method} %{least_offload}, %{least_problem}) to "
        "%{most} (%{most_method} %{most_offload}, %{most_problem}) of the total time.",
        WITH({"least", number_percent(l, least->transfer_share).text},
             {"least_method", method_of(least)},
             {"least_offload", least->samples->identity.offload},
             {"least_problem", words_problem(least, l).text},
             {"most", number_percent(l, most->transfer_share).text},
             {"most_method", method_of(most)}, {"most_offload", most->samples->identity.offload},
             {"most_problem", words_problem(most, l).text}));
    claim_plain(c, l,
                "Moving data between processor and GPU takes up to about %{time} of each minute.",
                WITH({"time", number_about_seconds(l, 60.0 * most->transfer_share).text}));
    evidence_add(c->rows, &c->count, CLAIM_ROWS, least);
    evidence_add(c->rows, &c->count, CLAIM_ROWS, most);
}
