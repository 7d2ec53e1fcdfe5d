#include "experiments/analysis/layer_times.h"

#include "experiments/analysis/derived/derived_table.h"
#include "experiments/analysis/limit_share.h"
#include "experiments/common/output.h"
#include "harness/limits/roof.h"
#include "harness/space/spaces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading --------------------------------------------------------------------------------- */

/* The rows of one network, collected row by row. */
struct layer_rows {
    const struct samples *samples;
    const struct ceilings *all;
    struct ceilings here; /* of `host` */
    char host[RECORD_TEXT];
    struct layer_times *out;
    char run_id[LAYER_LAUNCHES][RECORD_TEXT];
    double seconds[LAYER_STEPS][LAYER_LAUNCHES];              /* 0: not recorded */
    double passes[LAYER_PASSES][LAYER_STEPS][LAYER_LAUNCHES]; /* of these seconds */
    double roof_s[LAYER_STEPS][LAYER_LAUNCHES];               /* NaN: unknown */
    struct bounded roofs[LAYER_STEPS]; /* of the last launch, with the ceilings' error */
    struct failure *failure;
    enum status status;
};

static const char *const passes[LAYER_PASSES] = {"forward", "backward", "update"};

/* Index of a launch, which is added if new; LAYER_LAUNCHES if there are too many. */
static size_t launch_of(struct layer_rows *t, const char *run_id)
{
    size_t i = 0;
    while (i < t->out->launches && strcmp(t->run_id[i], run_id) != 0)
        i++;
    if (i == t->out->launches && i < LAYER_LAUNCHES)
        snprintf(t->run_id[t->out->launches++], RECORD_TEXT, "%s", run_id);
    return i;
}

/* Loads the ceilings of the row's host, which seldom changes. */
static void find_ceilings(struct layer_rows *t, const char *host)
{
    if (t->status != STATUS_OK || !t->all || (t->here.rows && strcmp(host, t->host) == 0))
        return;
    ceilings_release(&t->here);
    snprintf(t->host, sizeof t->host, "%s", host);
    t->status = ceilings_of_host(&t->here, t->all, host, t->failure);
}

static bool is_on_device(const struct layer_record *r)
{
    const struct space_facts *space = space_find(r->space);
    return space && space->kind == SPACE_CUDA;
}

/* The limit of a row. Ceilings describe processors, so a GPU's limit is unknown; a training pass
 * has none either. */
static struct bounded roof_s_of(struct layer_rows *t, const struct layer_record *r)
{
    const struct need need = {.bytes_read = r->bytes - r->bytes_written,
                              .bytes_written = r->bytes_written,
                              .least = {.multiply_adds = r->least_multiply_adds},
                              .per_output = {.multiply_adds = r->multiply_adds}};
    if (r->pass[0] || is_on_device(r))
        return (struct bounded){RECORD_NO_REAL, RECORD_NO_REAL, RECORD_NO_REAL};
    find_ceilings(t, r->host);
    const struct roof roof = roof_of(&t->here, &need, record_count(r->threads), r->isa);
    return (struct bounded){roof.seconds, roof.lower_s, roof.upper_s};
}

/* Adds a row, if it belongs to the network of the first row. */
static bool take(const void *row, int64_t line, void *context)
{
    const struct layer_record *r = row;
    struct layer_rows *t = context;
    struct layer_times *out = t->out;
    (void)line;
    if (samples_replaced(t->samples, r->run_id))
        return true;
    if (!out->network[0])
        snprintf(out->network, sizeof out->network, "%s", r->network);
    if (r->step < 0 || r->step >= LAYER_STEPS || !(r->mean_s > 0.0) ||
        strcmp(out->network, r->network) != 0)
        return true;
    const size_t step = (size_t)r->step, launch = launch_of(t, r->run_id);
    if (launch == LAYER_LAUNCHES)
        return true;
    snprintf(out->steps[step].layer, RECORD_TEXT, "%s", r->layer);
    if (r->layer_method[0])
        snprintf(out->steps[step].method, RECORD_TEXT, "%s", r->layer_method);
    t->seconds[step][launch] += r->mean_s;
    for (size_t i = 0; i < LAYER_PASSES; i++)
        t->passes[i][step][launch] += strcmp(r->pass, passes[i]) == 0 ? r->mean_s : 0.0;
    t->roofs[step] = roof_s_of(t, r);
    t->roof_s[step][launch] += t->roofs[step].value;
    out->count = step + 1 > out->count ? step + 1 : out->count;
    return t->status == STATUS_OK;
}

/* ---- results --------------------------------------------------------------------------------- */

