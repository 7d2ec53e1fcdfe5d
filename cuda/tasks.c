#include "cuda/tasks.h"

#include "kernels/conv/methods.h"

#include <math.h>

struct pool_task pool_of(const struct operation *op, const struct chunk *c,
                         const struct task_arrays *a)
{
    const struct geometry *g = &op->geometry;
    return (struct pool_task){.image = a->image,
                              .filter = a->operands[OPERAND_FILTER],
                              .map = a->map,
                              .places = a->places,
                              .planes = c->planes,
                              .in_rows = c->in_rows,
                              .in_cols = g->cols,
                              .out_rows = c->rows,
                              .out_cols = g->out_cols,
                              .map_plane = c->rows * g->out_cols,
                              .top = c->row * g->stride - g->padding - c->in_first,
                              .left = -g->padding,
                              .kernel = g->kernel,
                              .stride = g->stride,
                              .pad = geometry_pad_value(g)};
}

/* If all planes share one B, they are the rows of one matrix. */
struct product_task product_of(const struct operation *op, const struct chunk *c,
                               const struct task_arrays *a)
{
    const bool own = op->operands[OPERAND_FILTER].shape.planes > 1;
    const int64_t inner = op->image.cols, cols = op->map.cols;
    return (struct product_task){.a = a->image,
                                 .b = a->operands[OPERAND_FILTER],
                                 .c = a->map,
                                 .parts = a->parts,
                                 .places = a->places,
                                 .rows = own ? c->rows : c->planes * c->rows,
                                 .inner = inner,
                                 .cols = cols,
                                 .planes = own ? c->planes : 1,
                                 .a_plane = c->rows * inner,
                                 .c_plane = c->rows * cols,
                                 .b_first = own ? c->plane * inner * cols : 0,
                                 .b_plane = own ? inner * cols : 0};
}

struct product_task whole_product(const struct operation *op)
{
    const struct chunk whole = {
        .planes = op->map.planes, .rows = op->map.rows, .in_rows = op->image.rows};
    return product_of(op, &whole, &(struct task_arrays){0});
}

/* Image and map: row r of all channels is contiguous and followed by row r + 1
 * (kernels/conv/operator.c). */
static struct row_steps steps_of(int64_t channels, int64_t rows, int64_t cols)
{
    return (struct row_steps){
        .image = rows * channels * cols, .channel = cols, .row = channels * cols};
}

/* A residual consists of whole planes, one after the other, however the map is cut into chunks. */
static struct row_steps residual_steps_of(const struct conv_shape *s)
{
    const int64_t elements = s->out_rows * s->out_cols;
    return (struct row_steps){
        .image = s->filters * elements, .channel = elements, .row = s->out_cols};
}

static const float *residual_of(const struct conv_shape *s, const struct chunk *c,
                                const float *residual)
{
    const struct row_steps steps = residual_steps_of(s);
    return residual ? residual + c->plane * steps.image + c->row * steps.row : NULL;
}

const float *sent_values(const struct operation *op, enum operand_role role)
{
    return role == op->kind->right && op->packed ? op->packed : op->operands[role].values;
}

struct conv_task sums_of(const struct conv_task *t)
{
    struct conv_task sums = *t;
    sums.bias = sums.added = NULL;
    sums.clamped = false;
    return sums;
}

struct conv_task conv_of(const struct operation *op, const struct chunk *c,
                         const struct task_arrays *a)
{
    const struct conv_shape s = conv_shape_of(op);
    return (struct conv_task){.image = a->image,
                              .weights = a->operands[OPERAND_WEIGHTS],
                              .bias = a->operands[OPERAND_BIAS],
                              .added = residual_of(&s, c, a->operands[OPERAND_RESIDUAL]),
                              .factor = a->operands[OPERAND_FACTOR],
                              .map = a->map,
                              .parts = a->parts,
                              .places = a->places,
                              .in = steps_of(s.channels, c->in_rows, s.cols),
                              .out = steps_of(s.filters, c->rows, s.out_cols),
                              .residual = residual_steps_of(&s),
                              .images = c->planes,
                              .in_rows = c->in_rows,
                              .in_cols = s.cols,
                              .out_rows = c->rows,
                              .out_cols = s.out_cols,
                              .groups = s.groups,
                              .depth = s.channels / s.groups,
                              .filters = s.filters / s.groups,
                              .top = c->row * s.stride - s.padding - c->in_first,
                              .left = -s.padding,
                              .kernel = s.kernel,
                              .stride = s.stride,
                              .clamped = op->parameters.activation != CONV_LINEAR,
                              .most = op->parameters.activation == CONV_RELU6 ? 6.0f : INFINITY};
}

struct conv_task whole_conv(const struct operation *op)
{
    const struct chunk whole = {
        .planes = op->map.planes, .rows = op->map.rows, .in_rows = op->image.rows};
    return conv_of(op, &whole, &(struct task_arrays){0});
}

struct distances_task distances_of(const struct operation *op, const struct chunk *c,
                                   const struct task_arrays *a)
{
    return (struct distances_task){.x = a->image,
                                   .y = a->operands[OPERAND_AGAINST],
                                   .map = a->map,
                                   .places = a->places,
                                   .rows = c->rows,
                                   .cols = op->map.cols,
                                   .dimensions = op->image.cols,
                                   .same = op->operands[OPERAND_AGAINST].itself,
                                   .own_col = c->row};
}

struct distances_task whole_distances(const struct operation *op)
{
    const struct chunk whole = {.planes = 1, .rows = op->map.rows, .in_rows = op->image.rows};
    return distances_of(op, &whole, &(struct task_arrays){0});
}
