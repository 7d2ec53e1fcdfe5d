/* The row of the matrix product C = A B: A is the image, B the filter. Each plane is a product; all
 * planes share one B, or each has its own. */
#include "kernels/matmul/explain.h"
#include "kernels/matmul/matmul.h"
#include "kernels/operators.h"
#include "kernels/precision/declared_math.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- shapes -----------------------------------------------------------------------------------
 */

/* Columns of B, and of the product. */
static int64_t filter_cols(const struct operation *op)
{
    return op->parameters.filter_cols > 0 ? op->parameters.filter_cols : op->image.cols;
}

static struct refusal shape(struct operation *op)
{
    op->map = (struct image_shape){op->image.planes, op->image.rows, filter_cols(op)};
    if (geometry_elements(op->map.planes, op->map.rows, op->map.cols) < 0)
        return refusal_make(REFUSAL_RESOURCE, "the product cannot be counted in bytes");
    return (struct refusal){.kind = REFUSAL_NONE};
}

/* As many rows as the image has columns. A random B differs for each plane. */
static struct image_shape filter_shape(const struct operation *op)
{
    const char *name = op->operands[OPERAND_FILTER].name;
    const bool own = name && strcmp(name, "random") == 0;
    return (struct image_shape){own ? op->image.planes : 1, op->image.cols, filter_cols(op)};
}

static int64_t terms(const struct operation *op)
{
    return op->image.cols;
}

static double parts(const struct operation *op)
{
    return (double)op->image.cols;
}

/* A (rows x inner) and B (inner x cols) are read, C is written; rows * inner * cols multiply-adds
 * per plane. */
