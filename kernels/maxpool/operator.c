/* The operator row of max pooling: every window times the filter, then the maximum. */
#include "kernels/maxpool/maxpool.h"
#include "kernels/maxpool/window.h"
#include "kernels/windows.h"

#include <math.h>
#include <stdio.h>

/* ---- needs ------------------------------------------------------------------------------------
 */

/* The arithmetic if each distinct row product is computed once. At one column position, the k
 * products of an image row with the filter's columns take k^2 multiply-adds and k - 1 maxima, which
 * overlapping windows share. Combining the k row maxima of a window takes k - 1 maxima more,
 * counted for windows that share no rows. */
static struct arithmetic product_once(const struct geometry *g)
{
    const double k = (double)g->kernel, planes = (double)g->planes;
    const double row_products = planes * windows_elements_touched(g, g->rows) * (double)g->out_cols;
    const double columns = planes * windows_apart(g, g->rows) * (double)g->out_cols;
    return (struct arithmetic){k * k * row_products,
                               (k - 1.0) * row_products + (k - 1.0) * columns};
}

/* The pixels under windows are read once and the map is written once; with a stride beyond k, the
 * pixels between windows are not read. Methods that take the maximum alone need at least k^2 - 1
 * maxima for each of the windows that share no pixels. */
static struct need need(const struct operation *op, bool product)
{
    const struct geometry *g = &op->geometry;
    const double planes = (double)g->planes, k = (double)g->kernel;
    const double windows = planes * (double)g->out_rows * (double)g->out_cols;
    const double apart = planes * windows_apart(g, g->rows) * windows_apart(g, g->cols);
    struct need n = {.bytes_read = 4.0 * planes * windows_elements_touched(g, g->rows) *
                                   windows_elements_touched(g, g->cols),
                     .bytes_written = 4.0 * windows,
                     .least = {0.0, apart * (k * k - 1.0)},
                     .per_output = {0.0, windows * (k * k - 1.0)}};
    if (product) {
        n.least = product_once(g);
        n.per_output.multiply_adds = windows * k * k * k;
    }
    return n;
}

/* ---- the filter -------------------------------------------------------------------------------
 */

static struct image_shape filter_shape(const struct operation *op)
{
    return (struct image_shape){1, op->geometry.kernel, op->geometry.kernel};
}

static const char *refuses(const struct operation *op)
{
    if (op->geometry.pad_mode == PAD_IGNORE && !op->operands[OPERAND_FILTER].identity)
        return "--pad-mode ignore needs a filter whose values are the identity's";
    return NULL;
}

static int64_t terms(const struct operation *op)
{
    return op->geometry.kernel;
}

static double parts(const struct operation *op)
{
    return (double)op->geometry.kernel * (double)op->geometry.kernel;
}

/* ---- running ----------------------------------------------------------------------------------
 */

struct maxpool_call maxpool_call_of(const struct operation *op, const struct portion *portion)
{
    return (struct maxpool_call){.geometry = &op->geometry,
                                 .filter = op->operands[OPERAND_FILTER].values,
                                 .image = portion->image,
                                 .map = portion->map,
                                 .block = portion->block};
}

static void run(const struct operation *op, const struct portion *portion, enum stage stage)
{
    const struct maxpool_method *m = maxpool_method_of(op->method);
    const struct maxpool_call call = maxpool_call_of(op, portion);
    maxpool_function *const of_stage[] = {
        [STAGE_CUT] = m->stages ? m->stages->cut : NULL,
        [STAGE_MULTIPLY] = m->stages ? m->stages->multiply : NULL,
        [STAGE_REDUCE] = m->stages ? m->stages->reduce : NULL,
    };
    if (stage == STAGE_ALL)
        m->run[op->isa](&call, portion->scratch);
    else
        of_stage[stage](&call, portion->scratch);
}

/* ---- the oracle -------------------------------------------------------------------------------
 */

