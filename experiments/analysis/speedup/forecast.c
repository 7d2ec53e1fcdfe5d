#include "experiments/analysis/speedup/forecast.h"

#include "experiments/analysis/derived/derived_table.h"
#include "experiments/common/folder_files.h"
#include "experiments/common/output.h"
#include "experiments/common/text/distinct.h"
#include "experiments/plan/simulated.h"
#include "experiments/samples/point.h"
#include "harness/base/statistics.h"
#include "harness/base/text/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const forecast_sources[] = {"measured", "simulated", "predicted"};

/* The state while the forecasts are made. */
struct making {
    struct forecasts *out;
    const struct analysis *analysis;
    const struct calibrations *calibrations;
    double cores;
    struct failure *failure;
};

static enum status reserve(struct forecasts *c, struct failure *f)
{
    if (c->count & (c->count - 1))
        return STATUS_OK;
    struct forecast *grown = realloc(c->rows, (c->count ? 2 * c->count : 1) * sizeof *grown);
    if (!grown)
        return fail(f, STATUS_RESOURCE, "not enough memory for the predictions");
    c->rows = grown;
    return STATUS_OK;
}

static void describe_missing(struct making *m, const char *why)
{
    if (!m->out->missing[0])
        text_fit_format(m->out->missing, sizeof m->out->missing, "%s", why);
}

/* Adds one row: the model's prediction for a problem on `ranks` ranks, and the point's time if `p`
 * is not NULL. */
static enum status add(struct making *m, const struct scaling_model *model, const struct point *p,
                       const struct record *problem, int64_t ranks)
{
    struct forecast row = {.source = FORECAST_PREDICTED,
                           .problem = problem,
                           .ranks = ranks,
                           .seconds = NAN,
                           .interval = {NAN, NAN},
                           .seen = model->output_points,
                           .error = NAN};
    enum status status = model_predict(model, problem, ranks, &row.predicted, m->failure);
    if (status == STATUS_OK)
        status = reserve(m->out, m->failure);
    if (status != STATUS_OK)
        return status;
    if (p) {
        const struct estimate *total = &p->seconds[METRIC_TOTAL];
        row.source = is_simulated(problem) ? FORECAST_SIMULATED : FORECAST_MEASURED;
        row.seconds = total->value;
        row.interval = total->interval;
        row.error = row.predicted.total_s / total->value - 1.0;
    }
    m->out->rows[m->out->count++] = row;
    return STATUS_OK;
}

/* The model divides all stages among the ranks: it knows nothing of points that share the product
 * alone. */
static bool is_forecast(const struct record *r)
{
    return point_has_ranks(r) && model_knows(point_record_kind(r).operator_row) && r->ranks >= 1 &&
           r->rows >= 1 && (r->threads <= 1) && !point_shares_product(r);
}

/* True if the points differ in the number of ranks only. */
static bool same_line(const struct record *a, const struct record *b)
{
    return point_same(a, b, COLUMN_SIZE) && point_same(a, b, COLUMN_PARAMETER) &&
           strcmp(a->platform, b->platform) == 0 && strcmp(a->method, b->method) == 0 &&
           strcmp(a->distribution, b->distribution) == 0 && is_simulated(a) == is_simulated(b);
}

static bool is_first_of_line(const struct analysis *a, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (is_forecast(&a->points[i].samples->identity) &&
            same_line(&a->points[i].samples->identity, &a->points[index].samples->identity))
            return false;
    return true;
}

/* Adds every point on the line of point `index`, and the model at powers of two up to the most
 * ranks. */
static enum status add_line(struct making *m, const struct scaling_model *model, size_t index)
{
    const struct analysis *a = m->analysis;
    const struct record *r = &a->points[index].samples->identity;
    enum status status = STATUS_OK;
    int64_t most = 1;
    for (size_t i = index; i < a->point_count && status == STATUS_OK; i++) {
        const struct record *other = &a->points[i].samples->identity;
        if (!is_forecast(other) || !same_line(r, other) ||
            !(a->points[i].seconds[METRIC_TOTAL].value > 0.0))
            continue;
        most = other->ranks > most ? other->ranks : most;
        status = add(m, model, &a->points[i], other, other->ranks);
    }
    for (int64_t ranks = 1; ranks <= most && status == STATUS_OK; ranks *= 2)
        status = add(m, model, NULL, r, ranks);
    return status;
}

