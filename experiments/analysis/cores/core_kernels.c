#include "experiments/analysis/cores/core_kernels.h"

#include "experiments/common/results.h"
#include "experiments/samples/point.h"
#include "harness/base/text/fit.h"
#include "harness/limits/rates.h"
#include "harness/records/bytes.h"
#include "harness/space/operation.h"
#include "harness/space/space.h"
#include "kernels/conv/methods.h"
#include "networks/point/record_subject.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FLOAT = sizeof(float), LINE_FLOATS = 16 };

/* ---- an operator ----------------------------------------------------------------------------- */

static double shape_bytes(struct image_shape s)
{
    return (double)s.planes * (double)s.rows * (double)s.cols * FLOAT;
}

/* B, W or Y: every worker reads all of it. */
static double right_bytes(const struct operation *op)
{
    return operator_right(op->kind) ? shape_bytes(operation_right(op)->shape) : 0.0;
}

/* A share of rows is one run of outputs. Strips of columns end in every row. */
static void set_slices(struct core_split *s, const struct partition *d)
{
    const struct share first = partition_share(d, 0);
    const double units = (double)first.count, lines = (double)d->planes * (double)d->rows;
    const double rows = fmin(lines, units * (double)d->unit_rows);
    s->slices = d->strip_cols > 0 ? (double)d->rows : 1.0;
    s->slice_bytes = d->strip_cols > 0 ? units * (double)d->strip_cols * FLOAT
                                       : rows * (double)d->cols / (double)d->strips * FLOAT;
}

static struct core_split split_operation(const struct operation *op, double workers)
{
    const struct partition d = operation_partition(op, (int64_t)workers, SPACE_MIN_COST);
    const struct sharing *sharing = op->method->sharing;
    const int64_t panels = sharing && d.workers > 1 ? sharing->panels(op, d.workers) : 0;
    struct core_split s = core_split_units((double)d.units, (double)d.workers);
    set_slices(&s, &d);
    s.shared_bytes = right_bytes(op);
    s.shares_placed = true;
    s.regions = panels > 0 ? 2.0 * (double)panels : 1.0; /* packing, and computing */
    return s;
}

/* ---- a layer --------------------------------------------------------------------------------- */

static double weights_bytes(const struct layer_record *r)
{
    return (double)r->parameters * FLOAT;
}

static bool has_kind(const struct layer_record *r, const char *kind)
{
    return strncmp(r->kinds, kind, strlen(kind)) == 0;
}

static double input_bytes(const struct layer_record *r)
{
    return fmax(0.0, r->bytes - r->bytes_written - weights_bytes(r));
}

/* Rows of all images, in groups that the method computes together: all read the weights. */
static struct core_split split_rows(const struct layer_record *r, double workers)
{
    const struct conv_method *m = conv_method_find(r->layer_method);
    const double unit = m ? (double)conv_tile_rows(m) : 1.0, images = (double)r->images_here;
    const double groups = ceil((double)r->rows / unit);
    struct core_split s = core_split_units(images * groups, workers);
    const double largest = s.share * images * groups; /* groups of a worker */
    const double rows = fmin((double)r->rows, largest * unit);
    const bool whole = rows >= (double)r->rows; /* the planes of an image are one run */
    s.slices = ceil(largest / groups) * (whole ? 1.0 : (double)r->channels);
    s.slice_bytes = rows * (double)r->cols * FLOAT * (whole ? (double)r->channels : 1.0);
    s.shared_bytes = weights_bytes(r);
    s.shares_placed = true;
    return s;
}

/* Panels of channels of every image: all read the input. A fully connected layer has panels of a
 * cache line. */
static struct core_split split_channels(const struct layer_record *r, double workers)
{
    const struct conv_method *m = conv_method_find(r->layer_method);
    const double panel = m && conv_own_panel(m) > 0 ? (double)conv_own_panel(m) : LINE_FLOATS;
    const double panels = ceil((double)r->channels / panel), plane = (double)(r->rows * r->cols);
    struct core_split s = core_split_units(panels, workers);
    s.slices = (double)r->images_here;
    s.slice_bytes = fmin((double)r->channels, s.share * panels * panel) * plane * FLOAT;
    s.shared_bytes = input_bytes(r);
    return s;
}

