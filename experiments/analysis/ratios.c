/* Peers compared with our methods: for each problem that a peer and one of our methods solved with
 * the same number of workers, the ratio of their times. */
#include "experiments/analysis/best/with_best.h"
#include "experiments/common/text/distinct.h"
#include "experiments/definition/definition.h"
#include "experiments/definition/shapes.h"
#include "experiments/samples/point.h"
#include "harness/base/text/fit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- which points a peer is compared with ---------------------------------------------------- */

/* Both on a GPU, or both in one memory with the same number of workers and the same --isa. */
static bool same_place(const struct point *p, const struct point *q)
{
    const struct record *r = &p->samples->identity, *s = &q->samples->identity;
    if (point_is_on_device(r) || point_is_on_device(s))
        return point_is_on_device(r) && point_is_on_device(s);
    return !point_has_ranks(r) && !point_has_ranks(s) && p->workers == q->workers &&
           strcmp(r->isa_limit, s->isa_limit) == 0;
}

static double total(const struct point *p)
{
    return p->seconds[METRIC_TOTAL].value;
}

static bool is_usable(const struct point *p)
{
    return p->trust != TRUST_INVALID && total(p) > 0.0;
}

/* One of our points with the same problem and place; it does the product if the peer does. */
static bool is_counterpart(const struct point *peer, const struct point *p)
{
    return !p->peer && is_usable(p) && (!peer->product || p->product) && same_place(peer, p) &&
           analysis_same_problem(peer, p);
}

/* A counterpart that the peer is compared with: times are comparable only if the errors are
 * similar. */
static bool is_rival(const struct point *peer, const struct point *p)
{
    return is_counterpart(peer, p) && point_errors_similar(peer, p);
}

static bool has_counterpart(const struct analysis *a, const struct point *peer)
{
    bool found = false;
    for (size_t i = 0; i < a->point_count && !found; i++)
        found = is_counterpart(peer, &a->points[i]);
    return found;
}

/* Chooses the fastest of ours; `candidates` is workspace. */
static struct choice find_ours(const struct analysis *a, const struct point *peer,
                               const struct point **candidates)
{
    size_t count = 0;
    for (size_t i = 0; i < a->point_count; i++)
        if (is_rival(peer, &a->points[i]))
            candidates[count++] = &a->points[i];
    return choice_of(&a->samples, candidates, count);
}

/* Number of our methods that it is the fastest of: the winner depends on who took part. */
static size_t count_methods(const struct analysis *a, const struct point *peer)
{
    size_t methods = 0;
    for (size_t i = 0; i < a->point_count; i++) {
        bool counted = !is_rival(peer, &a->points[i]);
        for (size_t j = 0; j < i && !counted; j++)
            counted =
                is_rival(peer, &a->points[j]) && strcmp(a->points[i].samples->identity.method,
                                                        a->points[j].samples->identity.method) == 0;
        methods += !counted;
    }
    return methods;
}

/* Another library's point with the same problem, place and kind of work. */
static bool is_fellow(const struct point *peer, const struct point *p)
{
    return p->peer && is_usable(p) && p->product == peer->product && same_place(peer, p) &&
           point_errors_similar(peer, p) && analysis_same_problem(peer, p);
}

/* The total time of the point's fastest launch, or of its slowest; 0 if it has none. */
static double extreme_launch(const struct point *p, bool slowest)
{
    double extreme = 0.0;
    for (size_t i = 0; i < p->samples->count; i++) {
        const double time = p->medians[METRIC_TOTAL][i];
        if (time > 0.0 && (extreme <= 0.0 || (slowest ? time > extreme : time < extreme)))
            extreme = time;
    }
    return extreme;
}

/* True if each launch of the point took longer than every launch of some other fellow of the peer.
 * Doubt about the other does not make this point the fastest. */
static bool is_outdone(const struct analysis *a, const struct point *peer, const struct point *p)
{
    const double least = extreme_launch(p, false);
    bool outdone = false;
    for (size_t i = 0; i < a->point_count && !outdone; i++) {
        const struct point *other = &a->points[i];
        outdone = is_fellow(peer, other) && extreme_launch(other, true) < least;
    }
    return outdone;
}

/* Chooses the fastest library of the problem, with `candidates` as workspace; different rounds
 * choose and time it. */
static struct choice find_fastest(const struct analysis *a, const struct point *peer,
                                  const struct point **candidates)
{
    size_t count = 0;
    for (size_t i = 0; i < a->point_count; i++)
        if (is_fellow(peer, &a->points[i]) && !is_outdone(a, peer, &a->points[i]))
            candidates[count++] = &a->points[i];
    return choice_of(&a->samples, candidates, count);
}

/* ---- what a problem is called --------------------------------------------------------------- */

/* Writes the name that the definition gives to this shape. Returns its place among all names, from
 * 1, or 0 if it has none. */
static size_t name_shape(const struct definition *d, const struct record *r, char *text,
                         size_t size)
{
    size_t place = 0;
    for (size_t i = 0; d && i < d->sweep_count; i++)
        for (size_t j = 0; j < d->sweeps[i].axis_count; j++) {
            const struct axis_values *axis = &d->sweeps[i].axes[j];
            struct shape shape;
            for (size_t k = 0; axis->column == AXIS_SHAPES && k < axis->values.count; k++)
                if (++place && shape_parse(axis->values.items[k], &shape) && shape_is(&shape, r)) {
                    snprintf(text, size, "%s", shape.name);
                    return place;
                }
        }
    return 0;
}

