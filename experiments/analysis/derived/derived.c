#include "experiments/analysis/derived/derived.h"

#include "experiments/analysis/derived/derived_table.h"
#include "experiments/analysis/speedup/scaling.h"
#include "experiments/common/output.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const struct fit_description *description_of(const struct derived_source *s)
{
    return &fit_descriptions[s->fit->model];
}

/* ---- columns of several files ---------------------------------------------------------------- */

static void experiment_name(const struct derived_source *s, size_t which, char *text)
{
    (void)which;
    derived_copy(text, s->analysis->name);
}

static void curve_kind_name(const struct derived_source *s, size_t which, char *text)
{
    (void)which;
    derived_copy(text, curve_names[s->curve->kind]);
}

static void curve_label(const struct derived_source *s, size_t which, char *text)
{
    (void)which;
    derived_copy(text, s->curve->label);
}

static void metric_name(const struct derived_source *s, size_t which, char *text)
{
    (void)which;
    derived_copy(text, metric_names[s->metric]);
}

/* ---- fits ----------------------------------------------------------------------------------- */

static void fit_model(const struct derived_source *s, size_t which, char *text)
{
    (void)which;
    derived_copy(text, description_of(s)->name);
}

static void fit_formula(const struct derived_source *s, size_t which, char *text)
{
    (void)which;
    derived_copy(text, description_of(s)->formula);
}

static void fit_reason(const struct derived_source *s, size_t which, char *text)
{
    (void)which;
    derived_copy(text, s->fit->reason);
}

/* A count (size_t) of the fit, or of the curve; `which` is its offset. */
static double fit_count(const struct derived_source *s, size_t which, size_t part)
{
    size_t value;
    (void)part;
    memcpy(&value, (const char *)s->fit + which, sizeof value);
    return (double)value;
}

static double curve_count(const struct derived_source *s, size_t which, size_t part)
{
    size_t value;
    (void)part;
    memcpy(&value, (const char *)s->curve + which, sizeof value);
    return (double)value;
}

static double fit_error(const struct derived_source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return s->fit->error;
}

static double fit_probability(const struct derived_source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return s->fit->misfit;
}

/* Parameter `which` of the model, if it has that many. */
static void parameter_name(const struct derived_source *s, size_t which, char *text)
{
    if (which < description_of(s)->parameters)
        derived_copy(text, description_of(s)->parameter[which]);
}

static double parameter(const struct derived_source *s, size_t which, size_t part)
{
    return which < description_of(s)->parameters
               ? derived_part(s->fit->value[which], s->fit->interval[which], part)
               : (double)NAN;
}

static const struct derived_column fit_columns[] = {
    {"experiment", experiment_name, NULL, 0, 0, false},
    {"curve", curve_kind_name, NULL, 0, 0, false},
    {"series", curve_label, NULL, 0, 0, false},
    {"metric", metric_name, NULL, 0, 0, false},
    {"model", fit_model, NULL, 0, 0, false},
    {"formula", fit_formula, NULL, 0, 0, false},
    {"reason", fit_reason, NULL, 0, 0, false},
    {"points", NULL, fit_count, offsetof(struct fit, points), 0, false},
    {"distinct", NULL, fit_count, offsetof(struct fit, distinct), 0, false},
    {"left_out_invalid", NULL, curve_count, offsetof(struct curve, left_out_invalid), 0, false},
    {"left_out_workers", NULL, curve_count, offsetof(struct curve, left_out_workers), 0, false},
    {"relative_error", NULL, fit_error, 0, 0, false},
    {"parameter_1", parameter_name, NULL, 0, 0, false},
    {"value_1", NULL, parameter, 0, PART_VALUE, false},
    {"lower_1", NULL, parameter, 0, PART_LOWER, false},
    {"upper_1", NULL, parameter, 0, PART_UPPER, false},
    {"parameter_2", parameter_name, NULL, 1, 0, false},
    {"value_2", NULL, parameter, 1, PART_VALUE, false},
    {"lower_2", NULL, parameter, 1, PART_LOWER, false},
    {"upper_2", NULL, parameter, 1, PART_UPPER, false},
    {"parameter_3", parameter_name, NULL, 2, 0, false},
    {"value_3", NULL, parameter, 2, PART_VALUE, false},
    {"lower_3", NULL, parameter, 2, PART_LOWER, false},
    {"upper_3", NULL, parameter, 2, PART_UPPER, false},
    {"misfit", NULL, fit_probability, 0, 0, false},
};