static void expect(const struct operation *op, const struct region *held, const float *data,
                   const struct block *outputs, struct expectation *out)
{
    struct oracle_window w = {.geometry = &op->geometry,
                              .image = {.data = data,
                                        .row_stride = held->cols,
                                        .first_row = held->row,
                                        .rows = held->rows},
                              .first_col = held->col,
                              .row = outputs->row};
    for (int64_t i = 0; i < outputs->cols; i++) {
        w.col = outputs->col + i;
        out[i] = op->operands[OPERAND_FILTER].identity
                     ? oracle_maximum(&w)
                     : oracle_product(&w, op->operands[OPERAND_FILTER].values);
    }
}

static double steps(const struct operation *op)
{
    const double k = (double)op->geometry.kernel;
    return k * k * (op->operands[OPERAND_FILTER].identity ? 1.0 : k);
}

/* ---- words ------------------------------------------------------------------------------------
 */

static void describe(const struct operation *op, char *text, size_t size)
{
    const struct geometry *g = &op->geometry;
    snprintf(text, size, "kernel size %lld, stride %lld, padding %lld%s", (long long)g->kernel,
             (long long)g->stride, (long long)g->padding,
             g->padding == 0             ? ""
             : g->pad_mode == PAD_IGNORE ? " (ignored)"
                                         : " (zeros)");
}

static int64_t explained_elements(const struct operation *op)
{
    return 2 * (int64_t)window_pixels(&op->geometry);
}

/* Returns a pixel of the window; outside the image, the pad value. */
static double window_pixel(const struct geometry *g, const struct view *image, int64_t row,
                           int64_t col)
{
    if (row < 0 || row >= g->rows || col < 0 || col >= g->cols)
        return (double)geometry_pad_value(g);
    return (double)view_row(image, row)[col];
}

/* Explains one output: its window, the product and the maximum, computed here and not by a
 * method. */
static struct explanation explain(const struct operation *op, const struct view *image,
                                  int64_t plane, int64_t row, int64_t col, double *values)
{
    const struct geometry *g = &op->geometry;
    const int64_t k = g->kernel, top = row * g->stride - g->padding;
    const int64_t left = col * g->stride - g->padding;
    double best = -INFINITY;
    struct explanation e = {.rows = k, .parts = {{"", k}, {"x B =", k}}};
    (void)plane; /* the view is that plane's */
    for (int64_t i = 0; i < k * k; i++)
        values[i] = window_pixel(g, image, top + i / k, left + i % k);
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++) {
            double sum = 0.0;
            for (int64_t q = 0; q < k; q++)
                sum += values[i * k + q] * (double)op->operands[OPERAND_FILTER].values[q * k + j];
            values[k * k + i * k + j] = sum;
            best = fmax(best, sum);
        }
    snprintf(e.title, sizeof e.title, "Output (%lld, %lld): window at row %lld, column %lld",
             (long long)row, (long long)col, (long long)top, (long long)left);
    snprintf(e.result, sizeof e.result, "maximum %.9g", best);
    return e;
}

/* ---- a call from outside ----------------------------------------------------------------------
 */