/* Planes of all images: nothing is shared. */
static struct core_split split_planes(const struct layer_record *r, double workers)
{
    const double planes = (double)(r->images_here * r->channels);
    struct core_split s = core_split_units(planes, workers);
    s.slices = 1.0;
    s.slice_bytes = s.share * planes * (double)(r->rows * r->cols) * FLOAT;
    return s;
}

/* The update: elements, in cache lines. */
static struct core_split split_elements(const struct layer_record *r, double workers)
{
    struct core_split s =
        core_split_units(fmax(1.0, ceil((double)r->parameters / LINE_FLOATS)), workers);
    s.slices = 1.0;
    s.slice_bytes = s.share * weights_bytes(r);
    return s;
}

static struct core_split split_layer(const struct layer_record *r, double workers)
{
    if (strcmp(r->pass, "update") == 0)
        return split_elements(r, workers);
    if (!has_kind(r, "conv") && !has_kind(r, "linear"))
        return split_planes(r, workers);
    const struct core_split rows = split_rows(r, workers), own = split_channels(r, workers);
    struct core_split s = own.share < rows.share ? own : rows;
    s.regions = strcmp(r->pass, "backward") == 0 ? 2.0 : 1.0; /* dX, and dW */
    return s;
}

/* How `workers` workers divide a step: by the functions that divide it when it runs, for operators;
 * by rows, panels of filters or planes, whichever is more even, for layers. */
static struct core_split core_step_split(const struct core_step *s, double workers)
{
    struct core_split split = s->operation.kind ? split_operation(&s->operation, workers)
                                                : split_layer(&s->layer, workers);
    split.shared_bytes = fmin(split.shared_bytes, s->work.bytes);
    return split;
}

/* ---- predictions ----------------------------------------------------------------------------- */

struct core_time core_step_predict(const struct core_step *s, double cores,
                                   const struct multicore *m)
{
    const struct core_split split = core_step_split(s, cores);
    return core_predict(&s->work, &split, cores, m);
}

struct core_time core_kernel_predict(const struct core_kernel *k, double cores,
                                     const struct multicore *m)
{
    struct core_time sum = {.high = 0.0};
    for (size_t i = 0; i < k->count; i++) {
        const struct core_time t = core_step_predict(&k->steps[i], cores, m);
        core_time_add(&sum, &t);
    }
    return sum;
}

/* ---- collecting ------------------------------------------------------------------------------ */

struct collecting {
    struct core_kernels *out;
    const struct analysis *analysis;
    const char *methods;
    struct failure *failure;
};

/* Whether "a,b" has the name; everything is in a list that was not given. */
static bool is_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; at && *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ','))
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
            return true;
    return !list;
}

static struct core_kernel *add_kernel(struct collecting *c)
{
    struct core_kernels *k = c->out;
    struct core_kernel *grown = array_grow(k->items, k->count, sizeof *grown);
    if (!grown)
        return NULL;
    k->items = grown;
    grown[k->count] = (struct core_kernel){.point = NULL};
    return &grown[k->count++];
}

static struct core_step *add_step(struct core_kernel *k)
{
    struct core_step *grown = array_grow(k->steps, k->count, sizeof *grown);
    if (!grown)
        return NULL;
    k->steps = grown;
    memset(&grown[k->count], 0, sizeof *grown);
    return &grown[k->count++];
}

static enum status no_memory(const struct collecting *c)
{
    return fail(c->failure, STATUS_RESOURCE, "not enough memory for the kernels");
}

/* The least seconds of bytes on one core of the machine that the samples come from; 0: unknown. */
static double bytes_s(const struct collecting *c, double bytes, double write_share)
{
    const double rate =
        rates_bandwidth(&c->analysis->ceilings, bytes, 1.0, write_share, RATE_VALUE);
    return rate > 0.0 ? bytes / rate : 0.0;
}

