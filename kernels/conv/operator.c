/* The operator row of convolution. An image of the batch is stored row by row: row y of all its
 * channels is contiguous, and the map likewise. So the operation is distributed, sent and joined by
 * lines, as pooling is: batch x rows x (channels x columns) to batch x rows x (filters x
 * columns). */
#include "kernels/conv/explain.h"
#include "kernels/conv/methods.h"
#include "kernels/conv/oracle.h"
#include "kernels/conv/rows.h"
#include "kernels/min_max.h"
#include "kernels/precision/declared_math.h"
#include "kernels/windows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- options ----------------------------------------------------------------------------------
 */

#define PARAMETER(name) offsetof(struct parameters, name)

static const struct parameter activation = {
    .option = "activation",
    .argument = "none|relu|relu6",
    .choice = true,
    .column = "activation",
    .of = "bank of filters",
    .offset = PARAMETER(activation),
    .fallback = CONV_LINEAR,
    .help = "relu: negative outputs become 0; relu6: also at most 6 (default none)"};

static const struct parameter epilogue = {
    .option = "epilogue",
    .argument = "store|pass",
    .choice = true,
    .column = "epilogue",
    .of = "bank of filters",
    .offset = PARAMETER(epilogue),
    .fallback = CONV_STORE,
    .help = "where bias, factor, residual and activation are applied: when an output is stored, "
            "with the factor folded into the weights, or in a separate pass (default store)"};

/* ---- shapes -----------------------------------------------------------------------------------
 */

static int64_t map_channels(const struct operation *op)
{
    return op->parameters.filters;
}

static struct refusal shape(struct operation *op)
{
    const struct refusal refusal = conv_complete_operation(op);
    const struct geometry *g = &op->geometry;
    if (refusal.kind != REFUSAL_NONE)
        return refusal;
    op->map =
        (struct image_shape){op->image.planes, g->out_rows, op->parameters.filters * g->out_cols};
    return conv_refuse_terms(op, "C/G k k");
}

static struct image_shape bias_shape(const struct operation *op)
{
    return (struct image_shape){1, 1, op->parameters.filters};
}

static int64_t terms(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    return conv_terms(&s);
}

static double parts(const struct operation *op)
{
    return (double)terms(op);
}

/* ---- needs -----------------------------------------------------------------------------------
 */

/* Image, weights, bias and residual are read and the map is written. A method that computes each
 * output by itself does a multiply-add for every element inside the image that a window covers. The
 * least is a quarter of that where Winograd's F(4 x 4, 3 x 3) may be used, the largest tile that
 * libraries use in float32; at stride 2 it is 25 of 36. */
static struct need need(const struct operation *op, bool product)
{
    const struct conv_shape s = conv_shape_of(op);
    const struct geometry *g = &op->geometry;
    const double weights = (double)s.filters * (double)conv_terms(&s);
    const double elements = (double)g->planes * windows_elements_touched(g, s.rows) *
                            windows_elements_touched(g, s.cols);
    const double all = conv_multiplications(op);
    const double least = !conv_winograd_refuses(&s)     ? 0.25
                         : conv_winograd_is_strided(&s) ? 25.0 / 36.0
                                                        : 1.0;
    (void)product;
    const double residual =
        op->operands[OPERAND_RESIDUAL].values ? (double)shape_elements(op->map) : 0.0;
    return (struct need){.bytes_read = 4.0 * (elements + weights + (double)s.filters + residual),
                         .bytes_written = 4.0 * (double)shape_elements(op->map),
                         .least = {least * all, 0.0},
                         .per_output = {all, 0.0}};
}

/* ---- which elements ---------------------------------------------------------------------------
 */

static void rows_needed(const struct operation *op, int64_t row, int64_t rows, int64_t *first,
                        int64_t *count)
{
    windows_rows_needed(op, row, rows, first, count);
}

/* The input of a line of outputs begins with the first line that it reads. */
static struct region begin(const struct operation *op, int64_t plane, int64_t row, int64_t col)
{
    struct region first = windows_begin(op, plane, row, 0);
    (void)col;
    first.col = 0;
    return first;
}

/* The table row of the operation's method, or NULL if a library computes it. */
static const struct conv_method *own_method(const struct operation *op)
{
    for (size_t i = 0; i < conv_method_count; i++)
        if (op->method == &conv_methods[i].head)
            return &conv_methods[i];
    return NULL;
}

static bool rounds_integers(const struct operation *op)
{
    return op->method && op->method->rounds;
}

/* NULL, or the bound of a method that rounds integers. */
static conv_bound_function *bound_beyond(const struct operation *op)
{
    const struct conv_method *own = own_method(op);
    return own && own->head.rounds ? own->bound : NULL;
}