static const struct foreign_integer integers[] = {
    FOREIGN_INTEGER("planes", planes), FOREIGN_INTEGER("rows", rows),
    FOREIGN_INTEGER("cols", cols),     FOREIGN_INTEGER("k", kernel),
    FOREIGN_INTEGER("stride", stride), FOREIGN_INTEGER("padding", padding),
};
static const struct foreign_sizes edges[] = {
    {.planes = 1, .rows = 1, .cols = 1, .kernel = 1, .stride = 1},
    {.planes = 1, .rows = 4, .cols = 4, .kernel = 2, .stride = 2},
    {.planes = 1, .rows = 1, .cols = 1, .kernel = 3, .stride = 1, .padding = 1},
    {.planes = 1, .rows = 2, .cols = 3, .kernel = 5, .stride = 1, .padding = 2},
    {.planes = 1, .rows = 1, .cols = 37, .kernel = 1, .stride = 3},
    {.planes = 1, .rows = 37, .cols = 1, .kernel = 1, .stride = 2},
    {.planes = 1, .rows = 5, .cols = 7, .kernel = 2, .stride = 2},
    {.planes = 1, .rows = 9, .cols = 14, .kernel = 3, .stride = 1},
    {.planes = 1, .rows = 17, .cols = 23, .kernel = 3, .stride = 5, .padding = 1},
    {.planes = 1, .rows = 16, .cols = 33, .kernel = 7, .stride = 3, .padding = 4},
    {.planes = 1, .rows = 3, .cols = 70, .kernel = 3, .stride = 1},
    {.planes = 19, .rows = 6, .cols = 5, .kernel = 2, .stride = 1},
    {.planes = 3, .rows = 31, .cols = 29, .kernel = 4, .stride = 2, .padding = 1},
    {.planes = 1, .rows = 64, .cols = 65, .kernel = 8, .stride = 8},
};
static const struct foreign_call foreign = {
    .arrays = {"image", "filter", "map"},
    .most = 2048,
    .usual = {.planes = 1, .kernel = 2},
    .counted_sizes = 6,
    .goal = "fused",
    .against = "literal, simd, shared_rows",
    .sizes = "size = 1024\nkernel = 3\nstride = 1\nthreads = 1",
    .page = "docs/ladder.md#the-product-of-every-window",
    .integers = integers,
    .integer_count = sizeof integers / sizeof *integers,
    .edges = edges,
    .edge_count = sizeof edges / sizeof *edges,
};

/* ---- the operator row -------------------------------------------------------------------------
 */

static const struct parameter *const parameters[] = {&windows_kernel, &windows_stride,
                                                     &windows_padding, &windows_pad_mode, NULL};

static const struct operand_row filter = {.role = OPERAND_FILTER,
                                          .option = "filter",
                                          .column = "filter",
                                          .argument = "identity|random|FILE.npy",
                                          .fallback = "identity",
                                          .help = "the matrix B that every window is multiplied by",
                                          .noun = "filter",
                                          .symbol = "B",
                                          .shape = filter_shape};

static const struct operand_row *const operands[] = {&filter, NULL};
static const char *const examples[] = {
    "-i brain.png -k 3 -s 2 -p 1 --pad-mode ignore -o pooled.png", "-n 4 --print --explain", NULL};

const struct operator_row maxpool_operator = {
    .name = "maxpool",
    .words = {.subject = "max pooling",
              .measures =
                  "max pooling: every k x k window of the image is multiplied by a filter matrix "
                  "(the identity), and the maximum of the product goes into the feature map.",
              .map = "Feature map",
              .units = "windows extracted",
              .parts = "values",
              .one_unit = "window extracted",
              .one_part = "value",
              .example = "fused",
              .device_example = "tiled",
              .examples = examples,
              .unit = N_("window"),
              .with_product = {"product", N_("Max pooling by product")},
              .without = {"maximum", N_("The maximum alone")}},
    .parameters = parameters,
    .foreign = &foreign,
    .operands = operands,
    .right = OPERAND_FILTER,
    .many_planes = true,
    .shape = windows_shape,
    .refuses = refuses,
    .method = maxpool_method_at,
    .is_built = maxpool_is_built,
    .run = run,
    .device = DEVICE_POOL,
    .windows_go_alone = true,
    .need = need,
    .terms = terms,
    .parts = parts,
    .rows_needed = windows_rows_needed,
    .begin = windows_begin,
    .region_needed = windows_region,
    .expect = expect,
    .strip = windows_strip,
    .steps = steps,
    .is_exact = products_are_exact,
    .largest = products_largest,
    .describe = describe,
    .explained_elements = explained_elements,
    .explain = explain,
};
