#include "experiments/analysis/speedup/model.h"

#include "experiments/plan/simulated.h"
#include "experiments/samples/point.h"
#include "harness/base/text/messages.h"
#include "harness/machine/simulation.h"
#include "harness/space/operation.h"
#include "harness/space/parameters.h"
#include "kernels/min_max.h"
#include "mpi/bands.h"
#include "networks/point/record_subject.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const message_names[MESSAGE_KINDS] = {N_("halo"), N_("scatter"), N_("gather")};

static const double float_bytes = (double)sizeof(float);

/* ---- the problem ---------------------------------------------------------------------------- */

static bool is_scattered(const struct record *r)
{
    return strcmp(r->distribution, "scatter") == 0;
}

bool model_knows(const struct operator_row *o)
{
    return o && !operator_takes_panels(o) && !recorded_is_network(o);
}

static enum status bind_problem(struct operation *op, const struct record *r, struct failure *f)
{
    const struct operator_row *o = point_record_kind(r).operator_row;
    if (!model_knows(o))
        return fail(f, STATUS_USAGE,
                    "the model knows operators whose ranks send each other nothing but the image");
    const struct refusal refusal = operation_of_record(op, o, r);
    op->method = operator_method(op->kind, SPACE_HOST, r->method);
    return refusal_fail(&refusal, f);
}

/* Bytes that one row of the map moves: itself, and the image rows that no other row reads. */
static double row_bytes(const struct operation *op)
{
    const struct geometry *g = &op->geometry;
    const int64_t step = g->kernel > 0 ? smaller(g->stride, g->kernel) : 1;
    return float_bytes * (double)(step * op->image.cols + op->map.cols);
}

/* The bands of all ranks, and the bytes that they send. */
struct parts {
    struct operation op;
    struct band *bands;
    int64_t ranks;
};

static double image_bytes(const struct parts *p, int64_t rank)
{
    return float_bytes * (double)p->bands[rank].image.count * (double)p->op.image.cols;
}

static double map_bytes(const struct parts *p, int64_t rank)
{
    return float_bytes * (double)p->bands[rank].map.count * (double)p->op.map.cols;
}

static double halo_bytes(const struct parts *p, int64_t rank)
{
    return float_bytes * (double)p->bands[rank].halo.count * (double)p->op.image.cols;
}

static enum status make_parts(struct parts *p, const struct record *problem, int64_t ranks,
                              struct failure *f)
{
    *p = (struct parts){.ranks = ranks};
    if (bind_problem(&p->op, problem, f) != STATUS_OK)
        return f->status;
    p->bands = malloc((size_t)ranks * sizeof *p->bands);
    if (!p->bands)
        return fail(f, STATUS_RESOURCE, "no memory for the bands of %lld ranks", (long long)ranks);
    bands_make(&p->op, ranks, operation_unit_rows(&p->op), p->bands);
    return STATUS_OK;
}

/* ---- placement of ranks ---------------------------------------------------------------------- */

static int64_t cores_of(const struct scaling_model *m, int64_t ranks)
{
    return m->platform ? m->platform->cores : ranks;
}

/* Seconds of one row when `together` ranks compute on one host. */
static double row_seconds(const struct scaling_model *m, const struct parts *p, int64_t together)
{
    const double alone = m->output_s * (double)p->op.map.cols;
    return fmax(alone, (double)together * row_bytes(&p->op) / m->memory_bandwidth);
}

/* Ranks on the host of `rank`: hosts are filled one by one. */
static int64_t ranks_on_host(const struct scaling_model *m, const struct parts *p, int64_t rank)
{
    const int64_t cores = cores_of(m, p->ranks), first = rank / cores * cores;
    return p->ranks - first < cores ? p->ranks - first : cores;
}

static double longest_compute(const struct scaling_model *m, const struct parts *p)
{
    double longest = 0.0;
    for (int64_t rank = 0; rank < p->ranks; rank++)
        longest = fmax(longest, (double)p->bands[rank].map.count *
                                    row_seconds(m, p, ranks_on_host(m, p, rank)));
    return longest;
}

