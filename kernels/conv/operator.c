/* The row of convolution. An image of the batch lies row by row, the rows of one number of all its
 * channels side by side, and the map likewise, so that the operation is dealt, sent and joined by
 * lines as pooling is: batch x rows x (channels x columns) to batch x rows x (filters x columns).
 */
#include "kernels/conv/explain.h"
#include "kernels/conv/gradients/gradient_operation.h"
#include "kernels/conv/methods.h"
#include "kernels/conv/oracle.h"
#include "kernels/min_max.h"
#include "kernels/operators.h"
#include "kernels/windows.h"

#include <math.h>
#include <stdio.h>

/* ---- options ----------------------------------------------------------------------------------
 */

#define PARAMETER(name) offsetof(struct parameters, name)

static const struct parameter kernel = {.option = "kernel-size",
                                        .letter = 'k',
                                        .argument = "K",
                                        .column = "kernel",
                                        .of = "windows",
                                        .least = 1,
                                        .offset = PARAMETER(kernel),
                                        .fallback = 3,
                                        .help = "side of the window (default 3)"};

static const struct parameter stride = {.option = "stride",
                                        .letter = 's',
                                        .argument = "S",
                                        .column = "stride",
                                        .of = "windows",
                                        .least = 1,
                                        .offset = PARAMETER(stride),
                                        .fallback = 1,
                                        .help = "cells from one window to the next (default 1)"};

static const struct parameter batch = {.option = "batch",
                                       .argument = "N",
                                       .column = "batch",
                                       .of = "images of several channels",
                                       .least = 1,
                                       .offset = PARAMETER(batch),
                                       .fallback = 1,
                                       .help = "random images (default 1)",
                                       .random = true};

static const struct parameter channels = {.option = "channels",
                                          .argument = "C",
                                          .column = "channels",
                                          .of = "images of several channels",
                                          .least = 1,
                                          .offset = PARAMETER(channels),
                                          .fallback = 3,
                                          .help = "... of C channels each (default 3)",
                                          .random = true};

static const struct parameter filters = {.option = "filters",
                                         .argument = "K",
                                         .column = "filters",
                                         .of = "bank of filters",
                                         .least = 1,
                                         .offset = PARAMETER(filters),
                                         .fallback = 16,
                                         .help = "filters: channels of the output (default 16)"};

static const struct parameter groups = {.option = "groups",
                                        .argument = "G",
                                        .column = "groups",
                                        .of = "bank of filters",
                                        .least = 1,
                                        .offset = PARAMETER(groups),
                                        .fallback = 1,
                                        .help = "groups of channels, each with filters of its own "
                                                "(default 1)"};

static const struct parameter activation = {.option = "activation",
                                            .argument = "none|relu|relu6",
                                            .choice = true,
                                            .column = "activation",
                                            .of = "bank of filters",
                                            .offset = PARAMETER(activation),
                                            .fallback = CONV_LINEAR,
                                            .help = "clamps outputs: below at 0, relu6 at 6 above "
                                                    "too (default none)"};

static const struct parameter epilogue = {
    .option = "epilogue",
    .argument = "store|pass",
    .choice = true,
    .column = "epilogue",
    .of = "bank of filters",
    .offset = PARAMETER(epilogue),
    .fallback = CONV_STORE,
    .help =
        "bias, factor, residual and clamp: as outputs are stored, the factor in the weights, or "
        "in a pass over them of its own (default store)"};

static const struct parameter gradient = {
    .option = "gradient",
    .argument = "none|image|weights",
    .choice = true,
    .column = "gradient",
    .of = "bank of filters",
    .offset = PARAMETER(gradient),
    .fallback = CONV_FORWARD,
    .help = "run backward from the output gradient: image for the data gradient, weights for the "
            "weight gradient (default none)"};

static bool is_backward(const struct operation *op)
{
    return op->parameters.gradient != CONV_FORWARD;
}

/* ---- shapes -----------------------------------------------------------------------------------
 */

struct conv_shape conv_shape_of(const struct operation *op)
{
    const struct parameters *p = &op->parameters;
    return (struct conv_shape){.batch = op->image.planes,
                               .channels = p->channels,
                               .rows = op->image.rows,
                               .cols = op->image.cols / p->channels,
                               .filters = p->filters,
                               .groups = p->groups,
                               .kernel = p->kernel,
                               .stride = p->stride,
                               .padding = p->padding,
                               .out_rows = op->geometry.out_rows,
                               .out_cols = op->geometry.out_cols};
}

