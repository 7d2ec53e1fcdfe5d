/* Max pooling, the matrix product and distances: operations from their descriptions. */
#include "library/operation.h"

/* Completes an operation with one operand. */
static enum status complete(struct maxpool_operation *op, enum operand_role role,
                            const float *values, const char *method, struct failure *f)
{
    struct operand_values operands = {{NULL}};
    operands.of[role] = values;
    return operation_complete(op, &operands, method, f);
}

/* ---- max pooling ------------------------------------------------------------------------------
 */

static enum status make_pool(struct maxpool_operation *op, const void *request, struct failure *f)
{
    const struct maxpool_pool *what = request;
    const struct image_shape image = {what->image.planes, what->image.rows, what->image.cols};
    op->operation.parameters = (struct parameters){
        .kernel = what->kernel,
        .stride = what->stride == 0 ? what->kernel : what->stride,
        .padding = what->padding,
        .pad_mode = what->pad_mode == MAXPOOL_PAD_IGNORE ? PAD_IGNORE : PAD_ZERO};
    return operation_shape(op, &maxpool_operator, image, f) == STATUS_OK
               ? complete(op, OPERAND_FILTER, what->filter, what->method, f)
               : f->status;
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
    if (!what->b)
        return fail(f, STATUS_USAGE, "the filter is missing");
    op->operation.parameters.filter_cols = what->cols;
    return operation_shape(op, &matmul_operator, a, f) == STATUS_OK
               ? complete(op, OPERAND_FILTER, what->b, what->method, f)
               : f->status;
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
    return operation_shape(op, &distances_operator, x, f) == STATUS_OK
               ? complete(op, OPERAND_AGAINST, what->against, what->method, f)
               : f->status;
}

enum maxpool_status maxpool_make_distances(struct maxpool_operation **out,
                                           const struct maxpool_distances *what,
                                           struct maxpool_failure *failure)
{
    return operation_make(make_distances, what, out, failure);
}