/* ---- messages of a platform ----------------------------------------------------------------- */

/* Seconds of messages that start together: the slower of the largest one alone and all together. */
static double pass(const struct channel *c, double latency, double largest, double all)
{
    return all > 0.0 ? latency + fmax(largest / c->alone, all / c->together) : 0.0;
}

/* Rank 0 sends to all ranks, or all send to it. */
static double around_root(const struct scaling_model *m, const struct parts *p,
                          double (*bytes)(const struct parts *p, int64_t rank))
{
    const struct platform *platform = m->platform;
    double inside = 0.0, outside = 0.0, largest_inside = 0.0, largest_outside = 0.0;
    for (int64_t rank = 1; rank < p->ranks; rank++) {
        const double own = bytes(p, rank);
        if (rank < platform->cores) {
            inside += own;
            largest_inside = fmax(largest_inside, own);
        } else {
            outside += own;
            largest_outside = fmax(largest_outside, own);
        }
    }
    const int64_t hosts = (p->ranks - 1) / platform->cores + 1;
    return fmax(pass(&platform->inside, platform->inside.latency_s, largest_inside, inside),
                pass(&platform->link, platform_latency(platform, hosts), largest_outside, outside));
}

/* Arrival time of the halo of a rank. It comes from the next rank, on the same host or not. */
static double halo_arrives(const struct scaling_model *m, const struct parts *p, int64_t rank)
{
    const struct platform *platform = m->platform;
    const double own = halo_bytes(p, rank);
    if ((rank + 1) % platform->cores != 0)
        return pass(&platform->inside, platform->inside.latency_s, own,
                    own * (double)(ranks_on_host(m, p, rank) - 1));
    const int64_t hosts = (p->ranks - 1) / platform->cores + 1;
    return pass(&platform->link, platform_latency(platform, hosts), own, own);
}

/* ---- the time ------------------------------------------------------------------------------- */

static double cost(const struct message_cost *c, double bytes)
{
    return bytes > 0.0 && c->points > 0 ? c->alpha_s + c->beta_s_per_byte * bytes : 0.0;
}

static double largest_halo(const struct parts *p)
{
    double largest = 0.0;
    for (int64_t rank = 0; rank < p->ranks; rank++)
        largest = fmax(largest, halo_bytes(p, rank));
    return largest;
}

/* Bytes that rank 0 sends or receives. */
static double bytes_around_root(const struct parts *p,
                                double (*bytes)(const struct parts *p, int64_t rank))
{
    double sum = 0.0;
    for (int64_t rank = 1; rank < p->ranks; rank++)
        sum += bytes(p, rank);
    return sum;
}

/* Ranks compute what needs no halo while it is in flight; the exposed time is what remains. */
static double exposed_halo(const struct scaling_model *m, const struct parts *p)
{
    double exposed = 0.0;
    if (!m->platform)
        return cost(&m->costs[MESSAGE_HALO], largest_halo(p));
    for (int64_t rank = 0; rank + 1 < p->ranks; rank++) {
        const double hidden =
            (double)p->bands[rank].interior.count * row_seconds(m, p, ranks_on_host(m, p, rank));
        exposed = fmax(exposed, halo_arrives(m, p, rank) - hidden);
    }
    return exposed;
}

static void add_up(const struct scaling_model *m, const struct parts *p, bool scattered,
                   struct prediction *out)
{
    *out = (struct prediction){.compute_s = longest_compute(m, p), .total = {NAN, NAN}};
    if (!scattered) {
        out->distribute_s = exposed_halo(m, p);
    } else if (m->platform) {
        out->distribute_s = around_root(m, p, image_bytes);
        out->collect_s = around_root(m, p, map_bytes);
    } else {
        out->distribute_s = cost(&m->costs[MESSAGE_SCATTER], bytes_around_root(p, image_bytes));
        out->collect_s = cost(&m->costs[MESSAGE_GATHER], bytes_around_root(p, map_bytes));
    }
    out->total_s = out->distribute_s + out->compute_s + out->collect_s;
}

