#include "experiments/analysis/derived.h"

#include "experiments/analysis/scaling.h"
#include "experiments/common/output.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { TEXT_SIZE = 256 };

#define TEXT(type, field)                                                                          \
    {                                                                                              \
#field, COLUMN_TEXT, offsetof(struct type, field), sizeof((struct type *)0)->field, ""     \
    }
#define REAL(type, field)                                                                          \
    {                                                                                              \
#field, COLUMN_REAL, offsetof(struct type, field), sizeof(double), ""                      \
    }

static void copy(char to[TEXT_SIZE], const char *from)
{
    snprintf(to, TEXT_SIZE, "%s", from);
}

/* A CSV holds no infinity. */
static double or_absent(double x)
{
    return isfinite(x) ? x : NAN;
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
    double workers, rate, bytes; /* bytes: capacity of a cache; absent for memory and peaks */
};

static const struct column line_row_columns[] = {
    TEXT(line_row, kind),    TEXT(line_row, label), TEXT(line_row, isa),
    REAL(line_row, workers), REAL(line_row, rate),  REAL(line_row, bytes),
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
        row.bytes = peak ? (double)NAN : or_absent(from->bytes);
        row.rate = peak ? from->operations.value : from->bandwidth.value;
        table_print(&line_schema, stream, &row);
    }
}

enum status derived_write(const struct analysis *a, const char *folder, struct failure *f)
{
    static const struct {
        const char *ending;
        void (*write)(FILE *stream, const struct analysis *a);
    } files[] = {{"points", derived_write_points},
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