static void write_fits(FILE *stream, const struct analysis *a)
{
    struct derived_writer w;
    derived_begin(&w, stream, fit_columns, sizeof fit_columns / sizeof *fit_columns);
    for (size_t i = 0; i < a->curve_count; i++)
        for (enum metric m = 0; m < METRICS; m++)
            for (size_t j = 0; j < a->curves[i].fit_count; j++)
                derived_write_row(&w, &(struct derived_source){.analysis = a,
                                                               .curve = &a->curves[i],
                                                               .metric = m,
                                                               .fit = &a->curves[i].fits[m][j]});
}

/* ---- models --------------------------------------------------------------------------------- */

static void model_name(const struct derived_source *s, size_t which, char *text)
{
    (void)which;
    derived_copy(text, s->model);
}

/* A double of the source itself; `which` is its offset. */
static double of_line(const struct derived_source *s, size_t which, size_t part)
{
    double value;
    (void)part;
    memcpy(&value, (const char *)s + which, sizeof value);
    return value;
}

static const struct derived_column model_columns[] = {
    {"curve", curve_kind_name, NULL, 0, 0, false},
    {"series", curve_label, NULL, 0, 0, false},
    {"metric", metric_name, NULL, 0, 0, false},
    {"model", model_name, NULL, 0, 0, false},
    {"x", NULL, of_line, offsetof(struct derived_source, x), 0, false},
    {"seconds", NULL, of_line, offsetof(struct derived_source, seconds), 0, false},
    {"speedup", NULL, of_line, offsetof(struct derived_source, speedup), 0, false},
};

/* Steps of x on a curve, evenly spaced on a logarithmic axis. */
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
    double fraction, one_worker_s; /* fraction 1: the ideal law */
    bool weak;
};

static double plain_line(const void *model, double x)
{
    const struct plain_law *law = model;
    return law->weak ? law->one_worker_s : law->one_worker_s / amdahl_speedup(law->fraction, x);
}

static void write_line(struct derived_writer *w, const struct analysis *a, const struct curve *c,
                       enum metric m, const char *name, double first, model_line *line,
                       const void *model)
{
    for (size_t i = 0; i <= STEPS; i++) {
        struct derived_source s = {.analysis = a, .curve = c, .metric = m, .model = name};
        s.x = step_x(a, c, first, i);
        s.seconds = line(model, s.x);
        s.speedup = line(model, 1.0) / s.seconds;
        if (c->kind == CURVE_WEAK) /* work grows with x */
            s.speedup *= s.x;
        derived_write_row(w, &s);
    }
}

/* Writes the lines that need no fit: the ideal one, and Amdahl's law with the measured share. */
static void write_plain_laws(struct derived_writer *w, const struct analysis *a,
                             const struct curve *c, enum metric m)
{
    const struct point *one = &a->points[c->points[0]];
    bool weak = c->kind == CURVE_WEAK;
    if ((!weak && c->kind != CURVE_WORKERS) || one->workers != 1.0 ||
        !(one->seconds[m].value > 0.0))
        return;
    struct plain_law law = {1.0, one->seconds[m].value, weak};
    write_line(w, a, c, m, "ideal", one->workers, plain_line, &law);
    if (!weak && a->fraction >= 0) {
        law.fraction = a->points[a->fraction].share.value;
        write_line(w, a, c, m, "amdahl_measured", one->workers, plain_line, &law);
    }
}