/* All channels, so whole lines; if the bound needs them, the lines of all outputs of a tile. */
static struct region region_needed(const struct operation *op, int64_t plane, int64_t row,
                                   int64_t col, int64_t cols, bool narrow)
{
    struct region c = {.plane = plane, .planes = 1, .cols = op->image.cols};
    (void)col;
    (void)cols;
    (void)narrow;
    const int64_t tile = bound_beyond(op) ? conv_tile_rows(own_method(op)) : 1;
    const int64_t top = row - row % tile;
    windows_rows_needed(op, top, smaller(tile, op->map.rows - top), &c.row, &c.rows);
    return c;
}

static int64_t strip(const struct operation *op, int64_t most)
{
    (void)most; /* always whole lines */
    return op->map.cols;
}

/* ---- running ----------------------------------------------------------------------------------
 */

/* The epilogue of image n of the batch; the residual is stored plane by plane. */
static struct conv_finish finish_of(const struct operation *op, const struct conv_shape *s,
                                    int64_t n)
{
    const int64_t elements = s->out_rows * s->out_cols;
    const float *all = op->operands[OPERAND_RESIDUAL].values;
    return (struct conv_finish){.residual = {all ? all + n * s->filters * elements : NULL,
                                             s->out_cols, 0, s->out_rows, elements},
                                .clamped = op->parameters.activation != CONV_LINEAR,
                                .most = op->parameters.activation == CONV_RELU6 ? 6.0f : INFINITY};
}

/* The call for the first image of a portion, with all filters. */
static struct conv_call call_of(const struct operation *op, const struct conv_shape *s,
                                const struct portion *portion)
{
    const size_t folded = conv_folded_floats(op);
    struct conv_call call = {
        .shape = s,
        .weights = folded > 0 ? op->packed : op->operands[OPERAND_WEIGHTS].values,
        .packed = op->packed ? op->packed + folded : NULL,
        .bias = op->operands[OPERAND_BIAS].values,
        .image = portion->image,
        .map = portion->map,
        .row = portion->block.row,
        .rows = portion->block.rows,
        .finish = finish_of(op, s, portion->block.plane),
        .images = larger(1, portion->block.planes),
        .image_strides = {portion->image.plane_stride, portion->map.plane_stride,
                          op->map.rows * op->map.cols}};
    call.image.plane_stride = s->cols;
    call.map.plane_stride = s->out_cols;
    return call;
}

/* Moves the call to the filter of the block's first column, which begins a micro-panel; s is the
 * shape of all filters. */
static void take_filters(const struct operation *op, const struct block *block,
                         const struct conv_shape *s, struct conv_call *call)
{
    const struct conv_method *m = conv_method_of(op->method);
    const int64_t filter = block->col / s->out_cols;
    struct conv_shape before = *s;
    before.filters = filter;
    if (filter == 0)
        return;
    call->weights += filter * conv_terms(s);
    if (call->packed && m->packed)
        call->packed += m->packed(&before);
    if (call->bias)
        call->bias += filter;
    if (call->finish.residual.data)
        call->finish.residual.data += filter * call->finish.residual.plane_stride;
    call->map.data += block->col;
}

/* Methods that take one image are never given several (kernels/partition.h). */
static void run_method(const struct operation *op, const struct portion *portion,
                       const struct conv_call *call)
{
    conv_method_of(op->method)->run[op->isa](call, portion->scratch);
}

/* Computes the sums alone, then applies the epilogue to them. */
static void run_in_passes(const struct operation *op, const struct portion *portion,
                          const struct conv_call *call)
{
    static conv_pass_function *const passes[ISA_COUNT] = ISA_VARIANTS(conv_pass);
    const int64_t filter = portion->block.col / call->shape->out_cols;
    const float *scale =
        op->operands[OPERAND_FACTOR].values ? op->operands[OPERAND_FACTOR].values + filter : NULL;
    struct conv_call sums = *call;
    sums.bias = NULL;
    sums.finish = (struct conv_finish){.clamped = false};
    run_method(op, portion, &sums);
    if (op->operands[OPERAND_BIAS].values || conv_has_epilogue(op))
        for (int64_t n = 0; n < call->images; n++) {
            const struct conv_call one = conv_call_image(call, n);
            passes[op->isa](&one, scale);
        }
}

static void run(const struct operation *op, const struct portion *portion, enum stage stage)
{
    (void)stage; /* there is only one */
    const struct conv_shape whole = conv_shape_of(op);
    struct conv_shape some = whole;
    struct conv_call call = call_of(op, &whole, portion);
    take_filters(op, &portion->block, &whole, &call);
    some.filters = portion->block.cols / whole.out_cols;
    call.shape = &some;
    if (op->parameters.epilogue == CONV_PASS)
        run_in_passes(op, portion, &call);
    else
        run_method(op, portion, &call);
}

