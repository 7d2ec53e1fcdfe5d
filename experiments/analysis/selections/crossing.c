#include "experiments/analysis/selections/crossover.h"

#include "experiments/analysis/numbers.h"
#include "experiments/samples/point.h"
#include "harness/base/text/messages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double parameters_of(const struct point *p)
{
    return point_parameter_bytes(identity_of(p)) / sizeof(float);
}

/* ---- points ---------------------------------------------------------------------------------- */

/* Points of one task and one batch. */
struct candidates {
    const struct analysis *analysis;
    bool trains;
    int64_t batch;
    double most; /* largest number of threads */
};

/* True for points of a fully connected network in one process. */
static bool is_of_task(const struct candidates *s, const struct point *p)
{
    const struct record *r = identity_of(p);
    return r->network[0] && !point_has_ranks(r) && point_trains(r) == s->trains &&
           point_hidden_layers(r) > 0;
}

/* True for those of ours with a core per thread. */
static bool is_candidate(const struct candidates *s, const struct point *p)
{
    static const struct wanted any = {0};
    return is_of_task(s, p) && evidence_fits(p, &any) && !p->shares_cores;
}

static bool is_way(const struct candidates *s, const struct point *p, enum way way)
{
    const bool device = point_is_on_device(identity_of(p));
    switch (way) {
    case WAY_ONE_THREAD:
        return !device && p->workers == 1.0;
    case WAY_ALL_THREADS:
        return !device && p->workers == s->most && s->most > 1.0;
    case WAY_PROCESSOR:
        return !device;
    default:
        return device;
    }
}

static bool is_selected(const struct candidates *s, const struct point *p, enum way way)
{
    return is_candidate(s, p) && record_images(identity_of(p)) == s->batch && is_way(s, p, way);
}

static bool same_network(const struct point *p, const struct point *q)
{
    return strcmp(identity_of(p)->network, identity_of(q)->network) == 0;
}

/* Chooses the fastest point of a network, computed that way. */
static struct choice choose(const struct candidates *s, const struct point *network, enum way way)
{
    const struct analysis *a = s->analysis;
    const struct point **all = calloc(a->point_count + 1, sizeof *all);
    size_t count = 0;
    for (size_t i = 0; all && network && i < a->point_count; i++)
        if (same_network(&a->points[i], network) && is_selected(s, &a->points[i], way))
            all[count++] = &a->points[i];
    const struct choice choice = choice_of(&a->samples, all, count);
    free(all);
    return choice;
}

/* True for the first point of its network, computed that way. */
static bool is_first_of_network(const struct candidates *s, size_t i, enum way way)
{
    const struct point *points = s->analysis->points;
    if (!is_selected(s, &points[i], way))
        return false;
    for (size_t j = 0; j < i; j++)
        if (same_network(&points[j], &points[i]) && is_selected(s, &points[j], way))
            return false;
    return true;
}

/* ---- pairs ----------------------------------------------------------------------------------- */

/* Pairs the two ways of each network. */
static void pair_ways(const struct candidates *s, enum way first, enum way second,
                      struct crossover *out)
{
    for (size_t i = 0; i < s->analysis->point_count; i++) {
        const struct point *p = &s->analysis->points[i];
        if (!is_first_of_network(s, i, first))
            continue;
        const struct choice a = choose(s, p, first), b = choose(s, p, second);
        crossover_add(out, &s->analysis->samples, parameters_of(p), &a, &b);
    }
}

/* Of the networks with several hidden layers and more parameters than `wide`, returns the one with
 * the fewest parameters. */
static const struct point *next_deep(const struct candidates *s, const struct point *wide,
                                     enum way way)
{
    const struct point *next = NULL;
    for (size_t i = 0; i < s->analysis->point_count; i++) {
        const struct point *p = &s->analysis->points[i];
        if (is_selected(s, p, way) && point_hidden_layers(identity_of(p)) > 1 &&
            parameters_of(p) > parameters_of(wide) &&
            (!next || parameters_of(p) < parameters_of(next)))
            next = p;
    }
    return next;
}

/* Pairs each network of one hidden layer with the next larger one of several. */
static void pair_depths(const struct candidates *s, enum way way, enum way unused,
                        struct crossover *out)
{
    (void)unused;
    for (size_t i = 0; i < s->analysis->point_count; i++) {
        const struct point *p = &s->analysis->points[i];
        if (!is_first_of_network(s, i, way) || point_hidden_layers(identity_of(p)) != 1)
            continue;
        const struct choice wide = choose(s, p, way), deep = choose(s, next_deep(s, p, way), way);
        crossover_add(out, &s->analysis->samples, parameters_of(p), &wide, &deep);
    }
}

static bool compares_depths(const struct crossing *of)
{
    return of->first == of->second;
}

typedef void pair_function(const struct candidates *s, enum way first, enum way second,
                           struct crossover *out);

