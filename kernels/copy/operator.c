/* The row of the copy: the map is the image. It is the simplest operator, and a bound: any operator
 * that reads its image and writes a map of the same size takes at least the time that memory takes
 * for this. */
#include "kernels/copy/copy.h"
#include "kernels/operators.h"

/* ---- shapes -----------------------------------------------------------------------------------
 */

static struct refusal shape(struct operation *op)
{
    op->map = op->image;
    return (struct refusal){.kind = REFUSAL_NONE};
}

static int64_t terms(const struct operation *op)
{
    (void)op;
    return 1;
}

/* Bytes read and written. */
static double parts(const struct operation *op)
{
    (void)op;
    return 2.0 * sizeof(float);
}

static struct need need(const struct operation *op, bool product)
{
    const double bytes = (double)shape_elements(op->image) * sizeof(float);
    (void)product;
    return (struct need){.bytes_read = bytes, .bytes_written = bytes};
}

/* ---- which elements ---------------------------------------------------------------------------
 */

static struct region region_needed(const struct operation *op, int64_t plane, int64_t row,
                                   int64_t col, int64_t cols, bool narrow)
{
    (void)op;
    (void)narrow;
    return (struct region){plane, 1, row, 1, col, cols};
}

static int64_t strip(const struct operation *op, int64_t most)
{
    (void)op;
    return most;
}

/* ---- running and the oracle -------------------------------------------------------------------
 */

static void run(const struct operation *op, const struct portion *portion, enum stage stage)
{
    (void)stage; /* there is only one */
    copy_method_of(op->method)->run(portion);
}

static void expect(const struct operation *op, const struct region *held, const float *data,
                   const struct block *outputs, struct expectation *out)
{
    (void)op;
    (void)held;
    for (int64_t i = 0; i < outputs->cols; i++)
        out[i] = (struct expectation){data[i], 0.0};
}

static double steps(const struct operation *op)
{
    (void)op;
    return 1.0;
}

static bool is_exact(const struct operation *op, bool integers, double max_abs)
{
    (void)op;
    (void)integers;
    (void)max_abs;
    return true;
}

static double largest(const struct operation *op, double max_abs)
{
    (void)op;
    return max_abs;
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
static const struct operand_row *const operands[] = {NULL};
static const char *const examples[] = {"--planes 64 -R 256 -C 256", NULL};

const struct operator_row copy_operator = {
    .name = "copy",
    .words = {.subject = "the copy",
              .measures = "the copy of an image: what memory alone takes, a bound for every "
                          "operator that reads an image and writes a map as large.",
              .map = "Copy",
              .units = "values copied",
              .parts = "bytes",
              .one_unit = "value copied",
              .one_part = "byte",
              .example = "rows",
              .device_example = "rows",
              .examples = examples,
              .without = {"copy", N_("Copy of the image")}},
    .parameters = parameters,
    .operands = operands,
    .many_planes = true,
    .shape = shape,
    .method = copy_method_at,
    .is_built = copy_is_built,
    .run = run,
    .device = DEVICE_NONE,
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
};
