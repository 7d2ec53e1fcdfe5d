/* The row of distances. The image holds the points X, one per row; the right operand holds the
 * points Y, which may be X itself. The map has a row for each point of X and a column for each
 * point of Y. */
#include "kernels/distances/methods.h"
#include "kernels/distances/oracle.h"
#include "kernels/min_max.h"
#include "kernels/operators.h"

#include <math.h>
#include <stdio.h>

/* ---- shapes -----------------------------------------------------------------------------------
 */

/* As many points as X has, unless another number of points is known. */
static struct image_shape against_shape(const struct operation *op)
{
    const int64_t points = op->operands[OPERAND_AGAINST].shape.rows;
    return (struct image_shape){1, points > 0 ? points : op->image.rows, op->image.cols};
}

static struct refusal shape(struct operation *op)
{
    const int64_t points = against_shape(op).rows;
    if (op->image.planes != 1)
        return refusal_make(REFUSAL_USAGE, "points are the rows of one plane, the image has %lld",
                            (long long)op->image.planes);
    if (geometry_elements(1, op->image.rows, points) < 0)
        return refusal_make(REFUSAL_RESOURCE, "%lld x %lld distances cannot be counted in bytes",
                            (long long)op->image.rows, (long long)points);
    op->map = (struct image_shape){1, op->image.rows, points};
    return (struct refusal){.kind = REFUSAL_NONE};
}

static int64_t terms(const struct operation *op)
{
    return op->image.cols;
}

static double parts(const struct operation *op)
{
    return (double)op->image.cols;
}

/* X and Y are read (once if they are the same points), D is written. The least work is a
 * multiply-add for each pair and dimension, as |x|^2 + |y|^2 - 2 x.y takes it; of points with
 * themselves each pair counts once. */
static struct need need(const struct operation *op, bool product)
{
    const double rows = (double)op->map.rows, cols = (double)op->map.cols;
    const double dimensions = (double)op->image.cols;
    const bool same = op->operands[OPERAND_AGAINST].itself;
    const double pairs = same ? 0.5 * rows * (rows - 1.0) : rows * cols;
    (void)product;
    return (struct need){.bytes_read = 4.0 * dimensions * (same ? rows : rows + cols),
                         .bytes_written = 4.0 * rows * cols,
                         .least = {pairs * dimensions, 0.0},
                         .per_output = {rows * cols * dimensions, 0.0}};
}

/* ---- which elements ---------------------------------------------------------------------------
 */

/* The whole point, whatever it is compared with. */
static struct region region_needed(const struct operation *op, int64_t plane, int64_t row,
                                   int64_t col, int64_t cols, bool narrow)
{
    (void)col;
    (void)cols;
    (void)narrow;
    return (struct region){plane, 1, row, 1, 0, op->image.cols};
}

/* The beginning of the point, whatever the column of the map. */
static struct region begin(const struct operation *op, int64_t plane, int64_t row, int64_t col)
{
    (void)col;
    return own_begin(op, plane, row, 0);
}

static int64_t strip(const struct operation *op, int64_t most)
{
    (void)most; /* a point at a time */
    return op->map.cols;
}

/* ---- running ----------------------------------------------------------------------------------
 */

/* The part of the block whose columns are the points of Y that this call uses. */
static struct block block_of(const struct portion *portion)
{
    struct block b = portion->block;
    const int64_t end = smaller(b.col + b.cols, portion->term + portion->terms);
    b.col = larger(b.col, portion->term);
    b.cols = larger(0, end - b.col);
    return b;
}

static void run(const struct operation *op, const struct portion *portion, enum stage stage)
{
    int64_t recomputed = 0;
    const struct distances_call call = {.dimensions = op->image.cols,
                                        .x = portion->image,
                                        .y = portion->right,
                                        .same = op->operands[OPERAND_AGAINST].itself,
                                        .map = portion->map,
                                        .block = block_of(portion),
                                        .shared_first = portion->shared_first,
                                        .shared_rows = portion->shared_rows,
                                        .centre = op->packed,
                                        .repaired = &recomputed};
    (void)stage; /* there is only one */
    distances_method_of(op->method)->run[op->isa](&call, portion->scratch);
    if (op->recomputed && recomputed > 0)
        __atomic_fetch_add(op->recomputed, recomputed, __ATOMIC_RELAXED);
}

/* ---- the oracle -------------------------------------------------------------------------------
 */

static void expect(const struct operation *op, const struct region *held, const float *data,
                   const struct block *outputs, struct expectation *out)
{
    const int64_t d = op->image.cols;
    const struct view y = {.data = op->operands[OPERAND_AGAINST].values,
                           .row_stride = d,
                           .rows = op->operands[OPERAND_AGAINST].shape.rows};
    (void)held;
    oracle_distances(data, &y, d, distances_relative_bound(d), outputs->col, outputs->cols, out);
}

static double steps(const struct operation *op)
{
    return (double)op->image.cols;
}

/* The largest sum of squares under the root: of points as far apart as the values allow. */
static double largest(const struct operation *op, double max_abs)
{
    const double apart = max_abs + op->operands[OPERAND_AGAINST].max_abs;
    return (double)op->image.cols * apart * apart;
}

