#include "kernels/conv/gradients/gradient_operation.h"

#include "kernels/conv/gradients/gradient_oracle.h"
#include "kernels/conv/gradients/gradient_phases.h"

#include <math.h>
#include <string.h>

static bool is_of_image(const struct operation *op)
{
    return op->parameters.gradient == CONV_OF_IMAGE;
}

/* Of a window of k cells a phase has so many along an axis (conv/gradient_phases.h). */
static int64_t phase_kernel(const struct conv_shape *s)
{
    return (s->kernel + s->stride - 1) / s->stride;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

struct image_shape gradient_map(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    return is_of_image(op) ? op->image : (struct image_shape){s.filters, 1, conv_terms(&s)};
}

int64_t gradient_map_channels(const struct operation *op)
{
    const struct parameters *p = &op->parameters;
    return is_of_image(op) ? p->channels : p->channels / p->groups;
}

/* Names are of an operation that has its operands: of a planned one nothing is known of them. */
const char *gradient_refuses(const struct operation *op)
{
    const bool none = op->operands[OPERAND_D_OUTPUT].name &&
                      strcmp(op->operands[OPERAND_D_OUTPUT].name, "none") == 0;
    if (op->parameters.gradient == CONV_FORWARD)
        return op->operands[OPERAND_D_OUTPUT].name && !none
                   ? "--slopes goes with --gradient image or weights"
                   : NULL;
    if (none)
        return "--gradient needs --slopes random or FILE.npy: the gradient of the outputs, N x K x "
               "OH x OW";
    return op->operands[OPERAND_BIAS].values || conv_has_epilogue(op) ||
                   op->parameters.epilogue != CONV_STORE
               ? "--gradient is of the sums: no bias, activation, residual, factor or epilogue"
               : NULL;
}

int64_t gradient_terms(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    return is_of_image(op) ? s.filters / s.groups * phase_kernel(&s) * phase_kernel(&s)
                           : s.batch * s.out_rows * s.out_cols;
}

/* Slopes and weights, or slopes and image, are read once. A quarter of the multiplications at the
 * least where windows are 3 x 3 at stride 1, those of phases too, as forward. */
struct need gradient_need(const struct operation *op, double multiplications)
{
    const struct conv_shape s = conv_shape_of(op);
    const double slopes = (double)s.batch * (double)s.filters * (double)(s.out_rows * s.out_cols);
    const double weights = (double)s.filters * (double)conv_terms(&s);
    const double image = (double)shape_cells(op->image);
    const bool folds = is_of_image(op) ? phase_kernel(&s) == 3 : !conv_winograd_refuses(&s);
    return (struct need){.bytes_read = 4.0 * (slopes + (is_of_image(op) ? weights : image)),
                         .bytes_written = 4.0 * (double)shape_cells(op->map),
                         .least = {folds ? 0.25 * multiplications : multiplications, 0.0},
                         .apart = {multiplications, 0.0}};
}

/* ---- which cells ----------------------------------------------------------------------------- */

/* All rows of all images, or none. */
void gradient_rows_needed(const struct operation *op, int64_t *first, int64_t *count)
{
    *first = 0;
    *count = is_of_image(op) ? 0 : op->image.planes * op->image.rows;
}

struct cells gradient_begin(const struct operation *op, int64_t plane, int64_t row)
{
    return is_of_image(op) ? own_begin(op, plane, row, 0) : (struct cells){.plane = 0};
}

struct cells gradient_cells_needed(const struct operation *op, int64_t plane)
{
    if (is_of_image(op))
        return (struct cells){.plane = plane, .planes = 1, .cols = op->image.cols};
    return (struct cells){
        .planes = op->image.planes, .rows = op->image.rows, .cols = op->image.cols};
}

/* The images in memory order in lines. */
static struct conv_images images_of(const struct operation *op, const float *data)
{
    const struct conv_shape s = conv_shape_of(op);
    return (struct conv_images){data, op->image.rows * op->image.cols, s.cols, op->image.cols};
}

/* ---- running --------------------------------------------------------------------------------- */

static void run_of_image(const struct operation *op, const struct portion *portion)
{
    const struct conv_shape s = conv_shape_of(op);
    const struct conv_method *m = conv_method_of(op->method);
    const int64_t slopes = s.filters * s.out_rows * s.out_cols;
    struct conv_image_gradient call = {.shape = &s,
                                       .weights = op->operands[OPERAND_WEIGHTS].values,
                                       .slopes = op->operands[OPERAND_D_OUTPUT].values +
                                                 portion->block.plane * slopes,
                                       .image = portion->map,
                                       .row = portion->block.row,
                                       .rows = portion->block.rows};
    call.image.plane_stride = s.cols;
    for (int64_t i = 0; i < portion->block.planes; i++) {
        if (m->of_image)
            m->of_image(&call);
        else
            conv_image_gradient_by(m, op->isa, &call, op->packed, portion->scratch);
        call.slopes += slopes;
        call.image.data += portion->map.plane_stride;
    }
}

static void run_of_weights(const struct operation *op, const struct portion *portion)
{
    const struct conv_shape s = conv_shape_of(op);
    const struct conv_weight_gradient call = {.shape = &s,
                                              .image = images_of(op, portion->image.data),
                                              .slopes = op->operands[OPERAND_D_OUTPUT].values,
                                              .images = s.batch,
                                              .filter = portion->block.plane,
                                              .filters = portion->block.planes,
                                              .weights = portion->map.data};
    conv_method_of(op->method)->weights[op->isa](&call, portion->scratch);
}

void gradient_run(const struct operation *op, const struct portion *portion)
{
    if (is_of_image(op))
        run_of_image(op, portion);
    else
        run_of_weights(op, portion);
}

/* ---- the oracle ------------------------------------------------------------------------------ */

static struct expectation expect_image_cell(const struct conv_gradient_operands *o, int64_t plane,
                                            int64_t row, int64_t at)
{
    const struct conv_shape *s = o->shape;
    struct expectation e = oracle_conv_image_gradient(o, plane, at / s->cols, row, at % s->cols);
    if (phase_kernel(s) == 3)
        e.bound = fmax(e.bound, oracle_conv_image_gradient_winograd_bound(o, plane, at / s->cols,
                                                                          row, at % s->cols));
    return e;
}

/* Weight `at`; wider where Winograd's transforms may be used. */
static struct expectation expect_weight(const struct conv_gradient_operands *o, int64_t at)
{
    struct expectation e = oracle_conv_weight_gradient(o, at);
    if (!conv_winograd_refuses(o->shape))
        e.bound = fmax(e.bound, oracle_conv_weight_gradient_winograd_bound(o, at, 1));
    return e;
}

void gradient_expect(const struct operation *op, const float *data, const struct block *outputs,
                     struct expectation *out)
{
    const struct conv_shape s = conv_shape_of(op);
    const struct conv_gradient_operands o = {.shape = &s,
                                             .image = images_of(op, data),
                                             .weights = op->operands[OPERAND_WEIGHTS].values,
                                             .slopes = op->operands[OPERAND_D_OUTPUT].values,
                                             .images = s.batch};
    for (int64_t i = 0; i < outputs->cols; i++)
        out[i] = is_of_image(op)
                     ? expect_image_cell(&o, outputs->plane, outputs->row, outputs->col + i)
                     : expect_weight(&o, outputs->plane * conv_terms(&s) + outputs->col + i);
}

double gradient_largest(const struct operation *op, double max_abs)
{
    return (double)gradient_terms(op) * op->operands[OPERAND_D_OUTPUT].max_abs *
           (is_of_image(op) ? op->operands[OPERAND_WEIGHTS].max_abs : max_abs);
}

/* As the operator's own, forward, where Winograd's transforms may be used: 36 times as much. Of the
 * weights a tile at the edge may have one slope alone, whose transforms come to 16 times its terms:
 * in quarters 64. */
static double growth_of(const struct operation *op, const struct conv_shape *s)
{
    if (is_of_image(op))
        return phase_kernel(s) == 3 ? 36.0 : 1.0;
    return conv_winograd_refuses(s) ? 1.0 : 64.0;
}

bool gradient_is_exact(const struct operation *op, bool integers, double max_abs)
{
    const struct conv_shape s = conv_shape_of(op);
    const bool other = is_of_image(op) ? op->operands[OPERAND_WEIGHTS].integers : integers;
    return op->operands[OPERAND_D_OUTPUT].integers && other &&
           growth_of(op, &s) * gradient_largest(op, max_abs) < 0x1p24;
}