/* Over all launches; NaN if one is unknown. */
static struct summary summary_of(const double *values, size_t count)
{
    double known[LAYER_LAUNCHES];
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i]))
            known[n++] = values[i];
    return summarise(known, n == count ? n : 0);
}

/* The share of the roof that the launches reach, with the error of the ceilings: not recorded if
 * its whole interval is above 1. */
static struct summary summary_of_shares(const double *shares, size_t count, struct bounded roof)
{
    struct summary s = summary_of(shares, count);
    const struct bounded relative = {1.0, roof.lower / roof.value, roof.upper / roof.value};
    const struct bounded time = {1.0 / s.median, 1.0 / s.upper, 1.0 / s.lower};
    const struct interval i = limit_share_interval(relative, time);
    if (limit_is_passed(relative, time))
        return summary_of(NULL, 0);
    s.lower = i.lower;
    s.upper = i.upper;
    return s;
}

static void summarise_step(struct layer_rows *t, size_t step, const double *all_s)
{
    double shares[LAYER_LAUNCHES], roofs[LAYER_LAUNCHES];
    struct layer_time *s = &t->out->steps[step];
    for (size_t i = 0; i < t->out->launches; i++) {
        shares[i] = t->seconds[step][i] / all_s[i];
        roofs[i] = t->roof_s[step][i] / t->seconds[step][i];
    }
    for (size_t pass = 0; pass < LAYER_PASSES; pass++) {
        double parts[LAYER_LAUNCHES];
        for (size_t i = 0; i < t->out->launches; i++)
            parts[i] = t->passes[pass][step][i] / all_s[i];
        s->passes[pass] = summary_of(parts, t->out->launches);
    }
    s->seconds = summary_of(t->seconds[step], t->out->launches);
    s->share = summary_of(shares, t->out->launches);
    s->roof = summary_of_shares(roofs, t->out->launches, t->roofs[step]);
    s->roof_lower_s = t->roofs[step].lower;
    s->roof_upper_s = t->roofs[step].upper;
}

static void summarise_all(struct layer_rows *t)
{
    double seconds[LAYER_LAUNCHES] = {0}, roofs[LAYER_LAUNCHES] = {0};
    struct bounded all = {0.0, 0.0, 0.0};
    for (size_t j = 0; j < t->out->count; j++) {
        all.value += t->roofs[j].value;
        all.lower += t->roofs[j].lower;
        all.upper += t->roofs[j].upper;
        for (size_t i = 0; i < t->out->launches; i++) {
            seconds[i] += t->seconds[j][i];
            roofs[i] += t->roof_s[j][i];
        }
    }
    for (size_t j = 0; j < t->out->count; j++)
        summarise_step(t, j, seconds);
    for (size_t i = 0; i < t->out->launches; i++)
        roofs[i] /= seconds[i];
    t->out->all.seconds = summary_of(seconds, t->out->launches);
    t->out->all.roof = summary_of_shares(roofs, t->out->launches, all);
}

enum status layer_times_make(struct layer_times **out, const char *path,
                             const struct samples *samples, const struct ceilings *all,
                             struct failure *f)
{
    struct failure missing = {0};
    struct layer_rows *t = calloc(1, sizeof *t);
    *out = calloc(1, sizeof **out);
    enum status status =
        t && *out ? STATUS_OK : fail(f, STATUS_RESOURCE, "no memory for the layers of a network");
    bool was_read = false;
    if (status == STATUS_OK) {
        *t = (struct layer_rows){.samples = samples, .all = all, .out = *out, .failure = f};
        was_read = table_read(path, &layer_record_schema, take, t, NULL, &missing) == STATUS_OK &&
                   (*out)->launches > 0;
        status = t->status;
    }
    if (was_read && status == STATUS_OK)
        summarise_all(t);
    if (!was_read || status != STATUS_OK) {
        free(*out);
        *out = NULL;
    }
    if (t)
        ceilings_release(&t->here);
    free(t);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

struct row {
    size_t step, launches;
    const struct layer_time *time;
};

static struct bounded bounded_median(const struct summary *s)
{
    return (struct bounded){s->median, s->lower, s->upper};
}

#define TABLE    layers
#define ROW      struct row
#define KIND_INC "experiments/analysis/derived/layers.inc"
#include "experiments/analysis/derived/declare_table.inc"

enum status layer_times_write(const struct layer_times *t, const char *path, struct failure *f)
{
    struct derived_writer w;
    struct output o;
    if (output_open_derived(&o, path, f) != STATUS_OK)
        return f->status;
    derived_begin(&w, o.stream, &derived_layers, NULL);
    for (size_t i = 0; i < t->count; i++)
        derived_write_row(&w, &(struct row){i, t->launches, &t->steps[i]});
    return output_close(&o, f);
}
