/* Known answers that the suite's own kernels compute. */
#include "theses/reproduce/answers.h"
#include "theses/reproduce/pooled.h"
#include "theses/reproduce/run_operator.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A 2 x 2 image. */
static enum status run(struct operation *op, const float *image, float *map, struct failure *f)
{
    op->image = (struct image_shape){1, 2, 2};
    return run_operator(op, image, map, 4, f);
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

/* pooled N K S P: the map of a small image, "2x2: 9 7 / 8 9" (pooled.h). */
enum status answer_pooled(struct answering *a)
{
    struct pooled p;
    struct answer *out = a->out;
    const enum status status =
        pooled_make(&p, (int64_t)a->numbers[0], (int64_t)a->numbers[1], (int64_t)a->numbers[2],
                    (int64_t)a->numbers[3], a->failure);
    if (status != STATUS_OK)
        return status;
    snprintf(out->text, sizeof out->text, "%" PRId64 "x%" PRId64 ":", p.side, p.side);
    for (int64_t i = 0; i < p.side * p.side; i++) {
        const size_t length = strlen(out->text);
        snprintf(out->text + length, sizeof out->text - length, "%s %g",
                 i > 0 && i % p.side == 0 ? " /" : "", (double)p.map[i]);
    }
    return STATUS_OK;
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
