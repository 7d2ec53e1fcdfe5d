#include "experiments/ceilings/ceilings.h"

#include "experiments/common/output.h"
#include "harness/records/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the file ------------------------------------------------------------------------------- */

#define TEXT(field, meaning)                                                                       \
    {                                                                                              \
#field, COLUMN_TEXT, offsetof(struct ceiling, field), CEILING_TEXT, meaning                \
    }
#define REAL(field, name, meaning)                                                                 \
    {                                                                                              \
        name, COLUMN_REAL, offsetof(struct ceiling, field), sizeof(double), meaning                \
    }

static const struct column columns[] = {
    TEXT(level, "L1, L2, L3 or memory"),
    REAL(bytes, "bytes", "capacity of the level"),
    REAL(workers, "workers", "at once"),
    REAL(bandwidth.value, "bandwidth_bytes_per_s", "highest sample"),
    REAL(bandwidth.lower, "lower_bytes_per_s", "95 % interval of the median"),
    REAL(bandwidth.upper, "upper_bytes_per_s", "95 % interval of the median"),
    TEXT(what, "read, copy, pool, multiply_add, maximum or product"),
    TEXT(stores, "ordinary or streaming"),
    TEXT(isa, "instruction set"),
    REAL(operations.value, "operations_per_s", "highest sample; a multiply-add counts 2"),
    REAL(operations.lower, "lower_operations_per_s", "95 % interval of the median"),
    REAL(operations.upper, "upper_operations_per_s", "95 % interval of the median"),
};
static const struct schema schema = {columns, sizeof columns / sizeof *columns,
                                     sizeof(struct ceiling)};

struct ceiling ceiling_blank(void)
{
    struct ceiling row;
    table_blank(&schema, &row);
    return row;
}

enum status ceilings_add(struct ceilings *c, const struct ceiling *row, struct failure *f)
{
    struct ceiling *grown = realloc(c->rows, (c->count + 1) * sizeof *grown);
    if (!grown)
        return fail(f, STATUS_RESOURCE, "no memory for %zu ceilings", c->count + 1);
    c->rows = grown;
    grown[c->count++] = *row;
    return STATUS_OK;
}

static bool take(const void *row, int64_t line, void *context)
{
    (void)line;
    struct ceiling taken = *(const struct ceiling *)row;
    if (!taken.what[0])
        snprintf(taken.what, sizeof taken.what, "read");
    return ceilings_add(context, &taken, NULL) == STATUS_OK;
}

enum status ceilings_read(struct ceilings *c, const char *path, struct failure *f)
{
    *c = (struct ceilings){0};
    if (!table_is_begun(path))
        return STATUS_OK;
    return table_read(path, &schema, take, c, NULL, f);
}

enum status ceilings_write(const struct ceilings *c, const char *path, struct failure *f)
{
    struct output o;
    enum status status = output_open(&o, path, f);
    if (status != STATUS_OK)
        return status;
    table_print_header(&schema, o.stream);
    for (size_t i = 0; i < c->count; i++)
        table_print(&schema, o.stream, &c->rows[i]);
    return output_close(&o, f);
}

void ceilings_release(struct ceilings *c)
{
    free(c->rows);
    *c = (struct ceilings){0};
}

static bool is_peak(const struct ceiling *row)
{
    return !row->level[0];
}

/* A bandwidth is the machine's, whatever set it was measured in; a peak is the set's. */
static bool same_ceiling(const struct ceiling *a, const struct ceiling *b)
{
    return strcmp(a->what, b->what) == 0 && strcmp(a->level, b->level) == 0 &&
           strcmp(a->stores, b->stores) == 0 && a->workers == b->workers &&
           (!is_peak(a) || strcmp(a->isa, b->isa) == 0);
}

static double rate_of(const struct ceiling *row)
{
    return is_peak(row) ? row->operations.value : row->bandwidth.value;
}

void ceilings_keep_higher(struct ceilings *now, const struct ceilings *before)
{
    for (size_t i = 0; i < now->count; i++)
        for (size_t j = 0; j < before->count; j++)
            if (same_ceiling(&now->rows[i], &before->rows[j]) &&
                rate_of(&before->rows[j]) > rate_of(&now->rows[i]))
                now->rows[i] = before->rows[j];
}

/* ---- bandwidths ----------------------------------------------------------------------------- */

/* The number of workers whose rows speak for `workers`: the fewest measured that are as many. NaN
 * where none are. */