/* ---- the oracle -------------------------------------------------------------------------------
 */

static void expect(const struct operation *op, const struct region *held, const float *data,
                   const struct block *outputs, struct expectation *out)
{
    const struct conv_shape s = conv_shape_of(op);
    const struct conv_operands o = {.shape = &s,
                                    .image = {.data = data,
                                              .row_stride = held->cols,
                                              .first_row = held->row,
                                              .rows = held->rows,
                                              .plane_stride = s.cols},
                                    .weights = op->operands[OPERAND_WEIGHTS].values,
                                    .bias = op->operands[OPERAND_BIAS].values,
                                    .scale = op->operands[OPERAND_FACTOR].values,
                                    .finish = finish_of(op, &s, outputs->plane),
                                    .roundoff = math_roundoff(op)};
    conv_bound_function *const tiles =
        bound_beyond(op) ? bound_beyond(op) : oracle_conv_winograd_bound;
    for (int64_t i = 0; i < outputs->cols; i++) {
        const int64_t filter = (outputs->col + i) / s.out_cols;
        const int64_t col = (outputs->col + i) % s.out_cols;
        if (math_rounds(op)) {
            out[i] = oracle_conv_rounded(&o, filter, outputs->row, col);
            continue;
        }
        out[i] = oracle_conv(&o, filter, outputs->row, col);
        if (!conv_winograd_tiles_refuse(&s))
            out[i].bound = fmax(out[i].bound, tiles(&o, filter, outputs->row, col));
    }
}

static double steps(const struct operation *op)
{
    return (double)terms(op);
}

/* The largest factor, but at least 1, so that sums before it fit too. */
static double scale_of(const struct operation *op)
{
    return op->operands[OPERAND_FACTOR].values ? fmax(1.0, op->operands[OPERAND_FACTOR].max_abs)
                                               : 1.0;
}

static double largest(const struct operation *op, double max_abs)
{
    const double weights = op->operands[OPERAND_WEIGHTS].max_abs;
    const double sums = scale_of(op) * (double)terms(op) * max_abs * weights +
                        op->operands[OPERAND_BIAS].max_abs + op->operands[OPERAND_RESIDUAL].max_abs;
    return math_rounds(op) ? math_growth(op) * fmax(sums, fmax(scale_of(op) * weights, max_abs))
                           : sums;
}

static bool are_integers(const struct operand *o)
{
    return !o->values || o->integers;
}

/* No sum of integers below 2^24 rounds. Winograd's sums are multiples of a quarter, so where it may
 * be used, none of its own sums may round either. Its transformed elements are sums of 4 elements,
 * its transformed weights at most 9/4 of the largest, and an output is the sum of 9 of their
 * products per channel: in quarters, 36 times as much as the 9 terms of a channel. At stride 2 they
 * are integers: along either axis 5 products of elements and weights instead of 3, less than 3
 * times as much. */
static bool is_exact(const struct operation *op, bool integers, double max_abs)
{
    const struct conv_shape s = conv_shape_of(op);
    const bool all = integers && op->operands[OPERAND_WEIGHTS].integers &&
                     are_integers(&op->operands[OPERAND_BIAS]) &&
                     are_integers(&op->operands[OPERAND_RESIDUAL]) &&
                     are_integers(&op->operands[OPERAND_FACTOR]);
    const double growth = !conv_winograd_refuses(&s)     ? 36.0
                          : conv_winograd_is_strided(&s) ? 3.0
                                                         : 1.0;
    return all && !rounds_integers(op) && !math_rounds(op) &&
           growth * largest(op, max_abs) < 0x1p24;
}

/* ---- a call from outside ----------------------------------------------------------------------
 */

static const struct foreign_integer integers[] = {
    FOREIGN_INTEGER("batch", batch),     FOREIGN_INTEGER("channels", planes),
    FOREIGN_INTEGER("rows", rows),       FOREIGN_INTEGER("cols", cols),
    FOREIGN_INTEGER("filters", filters), FOREIGN_INTEGER("k", kernel),
    FOREIGN_INTEGER("stride", stride),   FOREIGN_INTEGER("padding", padding),
};
/* The order of the integers. */
#define CONV(b, c, r, w, f, k, s, p)                                                               \
    {                                                                                              \
        .batch = (b), .planes = (c), .rows = (r), .cols = (w), .filters = (f), .kernel = (k),      \
        .stride = (s), .padding = (p)                                                              \
    }
