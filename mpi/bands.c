#include "mpi/bands.h"

#include "kernels/min_max.h"

static struct lines between(int64_t first, int64_t end)
{
    return (struct lines){first, larger(0, end - first)};
}

int64_t lines_end(struct lines l)
{
    return l.first + l.count;
}

struct partition bands_partition(const struct operation *op, int64_t ranks, int64_t unit_rows)
{
    return partition_make_rows(op->map.planes, op->map.rows, op->map.cols, ranks, 1, unit_rows);
}

/* The unit that begins with a line; for the end of the map, the number of units. */
static int64_t unit_at(const struct partition *d, int64_t line)
{
    return line / d->rows * (d->units / d->planes) + line % d->rows / d->unit_rows;
}

struct share units_of_lines(const struct partition *d, struct lines lines)
{
    const int64_t first = unit_at(d, lines.first);
    return (struct share){first, unit_at(d, lines_end(lines)) - first};
}

struct lines lines_of_units(const struct partition *d, struct share units)
{
    const int64_t first = partition_output(d, units.first) / d->cols;
    return between(first, partition_output(d, units.first + units.count) / d->cols);
}

static struct lines map_lines(const struct partition *d, int64_t rank)
{
    return lines_of_units(d, partition_share(d, rank));
}

/* Returns the image lines that the windows of one map line read. Both ends grow with the line, so a
 * run of map lines reads from the beginning of the first's to the end of the last's. */
static struct lines lines_read(const struct operation *op, int64_t line)
{
    const int64_t plane = op->kind->begin(op, line / op->map.rows, 0, 0).plane;
    struct lines read;
    op->kind->rows_needed(op, line % op->map.rows, 1, &read.first, &read.count);
    read.first += plane * op->image.rows;
    return read;
}

/* Returns the first image line that a band reads; for ranks without a band, the end of what the
 * last band reads. */
static int64_t read_begin(const struct operation *op, const struct partition *d, int64_t rank)
{
    const struct lines map = map_lines(d, rank);
    if (map.count > 0)
        return lines_read(op, map.first).first;
    return lines_end(lines_read(op, op->map.planes * op->map.rows - 1));
}

static struct lines image_lines(const struct operation *op, const struct partition *d, int64_t rank)
{
    const struct lines map = map_lines(d, rank);
    const int64_t begin = read_begin(op, d, rank);
    return between(begin, map.count > 0 ? lines_end(lines_read(op, lines_end(map) - 1)) : begin);
}

/* Returns the lines of the first units of a share, as many as read no line from `end` on. */
static struct lines outputs_within(const struct operation *op, const struct partition *d,
                                   struct share units, int64_t end)
{
    int64_t low = 0, high = units.count; /* bisection: units before low are within, from high not */
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const struct lines l = lines_of_units(d, (struct share){units.first + middle, 1});
        if (lines_end(lines_read(op, lines_end(l) - 1)) <= end)
            low = middle + 1;
        else
            high = middle;
    }
    return lines_of_units(d, (struct share){units.first, low});
}

static struct band make_band(const struct operation *op, const struct partition *d, int64_t rank)
{
    struct band b = {.map = map_lines(d, rank), .image = image_lines(op, d, rank)};
    const int64_t next = read_begin(op, d, rank + 1);
    b.own = between(b.image.first, smaller(next, lines_end(b.image)));
    b.halo = between(lines_end(b.own), lines_end(b.image));
    b.interior = outputs_within(op, d, partition_share(d, rank), lines_end(b.own));
    return b;
}

void bands_make(const struct operation *op, int64_t ranks, int64_t unit_rows, struct band *bands)
{
    const struct partition d = bands_partition(op, ranks, unit_rows);
    for (int64_t rank = 0; rank < ranks; rank++)
        bands[rank] = make_band(op, &d, rank);
}

struct lines bands_halo_from(const struct band *bands, int64_t from, int64_t to)
{
    return lines_common(bands[from].own, bands[to].halo);
}

struct lines lines_common(struct lines a, struct lines b)
{
    return between(larger(a.first, b.first), smaller(lines_end(a), lines_end(b)));
}

bool lines_next_plane(struct lines *lines, int64_t rows_per_plane, int64_t *plane, int64_t *row,
                      int64_t *rows)
{
    if (lines->count <= 0)
        return false;
    *plane = lines->first / rows_per_plane;
    *row = lines->first % rows_per_plane;
    *rows = smaller(lines->count, rows_per_plane - *row);
    lines->first += *rows;
    lines->count -= *rows;
    return true;
}

bool lines_next_block(struct lines *lines, int64_t rows_per_plane, bool whole_planes,
                      struct block *block)
{
    if (!lines_next_plane(lines, rows_per_plane, &block->plane, &block->row, &block->rows))
        return false;
    const bool several = whole_planes && block->rows == rows_per_plane;
    const int64_t more = several ? lines->count / rows_per_plane : 0;
    block->planes = 1 + more;
    lines->first += more * rows_per_plane;
    lines->count -= more * rows_per_plane;
    return true;
}

struct view lines_view(const float *data, struct lines held, struct image_shape image,
                       int64_t plane)
{
    const struct lines whole = {plane * image.rows, image.rows};
    const struct lines part = lines_common(held, whole);
    if (part.count == 0) /* windows wholly in the padding read nothing */
        return (struct view){
            .data = data, .row_stride = image.cols, .plane_stride = image.rows * image.cols};
    return (struct view){.data = data + (part.first - held.first) * image.cols,
                         .row_stride = image.cols,
                         .first_row = part.first - whole.first,
                         .rows = part.count,
                         .plane_stride = image.rows * image.cols};
}

struct map_view lines_map_view(float *data, struct lines held, struct image_shape map,
                               int64_t plane)
{
    const struct lines part = lines_common(held, (struct lines){plane * map.rows, map.rows});
    return (struct map_view){.data = data + (part.first - held.first) * map.cols,
                             .row_stride = map.cols,
                             .first_row = part.first - plane * map.rows,
                             .plane_stride = map.rows * map.cols};
}
