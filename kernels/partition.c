#include "kernels/partition.h"

#include "kernels/min_max.h"

static int64_t divide_up(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

/* Where part i of `parts` near-equal contiguous parts of n begins; the first n % parts parts are
 * one longer. */
static int64_t part_begin(int64_t n, int64_t parts, int64_t i)
{
    return i * (n / parts) + smaller(i, n % parts);
}

/* The number of workers, such that each gets at least min_outputs of the outputs. */
static int64_t useful_workers(int64_t outputs, int64_t workers, int64_t min_outputs)
{
    return smaller(workers, larger(1, outputs / larger(1, min_outputs)));
}

struct partition partition_make(int64_t planes, int64_t rows, int64_t cols, int64_t workers,
                                int64_t min_outputs, int64_t max_cols)
{
    const int64_t line = 16; /* floats in a cache line of 64 bytes */
    const int64_t lines = planes * rows;
    struct partition d = {
        .planes = planes, .rows = rows, .cols = cols, .strips = 1, .unit_rows = 1};
    d.workers = useful_workers(lines * cols, workers, min_outputs);
    if (lines < d.workers) {
        const int64_t narrowest = smaller(line, larger(1, min_outputs));
        d.strips = smaller(divide_up(d.workers, lines), larger(1, cols / narrowest));
    }
    if (max_cols > 0)
        d.strips = larger(d.strips, divide_up(cols, max_cols));
    d.units = lines * d.strips;
    d.workers = smaller(d.workers, d.units);
    return d;
}

/* Units of one plane, counted without regard to strips of columns. */
static int64_t plane_units(const struct partition *d)
{
    return divide_up(d->rows, d->unit_rows);
}

/* Sets the workers that get any units: no more than are useful. */
static void limit_workers(struct partition *d, int64_t workers, int64_t min_outputs)
{
    const int64_t outputs = d->planes * d->rows * d->cols;
    d->workers = smaller(useful_workers(outputs, workers, min_outputs), d->units);
}

struct partition partition_make_rows(int64_t planes, int64_t rows, int64_t cols, int64_t workers,
                                     int64_t min_outputs, int64_t unit_rows)
{
    struct partition d = {
        .planes = planes, .rows = rows, .cols = cols, .strips = 1, .unit_rows = unit_rows};
    d.units = planes * plane_units(&d);
    limit_workers(&d, workers, min_outputs);
    return d;
}

struct partition partition_make_columns(int64_t planes, int64_t rows, int64_t cols, int64_t workers,
                                        int64_t min_outputs, int64_t strip_cols)
{
    struct partition d = {
        .planes = planes, .rows = rows, .cols = cols, .strip_cols = strip_cols, .unit_rows = rows};
    d.strips = divide_up(cols, strip_cols);
    d.units = planes * d.strips;
    limit_workers(&d, workers, min_outputs);
    return d;
}

struct share partition_share(const struct partition *d, int64_t worker)
{
    if (worker >= d->workers)
        return (struct share){.first = d->units, .count = 0};
    const int64_t first = part_begin(d->units, d->workers, worker);
    return (struct share){first, part_begin(d->units, d->workers, worker + 1) - first};
}

int64_t partition_block_cols(const struct partition *d)
{
    return d->strip_cols > 0 ? d->cols : divide_up(d->cols, d->strips);
}

/* The first column of a strip; for strip `strips`, the end. */
static int64_t strip_begin(const struct partition *d, int64_t strip)
{
    if (d->strip_cols > 0)
        return smaller(d->cols, strip * d->strip_cols);
    return part_begin(d->cols, d->strips, strip);
}

/* Takes all strips of one plane, each with all rows, that the share has. */
static void next_strips(const struct partition *d, struct share *s, struct block *b)
{
    const int64_t strip = s->first % d->strips;
    const int64_t taken = smaller(s->count, d->strips - strip);
    const int64_t planes = d->whole_planes && taken == d->strips ? s->count / d->strips : 1;
    const int64_t col = strip_begin(d, strip);
    *b = (struct block){.plane = s->first / d->strips,
                        .rows = d->rows,
                        .col = col,
                        .cols = strip_begin(d, strip + taken) - col,
                        .planes = planes};
    s->first += planes * taken;
    s->count -= planes * taken;
}

bool partition_next(const struct partition *d, struct share *s, struct block *b)
{
    if (s->count <= 0)
        return false;
    if (d->strip_cols > 0) {
        next_strips(d, s, b);
        return true;
    }
    const int64_t group = s->first / d->strips, strip = s->first % d->strips;
    const int64_t all = plane_units(d), unit = group % all, row = unit * d->unit_rows;
    const int64_t col = strip_begin(d, strip);
    const int64_t taken = d->strips > 1 ? 1 : smaller(s->count, all - unit);
    const bool several = d->whole_planes && d->strips == 1 && taken == all;
    const int64_t planes = several ? s->count / all : 1;
    *b = (struct block){.plane = group / all,
                        .row = row,
                        .rows = smaller(taken * d->unit_rows, d->rows - row),
                        .col = col,
                        .cols = strip_begin(d, strip + 1) - col,
                        .planes = planes};
    s->first += planes * taken;
    s->count -= planes * taken;
    return true;
}

int64_t partition_output(const struct partition *d, int64_t unit)
{
    const int64_t group = unit / d->strips, col = strip_begin(d, unit % d->strips);
    if (d->strip_cols > 0)
        return (group * d->cols + col) * d->rows;
    const int64_t all = plane_units(d);
    return (group / all * d->rows + group % all * d->unit_rows) * d->cols + col;
}
