#include "experiments/plan/calibration.h"

#include "experiments/common/process.h"
#include "experiments/common/results.h"
#include "experiments/plan/command_line.h"
#include "experiments/plan/work.h"
#include "experiments/samples/point.h"
#include "experiments/samples/samples.h"
#include "harness/base/text/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LAUNCHES = 6, SEED = 35 };

/* Bytes of the image: larger than any cache, but measured quickly. Rows of a matrix: fewer, because
 * each costs cols squared. */
static const int64_t image_bytes = INT64_C(256) << 20, matrix_rows = 64;

static struct results_path samples_path(const char *results)
{
    return results_file(results, "calibration.samples.csv");
}

/* Rows of the map for the image of a record, over all planes; 0 if its sizes are unknown. */
static double map_rows(const struct record *r)
{
    struct operation op;
    if (work_operation(r, &op).kind != REFUSAL_NONE)
        return 0.0;
    return (double)op.map.planes * (double)op.map.rows;
}

/* ---- reading --------------------------------------------------------------------------------- */

enum status calibrations_read(struct calibrations *c, const char *results, struct failure *f)
{
    const struct results_path path = samples_path(results);
    *c = (struct calibrations){0};
    if (!table_is_begun(path.text))
        return STATUS_OK;
    c->samples = calloc(1, sizeof *c->samples);
    enum status status = c->samples ? samples_read(c->samples, path.text, f)
                                    : fail(f, STATUS_RESOURCE, "%s: not enough memory", path.text);
    if (status != STATUS_OK)
        calibrations_release(c);
    return status;
}

void calibrations_release(struct calibrations *c)
{
    if (c->samples)
        samples_release(c->samples);
    free(c->samples);
    c->samples = NULL;
}

static bool is_of(const struct record *serial, const struct record *point)
{
    return serial->cols == point->cols && point_same(serial, point, COLUMN_PARAMETER) &&
           strcmp(serial->method, point->method) == 0 &&
           strcmp(serial->isa_limit, point->isa_limit) == 0 &&
           strcmp(serial->pages_asked, point->pages_asked) == 0;
}

/* Seconds of one phase of a point / `rows`, estimated from all launches. */
static struct row_time phase_of(const struct samples *s, const struct point_samples *p,
                                enum phase phase, double rows)
{
    struct row_time time = {.value = NAN, .interval = {NAN, NAN}};
    size_t n = 0, capacity = 0;
    for (size_t i = 0; i < p->count; i++)
        capacity += s->launches[p->first + i].count;
    double *values = malloc((capacity + 1) * sizeof *values);
    struct launch_values *launches = malloc((p->count + 1) * sizeof *launches);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct estimate e = estimate_none();
    if (values && launches && rng) {
        gsl_rng_set(rng, SEED);
        for (size_t i = 0; i < p->count; i++) {
            const struct launch *l = &s->launches[p->first + i];
            launches[i] =
                (struct launch_values){values + n, samples_phase(s, l, phase, values + n)};
            n += launches[i].count;
        }
        if (estimate_make(&e, launches, p->count, rng) == 0 && e.value > 0.0 && rows > 0.0)
            time = (struct row_time){.value = e.value / rows,
                                     .interval = {e.interval.lower / rows, e.interval.upper / rows},
                                     .launches = e.launches};
    }
    estimate_free(&e);
    gsl_rng_free(rng);
    free(launches);
    free(values);
    return time;
}

/* ---- trainings ------------------------------------------------------------------------------ */

/* The step of one rank that has as many shards as the busiest rank of the point. */
static struct record one_rank(const struct record *point)
{
    enum { SHARDS_MOST = 8 };
    struct record one = *point;
    const int64_t shards = work_or_one(point->shards), ranks = work_or_one(point->ranks);
    const int64_t most = (shards + ranks - 1) / ranks;
    one.shards = most < SHARDS_MOST ? most : SHARDS_MOST;
    one.batch = (work_or_one(point->batch) + shards - 1) / shards * one.shards;
    snprintf(one.experiment, sizeof one.experiment, "calibration");
    snprintf(one.strategy, sizeof one.strategy, "mirrored");
    one.ranks = one.threads = 1;
    one.nodes = RECORD_NO_INT;
    one.platform[0] = '\0';
    return one;
}

static bool is_step_of(const struct record *sample, const struct record *point)
{
    const struct record one = one_rank(point);
    return sample->batch == one.batch && sample->shards == one.shards && point_trains(sample) &&
           sample->ranks == 1 && point_same_network(sample, &one) &&
           strcmp(sample->program, one.program) == 0 && strcmp(sample->method, one.method) == 0;
}

/* A rank adds its shards' gradients while it computes backward. The time of one addition is
 * estimated from the update by the bytes moved: three values of 4 bytes per parameter instead of
 * Adam's seven. Update and additions are subtracted from the seconds of the images. */
