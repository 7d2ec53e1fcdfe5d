/* Panels of B that are packed once for all workers. Each of w workers that packs for itself copies
 * as much as one alone, for a w-th of the multiply-adds: with many of them that is no small part of
 * the time. */
#include "kernels/matmul/matmul.h"
#include "kernels/min_max.h"

/* Workers from which on a panel is shared, which costs two barriers; and multiply-adds of each that
 * are worth it. */
enum { LEAST_WORKERS = 4, LEAST_PRODUCT = 128 * 128 * 128 };

/* Panel number `panel`, or behind the last one an empty range. */
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

/* None where planes have panels of their own, where a panel has not all columns, or where a worker
 * has so few rows that it reads B where it lies. */
static int64_t panels(const struct operation *op, int64_t workers)
{
    const struct packed_blocks most = packed_blocks_for(&op->caches);
    const int64_t rows = op->image.planes * op->image.rows / workers, cols = op->image.cols;
    int64_t count = 0;
    if (matmul_has_own_filters(op) || workers < LEAST_WORKERS || cols > most.cols ||
        rows <= PACKED_ROWS_STEP || rows <= LEAST_PRODUCT / cols / cols)
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
    return (op->image.cols + PACKED_COLS_STEP - 1) / PACKED_COLS_STEP;
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
    const int64_t end = smaller(all * (part + 1) / parts * PACKED_COLS_STEP, op->image.cols);
    const struct view b = {.data = op->operands[OPERAND_FILTER].values,
                           .row_stride = op->operands[OPERAND_FILTER].shape.cols,
                           .rows = op->operands[OPERAND_FILTER].shape.rows};
    if (first < end)
        matmul_method_of(op->method)
            ->pack[op->isa](&b, panel_at(op, panel), (struct range){first, end - first}, room);
}

const struct sharing matmul_sharing = {
    .panels = panels, .rows = rows, .floats = floats, .pack = pack};