static int64_t image_channels(const struct operation *op)
{
    return op->parameters.channels;
}

static int64_t map_channels(const struct operation *op)
{
    return is_backward(op) ? gradient_map_channels(op) : op->parameters.filters;
}

static struct image_shape ask(const struct parameters *p, struct image_shape sizes)
{
    const int64_t planes = geometry_cells(p->batch, p->channels, 1);
    return (struct image_shape){planes < 0 ? INT64_MAX : planes, sizes.rows, sizes.cols};
}

static void find(struct parameters *p, struct image_shape planes, int64_t images)
{
    p->batch = images;
    p->channels = planes.planes / images;
}

/* The geometry of a window on any channel. */
static struct geometry geometry_of(const struct conv_shape *s)
{
    return (struct geometry){.planes = s->batch * s->channels,
                             .rows = s->rows,
                             .cols = s->cols,
                             .kernel = s->kernel,
                             .stride = s->stride,
                             .padding = s->padding,
                             .pad_mode = PAD_ZERO};
}

static struct refusal refuse_shape(const struct conv_shape *s, enum conv_status status)
{
    struct geometry g = geometry_of(s);
    if (status == CONV_BAD_GROUPS)
        return refusal_make(REFUSAL_USAGE,
                            "%lld groups need channels and filters that they divide, not %lld and "
                            "%lld",
                            (long long)s->groups, (long long)s->channels, (long long)s->filters);
    if (status == CONV_NO_FIT)
        return windows_refuse(geometry_complete(&g), &g);
    return refusal_make(status == CONV_OVERFLOW ? REFUSAL_RESOURCE : REFUSAL_USAGE,
                        "%lld x %lld images of %lld x %lld under %lld filters of %lld x %lld %s",
                        (long long)s->batch, (long long)s->channels, (long long)s->rows,
                        (long long)s->cols, (long long)s->filters, (long long)s->kernel,
                        (long long)s->kernel,
                        status == CONV_OVERFLOW ? "cannot be counted in bytes" : "are none");
}

/* A sum's error bound is finite below 2^24 terms (oracle_bound), those of its end among them. */
enum { MOST_TERMS = 1 << 24, MORE_TERMS = 16 };

static struct refusal shape(struct operation *op)
{
    static const char *const sum_of[] = {"C/G k k", "K/G k k", "N x OH x OW"};
    struct conv_shape s = conv_shape_of(op);
    const enum conv_status status = conv_complete(&s);
    if (status != CONV_OK)
        return refuse_shape(&s, status);
    op->geometry = geometry_of(&s);
    op->geometry.out_rows = s.out_rows;
    op->geometry.out_cols = s.out_cols;
    op->map = is_backward(op) ? gradient_map(op)
                              : (struct image_shape){s.batch, s.out_rows, s.filters * s.out_cols};
    if (operation_terms(op) + MORE_TERMS >= MOST_TERMS)
        return refusal_make(REFUSAL_USAGE,
                            "%s is too large: sums of %lld terms have no error bound in float32",
                            sum_of[op->parameters.gradient], (long long)operation_terms(op));
    return (struct refusal){.kind = REFUSAL_NONE};
}

static struct image_shape weights_shape(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    return (struct image_shape){s.filters * (s.channels / s.groups), s.kernel, s.kernel};
}

static int64_t weights_count(const struct operation *op)
{
    return op->parameters.filters;
}

/* A file of K x C/G x k x k; the groups are asked for. */
static void tell_weights(struct parameters *p, struct image_shape planes, int64_t count)
{
    p->filters = count;
    p->channels = planes.planes / count * p->groups;
    p->kernel = planes.rows;
}

static struct image_shape bias_shape(const struct operation *op)
{
    return (struct image_shape){1, 1, op->parameters.filters};
}

/* A value for each output of the convolution. */
static struct image_shape outputs_shape(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    return (struct image_shape){s.batch * s.filters, s.out_rows, s.out_cols};
}

static int64_t outputs_count(const struct operation *op)
{
    return op->parameters.batch;
}

static int64_t terms(const struct operation *op)
{
    if (is_backward(op))
        return gradient_terms(op);
    const struct conv_shape s = conv_shape_of(op);
    return conv_terms(&s);
}

static double parts(const struct operation *op)
{
    return (double)terms(op);
}

/* ---- needs ------------------------------------------------------------------------------------
 */

/* Along an axis of n cells: pairs of an output and a cell inside the image that its window covers.
 */
