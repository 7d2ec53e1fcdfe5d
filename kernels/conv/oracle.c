#include "kernels/conv/oracle.h"

#include <math.h>

struct sums {
    double value, magnitude;
};

static void add(struct sums *s, double term)
{
    s->value += term;
    s->magnitude += fabs(term);
}

static void add_window(struct sums *sums, const struct conv_operands *o, int64_t channel,
                       const float *filter, int64_t top, int64_t left)
{
    const struct conv_shape *s = o->shape;
    const float *plane = o->image.data + channel * o->image.plane_stride;
    for (int64_t i = 0; i < s->kernel; i++)
        for (int64_t j = 0; j < s->kernel; j++) {
            const int64_t row = top + i, col = left + j;
            if (row >= 0 && row < s->rows && col >= 0 && col < s->cols)
                add(sums, (double)plane[(row - o->image.first_row) * o->image.row_stride + col -
                                        o->first_col] *
                              filter[i * s->kernel + j]);
        }
}

static double scale_of(const struct conv_operands *o, int64_t filter)
{
    return o->scale ? (double)o->scale[filter] : 1.0;
}

/* What is added to the sum at that output. */
static double added_at(const struct conv_operands *o, int64_t filter, int64_t row, int64_t col)
{
    const struct view *r = &o->finish.residual;
    return r->data
               ? (double)
                     r->data[(row - r->first_row) * r->row_stride + filter * r->plane_stride + col]
               : 0.0;
}

/* Roundings that an output passes besides those of its terms and bias. */
static int64_t more_roundings(const struct conv_operands *o)
{
    return (o->scale ? 2 : 0) + (o->finish.residual.data ? 1 : 0);
}

/* The expectation of an output whose sum has so many terms. */
static struct expectation finished(const struct conv_operands *o, struct sums sums, int64_t terms,
                                   int64_t filter, int64_t row, int64_t col)
{
    const double scale = scale_of(o, filter);
    struct sums all = {scale * sums.value, fabs(scale) * sums.magnitude};
    add(&all, o->bias ? (double)o->bias[filter] : 0.0);
    add(&all, added_at(o, filter, row, col));
    if (o->finish.clamped)
        all.value = fmin(fmax(all.value, (double)o->finish.least), (double)o->finish.most);
    return (struct expectation){all.value,
                                oracle_bound(terms + 1 + more_roundings(o), all.magnitude)};
}

struct expectation oracle_conv(const struct conv_operands *o, int64_t filter, int64_t row,
                               int64_t col)
{
    const struct conv_shape *s = o->shape;
    const int64_t depth = s->channels / s->groups, window = s->kernel * s->kernel;
    const int64_t first = filter / (s->filters / s->groups) * depth;
    struct sums sums = {0.0, 0.0};
    for (int64_t c = 0; c < depth; c++)
        add_window(&sums, o, first + c, o->weights + (filter * depth + c) * window,
                   row * s->stride - s->padding, col * s->stride - s->padding);
    return finished(o, sums, depth * window, filter, row, col);
}

/* The magnitudes of a window's cells, summed. */
static double window_magnitude(const struct conv_operands *o, int64_t channel, int64_t top,
                               int64_t left)
{
    const struct conv_shape *s = o->shape;
    const float *plane = o->image.data + channel * o->image.plane_stride;
    double sum = 0.0;
    for (int64_t row = top; row < top + s->kernel; row++)
        for (int64_t col = left; col < left + s->kernel; col++)
            if (row >= 0 && row < s->rows && col >= 0 && col < s->cols)
                sum += fabs((double)plane[(row - o->image.first_row) * o->image.row_stride + col -
                                          o->first_col]);
    return sum;
}

double oracle_conv_winograd_bound(const struct conv_operands *o, int64_t filter, int64_t row,
                                  int64_t col)
{
    const struct conv_shape *s = o->shape;
    const int64_t depth = s->channels / s->groups, window = s->kernel * s->kernel;
    const int64_t first = filter / (s->filters / s->groups) * depth;
    const double bias = o->bias ? fabs((double)o->bias[filter]) : 0.0;
    double products = 0.0;
    for (int64_t c = 0; c < depth; c++) {
        const float *weights = o->weights + (filter * depth + c) * window;
        double sum = 0.0;
        for (int64_t i = 0; i < window; i++)
            sum += fabs((double)weights[i]);
        products += sum * window_magnitude(o, first + c, row - s->padding, col - s->padding);
    }
    return oracle_bound(depth + 14 + 1 + more_roundings(o),
                        4.0 * fabs(scale_of(o, filter)) * products + bias +
                            fabs(added_at(o, filter, row, col)));
}