/* The square of half the 95 % interval of one further message of `bytes` bytes: the uncertainty of
 * the law, and the scatter of messages about it. */
static double cost_reach(const struct message_cost *c, double bytes)
{
    if (c->points == 0 || bytes <= 0.0)
        return 0.0;
    const double law =
        c->variance[0] + 2.0 * bytes * c->variance[1] + bytes * bytes * c->variance[2];
    const double t = isfinite(c->freedom) ? gsl_cdf_tdist_Pinv(0.975, c->freedom) : 1.0;
    return t * t * (fmax(0.0, law) + pow(c->scatter * cost(c, bytes), 2.0));
}

/* Half the interval of the total. The ends of the seconds per output and of the bandwidth change
 * the total, and the costs add their own interval; the three are independent, so their squares add
 * up. */
static void spread(const struct scaling_model *m, const struct parts *p, bool scattered,
                   struct prediction *out)
{
    double half[2];
    const double ends[2] = {m->output_interval.lower, m->output_interval.upper};
    double reach = 0.0;
    if (!m->platform && !scattered)
        reach = cost_reach(&m->costs[MESSAGE_HALO], largest_halo(p));
    else if (!m->platform)
        reach = cost_reach(&m->costs[MESSAGE_SCATTER], bytes_around_root(p, image_bytes)) +
                cost_reach(&m->costs[MESSAGE_GATHER], bytes_around_root(p, map_bytes));
    /* more bytes per second take less time */
    const double rates[2] = {m->bandwidth_interval.upper, m->bandwidth_interval.lower};
    for (size_t i = 0; i < 2; i++) {
        struct scaling_model slow = *m, far = *m;
        struct prediction computed, moved;
        slow.output_s = ends[i];
        far.memory_bandwidth = isnan(rates[i]) ? m->memory_bandwidth : rates[i];
        add_up(&slow, p, scattered, &computed);
        add_up(&far, p, scattered, &moved);
        half[i] = hypot(hypot(computed.total_s - out->total_s, moved.total_s - out->total_s),
                        sqrt(reach));
    }
    out->total = (struct interval){fmax(0.0, out->total_s - half[0]), out->total_s + half[1]};
}

enum status model_predict(const struct scaling_model *m, const struct record *problem,
                          int64_t ranks, struct prediction *out, struct failure *f)
{
    struct parts parts;
    enum status status = make_parts(&parts, problem, ranks, f);
    if (status == STATUS_OK) {
        add_up(m, &parts, is_scattered(problem), out);
        spread(m, &parts, is_scattered(problem), out);
    }
    free(parts.bands);
    return status;
}

/* ---- a platform ----------------------------------------------------------------------------- */

enum status model_of_platform(struct scaling_model *out, const struct platform *p,
                              const struct row_time *row, const struct record *problem, bool memory,
                              struct failure *f)
{
    struct operation op;
    if (bind_problem(&op, problem, f) != STATUS_OK)
        return f->status;
    if (p->unknown[0])
        return fail(f, STATUS_USAGE, "%s", p->unknown);
    const double scale = SIMULATION_REFERENCE_SPEED / p->speed / (double)op.map.cols;
    *out = (struct scaling_model){
        .output_s = row->value * scale,
        .output_interval = {row->interval.lower * scale, row->interval.upper * scale},
        .output_points = row->launches,
        .memory_bandwidth =
            memory && p->memory_bandwidth > 0.0 ? p->memory_bandwidth : (double)INFINITY,
        .bandwidth_interval = {NAN, NAN}, /* figures of a file count as exact */
        .platform = p,
    };
    return STATUS_OK;
}

/* ---- fitting -------------------------------------------------------------------------------- */

