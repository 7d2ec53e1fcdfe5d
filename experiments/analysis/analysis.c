#include "experiments/analysis/analysis.h"

#include "experiments/analysis/trust/launch_load.h"
#include "experiments/definition/definition.h"
#include "experiments/plan/simulated.h"
#include "experiments/samples/point.h"
#include "experiments/samples/usage.h"
#include "networks/point/record_subject.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const metric_names[METRICS] = {"compute", "total"};
const char *const curve_names[CURVE_KINDS] = {"workers", "weak",   "growth", "kernel",
                                              "shape",   "stride", "padding"};

/* Source of the hash: Fowler, Noll & Vo, draft-eastlake-fnv (32 bits). */
unsigned long point_seed(const char *key)
{
    uint32_t sum = 0x811c9dc5u;
    for (; *key; key++)
        sum = (sum ^ (unsigned char)*key) * 0x01000193u;
    return sum;
}

/* Returns the method of a record, from its operator's table or from the peers' (*peer is then
 * true), or NULL if neither has it. */
static const struct method *method_of(struct point_kind kind, const struct record *r, bool *peer)
{
    const enum space_kind space = kind.space ? kind.space->kind : SPACE_HOST;
    const struct operator_row *o = kind.operator_row;
    const struct method *ours = o ? operator_method(o, space, r->method) : NULL;
    const struct method *theirs = o && !ours ? recorded_peer(o, r->method) : NULL;
    *peer = theirs != NULL;
    return ours ? ours : theirs;
}

static double count_outputs(const struct operator_row *o, const struct record *r)
{
    struct operation op;
    return o && recorded_operation(&op, o, r).kind == REFUSAL_NONE ? (double)shape_elements(op.map)
                                                                   : NAN;
}

static void describe(struct point *p)
{
    const struct record *r = &p->samples->identity;
    point_label(r, p->label, sizeof p->label);
    const struct point_kind kind = point_record_kind(r);
    const struct method *method = method_of(kind, r, &p->peer);
    p->kind = kind.operator_row;
    p->product = !method || method->product;
    p->workers = point_is_on_device(r) ? NAN : record_count(r->ranks) * record_count(r->threads);
    /* the size of a program of another is recorded as rows of one column */
    p->size = r->rows == r->cols || point_is_own_program(r) ? record_number(r->rows) : NAN;
    p->elements = record_count(r->planes) * record_number(r->rows) * record_number(r->cols);
    p->windows = count_outputs(p->kind, r);
    p->need = need_of(r, p->product);
    p->bytes = need_bytes(&p->need);
}

/* Workspace for the samples of one point, grouped by launch. */
struct scratch {
    double *values, *medians;
    struct launch_values *launches;
};

/* Gathers one phase of a point, launch by launch. Returns the number of values. */
static size_t gather(const struct samples *s, const struct point_samples *p, enum phase phase,
                     struct scratch *scratch)
{
    size_t n = 0;
    for (size_t i = 0; i < p->count; i++) {
        struct launch_values *l = &scratch->launches[i];
        l->values = scratch->values + n;
        l->count = samples_phase(s, &s->launches[p->first + i], phase, l->values);
        n += l->count;
    }
    return n;
}

/* Gathers the product's share of each sample's compute time, launch by launch. */
static void gather_share(const struct samples *s, const struct point_samples *p,
                         struct scratch *scratch)
{
    size_t n = 0;
    for (size_t i = 0; i < p->count; i++) {
        const struct launch *launch = &s->launches[p->first + i];
        struct launch_values *l = &scratch->launches[i];
        *l = (struct launch_values){scratch->values + n, 0};
        for (size_t j = 0; launch_counts(launch) && j < launch->count; j++) {
            const double *seconds = s->samples[launch->first + j].seconds;
            double share = seconds[PHASE_PRODUCT] / seconds[PHASE_COMPUTE];
            if (isfinite(share))
                l->values[l->count++] = share;
        }
        n += l->count;
    }
}

/* Returns the median of each launch gathered last, or NULL if memory runs out. */
static double *launch_medians(const struct point_samples *p, const struct scratch *scratch)
{
    double *medians = malloc((p->count + 1) * sizeof *medians);
    for (size_t i = 0; medians && i < p->count; i++)
        medians[i] = median_of(scratch->launches[i].values, scratch->launches[i].count);
    return medians;
}

