/* Panels of B that are packed once for all workers. If each of w workers packs for itself, it
 * copies as much as a single worker would, for only 1/w of the multiply-adds: with many workers
 * that is a considerable part of the time. */
#include "kernels/matmul/matmul.h"
#include "kernels/min_max.h"

/* The least number of workers for which sharing a panel is worth its two barriers, and the
 * multiply-adds that each worker must exceed. */
enum { LEAST_WORKERS = 2, LEAST_PRODUCT = 128 * 128 * 128 };

/* The terms of panel number `panel`; after the last panel an empty range. */
static struct range panel_at(const struct operation *op, int64_t panel)
{
    const struct packed_blocks most = packed_blocks_for(&op->caches);
    const struct range all = {0, op->image.cols};
    struct range part = {0, 0};
    for (int64_t i = 0; i <= panel; i++)
        if (!packed_next_part(all, most.terms, 1, &part))
            return (struct range){all.count, 0};
    return part;
}

/* 0 if planes have their own B, if there are few workers, if a panel does not have all columns, or
 * if a worker has so few rows that it reads B in place. */
static int64_t panels(const struct operation *op, int64_t workers)
{
    const struct packed_blocks most = packed_blocks_for(&op->caches);
    const int64_t rows = op->image.planes * op->image.rows / workers;
    const int64_t inner = op->image.cols, cols = op->map.cols;
    int64_t count = 0;
    if (matmul_has_own_filters(op) || workers < LEAST_WORKERS || cols > most.cols ||
        rows <= PACKED_ROWS_STEP || rows <= LEAST_PRODUCT / inner / cols)
        return 0;
    while (panel_at(op, count).count > 0)
        count++;
    return count;
}

static void rows(const struct operation *op, int64_t panel, int64_t *term, int64_t *terms)
{
    const struct range part = panel_at(op, panel);
    *term = part.first;
    *terms = part.count;
}

static int64_t steps(const struct operation *op)
{
    return (op->map.cols + PACKED_COLS_STEP - 1) / PACKED_COLS_STEP;
}

static size_t floats(const struct operation *op)
{
    return (size_t)(panel_at(op, 0).count * steps(op) * PACKED_COLS_STEP);
}

static void pack(const struct operation *op, int64_t panel, int64_t part, int64_t parts,
                 float *room)
{
    const int64_t all = steps(op);
    const int64_t first = all * part / parts * PACKED_COLS_STEP;
    const int64_t end = smaller(all * (part + 1) / parts * PACKED_COLS_STEP, op->map.cols);
    const struct view b = {.data = op->operands[OPERAND_FILTER].values,
                           .row_stride = op->operands[OPERAND_FILTER].shape.cols,
                           .rows = op->operands[OPERAND_FILTER].shape.rows};
    if (first < end)
        matmul_method_of(op->method)
            ->pack[op->isa](&b, panel_at(op, panel), (struct range){first, end - first}, room);
}

const struct sharing matmul_sharing = {
    .panels = panels, .rows = rows, .floats = floats, .pack = pack};
