#include "harness/space/operation.h"

#include "harness/base/clock.h"
#include "harness/machine/memory.h"
#include "harness/space/shares.h"
#include "kernels/min_max.h"

#include <math.h>

enum status refusal_fail(const struct refusal *r, struct failure *f)
{
    static const enum status statuses[] = {[REFUSAL_NONE] = STATUS_OK,
                                           [REFUSAL_USAGE] = STATUS_USAGE,
                                           [REFUSAL_RESOURCE] = STATUS_RESOURCE};
    return r->kind == REFUSAL_NONE ? STATUS_OK : fail(f, statuses[r->kind], "%s", r->text);
}

enum status operation_pack(const struct operation *op, float **packed, double *seconds,
                           struct failure *f)
{
    const struct method *m = op->method;
    const double start = clock_now();
    *packed = NULL;
    *seconds = 0.0;
    if (!m->packed_floats)
        return STATUS_OK;
    const size_t floats = m->packed_floats(op);
    if (floats == 0)
        return STATUS_OK;
    const size_t bytes = memory_multiply(floats, sizeof(float));
    enum status status = memory_allocate((void **)packed, bytes, "the packed weights", f);
    if (status == STATUS_OK && operation_right(op)->values) {
        m->pack(op, *packed);
        *seconds = clock_now() - start;
    }
    return status;
}

const char *operation_method(const struct operation *op)
{
    return op->method->name;
}

void operation_choose_isa(struct operation *op, enum isa limit)
{
    op->isa = operator_isa(op->kind, op->method, limit);
}

/* Arithmetic operations per output. */
static double operation_cost(const struct operation *op)
{
    return op->method->cost(op);
}

size_t operation_scratch(const struct operation *op, int64_t cols)
{
    return op->method->scratch_bytes ? op->method->scratch_bytes(op, cols) : 0;
}

int64_t operation_unit_rows(const struct operation *op)
{
    return op->method ? larger(1, op->method->unit_rows) : 1;
}

struct partition operation_partition(const struct operation *op, int64_t workers, double min_cost)
{
    const double least = fmax(1.0, ceil(min_cost / operation_cost(op)));
    const int64_t lines = op->map.planes * op->map.rows;
    const bool whole = op->method->whole_rows && lines < workers;
    const int64_t strip = op->method->strips ? op->method->strips(op, workers) : 0;
    const int64_t unit = operation_unit_rows(op);
    struct partition partition =
        strip > 0 ? partition_make_columns(op->map.planes, op->map.rows, op->map.cols, workers,
                                           (int64_t)least, strip)
        : unit > 1
            ? partition_make_rows(op->map.planes, op->map.rows, op->map.cols, workers,
                                  (int64_t)least, unit)
            : partition_make(op->map.planes, op->map.rows, op->map.cols, whole ? lines : workers,
                             (int64_t)least, op->method->strip_cols);
    partition.whole_planes = op->method->whole_planes;
    return partition;
}

/* Seconds of a piece, as estimated: in fewer, its beginning would be a considerable part of it. */
#define PIECE_S 100e-6

/* The estimated seconds of a worker's share. */
static double share_seconds(const struct operation *op, const struct partition *d)
{
    const double speed = op->method->operations_per_s;
    return operation_cost(op) * (double)shape_elements(op->map) / (double)d->workers /
           (speed > 0.0 ? speed : VECTOR_OPERATIONS_PER_S);
}

int64_t operation_pieces(const struct operation *op, const struct partition *d, bool panels)
{
    const bool packs_alone = op->method->sharing && !panels; /* a panel for each block */
    const double lines = (double)(d->planes * d->rows) / (double)d->workers;
    const double least = (double)(op->method->piece_rows > 0 ? op->method->piece_rows : 1);
    const bool alone = d->workers == 1; /* nobody else could take a piece */
    return alone || packs_alone || d->strip_cols > 0
               ? 1
               : shares_pieces(lines, least, share_seconds(op, d), PIECE_S);
}

int64_t operation_first_element(const struct operation *op, const struct partition *d, int64_t unit)
{
    if (unit >= d->units)
        return shape_elements(op->image);
    const int64_t output = partition_output(d, unit);
    const int64_t line = output / d->cols;
    const struct region c = op->kind->begin(op, line / d->rows, line % d->rows, output % d->cols);
    return (c.plane * op->image.rows + c.row) * op->image.cols + c.col;
}

struct portion portion_whole(const struct operation *op, const struct block *block,
                             struct view image, struct map_view map, void *scratch)
{
    const struct operand *right = operation_right(op);
    return (struct portion){.block = *block,
                            .image = image,
                            .right = {.data = right->values,
                                      .row_stride = right->shape.cols,
                                      .rows = right->shape.rows,
                                      .plane_stride = right->shape.rows * right->shape.cols},
                            .terms = right->shape.rows,
                            .map = map,
                            .scratch = scratch};
}

/* Runs the stages of each row of the block, and times the product. */
static void run_staged(const struct operation *op, const struct portion *portion, double *product_s)
{
    struct portion row = *portion;
    row.block.rows = 1;
    for (int64_t i = 0; i < portion->block.rows; i++, row.block.row++) {
        op->kind->run(op, &row, STAGE_CUT);
        const double start = clock_now();
        op->kind->run(op, &row, STAGE_MULTIPLY);
        *product_s += clock_now() - start;
        op->kind->run(op, &row, STAGE_REDUCE);
    }
}

void operation_run(const struct operation *op, const struct portion *portion, double *product_s)
{
    if (op->method->staged)
        run_staged(op, portion, product_s);
    else
        op->kind->run(op, portion, STAGE_ALL);
}
