#include "cuda/tasks.h"

#include "kernels/conv/methods.h"

struct pool_task pool_of(const struct operation *op, const struct chunk *c,
                         const struct task_arrays *a)
{
    const struct geometry *g = &op->geometry;
    return (struct pool_task){.image = a->image,
                              .filter = a->second,
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

struct product_task product_of(const struct operation *op, const struct chunk *c,
                               const struct task_arrays *a)
{
    return (struct product_task){.a = a->image,
                                 .b = a->second,
                                 .c = a->map,
                                 .places = a->places,
                                 .rows = c->rows,
                                 .order = op->image.cols};
}

/* Rows of one number of all channels lie side by side (kernels/conv/operator.c). */
static struct row_steps steps_of(int64_t channels, int64_t rows, int64_t cols)
{
    return (struct row_steps){
        .image = rows * channels * cols, .channel = cols, .row = channels * cols};
}

struct conv_task conv_of(const struct operation *op, const struct chunk *c,
                         const struct task_arrays *a)
{
    const struct conv_shape s = conv_shape_of(op);
    return (struct conv_task){.image = a->image,
                              .weights = a->second,
                              .bias = a->third,
                              .map = a->map,
                              .places = a->places,
                              .in = steps_of(s.channels, c->in_rows, s.cols),
                              .out = steps_of(s.filters, c->rows, s.out_cols),
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
                              .stride = s.stride};
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
                                   .y = a->second,
                                   .map = a->map,
                                   .places = a->places,
                                   .rows = c->rows,
                                   .cols = op->map.cols,
                                   .dimensions = op->image.cols};
}