/* One worker's point of an operator of ours, by a method of ours, in the memory of the host. */
static bool is_wanted(const struct collecting *c, const struct point *p)
{
    const struct record *r = &p->samples->identity;
    return p->kind && !recorded_is_network(p->kind) && !p->peer && p->workers == 1.0 &&
           p->trust != TRUST_INVALID && !point_has_ranks(r) && !point_is_on_device(r) &&
           !point_shares_product(r) && p->seconds[METRIC_COMPUTE].value > 0.0 &&
           operator_method(p->kind, SPACE_HOST, r->method) && is_listed(c->methods, r->method);
}

static bool same_kernel(const struct point *p, const struct point *q)
{
    const struct record *a = &p->samples->identity, *b = &q->samples->identity;
    return p->kind == q->kind && analysis_same_problem(p, q) && strcmp(a->method, b->method) == 0 &&
           !point_has_ranks(b) && !point_is_on_device(b) && !point_shares_product(b);
}

/* Threads beyond one make several workers; a serial point is left out where one thread was measured
 * too. */
static bool is_doubled(const struct collecting *c, const struct point *p)
{
    const struct analysis *a = c->analysis;
    for (size_t i = 0; point_is_alone(&p->samples->identity) && i < a->point_count; i++)
        if (&a->points[i] != p && is_wanted(c, &a->points[i]) && same_kernel(p, &a->points[i]) &&
            !point_is_alone(&a->points[i].samples->identity))
            return true;
    return false;
}

/* The point's label without the thread that it says: other numbers stand beside it. */
static void set_label(char *to, size_t size, const char *label)
{
    static const char one[] = " threads=1";
    const char *end = strstr(label, one);
    const bool last = end && !end[sizeof one - 1];
    snprintf(to, size, "%.*s", last ? (int)(end - label) : (int)strlen(label), label);
}

static enum status add_point(struct collecting *c, const struct point *p)
{
    struct operation op;
    const struct record *r = &p->samples->identity;
    const struct estimate *time = &p->seconds[METRIC_COMPUTE];
    if (recorded_operation(&op, p->kind, r).kind != REFUSAL_NONE)
        return STATUS_OK;
    struct core_kernel *k = add_kernel(c);
    struct core_step *s = k ? add_step(k) : NULL;
    if (!s)
        return no_memory(c);
    op.method = operator_method(op.kind, SPACE_HOST, r->method);
    s->operation = op;
    k->point = p;
    const double bytes = p->need.bytes_read + p->need.bytes_written;
    s->work = (struct core_work){time->value,
                                 time->interval,
                                 bytes_s(c, bytes, p->need.bytes_written / bytes),
                                 bytes,
                                 fmin(right_bytes(&op), p->need.bytes_read),
                                 0.0};
    set_label(k->label, sizeof k->label, p->label);
    set_label(s->label, sizeof s->label, p->label);
    return STATUS_OK;
}

/* ---- networks -------------------------------------------------------------------------------- */

static bool keep_row(const void *row, int64_t line, void *context)
{
    struct core_kernels *k = context;
    const struct layer_record *r = row;
    (void)line;
    struct layer_record *grown = array_grow(k->layers, k->layer_count, sizeof *grown);
    if (!grown)
        return false;
    k->layers = grown;
    grown[k->layer_count] = *r;
    k->layer_count += r->mean_s > 0.0 && r->ranks <= 1 ? 1 : 0;
    return true;
}

static bool same_network(const struct layer_record *a, const struct layer_record *b)
{
    return strcmp(a->network, b->network) == 0 && strcmp(a->method, b->method) == 0 &&
           a->images_here == b->images_here && a->image_rows == b->image_rows &&
           (a->pass[0] != '\0') == (b->pass[0] != '\0');
}

