/* Steps of training: their parts at the smallest and at the largest batch, and their ranks. */
#include "experiments/analysis/selections/training.h"

#include "experiments/analysis/phase_time.h"
#include "experiments/analysis/selections/columns.h"
#include "experiments/samples/point.h"
#include "harness/base/text/messages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- parts of a step ------------------------------------------------------------------------- */

/* True for points of ours, in one process on the processor. */
static bool has_parts(const struct point *p)
{
    static const struct wanted any = {0};
    const struct record *r = identity_of(p);
    return evidence_fits(p, &any) && r->network[0] && point_trains(r) && !point_has_ranks(r) &&
           !point_is_on_device(r) && !p->shares_cores;
}

/* One network and method with that number of threads, in its smallest and its largest batch. */
struct batches {
    const struct point *small, *large;
};

static struct batches batches_of(const struct analysis *a, const struct point *one)
{
    struct batches b = {one, one};
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (!has_parts(p) || p->workers != one->workers ||
            strcmp(method_of(p), method_of(one)) != 0 ||
            strcmp(identity_of(p)->network, identity_of(one)->network) != 0)
            continue;
        if (record_images(identity_of(p)) < record_images(identity_of(b.small)))
            b.small = p;
        if (record_images(identity_of(p)) > record_images(identity_of(b.large)))
            b.large = p;
    }
    return b;
}

/* The most threads that a network has in two different batches. */
static double most_workers(const struct analysis *a)
{
    double most = 0.0;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (has_parts(p) && p->workers > most && batches_of(a, p).small != batches_of(a, p).large)
            most = p->workers;
    }
    return most;
}

