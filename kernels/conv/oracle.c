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
    if (o->bias)
        add(&sums, o->bias[filter]);
    return (struct expectation){sums.value, oracle_bound(depth * window + 1, sums.magnitude)};
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
    return oracle_bound(depth + 14 + 1, 4.0 * products + bias);
}