static double pairs_inside(const struct geometry *g, int64_t n, int64_t outputs)
{
    double pairs = 0.0;
    for (int64_t i = 0; i < g->kernel; i++) {
        const int64_t before = larger(0, g->padding - i), end = n + g->padding - i;
        const int64_t first = (before + g->stride - 1) / g->stride;
        const int64_t past = end > 0 ? smaller((end - 1) / g->stride + 1, outputs) : 0;
        pairs += (double)larger(0, past - first);
    }
    return pairs;
}

/* Image, weights and bias are read and the map is written. Apart: a multiply-add for every cell
 * inside the image that a window covers. At the least a quarter of that where Winograd's F(4 x 4,
 * 3 x 3) may be used, the largest tile that libraries use in float32. */
static struct need need(const struct operation *op, bool product)
{
    const struct conv_shape s = conv_shape_of(op);
    const struct geometry *g = &op->geometry;
    const int64_t depth = s.channels / s.groups;
    const double weights = (double)s.filters * (double)conv_terms(&s);
    const double cells =
        (double)g->planes * windows_cells_touched(g, s.rows) * windows_cells_touched(g, s.cols);
    const double all = (double)s.batch * (double)s.filters * (double)depth *
                       pairs_inside(g, s.rows, s.out_rows) * pairs_inside(g, s.cols, s.out_cols);
    const bool folds = !conv_winograd_refuses(&s);
    (void)product;
    if (is_backward(op))
        return gradient_need(op, all);
    const double residual =
        op->operands[OPERAND_RESIDUAL].values ? (double)shape_cells(op->map) : 0.0;
    return (struct need){.bytes_read = 4.0 * (cells + weights + (double)s.filters + residual),
                         .bytes_written = 4.0 * (double)shape_cells(op->map),
                         .least = {folds ? 0.25 * all : all, 0.0},
                         .apart = {all, 0.0}};
}

/* ---- which cells ------------------------------------------------------------------------------
 */

static void rows_needed(const struct operation *op, int64_t row, int64_t rows, int64_t *first,
                        int64_t *count)
{
    if (is_backward(op))
        gradient_rows_needed(op, first, count);
    else
        windows_rows_needed(op, row, rows, first, count);
}

/* A line of outputs begins with the first of the lines that it reads. */
static struct cells begin(const struct operation *op, int64_t plane, int64_t row, int64_t col)
{
    if (is_backward(op))
        return gradient_begin(op, plane, row);
    struct cells first = windows_begin(op, plane, row, 0);
    (void)col;
    first.col = 0;
    return first;
}

/* All channels: whole lines. */
static struct cells cells_needed(const struct operation *op, int64_t plane, int64_t row,
                                 int64_t col, int64_t cols, bool narrow)
{
    struct cells c = {.plane = plane, .planes = 1, .cols = op->image.cols};
    if (is_backward(op))
        return gradient_cells_needed(op, plane);
    (void)col;
    (void)cols;
    (void)narrow;
    windows_rows_needed(op, row, 1, &c.row, &c.rows);
    return c;
}

static int64_t strip(const struct operation *op, int64_t most)
{
    (void)most; /* whole lines, however many outputs */
    return op->map.cols;
}

/* ---- running ----------------------------------------------------------------------------------
 */

/* What is done to the outputs of image n of the batch; the residual lies plane by plane. */
static struct conv_finish finish_of(const struct operation *op, const struct conv_shape *s,
                                    int64_t n)
{
    const int64_t cells = s->out_rows * s->out_cols;
    const float *all = op->operands[OPERAND_RESIDUAL].values;
    return (struct conv_finish){
        .residual = {all ? all + n * s->filters * cells : NULL, s->out_cols, 0, s->out_rows, cells},
        .clamped = op->parameters.activation != CONV_LINEAR,
        .most = op->parameters.activation == CONV_RELU6 ? 6.0f : INFINITY};
}

/* The call for the first image of a portion, all filters. */
static struct conv_call call_of(const struct operation *op, const struct conv_shape *s,
                                const struct portion *portion)
{
    const size_t folded = conv_folded_floats(op);
    struct conv_call call = {.shape = s,
                             .weights =
                                 folded > 0 ? op->packed : op->operands[OPERAND_WEIGHTS].values,
                             .packed = op->packed ? op->packed + folded : NULL,
                             .bias = op->operands[OPERAND_BIAS].values,
                             .image = portion->image,
                             .map = portion->map,
                             .row = portion->block.row,
                             .rows = portion->block.rows,
                             .finish = finish_of(op, s, portion->block.plane)};
    call.image.plane_stride = s->cols;
    call.map.plane_stride = s->out_cols;
    return call;
}