/* Looks for modes among the launches, otherwise among the samples, which are sorted. */
static struct modes find_modes(const double *medians, size_t launches, const double *samples,
                               size_t count, double *workspace)
{
    size_t n = 0;
    for (size_t i = 0; i < launches; i++)
        if (!isnan(medians[i]))
            workspace[n++] = medians[i];
    sort_samples(workspace, n);
    const struct modes modes = modes_of(workspace, n);
    return modes.two ? modes : modes_of(samples, count);
}

static double phase_median(const struct samples *s, const struct point_samples *p, enum phase phase,
                           struct scratch *scratch)
{
    if (gather(s, p, phase, scratch) == 0)
        return NAN;
    size_t n = 0;
    for (size_t i = 0; i < p->count; i++)
        if (scratch->launches[i].count)
            scratch->medians[n++] =
                median_of(scratch->launches[i].values, scratch->launches[i].count);
    return median_of(scratch->medians, n);
}

static int measure(struct point *p, const struct samples *s, struct scratch *scratch, gsl_rng *rng)
{
    static const enum phase phase_of[METRICS] = {PHASE_COMPUTE, PHASE_TOTAL};
    const struct point_samples *from = p->samples;
    for (size_t m = 0; m < METRICS; m++) {
        size_t n = gather(s, from, phase_of[m], scratch);
        if (estimate_make(&p->seconds[m], scratch->launches, from->count, rng) != 0)
            return -1;
        p->medians[m] = launch_medians(from, scratch);
        if (!p->medians[m])
            return -1;
        p->pooled[m] = summarise(scratch->values, n);
        if (m == METRIC_TOTAL)
            p->fastest_tenth = sorted_quantile(scratch->values, n, 0.1);
        if (m == METRIC_TOTAL)
            p->modes = find_modes(p->medians[m], from->count, scratch->values, n, scratch->medians);
    }
    gather_share(s, from, scratch);
    if (estimate_make(&p->share, scratch->launches, from->count, rng) != 0)
        return -1;
    for (enum phase phase = 0; phase < PHASES; phase++)
        p->phase[phase] = phase_median(s, from, phase, scratch);
    double moved = fmax(0.0, p->phase[PHASE_DISTRIBUTE]) + fmax(0.0, p->phase[PHASE_COLLECT]);
    /* The phases are maxima over ranks, possibly of different ranks: their sum may exceed the
     * total. */
    p->transfer_share = fmin(1.0, moved / p->phase[PHASE_TOTAL]);
    p->error_ulps = NAN;
    for (size_t i = 0; i < from->count; i++)
        p->error_ulps = fmax(p->error_ulps, s->launches[from->first + i].error_ulps);
    return 0;
}

static void blank(struct point *p, const struct point_samples *samples)
{
    static const struct interval unknown = {NAN, NAN};
    *p = (struct point){.samples = samples,
                        .share = estimate_none(),
                        .seconds = {estimate_none(), estimate_none()},
                        .half_width = NAN,
                        .further = INT64_MAX,
                        .efficiency = NAN,
                        .efficiency_interval = unknown,
                        .karp_flatt = NAN,
                        .karp_flatt_interval = unknown,
                        .weak_efficiency = NAN,
                        .weak_interval = unknown};
    p->over_base = (struct speedup){-1, {NAN, NAN}, {NAN, NAN}, {unknown, unknown}, 0, NAN};
    for (size_t b = 0; b < BASELINES; b++)
        p->speedup[b] = p->over_base;
}

/* Allocates a workspace for the largest number of samples, and of launches, that any point has. */
static bool make_scratch(struct scratch *scratch, const struct samples *s)
{
    size_t most_samples = 1, most_launches = 1;
    for (size_t i = 0; i < s->point_count; i++) {
        const struct point_samples *p = &s->points[i];
        size_t n = 0;
        for (size_t j = 0; j < p->count; j++)
            n += s->launches[p->first + j].count;
        most_samples = n > most_samples ? n : most_samples;
        most_launches = p->count > most_launches ? p->count : most_launches;
    }
    scratch->values = malloc(most_samples * sizeof *scratch->values);
    scratch->medians = malloc(most_launches * sizeof *scratch->medians);
    scratch->launches = malloc(most_launches * sizeof *scratch->launches);
    return scratch->values && scratch->medians && scratch->launches;
}

