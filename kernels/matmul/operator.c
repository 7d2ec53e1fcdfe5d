/* The row of the matrix product C = A B: A is the image, B the filter. Each plane is a product; all
 * planes share one B, or each has its own. */
#include "kernels/matmul/explain.h"
#include "kernels/matmul/matmul.h"
#include "kernels/operators.h"

#include <string.h>

/* ---- shapes -----------------------------------------------------------------------------------
 */

static struct refusal shape(struct operation *op)
{
    op->map = op->image;
    return (struct refusal){.kind = REFUSAL_NONE};
}

/* B is square, so that the product has the image's shape. A random B differs for each plane. */
static struct image_shape filter_shape(const struct operation *op)
{
    const char *name = op->operands[OPERAND_FILTER].name;
    const bool own = name && strcmp(name, "random") == 0;
    return (struct image_shape){own ? op->image.planes : 1, op->image.cols, op->image.cols};
}

static int64_t terms(const struct operation *op)
{
    return op->image.cols;
}

static double parts(const struct operation *op)
{
    return (double)op->image.cols;
}

/* A and B are read, C is written; rows * cols * cols multiply-adds per plane. */
static struct need need(const struct operation *op, bool product)
{
    const double outputs = (double)shape_elements(op->image), cols = (double)op->image.cols;
    const double own =
        matmul_has_own_filters(op) ? (double)op->operands[OPERAND_FILTER].shape.planes : 1.0;
    const struct arithmetic work = {outputs * cols, 0.0};
    (void)product;
    return (struct need){4.0 * (outputs + own * cols * cols), 4.0 * outputs, work, work};
}

/* ---- which elements ---------------------------------------------------------------------------
 */

/* A times the identity is A, which takes only the elements at the outputs' own places. */
static struct region region_needed(const struct operation *op, int64_t plane, int64_t row,
                                   int64_t col, int64_t cols, bool narrow)
{
    const struct region whole = {plane, 1, row, 1, 0, op->image.cols};
    const struct region own = {plane, 1, row, 1, col, cols};
    (void)narrow;
    return op->operands[OPERAND_FILTER].identity ? own : whole;
}

static int64_t strip(const struct operation *op, int64_t most)
{
    (void)most; /* a row of A at a time */
    return op->map.cols;
}

/* ---- running ----------------------------------------------------------------------------------
 */

/* B, beginning with that of the block's first plane. */
static struct view filter_of(const struct operation *op, const struct portion *portion)
{
    struct view b = portion->right;
    b.plane_stride = matmul_has_own_filters(op) ? b.plane_stride : 0;
    b.data += (portion->block.plane - portion->right_plane) * b.plane_stride;
    return b;
}

struct matmul_call matmul_call_of(const struct operation *op, const struct portion *portion)
{
    return (struct matmul_call){.inner = op->image.cols,
                                .a = portion->image,
                                .b = filter_of(op, portion),
                                .c = portion->map,
                                .block = portion->block,
                                .term = portion->term,
                                .terms = portion->terms,
                                .panel = portion->panel,
                                .caches = op->caches};
}

static void run(const struct operation *op, const struct portion *portion, enum stage stage)
{
    const struct matmul_call call = matmul_call_of(op, portion);
    (void)stage; /* there is only one */
    matmul_method_of(op->method)->run[op->isa](&call, portion->scratch);
}

/* ---- the oracle -------------------------------------------------------------------------------
 */

static void expect(const struct operation *op, const struct region *held, const float *data,
                   const struct block *outputs, struct expectation *out)
{
    const int64_t inner = op->image.cols;
    const int64_t plane = matmul_has_own_filters(op) ? outputs->plane : 0;
    const struct view b = {.data = op->operands[OPERAND_FILTER].values + plane * inner * inner,
                           .row_stride = inner,
                           .rows = inner};
    (void)held;
    if (op->operands[OPERAND_FILTER].identity)
        for (int64_t i = 0; i < outputs->cols; i++)
            out[i] = (struct expectation){data[i], 0.0};
    else
        oracle_dots(data, &b, inner, outputs->col, outputs->cols, out);
}

static double steps(const struct operation *op)
{
    return op->operands[OPERAND_FILTER].identity ? 1.0 : (double)op->image.cols;
}

/* ---- words ------------------------------------------------------------------------------------
 */

static void describe(const struct operation *op, char *text, size_t size)
{
    (void)op;
    if (size > 0)
        text[0] = '\0';
}

static const struct parameter *const parameters[] = {NULL};
static const struct operand_row filter = {
    .role = OPERAND_FILTER,
    .option = "filter",
    .column = "filter",
    .argument = "identity|random|FILE.npy",
    .fallback = "identity",
    .help = "the matrix B that the image is multiplied by; random or from a file, it may have one "
            "plane for each plane of the image",
    .noun = "filter",
    .symbol = "B",
    .shape = filter_shape,
    .panels = true,
    .one_or_all = true};

static const struct operand_row *const operands[] = {&filter, NULL};
static const char *const examples[] = {"-n 16 --planes 1000 --filter random --method all",
                                       "-n 3 --filter random --print --explain", NULL};

const struct operator_row matmul_operator = {
    .name = "matmul",
    .words = {.subject = "the matrix product",
              .measures = "the matrix product C = A B: A is the image, B the filter (default: the "
                          "identity). Each plane is a product of its own.",
              .map = "Product",
              .units = "dot products",
              .parts = "products",
              .one_unit = "dot product",
              .one_part = "product",
              .example = "blocked",
              .device_example = "tiled",
              .examples = examples,
              .in_flops = true,
              .with_product = {"matmul", N_("Matrix product")}},
    .parameters = parameters,
    .operands = operands,
    .right = OPERAND_FILTER,
    .many_planes = true,
    .shape = shape,
    .method = matmul_method_at,
    .is_built = matmul_is_built,
    .run = run,
    .device = DEVICE_PRODUCT,
    .need = need,
    .terms = terms,
    .parts = parts,
    .rows_needed = own_rows_needed,
    .begin = own_begin,
    .region_needed = region_needed,
    .expect = expect,
    .strip = strip,
    .steps = steps,
    .is_exact = products_are_exact,
    .largest = products_largest,
    .describe = describe,
    .explained_elements = matmul_explained_elements,
    .explain = matmul_explain,
};
