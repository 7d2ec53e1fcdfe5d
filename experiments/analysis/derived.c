#include "experiments/analysis/derived.h"

#include "experiments/analysis/palette.h"
#include "experiments/analysis/scaling.h"
#include "experiments/common/output.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { TEXT_SIZE = 256, REASONS_SIZE = 4096 };

#define TEXT(type, field)                                                                          \
    {                                                                                              \
#field, COLUMN_TEXT, offsetof(struct type, field), sizeof((struct type *)0)->field, ""     \
    }
#define REAL(type, field)                                                                          \
    {                                                                                              \
#field, COLUMN_REAL, offsetof(struct type, field), sizeof(double), ""                      \
    }

/* A speedup's columns, in this order; compute and total each with its interval. */
enum { SPEEDUP_COLUMNS = 8 };
#define AT(name, field, i)                                                                         \
    {                                                                                              \
        name, COLUMN_REAL, offsetof(struct point_row, field) + (i) * sizeof(double),               \
            sizeof(double), ""                                                                     \
    }
#define SPEEDUP(field)                                                                             \
    AT(#field "_compute_s", field, 0), AT(#field "_total_s", field, 1),                            \
        AT(#field "_compute", field, 2), AT(#field "_compute_lower", field, 3),                    \
        AT(#field "_compute_upper", field, 4), AT(#field "_total", field, 5),                      \
        AT(#field "_total_lower", field, 6), AT(#field "_total_upper", field, 7)

/* ---- points --------------------------------------------------------------------------------- */

struct point_row {
    char experiment[TEXT_SIZE], label[TEXT_SIZE], op[TEXT_SIZE], space[TEXT_SIZE];
    char method[TEXT_SIZE], offload[TEXT_SIZE], filter_memory[TEXT_SIZE], distribution[TEXT_SIZE];
    char host_memory[TEXT_SIZE], input[TEXT_SIZE];
    char workers_series[TEXT_SIZE], weak_series[TEXT_SIZE], growth_series[TEXT_SIZE];
    char kernel_series[TEXT_SIZE], shape_series[TEXT_SIZE];
    char isa[TEXT_SIZE], isa_limit[TEXT_SIZE], kind[TEXT_SIZE];
    char stride_series[TEXT_SIZE], padding_series[TEXT_SIZE];
    char status[TEXT_SIZE], reasons[REASONS_SIZE];
    double place, colour;      /* of the method: experiments/analysis/palette.h */
    double half_width, target; /* of the total's interval, over the median */
    double planes, rows, cols, kernel, stride, padding, ranks, threads, block, streams;
    double workers, size, cells, windows, bytes, samples, launches;
    double compute_s, compute_lower_s, compute_upper_s, compute_min_s, compute_q1_s, compute_q3_s;
    double compute_max_s, compute_mean_s;
    double total_s, total_lower_s, total_upper_s, total_min_s, total_q1_s, total_q3_s;
    double total_max_s, total_mean_s;
    double distribute_s, collect_s, product_s, imbalance_s, setup_s, first_launch_s, start_error_s;
    double allocate_s, device_distribute_s, device_compute_s, device_collect_s;
    double transfer_share, product_share, product_share_lower, product_share_upper, amdahl_bound;
    double windows_per_s, gigabytes_per_s;
    double window_ns, window_lower_ns, window_upper_ns; /* compute time of one window */
    /* what the operator itself must do; rates of that over the compute time */
    double operations, intensity, gigaoperations_per_s;
    char roof_level[TEXT_SIZE], roof_bound[TEXT_SIZE];
    double traffic_s, arithmetic_s, roof_s, roof_share, roof_share_lower, roof_share_upper;
    double apart_roof_s, apart_roof_share;
    double rung;
    char named_baseline[TEXT_SIZE];
    double named[SPEEDUP_COLUMNS];
    char best_baseline[TEXT_SIZE];
    double best[SPEEDUP_COLUMNS];
    double one[SPEEDUP_COLUMNS];
    char before_baseline[TEXT_SIZE];
    double before[SPEEDUP_COLUMNS]; /* over the rung before */
    double narrow[SPEEDUP_COLUMNS]; /* over the baseline instruction set */
    double efficiency, efficiency_lower, efficiency_upper;
    double karp_flatt, karp_flatt_lower, karp_flatt_upper;
    double weak_efficiency, weak_lower, weak_upper;
};

static const struct column point_row_columns[] = {
    TEXT(point_row, experiment),
    TEXT(point_row, label),
    {"operator", COLUMN_TEXT, offsetof(struct point_row, op), TEXT_SIZE, ""},
    TEXT(point_row, space),
    TEXT(point_row, method),
    TEXT(point_row, offload),
    TEXT(point_row, filter_memory),
    TEXT(point_row, distribution),
    TEXT(point_row, host_memory),
    TEXT(point_row, input),
    TEXT(point_row, workers_series),
    TEXT(point_row, weak_series),
    TEXT(point_row, growth_series),
    TEXT(point_row, kernel_series),
    TEXT(point_row, shape_series),
    TEXT(point_row, stride_series),
    TEXT(point_row, padding_series),
    TEXT(point_row, isa),
    TEXT(point_row, isa_limit),
    TEXT(point_row, kind),
    TEXT(point_row, status),
    TEXT(point_row, reasons),
    REAL(point_row, place),
    REAL(point_row, colour),
    REAL(point_row, half_width),
    REAL(point_row, target),
    REAL(point_row, planes),
    REAL(point_row, rows),
    REAL(point_row, cols),
    REAL(point_row, kernel),
    REAL(point_row, stride),
    REAL(point_row, padding),
    REAL(point_row, ranks),
    REAL(point_row, threads),
    REAL(point_row, block),
    REAL(point_row, streams),
    REAL(point_row, workers),
    REAL(point_row, size),
    REAL(point_row, cells),
    REAL(point_row, windows),
    REAL(point_row, bytes),
    REAL(point_row, samples),
    REAL(point_row, launches),
    REAL(point_row, compute_s),
    REAL(point_row, compute_lower_s),
    REAL(point_row, compute_upper_s),
    REAL(point_row, compute_min_s),
    REAL(point_row, compute_q1_s),
    REAL(point_row, compute_q3_s),
    REAL(point_row, compute_max_s),
    REAL(point_row, compute_mean_s),
    REAL(point_row, total_s),
    REAL(point_row, total_lower_s),
    REAL(point_row, total_upper_s),
    REAL(point_row, total_min_s),
    REAL(point_row, total_q1_s),
    REAL(point_row, total_q3_s),
    REAL(point_row, total_max_s),
    REAL(point_row, total_mean_s),
    REAL(point_row, distribute_s),
    REAL(point_row, collect_s),
    REAL(point_row, product_s),
    REAL(point_row, imbalance_s),
    REAL(point_row, setup_s),
    REAL(point_row, first_launch_s),
    REAL(point_row, start_error_s),
    REAL(point_row, allocate_s),
    REAL(point_row, device_distribute_s),
    REAL(point_row, device_compute_s),
    REAL(point_row, device_collect_s),
    REAL(point_row, transfer_share),
    REAL(point_row, product_share),
    REAL(point_row, product_share_lower),
    REAL(point_row, product_share_upper),
    REAL(point_row, amdahl_bound),
    REAL(point_row, windows_per_s),
    REAL(point_row, gigabytes_per_s),
    REAL(point_row, window_ns),
    REAL(point_row, window_lower_ns),
    REAL(point_row, window_upper_ns),
    REAL(point_row, operations),
    REAL(point_row, intensity),
    REAL(point_row, gigaoperations_per_s),
    TEXT(point_row, roof_level),
    TEXT(point_row, roof_bound),
    REAL(point_row, traffic_s),
    REAL(point_row, arithmetic_s),
    REAL(point_row, roof_s),
    REAL(point_row, roof_share),
    REAL(point_row, roof_share_lower),
    REAL(point_row, roof_share_upper),
    REAL(point_row, apart_roof_s),
    REAL(point_row, apart_roof_share),
    REAL(point_row, rung),
    TEXT(point_row, named_baseline),
    SPEEDUP(named),
    TEXT(point_row, best_baseline),
    SPEEDUP(best),
    SPEEDUP(one),
    TEXT(point_row, before_baseline),
    SPEEDUP(before),
    SPEEDUP(narrow),
    REAL(point_row, efficiency),
    REAL(point_row, efficiency_lower),
    REAL(point_row, efficiency_upper),
    REAL(point_row, karp_flatt),
    REAL(point_row, karp_flatt_lower),
    REAL(point_row, karp_flatt_upper),
    REAL(point_row, weak_efficiency),
    REAL(point_row, weak_lower),
    REAL(point_row, weak_upper),
};
static const struct schema point_schema = {point_row_columns,
                                           sizeof point_row_columns / sizeof *point_row_columns,
                                           sizeof(struct point_row)};
_Static_assert(TABLE_LINE_FITS(struct point_row, point_row_columns), "a row must fit a line");

static void copy(char to[TEXT_SIZE], const char *from)
{
    snprintf(to, TEXT_SIZE, "%s", from);
}

/* A CSV holds no infinity. */
static double or_absent(double x)
{
    return isfinite(x) ? x : NAN;
}

static bool is_on(const struct analysis *a, const struct curve *c, const struct point *p)
{
    for (size_t i = 0; i < c->count; i++)
        if (&a->points[c->points[i]] == p)
            return true;
    return false;
}

/* A point names the curves that it is on; a label alone makes no curve. */
static void fill_identity(struct point_row *row, const struct analysis *a, const struct point *p)
{
    const struct record *r = &p->samples->identity;
    copy(row->experiment, a->name);
    copy(row->label, p->label);
    copy(row->op, r->operator_name);
    copy(row->space, r->space);
    copy(row->method, r->method);
    copy(row->offload, r->offload);
    copy(row->filter_memory, r->filter_memory);
    copy(row->distribution, r->distribution);
    copy(row->host_memory, r->host_memory);
    copy(row->input, r->input);
    char *series[CURVE_KINDS] = {
        [CURVE_WORKERS] = row->workers_series, [CURVE_WEAK] = row->weak_series,
        [CURVE_GROWTH] = row->growth_series,   [CURVE_KERNEL] = row->kernel_series,
        [CURVE_SHAPE] = row->shape_series,     [CURVE_STRIDE] = row->stride_series,
        [CURVE_PADDING] = row->padding_series};
    for (size_t i = 0; i < a->curve_count; i++)
        if (is_on(a, &a->curves[i], p))
            copy(series[a->curves[i].kind], a->curves[i].label);
    row->place = (double)palette_place(p);
    row->colour = palette_colour(p);
    row->planes = record_number(r->planes);
    row->rows = record_number(r->rows);
    row->cols = record_number(r->cols);
    row->kernel = record_number(r->kernel);
    row->stride = record_number(r->stride);
    row->padding = record_number(r->padding);
    row->ranks = record_number(r->ranks);
    row->threads = record_number(r->threads);
    row->block = record_number(r->block);
    row->streams = record_number(r->streams);
    row->workers = p->workers;
    row->size = p->size;
    row->cells = p->cells;
    row->windows = p->windows;
    row->bytes = p->bytes;
}

static void fill_seconds(struct point_row *row, const struct point *p)
{
    const struct estimate *compute = &p->seconds[METRIC_COMPUTE];
    const struct estimate *total = &p->seconds[METRIC_TOTAL];
    const struct summary *c = &p->pooled[METRIC_COMPUTE], *t = &p->pooled[METRIC_TOTAL];
    row->samples = (double)total->samples;
    row->launches = (double)total->launches;
    row->compute_s = compute->value;
    row->compute_lower_s = compute->interval.lower;
    row->compute_upper_s = compute->interval.upper;
    row->compute_min_s = c->minimum;
    row->compute_q1_s = c->quartile1;
    row->compute_q3_s = c->quartile3;
    row->compute_max_s = c->maximum;
    row->compute_mean_s = c->mean;
    row->total_s = total->value;
    row->total_lower_s = total->interval.lower;
    row->total_upper_s = total->interval.upper;
    row->total_min_s = t->minimum;
    row->total_q1_s = t->quartile1;
    row->total_q3_s = t->quartile3;
    row->total_max_s = t->maximum;
    row->total_mean_s = t->mean;
    row->distribute_s = p->phase[PHASE_DISTRIBUTE];
    row->collect_s = p->phase[PHASE_COLLECT];
    row->product_s = p->phase[PHASE_PRODUCT];
    row->imbalance_s = p->phase[PHASE_IMBALANCE];
    row->setup_s = p->phase[PHASE_SETUP];
    row->first_launch_s = p->phase[PHASE_FIRST_LAUNCH];
    row->start_error_s = p->phase[PHASE_START_ERROR];
    row->allocate_s = p->phase[PHASE_ALLOCATE];
    row->device_distribute_s = p->phase[PHASE_DEVICE_DISTRIBUTE];
    row->device_compute_s = p->phase[PHASE_DEVICE_COMPUTE];
    row->device_collect_s = p->phase[PHASE_DEVICE_COLLECT];
    row->transfer_share = or_absent(p->transfer_share);
    row->product_share = p->share.value;
    row->product_share_lower = p->share.interval.lower;
    row->product_share_upper = p->share.interval.upper;
    row->amdahl_bound = or_absent(amdahl_bound(p->share.value));
    /* Equal work in every sample: the work over the mean time is the harmonic mean of the rates. */
    row->windows_per_s = or_absent(p->windows / t->mean);
    row->gigabytes_per_s = or_absent(1e-9 * p->bytes / t->mean);
    row->window_ns = or_absent(1e9 * compute->value / p->windows);
    row->window_lower_ns = or_absent(1e9 * compute->interval.lower / p->windows);
    row->window_upper_ns = or_absent(1e9 * compute->interval.upper / p->windows);
}

static void fill_roof(struct point_row *row, const struct analysis *a, const struct point *p)
{
    const struct estimate *compute = &p->seconds[METRIC_COMPUTE];
    const struct roof *roof = &p->roof;
    copy(row->isa, a->samples.launches[p->samples->first].isa);
    copy(row->isa_limit, p->samples->identity.isa_limit);
    copy(row->kind, p->product ? "product" : "maximum");
    row->rung = p->rung < 0 ? (double)NAN : (double)p->rung;
    row->operations = arithmetic_operations(&p->need.least);
    row->intensity = or_absent(row->operations / p->bytes);
    row->gigaoperations_per_s = or_absent(1e-9 * row->operations / compute->value);
    copy(row->roof_level, roof->level);
    if (roof->seconds > 0.0)
        copy(row->roof_bound, roof->arithmetic_s > roof->traffic_s ? "arithmetic" : "traffic");
    row->traffic_s = or_absent(roof->traffic_s);
    row->arithmetic_s = or_absent(roof->arithmetic_s);
    row->roof_s = or_absent(roof->seconds);
    row->roof_share = or_absent(roof->seconds / compute->value);
    row->roof_share_lower = or_absent(roof->seconds / compute->interval.upper);
    row->roof_share_upper = or_absent(roof->seconds / compute->interval.lower);
    row->apart_roof_s = or_absent(roof->apart_s);
    row->apart_roof_share = or_absent(roof->apart_s / compute->value);
}

static void fill_speedup(double block[SPEEDUP_COLUMNS], char *label, const struct analysis *a,
                         const struct speedup *s)
{
    for (size_t i = 0; i < SPEEDUP_COLUMNS; i++)
        block[i] = NAN;
    if (s->point < 0)
        return;
    const struct point *b = &a->points[s->point];
    if (label)
        copy(label, b->label);
    block[0] = b->seconds[METRIC_COMPUTE].value;
    block[1] = b->seconds[METRIC_TOTAL].value;
    for (size_t m = 0; m < METRICS; m++) {
        block[2 + 3 * m] = or_absent(s->value[m]);
        block[3 + 3 * m] = or_absent(s->interval[m].lower);
        block[4 + 3 * m] = or_absent(s->interval[m].upper);
    }
}

static void fill_ratios(struct point_row *row, const struct analysis *a, const struct point *p)
{
    fill_speedup(row->named, row->named_baseline, a, &p->speedup[BASELINE_NAMED]);
    fill_speedup(row->best, row->best_baseline, a, &p->speedup[BASELINE_BEST]);
    fill_speedup(row->one, NULL, a, &p->speedup[BASELINE_ONE]);
    fill_speedup(row->before, row->before_baseline, a, &p->speedup[BASELINE_RUNG]);
    fill_speedup(row->narrow, NULL, a, &p->speedup[BASELINE_ISA]);
    row->efficiency = or_absent(p->efficiency);
    row->efficiency_lower = or_absent(p->efficiency_interval.lower);
    row->efficiency_upper = or_absent(p->efficiency_interval.upper);
    row->karp_flatt = or_absent(p->karp_flatt);
    row->karp_flatt_lower = or_absent(p->karp_flatt_interval.lower);
    row->karp_flatt_upper = or_absent(p->karp_flatt_interval.upper);
    row->weak_efficiency = or_absent(p->weak_efficiency);
    row->weak_lower = or_absent(p->weak_interval.lower);
    row->weak_upper = or_absent(p->weak_interval.upper);
}

/* All causes, or as many as fit and how many more there are. */
static void fill_reasons(struct point_row *row, const struct point *p)
{
    enum { MORE = 32 }; /* room for how many more */
    size_t length = 0;
    copy(row->status, trust_names[p->trust]);
    row->half_width = or_absent(p->half_width);
    row->target = or_absent(p->target);
    for (size_t i = 0; i < p->reason_count; i++) {
        const char *cause = p->reasons[i].cause[ENGLISH];
        if (length + strlen(cause) + MORE > sizeof row->reasons) {
            snprintf(row->reasons + length, sizeof row->reasons - length, "; ... %zu more",
                     p->reason_count - i);
            return;
        }
        length += (size_t)snprintf(row->reasons + length, sizeof row->reasons - length, "%s%s",
                                   length ? "; " : "", cause);
    }
}

static void write_point(FILE *stream, const struct analysis *a, const struct point *p)
{
    struct point_row row;
    table_blank(&point_schema, &row);
    fill_identity(&row, a, p);
    fill_seconds(&row, p);
    fill_roof(&row, a, p);
    fill_ratios(&row, a, p);
    fill_reasons(&row, p);
    table_print(&point_schema, stream, &row);
}

static void write_points(FILE *stream, const struct analysis *a)
{
    table_print_header(&point_schema, stream);
    for (size_t i = 0; i < a->point_count; i++)
        write_point(stream, a, &a->points[i]);
}

/* ---- fits ----------------------------------------------------------------------------------- */

struct fit_row {
    char experiment[TEXT_SIZE], curve[TEXT_SIZE], series[TEXT_SIZE], metric[TEXT_SIZE];
    char model[TEXT_SIZE], formula[TEXT_SIZE], reason[TEXT_SIZE];
    double points, distinct, left_out_invalid, left_out_workers, relative_error;
    char parameter_1[TEXT_SIZE];
    double value_1, lower_1, upper_1;
    char parameter_2[TEXT_SIZE];
    double value_2, lower_2, upper_2;
    char parameter_3[TEXT_SIZE];
    double value_3, lower_3, upper_3;
};

static const struct column fit_row_columns[] = {
    TEXT(fit_row, experiment),
    TEXT(fit_row, curve),
    TEXT(fit_row, series),
    TEXT(fit_row, metric),
    TEXT(fit_row, model),
    TEXT(fit_row, formula),
    TEXT(fit_row, reason),
    REAL(fit_row, points),
    REAL(fit_row, distinct),
    REAL(fit_row, left_out_invalid),
    REAL(fit_row, left_out_workers),
    REAL(fit_row, relative_error),
    TEXT(fit_row, parameter_1),
    REAL(fit_row, value_1),
    REAL(fit_row, lower_1),
    REAL(fit_row, upper_1),
    TEXT(fit_row, parameter_2),
    REAL(fit_row, value_2),
    REAL(fit_row, lower_2),
    REAL(fit_row, upper_2),
    TEXT(fit_row, parameter_3),
    REAL(fit_row, value_3),
    REAL(fit_row, lower_3),
    REAL(fit_row, upper_3),
};
static const struct schema fit_schema = {
    fit_row_columns, sizeof fit_row_columns / sizeof *fit_row_columns, sizeof(struct fit_row)};

static void write_fit(FILE *stream, const struct analysis *a, const struct curve *c, enum metric m,
                      const struct fit *fit)
{
    const struct fit_description *d = &fit_descriptions[fit->model];
    struct fit_row row;
    table_blank(&fit_schema, &row);
    copy(row.experiment, a->name);
    copy(row.curve, curve_names[c->kind]);
    copy(row.series, c->label);
    copy(row.metric, metric_names[m]);
    copy(row.model, d->name);
    copy(row.formula, d->formula);
    copy(row.reason, fit->reason);
    row.points = (double)fit->points;
    row.distinct = (double)fit->distinct;
    row.left_out_invalid = (double)c->left_out_invalid;
    row.left_out_workers = (double)c->left_out_workers;
    row.relative_error = or_absent(fit->error);
    char *names[] = {row.parameter_1, row.parameter_2, row.parameter_3};
    double *values[] = {&row.value_1, &row.value_2, &row.value_3};
    for (size_t i = 0; i < d->parameters; i++) {
        copy(names[i], d->parameter[i]);
        values[i][0] = or_absent(fit->value[i]);
        values[i][1] = or_absent(fit->interval[i].lower);
        values[i][2] = or_absent(fit->interval[i].upper);
    }
    table_print(&fit_schema, stream, &row);
}

static void write_fits(FILE *stream, const struct analysis *a)
{
    table_print_header(&fit_schema, stream);
    for (size_t i = 0; i < a->curve_count; i++)
        for (enum metric m = 0; m < METRICS; m++)
            for (size_t j = 0; j < a->curves[i].fit_count; j++)
                write_fit(stream, a, &a->curves[i], m, &a->curves[i].fits[m][j]);
}

/* ---- models --------------------------------------------------------------------------------- */

struct model_row {
    char curve[TEXT_SIZE], series[TEXT_SIZE], metric[TEXT_SIZE], model[TEXT_SIZE];
    double x, seconds, speedup;
};

static const struct column model_row_columns[] = {
    TEXT(model_row, curve),   TEXT(model_row, series), TEXT(model_row, metric),
    TEXT(model_row, model),   REAL(model_row, x),      REAL(model_row, seconds),
    REAL(model_row, speedup),
};
static const struct schema model_schema = {model_row_columns,
                                           sizeof model_row_columns / sizeof *model_row_columns,
                                           sizeof(struct model_row)};

/* Steps of x on a curve, evenly spread on a logarithmic axis. */
enum { STEPS = 48 };

static double step_x(const struct analysis *a, const struct curve *c, double first, size_t step)
{
    double last = curve_x(&a->points[c->points[c->count - 1]], c->kind);
    return first * pow(last / first, (double)step / STEPS);
}

/* Seconds of a model line at x. */
typedef double model_line(const void *model, double x);

static double fitted_line(const void *model, double x)
{
    return fit_seconds(model, x, 1.0);
}

struct plain_law {
    double fraction, one_worker_s; /* a fraction of 1 is the ideal */
    bool weak;
};

static double plain_line(const void *model, double x)
{
    const struct plain_law *law = model;
    return law->weak ? law->one_worker_s : law->one_worker_s / amdahl_speedup(law->fraction, x);
}

static void write_line(FILE *stream, const struct analysis *a, const struct curve *c, enum metric m,
                       const char *name, double first, model_line *line, const void *model)
{
    for (size_t i = 0; i <= STEPS; i++) {
        struct model_row row;
        table_blank(&model_schema, &row);
        copy(row.curve, curve_names[c->kind]);
        copy(row.series, c->label);
        copy(row.metric, metric_names[m]);
        copy(row.model, name);
        row.x = step_x(a, c, first, i);
        row.seconds = or_absent(line(model, row.x));
        row.speedup = or_absent(line(model, 1.0) / row.seconds);
        if (c->kind == CURVE_WEAK) /* work grows with x */
            row.speedup *= row.x;
        table_print(&model_schema, stream, &row);
    }
}

/* The lines that need no fit: the ideal, and Amdahl's law of the measured share. */
static void write_plain_laws(FILE *stream, const struct analysis *a, const struct curve *c,
                             enum metric m)
{
    const struct point *one = &a->points[c->points[0]];
    bool weak = c->kind == CURVE_WEAK;
    if ((!weak && c->kind != CURVE_WORKERS) || one->workers != 1.0 ||
        !(one->seconds[m].value > 0.0))
        return;
    struct plain_law law = {1.0, one->seconds[m].value, weak};
    write_line(stream, a, c, m, "ideal", one->workers, plain_line, &law);
    if (!weak && a->fraction >= 0) {
        law.fraction = a->points[a->fraction].share.value;
        write_line(stream, a, c, m, "amdahl_measured", one->workers, plain_line, &law);
    }
}

/* Where the line of a fit begins: a power law read off the largest sizes says nothing about the
 * small ones, a law of workers is about all of them. */
static double first_x(const struct analysis *a, const struct curve *c, const struct fit *fit)
{
    const bool grows = fit->model == FIT_POWER || fit->model == FIT_EXPONENTIAL;
    return grows ? fit->least_x : curve_x(&a->points[c->points[0]], c->kind);
}

static void write_models(FILE *stream, const struct analysis *a)
{
    table_print_header(&model_schema, stream);
    for (size_t i = 0; i < a->curve_count; i++)
        for (enum metric m = 0; m < METRICS; m++) {
            const struct curve *c = &a->curves[i];
            write_plain_laws(stream, a, c, m);
            for (size_t j = 0; j < c->fit_count; j++) {
                const struct fit *fit = &c->fits[m][j];
                if (!fit->reason[0] && fit->model != FIT_PRODUCT)
                    write_line(stream, a, c, m, fit_descriptions[fit->model].name,
                               first_x(a, c, fit), fitted_line, fit);
            }
        }
}

/* ---- ceilings ------------------------------------------------------------------------------- */

struct line_row {
    char kind[TEXT_SIZE], label[TEXT_SIZE], isa[TEXT_SIZE];
    double workers, rate;
};

static const struct column line_row_columns[] = {
    TEXT(line_row, kind),    TEXT(line_row, label), TEXT(line_row, isa),
    REAL(line_row, workers), REAL(line_row, rate),
};
static const struct schema line_schema = {
    line_row_columns, sizeof line_row_columns / sizeof *line_row_columns, sizeof(struct line_row)};

static bool is_line(const struct ceilings *c, const struct ceiling *row)
{
    return ceiling_is_peak(row) ? strcmp(row->what, "multiply_add") == 0 : rates_is_line(c, row);
}

static void write_ceilings(FILE *stream, const struct analysis *a)
{
    const struct ceilings *c = &a->ceilings;
    table_print_header(&line_schema, stream);
    for (size_t i = 0; i < c->count; i++) {
        const struct ceiling *from = &c->rows[i];
        struct line_row row;
        if (!is_line(c, from))
            continue;
        const bool peak = ceiling_is_peak(from);
        table_blank(&line_schema, &row);
        copy(row.kind, peak ? "peak" : "bandwidth");
        copy(row.label, peak ? from->isa : from->level);
        copy(row.isa, from->isa);
        row.workers = from->workers;
        row.rate = peak ? from->operations.value : from->bandwidth.value;
        table_print(&line_schema, stream, &row);
    }
}

enum status derived_write(const struct analysis *a, const char *folder, struct failure *f)
{
    static const struct {
        const char *ending;
        void (*write)(FILE *stream, const struct analysis *a);
    } files[] = {{"points", write_points},
                 {"fits", write_fits},
                 {"model", write_models},
                 {"ceilings", write_ceilings},
                 {"ratios", derived_write_ratios}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[PATH_MAX];
        struct output o;
        snprintf(path, sizeof path, "%s/%s.%s.csv", folder, a->name, files[i].ending);
        enum status status = output_open(&o, path, f);
        if (status != STATUS_OK)
            return status;
        files[i].write(o.stream, a);
        status = output_close(&o, f);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}