static int by_number(double x, double y)
{
    return (x > y) - (x < y);
}

/* Launches ran in random order. Readers want programs, methods and sizes together, and charts join
 * points in row order, so every curve must be in ascending x. */
static int in_order(const void *a, const void *b)
{
    const struct point *p = a, *q = b;
    const struct record *r = &p->samples->identity, *s = &q->samples->identity;
    const int orders[] = {strcmp(r->operator_name, s->operator_name),
                          -strcmp(r->space, s->space), /* serial, omp, mpi, cuda */
                          strcmp(r->method, s->method),
                          by_number(p->elements, q->elements),
                          (r->kernel > s->kernel) - (r->kernel < s->kernel),
                          (r->stride > s->stride) - (r->stride < s->stride),
                          (r->padding > s->padding) - (r->padding < s->padding),
                          by_number(p->workers, q->workers),
                          strcmp(p->samples->key, q->samples->key)};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (orders[i])
            return orders[i];
    return 0;
}

/* Shows the folders of files in labels that would otherwise be the same. */
static void distinguish_labels(struct analysis *a)
{
    for (size_t i = 0; i < a->point_count; i++) {
        bool is_shared = false;
        for (size_t j = i + 1; j < a->point_count; j++)
            if (strcmp(a->points[i].label, a->points[j].label) == 0) {
                struct point *other = &a->points[j];
                point_label_whole(&other->samples->identity, other->label, sizeof other->label);
                is_shared = true;
            }
        if (is_shared)
            point_label_whole(&a->points[i].samples->identity, a->points[i].label,
                              sizeof a->points[i].label);
    }
}

/* Makes points from samples: sizes, estimates, medians. */
static enum status analysis_points(struct analysis *a, struct failure *f)
{
    const struct samples *s = &a->samples;
    struct scratch scratch = {0};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    a->points = calloc(s->point_count + 1, sizeof *a->points);
    bool good = rng && a->points && make_scratch(&scratch, s);
    for (size_t i = 0; good && i < s->point_count; i++) {
        blank(&a->points[i], &s->points[i]);
        a->point_count++;
        describe(&a->points[i]);
        gsl_rng_set(rng, point_seed(s->points[i].key));
        good = measure(&a->points[i], s, &scratch, rng) == 0;
    }
    free(scratch.values);
    free(scratch.medians);
    free(scratch.launches);
    gsl_rng_free(rng);
    if (good)
        qsort(a->points, a->point_count, sizeof *a->points, in_order);
    if (good)
        distinguish_labels(a);
    return good ? STATUS_OK : fail(f, STATUS_RESOURCE, "not enough memory to analyse %s", a->name);
}

/* Widens the intervals of times by the effects common to a round. */
static enum status analysis_round_effects(struct analysis *a,
                                          const struct analysis_request *request, struct failure *f)
{
    struct round_effects own = {0};
    const struct round_effects *effects = request->effects ? request->effects : &own;
    const bool good = request->effects || round_effects_add(&own, &a->samples);
    for (size_t i = 0; good && i < a->point_count; i++) {
        struct point *p = &a->points[i];
        for (size_t m = 0; m < METRICS; m++) {
            struct estimate *e = &p->seconds[m];
            p->common[m] = round_effects_of(effects, p->samples->key, m);
            e->interval = round_effects_widen(e->interval, e->value, p->common[m]);
        }
    }
    round_effects_release(&own);
    return good ? STATUS_OK : fail(f, STATUS_RESOURCE, "not enough memory to analyse %s", a->name);
}

/* True for one worker: of a serial program, or of one whose workers share the product alone. */
static bool gives_fraction(const struct point *p)
{
    const struct record *r = &p->samples->identity;
    return point_is_alone(r) || (p->workers == 1.0 && point_shares_product(r));
}

/* Returns the point whose product share is used as f in Amdahl's law: as in the tesina, the point
 * of one worker with the most elements that clocks its product; -1: none. */
static ptrdiff_t find_fraction(const struct analysis *a)
{
    ptrdiff_t best = -1;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (is_simulated(&p->samples->identity) || !gives_fraction(p) || !(p->share.value > 0.0) ||
            p->trust == TRUST_INVALID)
            continue;
        if (best < 0 || p->elements > a->points[best].elements)
            best = (ptrdiff_t)i;
    }
    return best;
}