/* Measured MPI points that a fit may use. */
static bool may_see(const struct point *p, const struct record *like, double cores, int64_t hidden)
{
    const struct record *r = &p->samples->identity;
    return point_has_ranks(r) && !is_simulated(r) && p->trust != TRUST_INVALID &&
           p->workers <= cores && r->threads <= 1 && r->rows != hidden &&
           strcmp(r->operator_name, like->operator_name) == 0 &&
           strcmp(r->method, like->method) == 0 && r->kernel == like->kernel &&
           r->stride == like->stride && r->padding == like->padding &&
           p->seconds[METRIC_COMPUTE].value > 0.0 && p->windows > 0.0;
}

/* Values gathered from points: pairs of x and y. */
struct series {
    double *x, *y;
    size_t count;
};

struct gathered {
    struct series messages[MESSAGE_KINDS]; /* x: bytes, y: seconds */
    struct series alone;                   /* x: ranks, y: seconds per output of one rank */
    struct series together;                /* x: row bytes per second of all ranks, y: slowdown */
};

static bool reserve(struct gathered *g, size_t count, double *workspace)
{
    struct series *all[] = {&g->messages[0], &g->messages[1], &g->messages[2], &g->alone,
                            &g->together};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = (struct series){workspace + 2 * i * count, workspace + (2 * i + 1) * count, 0};
    return workspace != NULL;
}

static void put(struct series *s, double x, double y)
{
    if (!isfinite(x) || !isfinite(y))
        return;
    s->x[s->count] = x;
    s->y[s->count++] = y;
}

static enum status gather_point(struct gathered *g, const struct point *point, struct failure *f)
{
    const struct record *r = &point->samples->identity;
    struct parts p;
    if (make_parts(&p, r, r->ranks, f) != STATUS_OK)
        return f->status;
    const double seconds = point->seconds[METRIC_COMPUTE].value;
    if (r->ranks == 1) {
        put(&g->alone, 1.0, seconds / point->windows);
    } else {
        const double rows = (double)p.op.map.planes * (double)p.op.map.rows;
        put(&g->together, rows * row_bytes(&p.op) / seconds,
            seconds * (double)r->ranks / point->windows);
        if (is_scattered(r)) {
            put(&g->messages[MESSAGE_SCATTER], bytes_around_root(&p, image_bytes),
                point->phase[PHASE_DISTRIBUTE]);
            put(&g->messages[MESSAGE_GATHER], bytes_around_root(&p, map_bytes),
                point->phase[PHASE_COLLECT]);
        } else {
            put(&g->messages[MESSAGE_HALO], largest_halo(&p), point->phase[PHASE_DISTRIBUTE]);
        }
    }
    free(p.bands);
    return STATUS_OK;
}

/* Fits alpha and beta. Residuals are relative, so small messages count as much as large ones. A
 * cost below 0 becomes 0. */
static struct message_cost fit_cost(const struct series *s)
{
    struct message_cost c = {.points = s->count};
    double sum_squares, least = INFINITY, most = 0.0;
    for (size_t i = 0; i < s->count; i++) {
        least = fmin(least, s->x[i]);
        most = fmax(most, s->x[i]);
    }
    if (s->count == 0)
        return c;
    if (!(most > least) || s->count < 3) { /* one size determines no slope */
        double bytes = 0.0, seconds = 0.0;
        for (size_t i = 0; i < s->count; i++) {
            bytes += s->x[i];
            seconds += s->y[i];
        }
        if (bytes > 0.0)
            c.beta_s_per_byte = seconds / bytes;
        else
            c.alpha_s = seconds / (double)s->count; /* messages without content */
        c.scatter = 1.0;                            /* the error may be as large as the cost */
        c.freedom = INFINITY;
        return c;
    }
    double *weights = malloc(s->count * sizeof *weights);
    for (size_t i = 0; weights && i < s->count; i++)
        weights[i] = 1.0 / fmax(s->y[i] * s->y[i], 1e-18);
    if (weights && gsl_fit_wlinear(s->x, 1, weights, 1, s->y, 1, s->count, &c.alpha_s,
                                   &c.beta_s_per_byte, &c.variance[0], &c.variance[1],
                                   &c.variance[2], &sum_squares) == GSL_SUCCESS) {
        for (size_t i = 0; i < 3; i++) /* the weights are relative: the residuals scale them */
            c.variance[i] *= sum_squares / (double)(s->count - 2);
        c.scatter = sqrt(sum_squares / (double)(s->count - 2));
        c.freedom = (double)s->count - 2.0;
    }
    free(weights);
    c.alpha_s = fmax(0.0, c.alpha_s);
    c.beta_s_per_byte = fmax(0.0, c.beta_s_per_byte);
    return c;
}