static double measured_workers(const struct ceilings *c, const char *what, double workers)
{
    double fewest = NAN;
    for (size_t i = 0; c && i < c->count; i++)
        if (strcmp(c->rows[i].what, what) == 0 && c->rows[i].workers >= workers)
            fewest = fmin(fewest, c->rows[i].workers);
    return fewest;
}

static double capacity(const struct ceiling *level)
{
    return isnan(level->bytes) ? (double)INFINITY : level->bytes;
}

const struct ceiling *ceilings_level(const struct ceilings *c, double bytes, double workers)
{
    const double measured = measured_workers(c, "read", workers);
    const struct ceiling *best = NULL;
    for (size_t i = 0; c && i < c->count; i++) {
        const struct ceiling *row = &c->rows[i];
        if (strcmp(row->what, "read") == 0 && row->workers == measured && capacity(row) >= bytes &&
            (!best || capacity(row) < capacity(best)))
            best = row;
    }
    return best;
}

static double end_of(const struct rate *rate, enum rate_end end)
{
    return end == RATE_UPPER && rate->upper > rate->value ? rate->upper : rate->value;
}

/* The highest bandwidth of a pass, over the kinds of stores; NaN where it was not measured. */
static double pass_bandwidth(const struct ceilings *c, const struct ceiling *level,
                             const char *pass, enum rate_end end)
{
    double most = NAN;
    for (size_t i = 0; i < c->count; i++) {
        const struct ceiling *row = &c->rows[i];
        if (strcmp(row->what, pass) == 0 && strcmp(row->level, level->level) == 0 &&
            row->workers == level->workers)
            most = fmax(most, end_of(&row->bandwidth, end));
    }
    return most;
}

double ceilings_bandwidth(const struct ceilings *c, const struct ceiling *level, double write_share,
                          enum rate_end end)
{
    static const struct {
        const char *pass;
        double write_share;
    } passes[] = {{"read", 0.0}, {"pool", 0.2}, {"copy", 0.5}};
    double share = 0.0, bandwidth = NAN; /* of the pass before */
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        const double here = pass_bandwidth(c, level, passes[i].pass, end);
        if (isnan(here))
            continue;
        if (passes[i].write_share >= write_share && !isnan(bandwidth)) {
            const double way = (write_share - share) / (passes[i].write_share - share);
            return 1.0 / ((1.0 - way) / bandwidth + way / here);
        }
        share = passes[i].write_share;
        bandwidth = here;
    }
    return bandwidth;
}

double ceilings_least_seconds(const struct ceilings *c, double bytes, double workers,
                              double write_share)
{
    double seconds = 0.0, held = 0.0;
    while (held < bytes) {
        const struct ceiling *level = ceilings_level(c, nextafter(held, INFINITY), workers);
        if (!level)
            break;
        const double here = fmin(capacity(level), bytes) - held;
        seconds += here / ceilings_bandwidth(c, level, write_share, RATE_UPPER);
        held += here;
    }
    return seconds;
}

/* ---- peaks ---------------------------------------------------------------------------------- */

/* Operations per second; NaN where none were measured. */
static double peak(const struct ceilings *c, const char *what, double workers, const char *isa,
                   enum rate_end end)
{
    const double measured = measured_workers(c, what, workers);
    for (size_t i = 0; c && i < c->count; i++) {
        const struct ceiling *row = &c->rows[i];
        if (strcmp(row->what, what) == 0 && strcmp(row->isa, isa) == 0 && row->workers == measured)
            return end_of(&row->operations, end);
    }
    return NAN;
}

/* A mixture takes no longer than its parts one after the other. So it takes at least what the
 * measured mixture of two multiply-adds to a maximum takes, less what is missing to that one. */
double ceilings_arithmetic(const struct ceilings *c, double multiply_adds, double maxima,
                           double workers, const char *isa, enum rate_end end)
{
    const double multiply_add_s = 2.0 / peak(c, "multiply_add", workers, isa, end);
    const double maximum_s = 1.0 / peak(c, "maximum", workers, isa, end);
    const double mixture_s = 5.0 / peak(c, "product", workers, isa, end);
    const double apart = fmax(multiply_adds * multiply_add_s, maxima * maximum_s);
    const double pairs = 0.5 * multiply_adds;
    const double together = pairs >= maxima
                                ? pairs * mixture_s - (pairs - maxima) * maximum_s
                                : maxima * mixture_s - 2.0 * (maxima - pairs) * multiply_add_s;
    return fmax(apart, together);
}
