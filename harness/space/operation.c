#include "harness/space/operation.h"

#include "harness/base/clock.h"
#include "harness/machine/memory.h"
#include "harness/machine/simulation.h"

#include <math.h>
#include <string.h>

const char *operator_name(enum operator_kind kind)
{
    return kind == OPERATOR_MAXPOOL ? "maxpool" : "matmul";
}

const char *operation_method(const struct operation *op)
{
    return op->kind == OPERATOR_MAXPOOL ? op->maxpool->name : op->matmul->name;
}

void operation_choose_isa(struct operation *op, enum isa limit)
{
    op->isa = op->kind == OPERATOR_MAXPOOL ? maxpool_method_isa(op->maxpool, limit)
                                           : matmul_method_isa(op->matmul, limit);
}

int64_t operation_terms(const struct operation *op)
{
    return op->kind == OPERATOR_MAXPOOL ? op->geometry.kernel : op->image.cols;
}

double operation_cost(const struct operation *op)
{
    return op->kind == OPERATOR_MAXPOOL ? op->maxpool->cost(&op->geometry)
                                        : 2.0 * (double)op->image.cols;
}

size_t operation_scratch(const struct operation *op, int64_t cols)
{
    if (op->kind == OPERATOR_MAXPOOL)
        return op->maxpool->scratch_bytes ? op->maxpool->scratch_bytes(&op->geometry, cols) : 0;
    return op->matmul->scratch_bytes ? op->matmul->scratch_bytes(op->image.cols, cols) : 0;
}

bool operation_takes_planes(const struct operation *op)
{
    return op->kind == OPERATOR_MAXPOOL && op->maxpool->whole_planes;
}

struct deal operation_deal(const struct operation *op, int64_t workers, double min_cost)
{
    const double least = fmax(1.0, ceil(min_cost / operation_cost(op)));
    const int64_t strip = op->kind == OPERATOR_MAXPOOL ? op->maxpool->strip_cols : 0;
    struct deal deal =
        deal_make(op->map.planes, op->map.rows, op->map.cols, workers, (int64_t)least, strip);
    deal.whole_planes = operation_takes_planes(op);
    return deal;
}

void operation_rows_needed(const struct operation *op, int64_t row, int64_t rows, int64_t *first,
                           int64_t *count)
{
    if (op->kind == OPERATOR_MAXPOOL) {
        geometry_rows_needed(&op->geometry, row, rows, first, count);
    } else {
        *first = row;
        *count = rows;
    }
}

/* Image coordinate where the windows of output coordinate `out` begin; output 0 owns all before. */
static int64_t input_begin(const struct operation *op, int64_t out, int64_t size)
{
    if (op->kind == OPERATOR_MATMUL)
        return out;
    const int64_t begin = out * op->geometry.stride - op->geometry.padding;
    return out == 0 || begin < 0 ? 0 : begin > size ? size : begin;
}

int64_t operation_first_cell(const struct operation *op, const struct deal *d, int64_t unit)
{
    if (unit >= d->units)
        return op->image.planes * op->image.rows * op->image.cols;
    const int64_t output = deal_output(d, unit);
    const int64_t line = output / d->cols;
    const int64_t row = input_begin(op, line % d->rows, op->image.rows);
    const int64_t col = input_begin(op, output % d->cols, op->image.cols);
    return (line / d->rows * op->image.rows + row) * op->image.cols + col;
}

/* The stages of each row of the block, with the clock around the product. */
static void run_staged(const struct maxpool_stages *stages, const struct maxpool_call *call,
                       void *scratch, double *product_s)
{
    struct maxpool_call row = *call;
    row.block.rows = 1;
    for (int64_t i = 0; i < call->block.rows; i++, row.block.row++) {
        stages->cut(&row, scratch);
        const double start = clock_now();
        stages->multiply(&row, scratch);
        *product_s += clock_now() - start;
        stages->reduce(&row, scratch);
    }
}

bool operation_is_staged(const struct operation *op)
{
    return op->kind == OPERATOR_MAXPOOL && op->maxpool->stages && !(op->row_s > 0.0);
}

static void run_maxpool(const struct operation *op, const struct block *block, struct view image,
                        struct map_view map, void *scratch, double *product_s)
{
    const struct maxpool_call call = {.geometry = &op->geometry,
                                      .filter = op->filter.values,
                                      .image = image,
                                      .map = map,
                                      .block = *block};
    if (op->maxpool->stages)
        run_staged(op->maxpool->stages, &call, scratch, product_s);
    else
        op->maxpool->run[op->isa](&call, scratch);
}

/* The simulated seconds of a block of which a share of all terms is done. True where that is all
 * that happens. */
static bool stands_in(const struct operation *op, const struct block *block, double share)
{
    if (op->row_s > 0.0)
        simulation_spend(op->row_s * share * (double)block->planes * (double)block->rows *
                         (double)block->cols / (double)op->map.cols);
    return op->folded;
}

static void multiply(const struct operation *op, const struct block *block, struct view a,
                     struct view b, int64_t term, int64_t terms, struct map_view c, void *scratch)
{
    const struct matmul_call call = {.inner = op->image.cols,
                                     .a = a,
                                     .b = b,
                                     .c = c,
                                     .block = *block,
                                     .term = term,
                                     .terms = terms};
    op->matmul->run[op->isa](&call, scratch);
}

void operation_multiply(const struct operation *op, const struct block *block, struct view a,
                        struct view b, int64_t term, int64_t terms, struct map_view c,
                        void *scratch)
{
    if (!stands_in(op, block, (double)terms / (double)op->image.cols))
        multiply(op, block, a, b, term, terms, c, scratch);
}

static void run_matmul(const struct operation *op, const struct block *block, struct view image,
                       struct map_view map, void *scratch)
{
    const int64_t inner = op->image.cols;
    const struct view b = {op->filter.values, inner, 0, inner, 0};
    multiply(op, block, image, b, 0, inner, map, scratch);
}

void operation_run(const struct operation *op, const struct block *block, struct view image,
                   struct map_view map, void *scratch, double *product_s)
{
    if (stands_in(op, block, 1.0))
        return;
    if (op->kind == OPERATOR_MAXPOOL)
        run_maxpool(op, block, image, map, scratch, product_s);
    else
        run_matmul(op, block, image, map, scratch);
}