static struct need need(const struct operation *op, bool product)
{
    const double image = (double)shape_elements(op->image), inner = (double)op->image.cols;
    const double outputs = (double)shape_elements(op->map), cols = (double)op->map.cols;
    const double own =
        matmul_has_own_filters(op) ? (double)op->operands[OPERAND_FILTER].shape.planes : 1.0;
    const struct arithmetic work = {outputs * inner, 0.0};
    (void)product;
    return (struct need){4.0 * (image + own * inner * cols), 4.0 * outputs, work, work};
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

/* A times the identity is A, or A rounded: a sum of one term that is not 0. */
static void expect_itself(const struct operation *op, const float *data, int64_t count,
                          struct expectation *out)
{
    const double roundoff = math_roundoff(op);
    for (int64_t i = 0; i < count; i++) {
        const double x = fabs((double)data[i]);
        out[i].value = data[i];
        out[i].bound = math_rounds(op) ? oracle_rounded_bound(roundoff, 1, x, x) : 0.0;
    }
}

/* At least the sum of the magnitudes of the elements of a row of A and of any column of B. */
static double magnitude_of(const struct operation *op, const struct region *held, const float *data)
{
    double sum = (double)held->cols * op->operands[OPERAND_FILTER].max_abs;
    for (int64_t q = 0; q < held->cols; q++)
        sum += fabs((double)data[q]);
    return sum;
}

static void expect(const struct operation *op, const struct region *held, const float *data,
                   const struct block *outputs, struct expectation *out)
{
    const int64_t inner = op->image.cols, cols = op->map.cols;
    const int64_t plane = matmul_has_own_filters(op) ? outputs->plane : 0;
    const struct view b = {.data = op->operands[OPERAND_FILTER].values + plane * inner * cols,
                           .row_stride = cols,
                           .rows = inner};
    if (op->operands[OPERAND_FILTER].identity)
        expect_itself(op, data, outputs->cols, out);
    else if (math_rounds(op))
        oracle_rounded_dots(data, &b, inner, outputs->col, outputs->cols, math_roundoff(op),
                            magnitude_of(op, held, data), out);
    else
        oracle_dots(data, &b, inner, outputs->col, outputs->cols, out);
}

static bool is_exact(const struct operation *op, bool integers, double max_abs)
{
    return !math_rounds(op) && products_are_exact(op, integers, max_abs);
}

/* Rounded operands must not overflow either. */
static double largest(const struct operation *op, double max_abs)
{
    return math_growth(op) * fmax(products_largest(op, max_abs),
                                  math_rounds(op) ? operation_right(op)->max_abs : 0.0);
}

static double steps(const struct operation *op)
{
    return op->operands[OPERAND_FILTER].identity ? 1.0 : (double)op->image.cols;
}

/* ---- words ------------------------------------------------------------------------------------
 */

static void describe(const struct operation *op, char *text, size_t size)
{
    const bool wide = op->parameters.filter_cols > 0;
    char b[64] = "", math[64] = "";
    if (wide)
        snprintf(b, sizeof b, "B is %lld x %lld", (long long)op->image.cols,
                 (long long)op->map.cols);
    if (math_rounds(op))
        snprintf(math, sizeof math, "%soperands in %s", wide ? ", " : "",
                 math_words[op->parameters.math]);
    snprintf(text, size, "%s%s", b, math);
}

/* ---- a call from outside ----------------------------------------------------------------------
 */

static const struct foreign_integer integers[] = {
    FOREIGN_INTEGER("rows", rows),
    FOREIGN_INTEGER("inner", cols),
    FOREIGN_INTEGER("cols", cols),
};
static const struct foreign_sizes edges[] = {
    {.rows = 1, .cols = 1},   {.rows = 2, .cols = 2},   {.rows = 1, .cols = 19},
    {.rows = 19, .cols = 1},  {.rows = 5, .cols = 7},   {.rows = 16, .cols = 16},
    {.rows = 33, .cols = 17}, {.rows = 64, .cols = 65}, {.rows = 3, .cols = 130},
    {.rows = 97, .cols = 96},
};
static const struct foreign_call foreign = {
    .arrays = {"a", "b", "c"},
    .most = 512,
    .counted_sizes = 2,
    .goal = "blocked",
    .against = "naive, interchanged, packed",
    .sizes = "size = 512\nthreads = 1",
    .page = "docs/details/ladder_matmul.md",
    .integers = integers,
    .integer_count = sizeof integers / sizeof *integers,
    .edges = edges,
    .edge_count = sizeof edges / sizeof *edges,
};

/* A square file, as every B was in earlier versions, leaves the parameter out. */
static void from_file(struct parameters *p, struct image_shape planes, int64_t count)
{
    (void)count;
    if (p->filter_cols > 0 || planes.rows != planes.cols)
        p->filter_cols = planes.cols;
}

static const struct parameter columns_of_b = {
    .option = "filter-cols",
    .argument = "N",
    .column = "filter_cols",
    .of = "matrix B",
    .least = 1,
    .offset = offsetof(struct parameters, filter_cols),
    .fallback = 0,
    .help = "columns of B, and of the product; with --filter random (default: B is square, or has "
            "the columns of its file)"};
static const struct parameter *const parameters[] = {&columns_of_b, &math_parameter, NULL};
static const struct operand_row filter = {
    .role = OPERAND_FILTER,
    .option = "filter",
    .column = "filter",
    .argument = "identity|random|FILE.npy",
    .fallback = "identity",
    .help =
        "the matrix B that the image is multiplied by, with a row for each column of the image; "
        "random or from a file, it may have one plane for each plane of the image",
    .noun = "filter",
    .symbol = "B",
    .shape = filter_shape,
    .from_file = from_file,
    .panels = true,
    .one_or_all = true};

static const struct operand_row *const operands[] = {&filter, NULL};
static const char *const examples[] = {
    "-n 16 --planes 1000 --filter random --method all", "-n 3 --filter random --print --explain",
    "--rows 300 --cols 200 --filter random --filter-cols 100", NULL};

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
    .foreign = &foreign,
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
    .is_exact = is_exact,
    .largest = largest,
    .describe = describe,
    .explained_elements = matmul_explained_elements,
    .explain = matmul_explain,
};