/* Orders by hidden layers, parameters, network, method, independently of the file's order. */
static int by_size(const void *x, const void *y)
{
    const struct point *p = ((const struct batches *)x)->small,
                       *q = ((const struct batches *)y)->small;
    const double keys[][2] = {
        {point_hidden_layers(identity_of(p)), point_hidden_layers(identity_of(q))},
        {point_parameter_bytes(identity_of(p)), point_parameter_bytes(identity_of(q))},
        {(double)strcmp(identity_of(p)->network, identity_of(q)->network), 0.0},
        {(double)strcmp(method_of(p), method_of(q)), 0.0}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

/* Keeps one entry per network, that of the last method; returns their number. */
static size_t keep_last_methods(struct batches *all, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (i + 1 == count ||
            strcmp(identity_of(all[i].small)->network, identity_of(all[i + 1].small)->network) != 0)
            all[kept++] = all[i];
    return kept;
}

/* The deepest networks with two batches and the most threads, in ascending parameters; the choice
 * does not depend on times. The caller frees them; *count is 0 if there are none. */
static struct batches *find_batches(const struct analysis *a, size_t *count)
{
    const double most = most_workers(a);
    struct batches *all = calloc(a->point_count + 1, sizeof *all);
    size_t found = 0, deepest = 0;
    for (size_t i = 0; all && i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        const struct batches none_of = {NULL, NULL},
                             b = has_parts(p) && p->workers == most ? batches_of(a, p) : none_of;
        if (b.small == p && b.large != p)
            all[found++] = b;
    }
    *count = 0;
    if (found > 0) {
        qsort(all, found, sizeof *all, by_size);
        found = keep_last_methods(all, found);
        const int depth = point_hidden_layers(identity_of(all[found - 1].small));
        while (point_hidden_layers(identity_of(all[deepest].small)) < depth)
            deepest++;
        *count = found - deepest;
        memmove(all, all + deepest, *count * sizeof *all);
    }
    return all;
}

static const struct columns_bar parts_bar = {
    .label = N_("%{network}, batch %{batch}"),
    .shares = true,
    .parts = {{"forward_s", N_("forward"), 0x0072B2},
              {"backward_s", N_("backward"), 0x56B4E9},
              {"loss_s", N_("loss"), 0xE69F00},
              {"update_s", N_("update"), 0xCC79A7},
              {NULL, N_("rest"), 0xC8C8C8}},
};

/* Draws both batches of the smallest network, the middle one and the largest. */
static void draw_batches(const struct analysis *a, const struct batches *all, size_t count,
                         const struct language *l, struct selection *out)
{
    const size_t shown[] = {0, (count - 1) / 2, count - 1};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        if (i > 0 && shown[i] == shown[i - 1])
            continue;
        columns_draw_bar(a, all[shown[i]].small, &parts_bar, l, out);
        columns_draw_bar(a, all[shown[i]].large, &parts_bar, l, out);
    }
}

/* Names the share of a phase in both batches; returns its quotient, of the smaller batch's. */
static double name_shares(const struct analysis *a, const struct batches *b, enum phase phase,
                          const char *const roles[2], struct interval *times, struct selection *out)
{
    struct estimate small = point_phase_share(&a->samples, b->small, phase),
                    large = point_phase_share(&a->samples, b->large, phase);
    const double quotient = small.value / large.value;
    *times = estimate_ratio_interval(&small, &large);
    if (small.value > 0.0 && large.value > 0.0) {
        selection_number(out, roles[0], b->small, small.value, small.interval);
        selection_number(out, roles[1], b->large, large.value, large.interval);
    }
    estimate_free(&small);
    estimate_free(&large);
    return quotient;
}

static void name_batches(const struct analysis *a, const struct batches *b, struct selection *out)
{
    static const struct {
        enum phase phase;
        const char *roles[2];
    } others[] = {{PHASE_FORWARD, {"forward", "large_forward"}},
                  {PHASE_BACKWARD, {"backward", "large_backward"}},
                  {PHASE_LOSS, {"loss", "large_loss"}}};
    struct interval times, unused;
    const double quotient =
        name_shares(a, b, PHASE_UPDATE, (const char *const[]){"small", "large"}, &times, out);
    if (!selection_find(out, "small")) {
        out->lack = N_("the parts of its steps were not clocked");
        return;
    }
    out->finding = times.lower > 1.0 ? "weighs_more" : "unseen";
    selection_value(out, "times", quotient, times, QUANTITY_NUMBER);
    selection_count(out, "small_batch", record_count(record_images(identity_of(b->small))));
    selection_count(out, "large_batch", record_count(record_images(identity_of(b->large))));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        name_shares(a, b, others[i].phase, others[i].roles, &unused, out);
    selection_list(out, b->small);
    selection_list(out, b->large);
}

void training_name_parts(const struct experiment *e, const struct language *l,
                         struct selection *out)
{
    size_t count;
    struct batches *all = find_batches(&e->analysis, &count);
    out->lack = count > 0 ? NULL : N_("two batches of one network are needed");
    if (count > 0) {
        draw_batches(&e->analysis, all, count, l, out);
        name_batches(&e->analysis, &all[(count - 1) / 2], out);
    }
    free(all);
}

/* ---- ranks ----------------------------------------------------------------------------------- */

/* True for training steps of ours, not of another library. */
static bool is_step(const struct point *p)
{
    return identity_of(p)->network[0] && point_trains(identity_of(p)) && !p->peer;
}

static bool is_of(const struct point *p, const char *strategy)
{
    return is_step(p) && evidence_usable(p) && strcmp(identity_of(p)->strategy, strategy) == 0;
}

/* The point of that strategy with the network and images of `like` (NULL: any) and one worker, or
 * else the most workers. */
static const struct point *find_ranks(const struct experiment *e, const char *strategy, bool one,
                                      const struct point *like)
{
    const struct point *best = NULL;
    for (size_t i = 0; i < e->analysis.point_count; i++) {
        const struct point *p = &e->analysis.points[i];
        const bool fits = is_of(p, strategy) && (one ? p->workers == 1.0 : p->workers > 1.0) &&
                          !p->shares_cores &&
                          (!like || point_same_network(identity_of(p), identity_of(like)));
        if (fits && (!best || p->workers > best->workers))
            best = p;
    }
    return best;
}

static double exchange_share(const struct point *p)
{
    return p->phase[PHASE_EXCHANGE] / p->phase[PHASE_TOTAL];
}

static void name_exchange(const char *role, const struct point *p, struct selection *out)
{
    selection_number(out, role, p, exchange_share(p), no_interval);
}

void training_name_phases(const struct experiment *e, const struct language *l,
                          struct selection *out)
{
    const struct analysis *a = &e->analysis;
    const struct point *many = find_ranks(e, "mirrored", false, NULL),
                       *one = many ? find_ranks(e, "mirrored", true, many) : NULL,
                       *central = one ? find_ranks(e, "central", false, many) : NULL;
    (void)l;
    if (selection_lacks(out, !one,
                        N_("one rank and several, at most as many as cores, are needed")))
        return;
    const struct choice of = choice_given(many);
    selection_time(out, "many", &of, &many->seconds[METRIC_TOTAL]);
    selection_count(out, "ranks", many->workers);
    selection_longer(out, "times", a, one, many);
    name_exchange("exchange", many, out);
    selection_value(out, "minute", 60.0 * exchange_share(many), no_interval, QUANTITY_TOTAL);
    selection_list(out, many);
    selection_list(out, one);
    if (!central || central->workers != many->workers)
        return;
    selection_longer(out, "longer", a, central, many);
    name_exchange("central", central, out);
    selection_list(out, central);
}

/* ---- simulated ranks ------------------------------------------------------------------------- */

static bool is_simulated_step(const struct point *p)
{
    return is_step(p) && p->trust == TRUST_SIMULATED && p->seconds[METRIC_TOTAL].value > 0.0;
}

/* True for points that differ only in ranks and strategy: the same network, batch, shards and
 * machine. */
static bool same_curve(const struct point *a, const struct point *b)
{
    return point_same_network(identity_of(a), identity_of(b)) &&
           identity_of(a)->shards == identity_of(b)->shards &&
           strcmp(identity_of(a)->platform, identity_of(b)->platform) == 0;
}

/* The gain from more ranks on one curve. Beyond `enough`, each doubling gains less than a tenth. */
struct gain {
    const struct point *one, *enough, *most;
};

static const struct point *next_ranks(const struct experiment *e, const char *strategy,
                                      const struct point *like, double beyond)
{
    const struct point *next = NULL;
    for (size_t i = 0; i < e->analysis.point_count; i++) {
        const struct point *p = &e->analysis.points[i];
        if (is_simulated_step(p) && same_curve(p, like) &&
            strcmp(identity_of(p)->strategy, strategy) == 0 && p->workers > beyond &&
            (!next || p->workers < next->workers))
            next = p;
    }
    return next;
}

static struct gain gain_of(const struct experiment *e, const char *strategy,
                           const struct point *like)
{
    const struct point *one = next_ranks(e, strategy, like, 0.0), *next = one;
    struct gain g = {.one = one, .enough = one, .most = one};
    while (next && (next = next_ranks(e, strategy, like, g.most->workers))) {
        const double tenth = pow(0.9, log2(next->workers / g.enough->workers));
        if (next->seconds[METRIC_TOTAL].value < tenth * g.enough->seconds[METRIC_TOTAL].value)
            g.enough = next;
        g.most = next;
    }
    return g;
}

/* A curve with both strategies, the one with the most ranks. */
static const struct point *find_curve(const struct experiment *e, struct gain *mirrored,
                                      struct gain *central)
{
    const struct point *best = NULL;
    for (size_t i = 0; i < e->analysis.point_count; i++) {
        const struct point *p = &e->analysis.points[i];
        const struct gain m = is_simulated_step(p) ? gain_of(e, "mirrored", p) : (struct gain){0};
        const struct gain c = m.one ? gain_of(e, "central", p) : (struct gain){0};
        if (!m.one || !c.one || m.most == m.one || c.most == c.one ||
            (best && m.most->workers <= mirrored->most->workers))
            continue;
        best = p;
        *mirrored = m;
        *central = c;
    }
    return best;
}

static double faster(const struct gain *g)
{
    return g->one->seconds[METRIC_TOTAL].value / g->enough->seconds[METRIC_TOTAL].value;
}

static void name_gain(const char *role, const struct gain *g, struct selection *out)
{
    selection_number(out, role, g->enough, faster(g), no_interval)->x = g->enough->workers;
}

/* Names the curve with the most ranks among the others: the thousand ranks, simulated for central
 * only. */
static void name_furthest(const struct experiment *e, const struct point *like,
                          const struct language *l, struct selection *out)
{
    const struct point *furthest = NULL;
    for (size_t i = 0; i < e->analysis.point_count; i++) {
        const struct point *p = &e->analysis.points[i];
        if (is_simulated_step(p) && !same_curve(p, like) &&
            (!furthest || p->workers > furthest->workers))
            furthest = p;
    }
    if (!furthest)
        return;
    const struct gain g = gain_of(e, identity_of(furthest)->strategy, furthest);
    name_gain("furthest", &g, out);
    selection_label(out, "furthest_platform", identity_of(furthest)->platform);
    selection_label(out, "furthest_strategy",
                    strcmp(identity_of(furthest)->strategy, "central") == 0
                        ? "central"
                        : message(l, "mirrored"));
    selection_count(out, "furthest_images", record_count(record_images(identity_of(furthest))));
    selection_count(out, "furthest_ranks", g.most->workers);
    selection_list(out, furthest);
}

void training_name_ranks(const struct experiment *e, const struct language *l,
                         struct selection *out)
{
    struct gain mirrored = {.one = NULL}, central = {.one = NULL};
    const struct point *curve = find_curve(e, &mirrored, &central);
    if (selection_lacks(out, !curve, N_("no ranks were simulated under both strategies")))
        return;
    selection_point(out, "curve", curve, record_count(record_images(identity_of(curve))));
    selection_label(out, "platform", identity_of(curve)->platform);
    name_gain("central", &central, out);
    name_gain("mirrored", &mirrored, out);
    selection_label(out, central.enough == central.most ? "central_all" : "central_some", "");
    selection_label(out, mirrored.enough == mirrored.most ? "mirrored_all" : "mirrored_some", "");
    selection_number(out, "exchange", mirrored.most, exchange_share(mirrored.most), no_interval)
        ->x = mirrored.most->workers;
    selection_list(out, mirrored.enough);
    selection_list(out, central.enough);
    name_furthest(e, curve, l, out);
}