/* "resnet18 224 x 224 batch 16": without commas, for charts */
static void describe_network(const struct record *r, char *text, size_t size)
{
    char network[91], batch[32] = "", side[48] = "";
    text_distinct(network, sizeof network, r->network);
    if (record_images(r) > 1)
        snprintf(batch, sizeof batch, " batch %" PRId64, record_images(r));
    if (r->planes != 1 || r->rows == r->cols) /* vectors are rows of one plane */
        snprintf(side, sizeof side, " %" PRId64 " x %" PRId64, r->rows, r->cols);
    snprintf(text, size, "%s%s%s", network, side, batch);
}

/* "1536 x 55 x 55, k=3 s=2 p=0", without default values; without a window "matmul 1024 x 1024". */
static void describe_shape(const struct record *r, char *text, size_t size)
{
    char planes[24] = "", window[64] = "", padding[24] = "", filters[32] = "", gradient[40] = "";
    char operator_name[40] = "";
    if (r->kernel <= 0)
        text_fit_format(operator_name, sizeof operator_name, "%s ", r->operator_name);
    if (r->planes > 1)
        snprintf(planes, sizeof planes, "%" PRId64 " x ", r->planes);
    if (r->padding > 0)
        snprintf(padding, sizeof padding, " p=%" PRId64, r->padding);
    if (r->kernel > 0)
        snprintf(window, sizeof window, ", k=%" PRId64 " s=%" PRId64 "%s", r->kernel, r->stride,
                 padding);
    if (r->filters > 0)
        snprintf(filters, sizeof filters, ", %" PRId64 " filters", r->filters);
    if (r->gradient[0] && strcmp(r->gradient, "none") != 0)
        text_fit_format(gradient, sizeof gradient, ", gradient of %s", r->gradient);
    snprintf(text, size, "%s%s%" PRId64 " x %" PRId64 "%s%s%s", operator_name, planes, r->rows,
             r->cols, window, filters, gradient);
}

/* ---- the ratios ----------------------------------------------------------------------------- */

/* A library reported because it is the fastest is tested by rounds that did not choose it. */
static struct ratio make_ratio(const struct analysis *a, size_t peer, const struct choice *ours,
                               const struct choice *fastest, const struct definition *d)
{
    const struct point *p = &a->points[peer], *q = ours->point;
    const struct record *r = &p->samples->identity;
    const struct choice theirs = choice_given(p), *tested = fastest->point == p ? fastest : &theirs;
    const struct comparison_of_points c = compare_choices(&a->samples, &theirs, ours, METRIC_TOTAL);
    struct ratio ratio = {.peer = peer,
                          .ours = (size_t)(q - a->points),
                          .methods = count_methods(a, p),
                          .timed = {ours->timed[0], ours->timed[1]},
                          .ours_s = choice_seconds(&a->samples, ours, METRIC_TOTAL).value,
                          .value = c.value,
                          .interval = c.interval,
                          .pairs = c.pairs,
                          .p_value = choices_p_value(&a->samples, tested, ours, METRIC_TOTAL),
                          .trust = comparison_trust(p, q, &c),
                          .fastest = fastest->point == p};
    ratio.place = name_shape(d, r, ratio.shape, sizeof ratio.shape);
    ratio.named = ratio.place > 0;
    if (r->network[0])
        describe_network(r, ratio.shape, sizeof ratio.shape);
    else if (!ratio.named)
        describe_shape(r, ratio.shape, sizeof ratio.shape);
    return ratio;
}

/* Orders by the definition, because rounds are shuffled and the samples are not in its order.
 * Shapes without a name come last, in the order of measurement. */
static int by_place(const void *a, const void *b)
{
    const struct ratio *p = a, *q = b;
    const size_t first = p->place - 1, second = q->place - 1; /* none: the largest */
    return first != second ? (first > second) - (first < second)
                           : (p->peer > q->peer) - (p->peer < q->peer);
}

enum status analysis_ratios(struct analysis *a, const struct analysis_request *request,
                            struct failure *f)
{
    size_t peers = 0;
    for (size_t i = 0; i < a->point_count; i++)
        peers += a->points[i].peer;
    a->ratios = calloc(peers + 1, sizeof *a->ratios);
    const struct point **candidates = calloc(a->point_count + 1, sizeof *candidates);
    if (!a->ratios || !candidates) {
        free(candidates);
        return fail(f, STATUS_RESOURCE, "not enough memory for the ratios of %s", a->name);
    }
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (!p->peer || !is_usable(p))
            continue;
        const struct choice ours = find_ours(a, p, candidates);
        const struct choice fastest = find_fastest(a, p, candidates);
        if (ours.point)
            a->ratios[a->ratio_count++] = make_ratio(a, i, &ours, &fastest, request->definition);
        else
            a->dissimilar += has_counterpart(a, p);
    }
    free(candidates);
    qsort(a->ratios, a->ratio_count, sizeof *a->ratios, by_place);
    return STATUS_OK;
}