static struct row_time step_of(const struct samples *s, const struct point_samples *p)
{
    const double images = (double)p->identity.batch, shards = (double)p->identity.shards;
    const double sum_of_update = 3.0 / 7.0;
    struct row_time time = phase_of(s, p, PHASE_COMPUTE, images);
    const struct row_time update = phase_of(s, p, PHASE_UPDATE, 1.0);
    time.update_s = update.value;
    time.sum_s = sum_of_update * update.value;
    const double update_per_image = (time.update_s + shards * time.sum_s) / images;
    if (!(time.value > update_per_image))
        return (struct row_time){.value = NAN, .interval = {NAN, NAN}};
    time.value -= update_per_image;
    time.interval.lower -= update_per_image;
    time.interval.upper -= update_per_image;
    return time;
}

static struct row_time row_of(const struct samples *s, const struct point_samples *p,
                              const struct record *point)
{
    const double rows = map_rows(&p->identity);
    struct row_time time = phase_of(s, p, PHASE_COMPUTE, rows);
    if (point_shares_product(point))
        time.product_s = phase_of(s, p, PHASE_PRODUCT, rows).value;
    return time;
}

struct row_time calibrations_find(const struct calibrations *c, const struct record *point)
{
    const struct samples *s = c->samples;
    for (size_t i = s ? s->point_count : 0; i-- > 0;) {
        const struct point_samples *p = &s->points[i];
        if (point_trains(point) && is_step_of(&p->identity, point))
            return step_of(s, p);
        if (!point_trains(point) && is_of(&p->identity, point))
            return row_of(s, p, point);
    }
    return (struct row_time){.value = NAN, .interval = {NAN, NAN}};
}

/* ---- measuring ------------------------------------------------------------------------------ */

/* A serial point with the same columns and window, and with the rows of the image, or fewer: those
 * of `image_bytes` or `matrix_rows`. */
static struct record serial_twin(const struct record *point)
{
    struct record twin = *point;
    const struct operator_row *o = point_record_kind(point).operator_row;
    const bool matrix = o && (!o->many_planes || operator_takes_panels(o));
    int64_t most = matrix ? matrix_rows : image_bytes / (int64_t)sizeof(float) / point->cols;
    if (most < point->kernel)
        most = point->kernel;
    for (size_t i = 0; i < space_count; i++)
        if (spaces[i].alone)
            snprintf(twin.space, sizeof twin.space, "%s", spaces[i].name);
    text_fit_format(twin.program, sizeof twin.program, "%s_%s", point->operator_name, twin.space);
    snprintf(twin.experiment, sizeof twin.experiment, "calibration");
    twin.rows = point->rows < most ? point->rows : most;
    if (!o || o->many_planes)
        twin.planes = 1;
    twin.ranks = twin.threads = twin.nodes = RECORD_NO_INT;
    twin.distribution[0] = twin.parallel[0] = twin.platform[0] = twin.bind[0] = '\0';
    return twin;
}

static enum status run_once(const struct record *twin, const char *bin, const char *record,
                            struct failure *f)
{
    char verify[] = "sampled";
    const struct sampling sampling = {
        .samples = 40, .warmup = 1, .relative_ci = 0.01, .max_seconds = 0.5, .verify = verify};
    const struct command_request request = {.point = twin,
                                            .sampling = &sampling,
                                            .bin = bin,
                                            .launcher = point_trains(twin) ? "mpirun" : "plain",
                                            .cores = 1,
                                            .record = record};
    const struct process_limits limits = {.seconds = 300, .grace_seconds = 1, .death_signal = 9};
    struct command_line line;
    struct process_result result;
    enum status status = command_line_make(&line, &request, f);
    if (status != STATUS_OK)
        return status;
    status = process_run(line.words, &limits, &result, f);
    command_line_release(&line);
    if (status != STATUS_OK)
        return status;
    if (result.end == PROCESS_NOT_STARTED)
        return fail(f, STATUS_UNAVAILABLE, "calibration: no program %s here", twin->program);
    if (result.end == PROCESS_STOPPED)
        return fail(f, STATUS_RESOURCE, "calibration: stopped as asked");
    if (!process_succeeded(&result))
        return fail(f, result.exit_status > 0 ? (enum status)result.exit_status : STATUS_RESOURCE,
                    "calibration by %s failed: %s", twin->program, result.output);
    return STATUS_OK;
}

enum status calibration_measure(const struct record *point, const char *bin, const char *results,
                                struct failure *f)
{
    struct record twin = point_trains(point) ? one_rank(point) : serial_twin(point);
    const struct results_path path = samples_path(results);
    enum status status = STATUS_OK;
    for (twin.round = 0; twin.round < LAUNCHES && status == STATUS_OK; twin.round++)
        status = run_once(&twin, bin, path.text, f);
    return status;
}