/* No sum of integers below 2^24 rounds, and the root of such an integer in double, rounded to
 * float32, is the root rounded once. The factor 4: `gram` adds the squares of both points'
 * distances from a centre among the points, at most twice the largest sum, and twice their
 * product. */
static bool is_exact(const struct operation *op, bool integers, double max_abs)
{
    return integers && op->operands[OPERAND_AGAINST].integers &&
           4.0 * largest(op, max_abs) < 0x1p24;
}

/* ---- --explain ------------------------------------------------------------------------------- */

static int64_t explained_elements(const struct operation *op)
{
    return 4 * op->image.cols;
}

/* Shows for each dimension the two coordinates, their difference and its square; then the sum of
 * the squares, and its root. The arithmetic is this function's own, in double. */
static struct explanation explain(const struct operation *op, const struct view *image,
                                  int64_t plane, int64_t row, int64_t col, double *values)
{
    const int64_t d = op->image.cols;
    const float *x = view_row(image, row), *y = op->operands[OPERAND_AGAINST].values + col * d;
    double sum = 0.0;
    struct explanation e = {.rows = d, .parts = {{"", 1}, {"-", 1}, {"=", 1}, {"squared", 1}}};
    (void)plane; /* there is one */
    for (int64_t k = 0; k < d; k++) {
        const double difference = (double)x[k] - (double)y[k];
        values[k] = (double)x[k];
        values[d + k] = (double)y[k];
        values[2 * d + k] = difference;
        values[3 * d + k] = difference * difference;
        sum += difference * difference;
    }
    snprintf(e.title, sizeof e.title, "Distance (%lld, %lld): point %lld of X and point %lld of Y",
             (long long)row, (long long)col, (long long)row, (long long)col);
    snprintf(e.result, sizeof e.result, "sum %.9g, root %.9g", sum, sqrt(sum));
    return e;
}

/* ---- a call from outside ----------------------------------------------------------------------
 */

static const struct foreign_integer integers[] = {
    FOREIGN_INTEGER("points_x", rows),
    FOREIGN_INTEGER("points_y", filters),
    FOREIGN_INTEGER("dimensions", cols),
};
static const struct foreign_sizes edges[] = {
    {.rows = 1, .filters = 1, .cols = 1},    {.rows = 2, .filters = 3, .cols = 1},
    {.rows = 1, .filters = 17, .cols = 5},   {.rows = 17, .filters = 1, .cols = 5},
    {.rows = 13, .filters = 11, .cols = 3},  {.rows = 16, .filters = 32, .cols = 16},
    {.rows = 33, .filters = 9, .cols = 129}, {.rows = 65, .filters = 67, .cols = 31},
};
static const struct foreign_call foreign = {
    .arrays = {"x", "y", "map"},
    .most = 1024,
    .usual = {.cols = 64},
    .goal = "blocked",
    .against = "literal, symmetric, gram",
    .sizes = "size = 512\nthreads = 1",
    .page = "docs/ladder.md#the-methods",
    .integers = integers,
    .integer_count = sizeof integers / sizeof *integers,
    .edges = edges,
    .edge_count = sizeof edges / sizeof *edges,
};

/* ---- words ------------------------------------------------------------------------------------
 */

static void describe(const struct operation *op, char *text, size_t size)
{
    (void)op;
    if (size > 0)
        text[0] = '\0';
}

static const struct parameter *const parameters[] = {NULL};
static const struct operand_row against = {.role = OPERAND_AGAINST,
                                           .option = "against",
                                           .column = "against",
                                           .argument = "itself|random|FILE.npy",
                                           .fallback = "itself",
                                           .help =
                                               "the other points Y: distances go from each point "
                                               "of the image to each of Y (default itself)",
                                           .noun = "second set of points",
                                           .symbol = "Y",
                                           .shape = against_shape,
                                           .panels = true,
                                           .any_rows = true};

static const struct operand_row *const operands[] = {&against, NULL};
static const char *const examples[] = {
    "-n 5000 --dimensions 128 --method blocked,gram",
    "-i x.npy --against y.npy --nearest 5 -o nearest.npy --method gram", NULL};

const struct operator_row distances_operator = {
    .name = "distances",
    .words = {.subject = "the matrix of distances",
              .measures = "the Euclidean distances between points, the rows of two matrices, or of "
                          "one with itself.",
              .map = "Distances",
              .units = "pairs of points",
              .parts = "dimensions",
              .one_unit = "pair of points",
              .one_part = "dimension",
              .packed = "centre of the points",
              .recomputed = "pairs that cancelled, by the definition",
              .example = "blocked",
              .device_example = "tiled",
              .examples = examples,
              .in_flops = true,
              .with_product = {"distances", N_("Distances between points")}},
    .parameters = parameters,
    .foreign = &foreign,
    .operands = operands,
    .right = OPERAND_AGAINST,
    .points = true,
    .shape = shape,
    .method = distances_method_at,
    .is_built = distances_is_built,
    .run = run,
    .device = DEVICE_DISTANCES,
    .need = need,
    .terms = terms,
    .parts = parts,
    .rows_needed = own_rows_needed,
    .begin = begin,
    .region_needed = region_needed,
    .expect = expect,
    .strip = strip,
    .steps = steps,
    .is_exact = is_exact,
    .largest = largest,
    .describe = describe,
    .explained_elements = explained_elements,
    .explain = explain,
};