static bool same_step(const struct layer_record *a, const struct layer_record *b)
{
    return same_network(a, b) && a->step == b->step && strcmp(a->pass, b->pass) == 0;
}

static bool is_alone(const struct layer_record *r)
{
    return r->threads <= 1;
}

/* The rows of one step with so many threads, their seconds summarised. */
static struct summary step_seconds(const struct core_kernels *k, const struct layer_record *like,
                                   double threads)
{
    double seconds[LAYER_LAUNCHES];
    size_t count = 0;
    for (size_t i = 0; i < k->layer_count && count < LAYER_LAUNCHES; i++)
        if (same_step(&k->layers[i], like) && fmax(1.0, (double)k->layers[i].threads) == threads)
            seconds[count++] = k->layers[i].mean_s;
    return summarise(seconds, count);
}

/* The forward row of a backward one, which alone says the bytes; else the row itself. */
static const struct layer_record *forward_of(const struct core_kernels *k,
                                             const struct layer_record *r)
{
    for (size_t i = 0; i < k->layer_count; i++)
        if (same_network(&k->layers[i], r) && k->layers[i].step == r->step &&
            strcmp(k->layers[i].pass, "forward") == 0)
            return &k->layers[i];
    return r;
}

/* What a pass moves: forward what its row says; backward reads dY, X and W and writes dX and dW,
 * twice as much; the update moves seven values of each parameter, as Adam does. */
static void set_bytes(const struct core_kernels *k, struct layer_record *r)
{
    const struct layer_record *forward = forward_of(k, r);
    if (strcmp(r->pass, "backward") == 0) {
        *r = *forward;
        snprintf(r->pass, sizeof r->pass, "backward");
        r->bytes = 2.0 * forward->bytes;
        r->bytes_written = input_bytes(forward) + weights_bytes(forward);
    } else if (strcmp(r->pass, "update") == 0) {
        r->bytes = 7.0 * weights_bytes(r);
        r->bytes_written = 3.0 * weights_bytes(r);
    }
}

static enum status add_layer(struct collecting *c, struct core_kernel *k,
                             const struct layer_record *r)
{
    struct core_step *s = add_step(k);
    const struct summary time = step_seconds(c->out, r, 1.0);
    if (!s)
        return no_memory(c);
    s->layer = *r;
    set_bytes(c->out, &s->layer);
    const double bytes = s->layer.bytes > 0.0 ? s->layer.bytes : 0.0;
    const double written = bytes > 0.0 ? s->layer.bytes_written / bytes : 0.0;
    s->layer.bytes = bytes;
    s->work = (struct core_work){time.median,
                                 {time.lower, time.upper},
                                 bytes_s(c, bytes, written),
                                 bytes,
                                 fmin(weights_bytes(&s->layer), bytes),
                                 0.0};
    const char *pass = strcmp(r->pass, r->layer) == 0 ? "" : r->pass;
    text_fit_format(s->label, sizeof s->label, "%s%s%s%s%s", r->layer, pass[0] ? " " : "", pass,
                    r->layer_method[0] ? " " : "", r->layer_method);
    return STATUS_OK;
}

/* The weights of the other steps must stay in the caches too. */
static void set_kept(struct core_kernel *k)
{
    double all = 0.0;
    for (size_t i = 0; i < k->count; i++)
        all += k->steps[i].work.placed_bytes;
    for (size_t i = 0; i < k->count; i++)
        k->steps[i].work.kept_bytes = all - k->steps[i].work.placed_bytes;
}

/* Adds a network with all its steps, in the order of its first launch. */
static enum status add_network(struct collecting *c, const struct layer_record *first)
{
    struct core_kernel *k = add_kernel(c);
    enum status status = k ? STATUS_OK : no_memory(c);
    for (size_t i = 0; status == STATUS_OK && i < c->out->layer_count; i++)
        if (same_network(&c->out->layers[i], first) &&
            strcmp(c->out->layers[i].run_id, first->run_id) == 0 && is_alone(&c->out->layers[i]))
            status = add_layer(c, k, &c->out->layers[i]);
    if (status != STATUS_OK)
        return status;
    set_kept(k);
    text_fit_format(k->label, sizeof k->label, "%s %s %lld x %lldx%lld%s", first->network,
                    first->method, (long long)first->images_here, (long long)first->image_rows,
                    (long long)first->image_cols, first->pass[0] ? " train" : "");
    return STATUS_OK;
}

