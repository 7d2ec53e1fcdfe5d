#include "harness/limits/rates.h"

#include <math.h>
#include <string.h>

double rates_workers(const struct ceilings *c, const char *what, double workers)
{
    double fewest = NAN;
    for (size_t i = 0; c && i < c->count; i++)
        if (c->rows[i].workers >= workers && strcmp(c->rows[i].what, what) == 0)
            fewest = fmin(fewest, c->rows[i].workers);
    return fewest;
}

/* A rate without an interval was seen in a few visits of one moment. Between moments, the rates of
 * a virtual machine differ by up to 1.7: what such a machine can do at best is not known more
 * closely than to a factor of 2. */
static const double unknown_margin = 2.0;

static double highest_of(const struct rate *rate)
{
    const double seen = fmax(fmax(rate->value, rate->upper), rate->highest);
    return isnan(rate->upper) ? unknown_margin * seen : seen;
}

static double end_of(const struct rate *rate, enum rate_end end)
{
    const double upper = fmax(rate->value, rate->upper);
    return end == RATE_LOWER     ? fmin(rate->value, rate->lower)
           : end == RATE_UPPER   ? upper
           : end == RATE_HIGHEST ? highest_of(rate)
                                 : rate->value;
}

/* ---- bandwidths ----------------------------------------------------------------------------- */

static bool is_pass(const struct ceiling *row, const char *pass, double workers)
{
    return row->workers == workers && strcmp(row->what, pass) == 0;
}

static double smallest_size(const struct ceilings *c, const char *pass, double workers)
{
    double smallest = NAN;
    for (size_t i = 0; c && i < c->count; i++)
        if (is_pass(&c->rows[i], pass, workers))
            smallest = fmin(smallest, c->rows[i].working_set);
    return smallest;
}

/* Returns the largest measured size that does not exceed the working set; NaN if there is none. */
static double size_below(const struct ceilings *c, const char *pass, double working_set,
                         double workers)
{
    double below = NAN;
    for (size_t i = 0; i < c->count; i++)
        if (c->rows[i].working_set <= working_set && is_pass(&c->rows[i], pass, workers))
            below = fmax(below, c->rows[i].working_set);
    return below;
}

/* Returns the highest rate of that size and of all larger ones, over the kinds of stores. */
static double pass_bandwidth(const struct ceilings *c, const char *pass, double working_set,
                             double workers, enum rate_end end)
{
    const double size = size_below(c, pass, working_set, workers);
    double most = NAN;
    for (size_t i = 0; i < c->count; i++)
        if (c->rows[i].working_set >= size && is_pass(&c->rows[i], pass, workers))
            most = fmax(most, end_of(&c->rows[i].bandwidth, end));
    return most;
}

double rates_bandwidth(const struct ceilings *c, double working_set, double workers,
                       double write_share, enum rate_end end)
{
    static const struct {
        const char *pass;
        double write_share;
    } passes[] = {{"read", 0.0}, {"pool", 0.2}, {"copy", 0.5}};
    const double measured = rates_workers(c, "read", workers);
    const double set = fmax(working_set, smallest_size(c, "read", measured));
    double share = 0.0, bandwidth = NAN; /* of the previous pass */
    for (size_t i = 0; !isnan(measured) && i < sizeof passes / sizeof *passes; i++) {
        const double here = pass_bandwidth(c, passes[i].pass, set, measured, end);
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

double rates_next_size(const struct ceilings *c, double working_set, double workers)
{
    const double measured = rates_workers(c, "read", workers);
    double next = INFINITY;
    for (size_t i = 0; c && i < c->count; i++)
        if (c->rows[i].workers == measured && c->rows[i].working_set > working_set)
            next = fmin(next, c->rows[i].working_set);
    return next;
}

/* ---- peaks ---------------------------------------------------------------------------------- */

double rates_peak(const struct ceilings *c, const char *what, double workers, const char *isa,
                  enum rate_end end)
{
    const double measured = rates_workers(c, what, workers);
    for (size_t i = 0; c && i < c->count; i++) {
        const struct ceiling *row = &c->rows[i];
        if (strcmp(row->what, what) == 0 && strcmp(row->isa, isa) == 0 && row->workers == measured)
            return end_of(&row->operations, end);
    }
    return NAN;
}

/* ---- levels --------------------------------------------------------------------------------- */

static double capacity(const struct ceiling *level)
{
    return isnan(level->bytes) ? (double)INFINITY : level->bytes;
}

const char *rates_level(const struct ceilings *c, double working_set, double workers)
{
    const double measured = rates_workers(c, "read", workers);
    const struct ceiling *best = NULL;
    for (size_t i = 0; c && i < c->count; i++) {
        const struct ceiling *row = &c->rows[i];
        if (is_pass(row, "read", measured) && capacity(row) >= working_set &&
            (!best || capacity(row) < capacity(best)))
            best = row;
    }
    return best ? best->level : "";
}

/* How well a row represents its level: the larger its working set the better, up to half of the
 * capacity; beyond that, the smaller the better. */
static double fitness(const struct ceiling *row)
{
    return row->working_set <= 0.5 * capacity(row) ? row->working_set : -row->working_set;
}

static bool same_level(const struct ceiling *a, const struct ceiling *b)
{
    return a->workers == b->workers && strcmp(a->level, b->level) == 0;
}

bool rates_stands_for_level(const struct ceilings *c, const struct ceiling *row)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct ceiling *other = &c->rows[i];
        if (same_level(other, row) && strcmp(other->what, row->what) == 0 &&
            strcmp(other->stores, row->stores) == 0 && fitness(other) > fitness(row))
            return false;
    }
    return true;
}

bool rates_is_line(const struct ceilings *c, const struct ceiling *row)
{
    if (!rates_stands_for_level(c, row))
        return false;
    for (size_t i = 0; i < c->count; i++) {
        const struct ceiling *other = &c->rows[i];
        const double more = other->bandwidth.value - row->bandwidth.value;
        if (same_level(other, row) && (more > 0.0 || (more == 0.0 && other < row)) &&
            rates_stands_for_level(c, other))
            return false;
    }
    return true;
}