/* Selects the batch of point i. True if it is the first point of that batch, computed that way. */
static bool begins_batch(struct candidates *s, size_t i, enum way way)
{
    const struct point *points = s->analysis->points;
    s->batch = record_images(identity_of(&points[i]));
    if (!is_selected(s, &points[i], way))
        return false;
    for (size_t j = 0; j < i; j++)
        if (is_selected(s, &points[j], way))
            return false;
    return true;
}

/* The largest number of threads. */
static double most_threads(const struct candidates *s)
{
    double most = 0.0;
    for (size_t i = 0; i < s->analysis->point_count; i++)
        if (is_candidate(s, &s->analysis->points[i]))
            most = fmax(most, s->analysis->points[i].workers); /* ignores NaN, a GPU */
    return most;
}

/* Makes the pairs of the batch with the most pairs; of equal ones, the largest batch, to which it
 * sets the candidates. The caller releases the pairs. */
static void make_pairs(struct candidates *all, const struct crossing *of, struct crossover *out)
{
    const struct analysis *a = all->analysis;
    pair_function *pair = compares_depths(of) ? pair_depths : pair_ways;
    struct candidates s = *all;
    *out = (struct crossover){.count = 0};
    for (size_t i = 0; i < a->point_count; i++) {
        struct crossover own = {.lacks_memory = out->lacks_memory};
        if (!begins_batch(&s, i, of->first))
            continue;
        pair(&s, of->first, of->second, &own);
        if (own.count > out->count || (own.count == out->count && s.batch > all->batch)) {
            const struct crossover fewer = *out;
            *out = own;
            own = fewer;
            all->batch = s.batch;
        }
        out->lacks_memory = out->lacks_memory || own.lacks_memory;
        crossover_release(&own);
    }
    crossover_find(out);
}

/* ---- roles ----------------------------------------------------------------------------------- */

static void name_ways(const struct crossing *of, const struct crossover *x,
                      const struct language *l, struct selection *out)
{
    const struct words workers = words_workers(x->pairs[0].second.point, l);
    selection_label(out, "first", message(l, of->names[0]));
    selection_label(out, "second", of->names[1] ? message(l, of->names[1]) : workers.text);
    selection_count(out, "networks", (double)x->count);
    if (compares_depths(of)) {
        selection_label(out, "depths", "");
    } else {
        selection_label(out, "ways", "");
        selection_label(out, of->trains ? "training" : "inference", "");
    }
}

/* Names a pair by its first network, and the ratio of the two ways. */
static void name_pair(const struct crossing *of, const struct crossover_pair *p, const char *role,
                      const char *deep, const struct language *l, struct selection *out)
{
    const struct interval ratio = p->ratio.interval;
    const bool depths = compares_depths(of);
    struct selection_row *row = selection_name(out, role);
    snprintf(row->label, sizeof row->label, "%s", words_problem(p->first.point, l).text);
    row->x = p->parameters;
    row->quantity = QUANTITY_TOTAL_RATIO;
    row->y = depths ? p->ratio.value : 1.0 / p->ratio.value;
    row->ends = depths ? ratio : (struct interval){1.0 / ratio.upper, 1.0 / ratio.lower};
    row->of = depths ? p->first : p->second;
    row->against = depths ? p->second : p->first;
    if (depths) {
        row = selection_name(out, deep);
        snprintf(row->label, sizeof row->label, "%s", identity_of(p->second.point)->network);
        row->x = parameters_of(p->second.point);
    }
}

/* Names the parameters on either side of a change that is no simple crossover: where the samples
 * decide, one way takes less up to the first, the other from the second on. */
static void name_change(const struct crossover *x, bool back, struct selection *out)
{
    char first[320], second[320];
    snprintf(first, sizeof first, "%s", selection_find(out, "first")->label);
    snprintf(second, sizeof second, "%s", selection_find(out, "second")->label);
    selection_label(out, "nearer", back ? second : first)->x = x->pairs[x->before].parameters;
    selection_label(out, "farther", back ? first : second)->x = x->pairs[x->after].parameters;
    out->finding = "apart";
}

/* Finds where the ways cross, and names the parameters there. */
static void find_crossing(const struct crossover *x, struct selection *out)
{
    const bool back = x->changes == 1 && crossover_is_significant(&x->pairs[x->before], true);
    const bool begins = x->first > 0, ends = x->second < x->count;
    selection_count(out, "low", x->pairs[begins ? x->first - 1 : 0].parameters);
    selection_count(out, "high", x->pairs[ends ? x->second : x->count - 1].parameters);
    if (x->changes > 1)
        out->finding = "changes";
    else if (back || (x->changes == 1 && !begins && !ends))
        name_change(x, back, out);
    else if (x->second == 0 || x->first == x->count)
        out->finding = x->second == 0 ? "second" : "first";
    else
        out->finding = begins && ends ? "between" : ends ? "from" : begins ? "up_to" : "unseen";
}