/* The filters from that of the first column of the block on, which begins a sliver; s is of all of
 * them. */
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

/* To the next image of the portion. */
static void step_image(const struct operation *op, const struct portion *portion,
                       struct conv_call *call)
{
    call->image.data += portion->image.plane_stride;
    call->map.data += portion->map.plane_stride;
    if (call->finish.residual.data)
        call->finish.residual.data += op->map.rows * op->map.cols;
}

static void run_method(const struct operation *op, const struct portion *portion,
                       struct conv_call call)
{
    for (int64_t i = 0; i < portion->block.planes; i++, step_image(op, portion, &call))
        conv_method_of(op->method)->run[op->isa](&call, portion->scratch);
}

/* Sums alone, and then what else is to be done to them. */
static void run_in_passes(const struct operation *op, const struct portion *portion,
                          struct conv_call call)
{
    static conv_pass_function *const passes[ISA_COUNT] = ISA_VARIANTS(conv_pass);
    const int64_t filter = portion->block.col / call.shape->out_cols;
    const float *scale =
        op->operands[OPERAND_FACTOR].values ? op->operands[OPERAND_FACTOR].values + filter : NULL;
    struct conv_call sums = call;
    sums.bias = NULL;
    sums.finish = (struct conv_finish){.clamped = false};
    run_method(op, portion, sums);
    if (op->operands[OPERAND_BIAS].values || conv_has_epilogue(op))
        for (int64_t i = 0; i < portion->block.planes; i++, step_image(op, portion, &call))
            passes[op->isa](&call, scale);
}

static void run(const struct operation *op, const struct portion *portion, enum stage stage)
{
    (void)stage; /* there is one */
    if (is_backward(op)) {
        gradient_run(op, portion);
        return;
    }
    const struct conv_shape whole = conv_shape_of(op);
    struct conv_shape some = whole;
    struct conv_call call = call_of(op, &whole, portion);
    take_filters(op, &portion->block, &whole, &call);
    some.filters = portion->block.cols / whole.out_cols;
    call.shape = &some;
    if (op->parameters.epilogue == CONV_PASS)
        run_in_passes(op, portion, call);
    else
        run_method(op, portion, call);
}

/* ---- the oracle -------------------------------------------------------------------------------
 */

static void expect(const struct operation *op, const struct cells *held, const float *data,
                   const struct block *outputs, struct expectation *out)
{
    if (is_backward(op)) {
        gradient_expect(op, data, outputs, out);
        return;
    }
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
                                    .finish = finish_of(op, &s, outputs->plane)};
    for (int64_t i = 0; i < outputs->cols; i++) {
        const int64_t filter = (outputs->col + i) / s.out_cols;
        const int64_t col = (outputs->col + i) % s.out_cols;
        out[i] = oracle_conv(&o, filter, outputs->row, col);
        if (!conv_winograd_refuses(&s))
            out[i].bound =
                fmax(out[i].bound, oracle_conv_winograd_bound(&o, filter, outputs->row, col));
    }
}

static double steps(const struct operation *op)
{
    return (double)terms(op);
}

/* Of the largest factor; at least 1, so that sums before it fit too. */
static double scale_of(const struct operation *op)
{
    return op->operands[OPERAND_FACTOR].values ? fmax(1.0, op->operands[OPERAND_FACTOR].max_abs)
                                               : 1.0;
}

static double largest(const struct operation *op, double max_abs)
{
    if (is_backward(op))
        return gradient_largest(op, max_abs);
    return scale_of(op) * (double)terms(op) * max_abs * op->operands[OPERAND_WEIGHTS].max_abs +
           op->operands[OPERAND_BIAS].max_abs + op->operands[OPERAND_RESIDUAL].max_abs;
}

static bool are_integers(const struct operand *o)
{
    return !o->values || o->integers;
}

/* No sum of integers below 2^24 rounds. Winograd's are multiples of a quarter: where it may be used
 * no sum of its own must round either. Its transformed cells are sums of 4 cells, its transformed
 * weights at most 9/4 of the largest, and an output the sum of 9 of their products a channel: in
 * quarters 36 times as much as the 9 terms of a channel. */