static enum status add_simulated(struct making *m, size_t index)
{
    const struct record *r = &m->analysis->points[index].samples->identity;
    const struct row_time row = calibrations_find(m->calibrations, r);
    struct platform platform;
    struct scaling_model model;
    struct failure why = {0};
    if (row.launches == 0) {
        describe_missing(m, "no calibration of the rows of a simulated point: 'study calibrate'");
        return STATUS_OK;
    }
    enum status status = platform_read(&platform, r->platform, &why);
    if (status == STATUS_OK) {
        status = model_of_platform(&model, &platform, &row, r, false, &why);
        if (status == STATUS_OK)
            status = add_line(m, &model, index);
        platform_release(&platform);
    }
    if (status != STATUS_OK && why.message[0]) {
        describe_missing(m, why.message);
        return STATUS_OK;
    }
    return status;
}

static enum status add_measured(struct making *m, size_t index)
{
    const struct record *r = &m->analysis->points[index].samples->identity;
    struct scaling_model model;
    struct failure why = {0};
    if (model_fit(&model, m->analysis, r, m->cores, r->rows, &why) == STATUS_OK)
        return add_line(m, &model, index);
    describe_missing(m, why.message);
    return STATUS_OK;
}

enum status forecasts_make(struct forecasts *out, const struct analysis *a, const char *results,
                           double cores, struct failure *f)
{
    struct calibrations calibrations;
    struct making m = {out, a, &calibrations, cores, f};
    bool any = false;
    *out = (struct forecasts){0};
    for (size_t i = 0; i < a->point_count; i++)
        any = any || is_simulated(&a->points[i].samples->identity);
    if (!any)
        return STATUS_OK;
    enum status status = calibrations_read(&calibrations, results, f);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < a->point_count && status == STATUS_OK; i++) {
        const struct record *r = &a->points[i].samples->identity;
        if (is_forecast(r) && is_first_of_line(a, i))
            status = is_simulated(r) ? add_simulated(&m, i) : add_measured(&m, i);
    }
    calibrations_release(&calibrations);
    if (status != STATUS_OK)
        forecasts_release(out);
    return status;
}

void forecasts_release(struct forecasts *c)
{
    free(c->rows);
    *c = (struct forecasts){0};
}

double forecasts_worst(const struct forecasts *c, enum forecast_source source, size_t *count)
{
    double worst = 0.0;
    *count = 0;
    for (size_t i = 0; i < c->count; i++)
        if (c->rows[i].source == source && isfinite(c->rows[i].error)) {
            worst = fmax(worst, fabs(c->rows[i].error));
            ++*count;
        }
    return worst;
}

double forecasts_median(const struct forecasts *c, enum forecast_source source)
{
    double *errors = malloc((c->count + 1) * sizeof *errors), median = NAN;
    size_t n = 0;
    for (size_t i = 0; errors && i < c->count; i++)
        if (c->rows[i].source == source && isfinite(c->rows[i].error))
            errors[n++] = fabs(c->rows[i].error);
    if (n > 0)
        median = median_of(errors, n);
    free(errors);
    return median;
}

size_t forecasts_inside(const struct forecasts *c, enum forecast_source source, size_t *count)
{
    size_t inside = 0;
    *count = 0;
    for (size_t i = 0; i < c->count; i++) {
        const struct forecast *row = &c->rows[i];
        const struct interval between = row->predicted.total;
        if (row->source != source || !isfinite(row->error) || isnan(between.lower) ||
            isnan(between.upper))
            continue;
        inside += between.lower <= row->seconds && row->seconds <= between.upper;
        ++*count;
    }
    return inside;
}

int64_t forecasts_most_ranks(const struct forecasts *c, enum forecast_source source)
{
    int64_t most = 0;
    for (size_t i = 0; i < c->count; i++)
        if (c->rows[i].source == source && c->rows[i].ranks > most)
            most = c->rows[i].ranks;
    return most;
}

/* ---- the file ------------------------------------------------------------------------------- */

struct row {
    const char *experiment, *platform, *series;
    const struct forecast *of;
};

#define TABLE    scale
#define ROW      struct row
#define KIND_INC "experiments/analysis/derived/scale.inc"
#include "experiments/analysis/derived/declare_table.inc"

enum status forecasts_write(const struct forecasts *c, const char *experiment, const char *path,
                            struct failure *f)
{
    struct derived_writer w;
    struct output o;
    if (output_open_derived(&o, path, f) != STATUS_OK)
        return f->status;
    derived_begin(&w, o.stream, &derived_scale, NULL);
    for (size_t i = 0; i < c->count; i++) {
        const struct record *r = c->rows[i].problem;
        const char *platform = file_name(r->platform);
        char method[64], where[171], series[DERIVED_TEXT];
        text_distinct(method, sizeof method, r->method);
        text_distinct(where, sizeof where, platform[0] ? platform : "here");
        text_fit_format(series, sizeof series, "%s %s %s", method, r->distribution, where);
        derived_write_row(&w, &(struct row){experiment, platform, series, &c->rows[i]});
    }
    return output_close(&o, f);
}
