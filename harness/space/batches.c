#include "harness/space/batches.h"

#include "harness/machine/memory.h"
#include "harness/space/shares.h"

#include <string.h>

/* Bytes of the windows and products of a batch: they stay in the second-level cache of every
 * machine of today. */
enum { BATCH_BYTES = 512 << 10, LEAST_PER_WORKER = 4 };

const char *batches_refuse(const struct operation *op)
{
    return op->method->staged ? NULL : "does not compute its product in a stage of its own";
}

struct batches batches_make(const struct operation *op, int64_t workers)
{
    struct batches b = {.operation = op,
                        .units = partition_make(op->map.planes, op->map.rows, op->map.cols, 1, 1,
                                                op->method->strip_cols)};
    const size_t needed = operation_scratch(op, partition_block_cols(&b.units));
    b.step = needed > SIZE_MAX - 63 ? SIZE_MAX : (needed + 63) / 64 * 64;
    b.most = b.step > 0 ? (int64_t)(BATCH_BYTES / b.step) : 1;
    if (b.most < LEAST_PER_WORKER * workers)
        b.most = LEAST_PER_WORKER * workers;
    if (b.most > b.units.units)
        b.most = b.units.units;
    return b;
}

int64_t batches_workers(const struct batches *b, int64_t workers)
{
    return b->most < workers ? b->most : workers;
}

size_t batches_scratch(const struct batches *b)
{
    return memory_multiply((size_t)b->most, b->step);
}

void batches_poison(const struct batches *b, void *scratch)
{
    if (b->most > 0)
        memset(scratch, 0xff, batches_scratch(b));
}

struct block batches_block(const struct batches *b, int64_t unit)
{
    struct share one = {unit, 1};
    struct block block = {0};
    partition_next(&b->units, &one, &block);
    return block;
}

void *batches_part(const struct batches *b, void *scratch, int64_t first, int64_t unit)
{
    return (char *)scratch + (size_t)(unit - first) * b->step;
}

int64_t batches_floats(const struct batches *b, int64_t unit)
{
    const size_t bytes = operation_scratch(b->operation, batches_block(b, unit).cols);
    return (int64_t)(bytes / sizeof(float) / 2);
}

void batches_begin(struct shares *shares, int64_t units, int64_t workers)
{
    const int64_t taking = units < workers ? units : workers;
    const double each = (double)units / (double)taking;
    shares_begin(shares, taking, shares_pieces(each, 1.0, (double)LEAST_PER_WORKER, 1.0));
}