static bool is_exact(const struct operation *op, bool integers, double max_abs)
{
    if (is_backward(op))
        return gradient_is_exact(op, integers, max_abs);
    const struct conv_shape s = conv_shape_of(op);
    const bool all = integers && op->operands[OPERAND_WEIGHTS].integers &&
                     are_integers(&op->operands[OPERAND_BIAS]) &&
                     are_integers(&op->operands[OPERAND_RESIDUAL]) &&
                     are_integers(&op->operands[OPERAND_FACTOR]);
    const double growth = conv_winograd_refuses(&s) ? 1.0 : 36.0;
    return all && growth * largest(op, max_abs) < 0x1p24;
}

/* ---- words ------------------------------------------------------------------------------------
 */

static void describe(const struct operation *op, char *text, size_t size)
{
    const struct parameters *p = &op->parameters;
    static const char *const clamps[] = {"", ", relu", ", relu6"};
    static const char *const gradients[] = {"", "gradient of the image, ",
                                            "gradient of the weights, "};
    char apart[48] = "";
    if (p->groups > 1)
        snprintf(apart, sizeof apart, " in %lld groups", (long long)p->groups);
    snprintf(text, size, "%s%lld filter%s%s, kernel size %lld, stride %lld, padding %lld%s%s",
             gradients[p->gradient], (long long)p->filters, p->filters == 1 ? "" : "s", apart,
             (long long)p->kernel, (long long)p->stride, (long long)p->padding,
             clamps[p->activation], p->epilogue == CONV_PASS ? ", finished in a pass" : "");
}

static const struct parameter *const parameters[] = {
    &batch,           &channels,   &filters,  &groups,   &kernel, &stride,
    &windows_padding, &activation, &epilogue, &gradient, NULL};
static const struct operand_row weights = {
    .role = OPERAND_WEIGHTS,
    .option = "weights",
    .column = "weights",
    .argument = "random|FILE.npy",
    .fallback = "random",
    .help = "the filters: K x C/G x k x k, of a file that tells K, C and k, or "
            "integers -9 .. 9 by the seed (default random)",
    .noun = "bank of filters",
    .symbol = "W",
    .shape = weights_shape,
    .count = weights_count,
    .tells = tell_weights};

static const struct operand_row bias = {
    .role = OPERAND_BIAS,
    .option = "bias",
    .column = "bias",
    .argument = "none|random|FILE.npy",
    .fallback = "none",
    .help = "a value for each filter, added to all of its outputs (default none)",
    .noun = "bias",
    .shape = bias_shape};

static const struct operand_row residual = {
    .role = OPERAND_RESIDUAL,
    .option = "residual",
    .column = "residual",
    .argument = "none|random|FILE.npy",
    .fallback = "none",
    .help = "a value for each output, added to it: N x K x OH x OW (default none)",
    .noun = "residual",
    .shape = outputs_shape,
    .count = outputs_count};

static const struct operand_row factor = {
    .role = OPERAND_FACTOR,
    .option = "factor",
    .column = "factor",
    .argument = "none|random|FILE.npy",
    .fallback = "none",
    .help = "a factor for each filter's sums: with a bias, what a batch norm comes to "
            "(default none)",
    .noun = "factor",
    .shape = bias_shape};

static const struct operand_row d_output = {
    .role = OPERAND_D_OUTPUT,
    .option = "slopes",
    .column = "slopes",
    .argument = "none|random|FILE.npy",
    .fallback = "none",
    .help = "the output gradient, for --gradient: N x K x OH x OW (default none)",
    .noun = "slopes",
    .shape = outputs_shape,
    .count = outputs_count};

static const struct operand_row *const operands[] = {&weights, &bias,     &residual,
                                                     &factor,  &d_output, NULL};
static const char *const examples[] = {
    "-n 56 --channels 64 --filters 64 -k 3 -p 1 --method implicit,winograd",
    "-n 112 --channels 96 --filters 96 --groups 96 -p 1 --method depthwise",
    "-n 56 --channels 64 --filters 64 -p 1 --gradient weights --slopes random --method tiles",
    NULL};

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
    .operands = operands,
    .right = OPERAND_WEIGHTS,
    .image_channels = image_channels,
    .map_channels = map_channels,
    .ask = ask,
    .find = find,
    .shape = shape,
    .refuses = gradient_refuses,
    .method = conv_method_at,
    .is_built = conv_is_built,
    .run = run,
    .device = DEVICE_CONV,
    .need = need,
    .terms = terms,
    .parts = parts,
    .rows_needed = rows_needed,
    .begin = begin,
    .cells_needed = cells_needed,
    .expect = expect,
    .strip = strip,
    .steps = steps,
    .is_exact = is_exact,
    .largest = largest,
    .describe = describe,
    .explained_cells = conv_explained_cells,
    .explain = conv_explain,
};
