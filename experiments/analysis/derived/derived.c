#include "experiments/analysis/derived/derived.h"

#include "experiments/analysis/derived/derived_table.h"
#include "experiments/analysis/speedup/scaling.h"
#include "experiments/common/output.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- fits ----------------------------------------------------------------------------------- */

struct fit_row {
    const struct curve *curve;
    enum metric metric;
    const struct fit *fit;
};

/* Parameter i of the model, if it has that many. */
static const char *parameter_name(const struct fit *fit, size_t i)
{
    const struct fit_description *d = &fit_descriptions[fit->model];
    return i < d->parameters ? d->parameter[i] : "";
}

static struct bounded parameter(const struct fit *fit, size_t i)
{
    return i < fit_descriptions[fit->model].parameters
               ? DERIVED_BOUNDED(fit->value[i], fit->interval[i])
               : (struct bounded){NAN, NAN, NAN};
}

#define TABLE    fits
#define ROW      struct fit_row
#define KIND_INC "experiments/analysis/derived/fits.inc"
#include "experiments/analysis/derived/declare_table.inc"

static void write_fits(FILE *stream, const struct analysis *a)
{
    struct derived_writer w;
    derived_begin(&w, stream, &derived_fits, a);
    for (size_t i = 0; i < a->curve_count; i++)
        for (enum metric m = 0; m < METRICS; m++)
            for (size_t j = 0; j < a->curves[i].fit_count; j++)
                derived_write_row(&w,
                                  &(struct fit_row){&a->curves[i], m, &a->curves[i].fits[m][j]});
}

/* ---- models --------------------------------------------------------------------------------- */

struct model_row {
    const struct curve *curve;
    enum metric metric;
    const char *model;
    double x, seconds, speedup;
};

#define TABLE    model
#define ROW      struct model_row
#define KIND_INC "experiments/analysis/derived/model.inc"
#include "experiments/analysis/derived/declare_table.inc"

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

static void write_line(struct derived_writer *w, const struct curve *c, enum metric m,
                       const char *name, double first, model_line *line, const void *model)
{
    for (size_t i = 0; i <= STEPS; i++) {
        struct model_row row = {.curve = c, .metric = m, .model = name};
        row.x = step_x(w->analysis, c, first, i);
        row.seconds = line(model, row.x);
        row.speedup = line(model, 1.0) / row.seconds;
        if (c->kind == CURVE_WEAK) /* work grows with x */
            row.speedup *= row.x;
        derived_write_row(w, &row);
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
    write_line(w, c, m, "ideal", one->workers, plain_line, &law);
    if (!weak && a->fraction >= 0) {
        law.fraction = a->points[a->fraction].share.value;
        write_line(w, c, m, "amdahl_measured", one->workers, plain_line, &law);
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
    derived_begin(&w, stream, &derived_model, a);
    for (size_t i = 0; i < a->curve_count; i++)
        for (enum metric m = 0; m < METRICS; m++) {
            const struct curve *c = &a->curves[i];
            write_plain_laws(&w, a, c, m);
            for (size_t j = 0; j < c->fit_count; j++) {
                const struct fit *fit = &c->fits[m][j];
                if (!fit->reason[0] && fit->model != FIT_PRODUCT)
                    write_line(&w, c, m, fit_descriptions[fit->model].name, first_x(a, c, fit),
                               fitted_line, fit);
            }
        }
}

/* ---- ceilings ------------------------------------------------------------------------------- */

static const struct rate *rate_of(const struct ceiling *c)
{
    return ceiling_is_peak(c) ? &c->operations : &c->bandwidth;
}

#define TABLE    ceilings
#define ROW      struct ceiling
#define KIND_INC "experiments/analysis/derived/ceilings.inc"
#include "experiments/analysis/derived/declare_table.inc"

bool derived_is_line(const struct ceilings *c, const struct ceiling *row)
{
    return ceiling_is_peak(row) ? strcmp(row->what, "multiply_add") == 0 : rates_is_line(c, row);
}

static void write_ceilings(FILE *stream, const struct analysis *a)
{
    const struct ceilings *c = &a->ceilings;
    struct derived_writer w;
    derived_begin(&w, stream, &derived_ceilings, a);
    for (size_t i = 0; i < c->count; i++)
        if (derived_is_line(c, &c->rows[i]))
            derived_write_row(&w, &c->rows[i]);
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
        enum status status = output_open_derived(&o, path, f);
        if (status != STATUS_OK)
            return status;
        files[i].write(o.stream, a);
        status = output_close(&o, f);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}