/* The mean over points, each a median over launches. *half is half of Student's interval for one
 * further point, not for the mean, because image sizes differ; NaN for a single point. */
static double mean_of(const double *values, size_t count, double *half)
{
    double sum = 0.0, squares = 0.0;
    const double n = (double)count;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - sum / n) * (values[i] - sum / n);
    *half = count > 1
                ? gsl_cdf_tdist_Pinv(0.975, n - 1.0) * sqrt(squares / (n - 1.0) * (1.0 + 1.0 / n))
                : (double)NAN;
    return sum / n;
}

static void fit_output(struct scaling_model *m, const struct series *s)
{
    double half;
    m->output_s = mean_of(s->y, s->count, &half);
    m->output_interval = (struct interval){m->output_s - half, m->output_s + half};
    m->output_points = s->count;
}

/* If ranks together are slower than one alone, they are limited by memory: its bandwidth is what
 * they moved, averaged over points. */
static void fit_bandwidth(struct scaling_model *m, const struct series *s)
{
    const double noise = 1.02; /* smaller slowdowns are no saturation */
    double half;
    if (s->count == 0 || !(mean_of(s->y, s->count, &half) > noise * m->output_s))
        return;
    m->memory_bandwidth = mean_of(s->x, s->count, &half);
    m->bandwidth_interval = (struct interval){
        fmax(0.1 * m->memory_bandwidth, m->memory_bandwidth - half), m->memory_bandwidth + half};
}

/* Number of different rank counts among the points that a fit may use. */
static size_t count_ranks(const struct analysis *a, const struct record *like, double cores,
                          int64_t hidden)
{
    size_t counts = 0;
    for (size_t i = 0; i < a->point_count; i++) {
        bool known = !may_see(&a->points[i], like, cores, hidden);
        for (size_t j = 0; j < i && !known; j++)
            known = may_see(&a->points[j], like, cores, hidden) &&
                    a->points[j].workers == a->points[i].workers;
        counts += !known;
    }
    return counts;
}

enum status model_fit(struct scaling_model *out, const struct analysis *a,
                      const struct record *like, double cores, int64_t hidden, struct failure *f)
{
    struct gathered g;
    double *workspace = malloc((10 * a->point_count + 1) * sizeof *workspace);
    enum status status =
        reserve(&g, a->point_count, workspace)
            ? STATUS_OK
            : fail(f, STATUS_RESOURCE, "not enough memory for the fit of %s", a->name);
    for (size_t i = 0; i < a->point_count && status == STATUS_OK; i++)
        if (may_see(&a->points[i], like, cores, hidden))
            status = gather_point(&g, &a->points[i], f);
    *out = (struct scaling_model){.memory_bandwidth = INFINITY,
                                  .bandwidth_interval = {INFINITY, INFINITY},
                                  .rank_counts = count_ranks(a, like, cores, hidden)};
    if (status == STATUS_OK && g.alone.count == 0)
        status = fail(f, STATUS_USAGE,
                      "%s: no measured point of %s with one rank, which a fit begins with", a->name,
                      like->method);
    if (status == STATUS_OK) {
        fit_output(out, &g.alone);
        fit_bandwidth(out, &g.together);
        for (size_t kind = 0; kind < MESSAGE_KINDS; kind++)
            out->costs[kind] = fit_cost(&g.messages[kind]);
    }
    free(workspace);
    return status;
}