static enum status add_networks(struct collecting *c)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < c->out->layer_count; i++) {
        const struct layer_record *r = &c->out->layers[i];
        bool known = !is_alone(r) || !is_listed(c->methods, r->method);
        for (size_t j = 0; j < i && !known; j++)
            known = is_alone(&c->out->layers[j]) && same_network(&c->out->layers[j], r);
        if (!known)
            status = add_network(c, r);
    }
    return status;
}

static enum status read_layers(struct core_kernels *k, const char *folder, const char *name,
                               struct failure *f)
{
    const struct results_path path = results_layers(folder, name);
    return bytes_are_there(path.text)
               ? table_read(path.text, &layer_record_schema, keep_row, k, NULL, f)
               : STATUS_OK;
}

enum status core_kernels_make(struct core_kernels *out, const struct experiment *e,
                              const char *folder, const char *methods, struct failure *f)
{
    *out = (struct core_kernels){.count = 0};
    struct collecting c = {.out = out, .analysis = &e->analysis, .methods = methods, .failure = f};
    enum status status = read_layers(out, folder, e->name, f);
    for (size_t i = 0; status == STATUS_OK && i < e->analysis.point_count; i++)
        if (is_wanted(&c, &e->analysis.points[i]) && !is_doubled(&c, &e->analysis.points[i]))
            status = add_point(&c, &e->analysis.points[i]);
    if (status == STATUS_OK)
        status = add_networks(&c);
    if (status != STATUS_OK)
        core_kernels_release(out);
    return status;
}

void core_kernels_release(struct core_kernels *k)
{
    for (size_t i = 0; i < k->count; i++)
        free(k->items[i].steps);
    free(k->items);
    free(k->layers);
    *k = (struct core_kernels){.count = 0};
}

/* ---- measured with several workers ----------------------------------------------------------- */

static struct summary unmeasured(void)
{
    return summarise(NULL, 0);
}

const struct point *core_kernel_point(const struct core_kernel *k, const struct analysis *a,
                                      double workers)
{
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (p->workers == workers && !p->shares_cores && p->trust != TRUST_INVALID &&
            same_kernel(k->point, p) && p->seconds[METRIC_COMPUTE].value > 0.0)
            return p;
    }
    return NULL;
}

static struct summary point_measured(const struct core_kernel *k, const struct analysis *a,
                                     double workers)
{
    const struct point *p = core_kernel_point(k, a, workers);
    struct summary s = unmeasured();
    if (!p)
        return s;
    const struct estimate *time = &p->seconds[METRIC_COMPUTE];
    s.n = time->launches;
    s.median = time->value;
    s.lower = time->interval.lower;
    s.upper = time->interval.upper;
    return s;
}

/* The sum of the steps' medians, and of the ends of their intervals. */
static struct summary network_measured(const struct core_kernels *all, const struct core_kernel *k,
                                       double workers)
{
    struct summary sum = {.median = 0.0, .lower = 0.0, .upper = 0.0};
    for (size_t i = 0; i < k->count; i++) {
        const struct summary s = step_seconds(all, &k->steps[i].layer, workers);
        if (s.n == 0)
            return unmeasured();
        sum.n = s.n;
        sum.median += s.median;
        sum.lower += s.lower;
        sum.upper += s.upper;
    }
    return sum;
}

struct summary core_kernel_measured(const struct core_kernels *all, const struct core_kernel *k,
                                    const struct analysis *a, double workers)
{
    return k->point ? point_measured(k, a, workers) : network_measured(all, k, workers);
}