static const struct foreign_sizes edges[] = {
    CONV(1, 1, 1, 1, 1, 1, 1, 0),   CONV(1, 1, 4, 4, 1, 3, 1, 0),  CONV(1, 1, 1, 1, 2, 3, 1, 1),
    CONV(1, 2, 2, 3, 1, 5, 1, 2),   CONV(1, 3, 1, 29, 2, 1, 2, 0), CONV(1, 3, 9, 14, 5, 3, 1, 1),
    CONV(2, 3, 11, 7, 4, 3, 2, 1),  CONV(3, 7, 6, 5, 9, 2, 3, 0),  CONV(1, 17, 8, 8, 16, 3, 1, 1),
    CONV(1, 2, 16, 19, 3, 7, 3, 4),
};
static const struct foreign_call foreign = {
    .arrays = {"image", "weights", "map"},
    .most = 128,
    .usual = {.batch = 1, .planes = 16, .filters = 16, .kernel = 3, .stride = 1},
    .goal = "im2col",
    .against = "literal, implicit",
    .sizes = "size = 64\nplanes = 32\nkernel = 3\nthreads = 1",
    .page = "docs/conv.md",
    .integers = integers,
    .integer_count = sizeof integers / sizeof *integers,
    .edges = edges,
    .edge_count = sizeof edges / sizeof *edges,
};

/* ---- words ------------------------------------------------------------------------------------
 */

static void describe(const struct operation *op, char *text, size_t size)
{
    static const char *const clamps[] = {"", ", relu", ", relu6"};
    conv_describe(op, text, size);
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s%s%s", clamps[op->parameters.activation],
             op->parameters.epilogue == CONV_PASS ? ", finished in a pass" : "",
             math_rounds(op) ? ", operands in " : "",
             math_rounds(op) ? math_words[op->parameters.math] : "");
}

static const struct parameter *const parameters[] = {
    &conv_batch,      &conv_channels, &conv_filters, &conv_groups,    &conv_kernel,   &conv_stride,
    &windows_padding, &activation,    &epilogue,     &math_parameter, &conv_gradient, NULL};

static const struct operand_row bias = {
    .role = OPERAND_BIAS,
    .option = "bias",
    .column = "bias",
    .argument = "none|random|FILE.npy",
    .fallback = "none",
    .help = "a value added to all outputs of a filter (default none)",
    .noun = "bias",
    .shape = bias_shape};

static const struct operand_row residual = {
    .role = OPERAND_RESIDUAL,
    .option = "residual",
    .column = "residual",
    .argument = "none|random|FILE.npy",
    .fallback = "none",
    .help = "a value added to each output: N x K x OH x OW (default none)",
    .noun = "residual",
    .shape = conv_outputs_shape,
    .count = conv_outputs_count};

static const struct operand_row factor = {.role = OPERAND_FACTOR,
                                          .option = "factor",
                                          .column = "factor",
                                          .argument = "none|random|FILE.npy",
                                          .fallback = "none",
                                          .help =
                                              "a factor for each filter; factor and bias together "
                                              "are a batch normalization (default none)",
                                          .noun = "factor",
                                          .shape = bias_shape};

static const struct operand_row *const operands[] = {&conv_weights, &bias, &residual, &factor,
                                                     NULL};

static const char *const examples[] = {
    "-n 56 --channels 64 --filters 64 -k 3 -p 1 --method implicit,winograd",
    "-n 112 --channels 96 --filters 96 --groups 96 -p 1 --method depthwise",
    "-n 56 --channels 64 --filters 64 -p 1 --gradient weights --method tiles",
    "-n 56 --batch 8 --channels 64 --filters 64 -p 1", NULL};

const struct operator_row conv_operator = {
    .name = "conv",
    .words = {.subject = "the convolution",
              .measures = "the convolution of networks (no flip, zeros around): a batch of images "
                          "of C channels, under K filters of C x k x k.",
              .map = "Feature maps",
              .units = "sums",
              .parts = "products",
              .one_unit = "sum",
              .one_part = "product",
              .packed = "bank of filters",
              .example = "implicit",
              .device_example = "tiled",
              .examples = examples,
              .in_flops = true,
              .with_product = {"conv", N_("Convolution")}},
    .parameters = parameters,
    .foreign = &foreign,
    .operands = operands,
    .right = OPERAND_WEIGHTS,
    .image_channels = conv_image_channels,
    .map_channels = map_channels,
    .random_shape = conv_random_shape,
    .parameters_from_image = conv_parameters_from_image,
    .shape = shape,
    .method = conv_method_at,
    .is_built = conv_is_built,
    .run = run,
    .device = DEVICE_CONV,
    .need = need,
    .terms = terms,
    .parts = parts,
    .rows_needed = rows_needed,
    .begin = begin,
    .region_needed = region_needed,
    .expect = expect,
    .strip = strip,
    .steps = steps,
    .is_exact = is_exact,
    .largest = largest,
    .describe = describe,
    .explained_elements = conv_explained_elements,
    .explain = conv_explain,
};
