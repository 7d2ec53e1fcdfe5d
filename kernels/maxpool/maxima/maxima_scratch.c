#include "kernels/maxpool/maxima/maxima_scratch.h"

#include "kernels/maxpool/maxpool.h"
#include "kernels/min_max.h"

static const int64_t kept_floats = 128 * 1024; /* 512 KiB: half of a second-level cache */
static const int64_t narrowest = 1024;         /* elements; narrower strips read too short pieces */
static const int64_t widest = 16384;

struct maxima_room maxima_room(const struct geometry *g, int64_t cols, int64_t kept)
{
    const int64_t line = 16; /* floats of a cache line */
    const int64_t elements = larger(narrowest, smaller(widest, kept_floats / larger(1, kept)));
    const int64_t wanted = elements / g->stride / line * line;
    const int64_t outputs = smaller(cols, larger(line, wanted));
    const int64_t after = 3 * line + line * smaller(g->stride, line);
    const int64_t floats = MAXIMA_FRONT + (outputs - 1) * g->stride + g->kernel + after;
    /* An odd number of cache lines, so that the rows do not map to the same cache sets. */
    const int64_t lines = (floats + line - 1) / line | 1;
    return (struct maxima_room){outputs, lines * line};
}

/* Returns the bytes of `rows` such rows, or SIZE_MAX on overflow. */
static size_t maxima_bytes(struct maxima_room room, int64_t rows)
{
    size_t bytes;
    if (__builtin_mul_overflow((size_t)room.pitch * sizeof(float), (size_t)rows, &bytes))
        return SIZE_MAX;
    return bytes;
}

/* A padding row and a line, or for short rows the copied rows; and the buffer that collects
 * outputs. */
size_t maxpool_separable_scratch(const struct operation *op, int64_t cols)
{
    const struct geometry *g = &op->geometry;
    const int64_t kept = cols <= MAXIMA_SHORT ? MAXIMA_COPIES : 2;
    const size_t rows = maxima_bytes(maxima_room(g, cols, g->kernel), kept);
    const size_t gathered = 2 * MAXIMA_GATHER * sizeof(float); /* one page, wherever it begins */
    return rows > SIZE_MAX - gathered ? SIZE_MAX : rows + gathered;
}

int64_t maxpool_doubling_rows(const struct geometry *g)
{
    return g->stride < g->kernel ? g->kernel - 1 : 0;
}

size_t maxpool_doubling_scratch(const struct operation *op, int64_t cols)
{
    const struct geometry *g = &op->geometry;
    const int64_t rows = maxpool_doubling_rows(g);
    return maxima_bytes(maxima_room(g, cols, rows), rows + 2);
}

int64_t maxpool_van_herk_step(const struct geometry *g)
{
    return g->kernel >= 8 ? 8 : g->kernel >= 4 ? 4 : 2;
}

int64_t maxpool_van_herk_middle(const struct geometry *g)
{
    return larger(0, g->kernel / maxpool_van_herk_step(g) - 1);
}

int64_t maxpool_van_herk_kept(const struct geometry *g)
{
    const int64_t step = maxpool_van_herk_step(g);
    return g->stride < g->kernel ? (g->kernel + step - 1) / step * step : 0;
}

int64_t maxima_adjacent_kept(const struct geometry *g)
{
    return g->kernel / 4 + 1;
}

/* A padding row, a row for unwanted outputs, the places of the common groups (of two rows if
 * registers are few) and their prefix. */
static size_t adjacent_scratch(const struct geometry *g, int64_t cols)
{
    return maxima_bytes(maxima_room(g, cols, maxima_adjacent_kept(g)), g->kernel / 2 + 3);
}

/* A padding row, the lines of a step, the kept rows, the middle and its running maximum, and a
 * spare row for long horizontal windows. If windows do not overlap: a padding row, a line and a
 * spare row. */
size_t maxpool_van_herk_scratch(const struct operation *op, int64_t cols)
{
    const struct geometry *g = &op->geometry;
    const int64_t kept = maxpool_van_herk_kept(g);
    const size_t adjacent = g->stride == 1 ? adjacent_scratch(g, cols) : 0;
    const int64_t rows =
        kept > 0 ? maxpool_van_herk_step(g) + kept + maxpool_van_herk_middle(g) + 3 : 3;
    const size_t lines = maxima_bytes(maxima_room(g, cols, kept), rows);
    return adjacent > lines ? adjacent : lines;
}
