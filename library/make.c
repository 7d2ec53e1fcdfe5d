/* Max pooling, the matrix product and distances: operations from their descriptions. */
#include "library/operation.h"

#include "harness/machine/memory.h"

#include <string.h>

/* ---- max pooling ------------------------------------------------------------------------------
 */

static bool is_identity(const float *filter, int64_t k)
{
    for (int64_t i = 0; i < k * k; i++)
        if (filter[i] != (i % (k + 1) == 0 ? 1.0f : 0.0f))
            return false;
    return true;
}

static enum status make_identity(struct maxpool_operation *op, int64_t k, struct failure *f)
{
    const size_t bytes = memory_multiply(memory_multiply((size_t)k, (size_t)k), sizeof(float));
    const enum status status = memory_allocate((void **)&op->identity, bytes, "the filter", f);
    if (status != STATUS_OK)
        return status;
    memset(op->identity, 0, bytes);
    for (int64_t i = 0; i < k; i++)
        op->identity[i * (k + 1)] = 1.0f;
    return STATUS_OK;
}

static enum status bind_filter(struct maxpool_operation *op, const struct maxpool_pool *what,
                               struct failure *f)
{
    struct operand *filter = &op->operation.operands[OPERAND_FILTER];
    if (!what->filter && make_identity(op, what->kernel, f) != STATUS_OK)
        return f->status;
    const float *values = what->filter ? what->filter : op->identity;
    if (operation_bind(op, operator_right(&maxpool_operator), values, f) != STATUS_OK)
        return f->status;
    filter->identity = is_identity(values, what->kernel);
    return filter->identity || what->pad_mode != MAXPOOL_PAD_IGNORE
               ? STATUS_OK
               : fail(f, STATUS_USAGE, "MAXPOOL_PAD_IGNORE needs the identity as filter");
}

static enum status make_pool(struct maxpool_operation *op, const void *request, struct failure *f)
{
    const struct maxpool_pool *what = request;
    const struct image_shape image = {what->image.planes, what->image.rows, what->image.cols};
    op->operation.parameters = (struct parameters){
        .kernel = what->kernel,
        .stride = what->stride == 0 ? what->kernel : what->stride,
        .padding = what->padding,
        .pad_mode = what->pad_mode == MAXPOOL_PAD_IGNORE ? PAD_IGNORE : PAD_ZERO};
    if (operation_shape(op, &maxpool_operator, image, f) != STATUS_OK ||
        bind_filter(op, what, f) != STATUS_OK)
        return f->status;
    return operation_choose(op, what->method, f);
}

enum maxpool_status maxpool_make_pool(struct maxpool_operation **out,
                                      const struct maxpool_pool *what,
                                      struct maxpool_failure *failure)
{
    return operation_make(make_pool, what, out, failure);
}

/* ---- the matrix product -----------------------------------------------------------------------
 */

static enum status make_multiply(struct maxpool_operation *op, const void *request,
                                 struct failure *f)
{
    const struct maxpool_multiply *what = request;
    const struct image_shape a = {1, what->rows, what->inner};
    if (what->cols < 1)
        return fail(f, STATUS_USAGE, "cols must be at least 1");
    op->operation.parameters.filter_cols = what->cols;
    if (operation_shape(op, &matmul_operator, a, f) != STATUS_OK ||
        operation_bind(op, operator_right(&matmul_operator), what->b, f) != STATUS_OK)
        return f->status;
    return operation_choose(op, what->method, f);
}

enum maxpool_status maxpool_make_multiply(struct maxpool_operation **out,
                                          const struct maxpool_multiply *what,
                                          struct maxpool_failure *failure)
{
    return operation_make(make_multiply, what, out, failure);
}

/* ---- distances --------------------------------------------------------------------------------
 */

static enum status make_distances(struct maxpool_operation *op, const void *request,
                                  struct failure *f)
{
    const struct maxpool_distances *what = request;
    const struct image_shape x = {1, what->rows, what->dimensions};
    struct operand *against = &op->operation.operands[OPERAND_AGAINST];
    if (what->cols < 1)
        return fail(f, STATUS_USAGE, "cols must be at least 1");
    if (what->itself && what->rows != what->cols)
        return fail(f, STATUS_USAGE,
                    "distances of points from themselves have as many columns as rows");
    against->shape.rows = what->cols;
    against->itself = what->itself;
    if (operation_shape(op, &distances_operator, x, f) != STATUS_OK ||
        operation_bind(op, operator_right(&distances_operator), what->against, f) != STATUS_OK ||
        operation_choose(op, what->method, f) != STATUS_OK)
        return f->status;
    return operation_pack_right(op, f);
}

enum maxpool_status maxpool_make_distances(struct maxpool_operation **out,
                                           const struct maxpool_distances *what,
                                           struct maxpool_failure *failure)
{
    return operation_make(make_distances, what, out, failure);
}