/* Lists the points of the smallest and the largest pair, and those next to the crossover. */
static void list_pairs(const struct crossover *x, struct selection *out)
{
    const size_t below = x->first > 0 ? x->first - 1 : 0;
    const size_t pairs[] = {0, below, x->second < x->count ? x->second : 0, x->count - 1};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        selection_list(out, x->pairs[pairs[i]].first.point);
        selection_list(out, x->pairs[pairs[i]].second.point);
    }
}

static void name_roles(const struct crossing *of, const struct crossover *x,
                       const struct language *l, struct selection *out)
{
    const struct crossover_pair *large = &x->pairs[x->count - 1];
    const struct comparison_of_points *r = &large->ratio;
    const bool depths = compares_depths(of);
    const struct interval inverse = {1.0 / r->interval.upper, 1.0 / r->interval.lower};
    name_ways(of, x, l, out);
    name_pair(of, &x->pairs[0], "small", "small_deep", l, out);
    name_pair(of, large, "large", "large_deep", l, out);
    find_crossing(x, out);
    selection_minute(out, depths ? 1.0 / r->value : r->value, depths ? inverse : r->interval);
    list_pairs(x, out);
}

/* ---- the chart ------------------------------------------------------------------------------- */

/* "2 workers", "GPU"; "" where both ways are the same. */
static struct words way_text(const struct crossing *of, const struct point *p,
                             const struct language *l)
{
    struct words w = {""};
    if (of->first == WAY_ONE_THREAD && p->workers != 1.0)
        message_format(w.text, sizeof w.text, l, "%{workers} workers",
                       WITH({"workers", number_text("%.0f", p->workers).text}));
    else if (of->first == WAY_ONE_THREAD)
        snprintf(w.text, sizeof w.text, "%s", message(l, "1 worker"));
    else if (!compares_depths(of))
        snprintf(w.text, sizeof w.text, "%s",
                 point_is_on_device(identity_of(p)) ? "GPU" : message(l, "processor"));
    return w;
}

/* Draws a point, a line for each way and number of hidden layers, a colour for each number. */
static void draw_point(const struct candidates *s, const struct crossing *of, const struct point *p,
                       const struct language *l, struct selection *out)
{
    static const unsigned colours[] = {0x0072B2, 0xD55E00, 0x009E73};
    const int layers = point_hidden_layers(identity_of(p));
    const struct words way = way_text(of, p, l);
    struct words series;
    message_format(series.text, sizeof series.text, l,
                   way.text[0] ? N_("%{way}, hidden layers: %{layers}")
                               : N_("hidden layers: %{layers}"),
                   WITH({"way", way.text}, {"layers", number_text("%d", layers).text}));
    struct selection_row *row =
        selection_draw(out, s->analysis, p, 1, "parameter_bytes", "total_s", series.text);
    if (!row)
        return;
    row->colour = colours[layers < 3 ? layers - 1 : 2];
    row->dash = !compares_depths(of) && is_way(s, p, of->dashed) ? 2 : 1;
}

/* True for the point that a way of its network is timed by, and for a wrong one of that way. */
static bool is_drawn(const struct candidates *s, const struct point *p, enum way way)
{
    if (p->trust == TRUST_INVALID)
        return is_of_task(s, p) && record_images(identity_of(p)) == s->batch && is_way(s, p, way);
    return is_selected(s, p, way) && choose(s, p, way).point == p;
}

static void draw_points(const struct candidates *s, const struct crossing *of,
                        const struct language *l, struct selection *out)
{
    for (size_t i = 0; i < s->analysis->point_count; i++) {
        const struct point *p = &s->analysis->points[i];
        if (is_drawn(s, p, of->first) || is_drawn(s, p, of->second))
            draw_point(s, of, p, l, out);
    }
}

/* ---- the selection --------------------------------------------------------------------------- */

static bool has_gpu(const struct candidates *s)
{
    bool found = false;
    for (size_t i = 0; i < s->analysis->point_count; i++)
        found = found || (is_candidate(s, &s->analysis->points[i]) &&
                          is_way(s, &s->analysis->points[i], WAY_GPU));
    return found;
}

/* The reason why the pairs give no answer; NULL: none. */
static const char *lack_of(const struct candidates *s, const struct crossing *of,
                           const struct crossover *x)
{
    if (x->lacks_memory)
        return N_("not enough memory");
    if (x->count < 2)
        return of->second == WAY_GPU && !has_gpu(s) ? N_("no GPU was measured") : of->few;
    return x->known > 0 ? NULL : N_("three rounds in common are needed");
}

void select_crossing(const struct experiment *e, const void *parameters, const struct language *l,
                     struct selection *out)
{
    const struct crossing *of = parameters;
    struct candidates s = {.analysis = &e->analysis, .trains = of->trains};
    struct crossover x;
    s.most = most_threads(&s);
    make_pairs(&s, of, &x);
    out->lack = lack_of(&s, of, &x);
    if (!out->lack) {
        draw_points(&s, of, l, out);
        selection_count(out, "batch", (double)s.batch);
        name_roles(of, &x, l, out);
    }
    crossover_release(&x);
}