/* The ceilings are those of one computer: they do not apply to several, nor to a simulated one. */
static bool is_under_ceilings(const struct record *r)
{
    return (r->nodes == RECORD_NO_INT || r->nodes == 1) && !is_simulated(r);
}

static const char *host_of(const struct analysis *a, const struct point *p)
{
    return p->samples->count ? a->samples.launches[p->samples->first].host : "";
}

/* The first launch decides the instruction set: launches of a point use one, or trust in it
 * suffers. Workers that share cores have the roof of the cores, at most `most`. */
static void find_roof(const struct analysis *a, struct point *p, double most,
                      const struct ceilings *ceilings)
{
    const char *isa = p->samples->count ? a->samples.launches[p->samples->first].isa : "";
    p->roof = roof_of(is_under_ceilings(&p->samples->identity) ? ceilings : NULL, &p->need,
                      p->shares_cores ? fmin(p->workers, most) : p->workers, isa);
}

/* Applies to each point the ceilings of its own host, which seldom changes from point to point. */
static enum status find_roofs(struct analysis *a, const struct analysis_request *request,
                              struct failure *f)
{
    const struct ceilings none = {0}, *all = request->ceilings;
    const double most = machine_most_workers(request->machine);
    struct ceilings other = {0};
    const char *first = a->point_count ? host_of(a, a->points) : "", *at = NULL;
    enum status status = ceilings_of_host(&a->ceilings, all ? all : &none, first, f);
    for (size_t i = 0; status == STATUS_OK && i < a->point_count; i++) {
        const char *host = host_of(a, &a->points[i]);
        if (host != first && host != at) { /* equal texts are stored once: pointers suffice */
            ceilings_release(&other);
            status = ceilings_of_host(&other, all ? all : &none, host, f);
            at = host;
        }
        find_roof(a, &a->points[i], most, host == first ? &a->ceilings : &other);
    }
    ceilings_release(&other);
    return status;
}

/* Of what the launches of programs of others used; "": of none. */
static struct results_path usage_path(const struct analysis_request *request)
{
    return request->samples ? results_usage(request->samples->folder, request->name)
                            : (struct results_path){""};
}

enum status analysis_make(struct analysis *out, const struct analysis_request *request,
                          struct failure *f)
{
    *out = (struct analysis){.name = request->name, .base = 1.0, .fraction = -1};
    if (request->definition && request->definition->base > 1)
        out->base = (double)request->definition->base;
    if (request->definition) {
        out->laws = (double)request->definition->laws;
        out->given = request->definition->fraction;
    }
    enum status status = request->samples
                             ? folder_samples_of(&out->samples, request->samples, request->index, f)
                             : samples_read(&out->samples, request->path, f);
    if (status == STATUS_OK)
        status = usage_join(&out->samples, usage_path(request).text, f);
    if (status == STATUS_OK) {
        launch_load_leave_out(&out->samples, request->machine);
        status = analysis_points(out, f);
    }
    if (status == STATUS_OK)
        status = analysis_round_effects(out, request, f);
    if (status == STATUS_OK)
        status = analysis_session_level(out, request, f);
    if (status == STATUS_OK) {
        analysis_sharing(out, request);
        status = analysis_curves(out, request, f);
    }
    if (status == STATUS_OK)
        status = find_roofs(out, request, f);
    if (status == STATUS_OK) {
        analysis_targets(out, request);
        status = analysis_trust(out, request, f);
    }
    if (status == STATUS_OK)
        status = analysis_speedups(out, request, f);
    if (status == STATUS_OK) {
        out->fraction = find_fraction(out);
        status = analysis_ratios(out, request, f);
    }
    if (status == STATUS_OK)
        status = analysis_fits(out, f);
    if (status != STATUS_OK)
        analysis_release(out);
    return status;
}

void analysis_release(struct analysis *a)
{
    for (size_t i = 0; i < a->point_count; i++) {
        for (size_t m = 0; m < METRICS; m++) {
            estimate_free(&a->points[i].seconds[m]);
            free(a->points[i].medians[m]);
        }
        estimate_free(&a->points[i].share);
        free(a->points[i].reasons);
    }
    for (size_t i = 0; i < a->curve_count; i++)
        free(a->curves[i].points);
    free(a->points);
    free(a->curves);
    free(a->ratios);
    ceilings_release(&a->ceilings);
    samples_release(&a->samples);
    *a = (struct analysis){0};
}