/* x at which the line of a fit begins: a power law is derived from the largest sizes and does not
 * describe small ones; a law of workers describes all of them. */
static double first_x(const struct analysis *a, const struct curve *c, const struct fit *fit)
{
    const bool grows = fit->model == FIT_POWER || fit->model == FIT_EXPONENTIAL;
    return grows ? fit->least_x : curve_x(&a->points[c->points[0]], c->kind);
}

static void write_models(FILE *stream, const struct analysis *a)
{
    struct derived_writer w;
    derived_begin(&w, stream, model_columns, sizeof model_columns / sizeof *model_columns);
    for (size_t i = 0; i < a->curve_count; i++)
        for (enum metric m = 0; m < METRICS; m++) {
            const struct curve *c = &a->curves[i];
            write_plain_laws(&w, a, c, m);
            for (size_t j = 0; j < c->fit_count; j++) {
                const struct fit *fit = &c->fits[m][j];
                if (!fit->reason[0] && fit->model != FIT_PRODUCT)
                    write_line(&w, a, c, m, fit_descriptions[fit->model].name, first_x(a, c, fit),
                               fitted_line, fit);
            }
        }
}

/* ---- ceilings ------------------------------------------------------------------------------- */

static void ceiling_kind(const struct derived_source *s, size_t which, char *text)
{
    (void)which;
    derived_copy(text, ceiling_is_peak(s->ceiling) ? "peak" : "bandwidth");
}

static void ceiling_label(const struct derived_source *s, size_t which, char *text)
{
    (void)which;
    derived_copy(text, ceiling_is_peak(s->ceiling) ? s->ceiling->isa : s->ceiling->level);
}

static void ceiling_isa(const struct derived_source *s, size_t which, char *text)
{
    (void)which;
    derived_copy(text, s->ceiling->isa);
}

static double ceiling_workers(const struct derived_source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return s->ceiling->workers;
}

static double ceiling_rate(const struct derived_source *s, size_t which, size_t part)
{
    const struct rate *rate =
        ceiling_is_peak(s->ceiling) ? &s->ceiling->operations : &s->ceiling->bandwidth;
    (void)which;
    return derived_part(rate->value, (struct interval){rate->lower, rate->upper}, part);
}

/* Capacity of a cache; absent for memory and peaks. */
static double ceiling_bytes(const struct derived_source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return ceiling_is_peak(s->ceiling) ? (double)NAN : s->ceiling->bytes;
}

static const struct derived_column ceiling_columns[] = {
    {"kind", ceiling_kind, NULL, 0, 0, false},
    {"label", ceiling_label, NULL, 0, 0, false},
    {"isa", ceiling_isa, NULL, 0, 0, false},
    {"workers", NULL, ceiling_workers, 0, 0, false},
    {"rate", NULL, ceiling_rate, 0, PART_VALUE, false},
    {"bytes", NULL, ceiling_bytes, 0, 0, false},
    {"rate_lower", NULL, ceiling_rate, 0, PART_LOWER, false},
    {"rate_upper", NULL, ceiling_rate, 0, PART_UPPER, false},
};

bool derived_is_line(const struct ceilings *c, const struct ceiling *row)
{
    return ceiling_is_peak(row) ? strcmp(row->what, "multiply_add") == 0 : rates_is_line(c, row);
}

static void write_ceilings(FILE *stream, const struct analysis *a)
{
    const struct ceilings *c = &a->ceilings;
    struct derived_writer w;
    derived_begin(&w, stream, ceiling_columns, sizeof ceiling_columns / sizeof *ceiling_columns);
    for (size_t i = 0; i < c->count; i++)
        if (derived_is_line(c, &c->rows[i]))
            derived_write_row(&w, &(struct derived_source){.analysis = a, .ceiling = &c->rows[i]});
}

/* ---- all files ------------------------------------------------------------------------------- */

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
