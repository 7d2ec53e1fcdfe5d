#include "theses/reproduce/run_operator.h"

#include <stdlib.h>

/* The right operand of a window, or of a matrix product. */
enum { IDENTITY_SIDE = 8 };

static enum status find_shape(struct operation *op, struct failure *f)
{
    const struct refusal refusal = op->kind->shape(op);
    return refusal.kind == REFUSAL_NONE ? STATUS_OK
                                        : fail(f, STATUS_USAGE, "known answer: %s", refusal.text);
}

/* The shape of the right operand may follow from that of the windows, and the other way round. */
static enum status bind_identity(struct operation *op, float *values, struct failure *f)
{
    const struct operand_row *right = operator_right(op->kind);
    if (!right)
        return find_shape(op, f);
    struct operand *identity = &op->operands[op->kind->right];
    *identity = (struct operand){.values = values,
                                 .shape = op->image,
                                 .identity = true,
                                 .integers = true,
                                 .max_abs = 1.0,
                                 .name = "identity"};
    const enum status status = find_shape(op, f);
    if (status != STATUS_OK)
        return status;
    if (right->shape)
        identity->shape = right->shape(op);
    const int64_t rows = identity->shape.rows, cols = identity->shape.cols;
    if (rows > IDENTITY_SIDE || cols != rows)
        return fail(f, STATUS_USAGE, "known answer: a window is larger than %d x %d",
                    (int)IDENTITY_SIDE, (int)IDENTITY_SIDE);
    for (int64_t i = 0; i < rows * cols; i++)
        values[i] = i % (cols + 1) == 0 ? 1.0f : 0.0f;
    return STATUS_OK;
}

enum status run_operator(struct operation *op, const float *image, float *map, int64_t room,
                         struct failure *f)
{
    float values[IDENTITY_SIDE * IDENTITY_SIDE];
    const enum status bound = bind_identity(op, values, f);
    if (bound != STATUS_OK)
        return bound;
    op->method = op->kind->method(0);
    op->isa = operator_isa(op->kind, op->method, ISA_BASELINE);
    if (op->map.rows * op->map.cols > room)
        return fail(f, STATUS_USAGE, "known answer: the map has more than %lld elements",
                    (long long)room);
    const struct block block = {0, 0, op->map.rows, 0, op->map.cols, 1};
    const size_t bytes =
        op->method->scratch_bytes ? op->method->scratch_bytes(op, op->map.cols) : 0;
    void *scratch = aligned_alloc(64, (bytes / 64 + 1) * 64);
    if (!scratch)
        return fail(f, STATUS_RESOURCE, "not enough memory for a known answer");
    const struct view view = {.data = image,
                              .row_stride = op->image.cols,
                              .rows = op->image.rows,
                              .plane_stride = op->image.rows * op->image.cols};
    const struct map_view to = {
        .data = map, .row_stride = op->map.cols, .plane_stride = op->map.rows * op->map.cols};
    const struct portion portion = portion_whole(op, &block, view, to, scratch);
    op->kind->run(op, &portion, STAGE_ALL);
    free(scratch);
    return STATUS_OK;
}
