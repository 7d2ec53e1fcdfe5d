/* Known answers that the suite's own kernels compute. */
#include "experiments/reproduce/answers.h"
#include "harness/space/operation.h"
#include "kernels/operators.h"

#include <math.h>
#include <stdlib.h>

static const float identity[] = {1.0f, 0.0f, 0.0f, 1.0f};

/* Computes the baseline method of an operator on one 2 x 2 image; its right operand, if it has one,
 * is the identity. The parameters must be set, and the map needs room for 4 values. */
static enum status run(struct operation *op, const float *image, float *map, struct failure *f)
{
    float values[4];
    for (int i = 0; i < 4; i++)
        values[i] = identity[i];
    op->image = (struct image_shape){1, 2, 2};
    if (operator_right(op->kind))
        op->operands[op->kind->right] = (struct operand){.values = values,
                                                         .shape = {1, 2, 2},
                                                         .identity = true,
                                                         .integers = true,
                                                         .max_abs = 1.0,
                                                         .name = "identity"};
    op->method = op->kind->method(0);
    op->isa = operator_isa(op->kind, op->method, ISA_BASELINE);
    const struct refusal refusal = op->kind->shape(op);
    if (refusal.kind != REFUSAL_NONE)
        return fail(f, STATUS_USAGE, "known answer: %s", refusal.text);
    const struct block block = {0, 0, op->map.rows, 0, op->map.cols, 1};
    const size_t bytes =
        op->method->scratch_bytes ? op->method->scratch_bytes(op, op->map.cols) : 0;
    void *scratch = aligned_alloc(64, (bytes / 64 + 1) * 64);
    if (!scratch)
        return fail(f, STATUS_RESOURCE, "not enough memory for a known answer");
    const struct view view = {.data = image, .row_stride = 2, .rows = 2, .plane_stride = 4};
    const struct map_view to = {.data = map, .row_stride = op->map.cols, .plane_stride = 4};
    const struct portion portion = portion_whole(op, &block, view, to, scratch);
    op->kind->run(op, &portion, STAGE_ALL);
    free(scratch);
    return STATUS_OK;
}

static void take_image(const struct answering *a, float image[4])
{
    for (int i = 0; i < 4; i++)
        image[i] = (float)a->numbers[i];
}

/* maximum A B C D: the maximum of the window A B / C D, by its product with the identity. */
enum status answer_maximum(struct answering *a)
{
    float image[4], map[4];
    struct operation op = {.kind = &maxpool_operator,
                           .parameters = {.kernel = 2, .stride = 2, .pad_mode = PAD_ZERO}};
    take_image(a, image);
    const enum status status = run(&op, image, map, a->failure);
    if (status == STATUS_OK)
        a->out->number = (double)map[0];
    return status;
}

/* product A B C D I J: element (I, J), from 1, of the product of A B / C D and the identity. */
enum status answer_product(struct answering *a)
{
    float image[4], map[4];
    struct operation op = {.kind = &matmul_operator};
    const int i = (int)a->numbers[4], j = (int)a->numbers[5];
    if (i < 1 || i > 2 || j < 1 || j > 2)
        return answer_refuse(a, i < 1 || i > 2 ? 4 : 5, "1 or 2");
    take_image(a, image);
    const enum status status = run(&op, image, map, a->failure);
    if (status == STATUS_OK)
        a->out->number = (double)map[2 * (i - 1) + j - 1];
    return status;
}

/* exponent OPERATOR: exponent of n in the operator's least multiply-adds. */
enum status answer_exponent(struct answering *a)
{
    const struct operator_row *o = operator_find(a->words[0]);
    double work[2];
    if (!o)
        return answer_refuse(a, 0, "an operator");
    for (int i = 0; i < 2; i++) {
        const int64_t n = 1024 << i;
        struct operation op = {.kind = o,
                               .parameters = {.kernel = 2, .stride = 2, .pad_mode = PAD_ZERO},
                               .image = {1, n, n}};
        const struct operand_row *right = operator_right(o);
        if (right && right->shape)
            op.operands[o->right] = (struct operand){.shape = right->shape(&op)};
        const struct refusal refusal = o->shape(&op);
        if (refusal.kind != REFUSAL_NONE)
            return answer_refuse(a, 0, "an operator of square images");
        work[i] = o->need(&op, true).least.multiply_adds;
    }
    a->out->number = log2(work[1] / work[0]);
    return STATUS_OK;
}
