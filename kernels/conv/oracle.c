#include "kernels/conv/oracle.h"

#include <float.h>
#include <math.h>

/* Sums over the terms of an output; `elements` sums the magnitudes of what the weights multiply. */
struct sums {
    double value, magnitude, elements;
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
            if (row < 0 || row >= s->rows || col < 0 || col >= s->cols)
                continue;
            const double element =
                plane[(row - o->image.first_row) * o->image.row_stride + col - o->first_col];
            add(sums, element * filter[i * s->kernel + j]);
            sums->elements += fabs(element);
        }
}

/* What is done to the sum of an output's terms: it is multiplied by `scale`, then `added` is added;
 * `magnitude` sums the magnitudes of its parts. `roundings` counts the roundings beyond those of a
 * sum of terms and one bias. */
struct epilogue {
    double scale, added, magnitude;
    int64_t roundings;
    bool folds;
};

static void add_to_epilogue(struct epilogue *e, double part)
{
    e->added += part;
    e->magnitude += fabs(part);
}

static double residual_at(const struct conv_operands *o, int64_t filter, int64_t row, int64_t col)
{
    const struct view *r = &o->finish.residual;
    return r->data[(row - r->first_row) * r->row_stride + filter * r->plane_stride + col];
}

static struct epilogue epilogue_of(const struct conv_operands *o, int64_t filter, int64_t row,
                                   int64_t col)
{
    const struct conv_norm norm = o->norm ? *o->norm : (struct conv_norm){1.0, 0.0};
    struct epilogue e = {.scale = norm.scale * (o->scale ? (double)o->scale[filter] : 1.0),
                         .roundings = (o->scale ? 1 : 0) + (o->norm ? 1 : 0),
                         .folds = o->scale || o->norm};
    add_to_epilogue(&e, norm.shift);
    if (o->bias)
        add_to_epilogue(&e, norm.scale * (double)o->bias[filter]);
    if (o->finish.residual.data) {
        add_to_epilogue(&e, residual_at(o, filter, row, col));
        e.roundings++;
    }
    return e;
}

/* gamma of n + 1 roundings and those of the epilogue; an underflow grows with the scale after it */
static double bound_of(const struct epilogue *e, int64_t terms, double magnitude)
{
    return oracle_bound(terms + 1 + e->roundings, fabs(e->scale) * magnitude + e->magnitude) +
           fabs(e->scale) * oracle_bound(terms, 0.0);
}

struct expectation oracle_conv(const struct conv_operands *o, int64_t filter, int64_t row,
                               int64_t col)
{
    const struct conv_shape *s = o->shape;
    const int64_t depth = s->channels / s->groups, window = s->kernel * s->kernel;
    const int64_t first = filter / (s->filters / s->groups) * depth;
    const struct epilogue e = epilogue_of(o, filter, row, col);
    struct sums sums = {0.0, 0.0, 0.0};
    for (int64_t c = 0; c < depth; c++)
        add_window(&sums, o, first + c, o->weights + (filter * depth + c) * window,
                   row * s->stride - s->padding, col * s->stride - s->padding);
    double value = e.scale * sums.value + e.added;
    double bound = bound_of(&e, depth * window, sums.magnitude);
    if (e.folds) /* a folded weight may underflow: counts as the smallest normal number */
        bound += oracle_bound(1, FLT_MIN * sums.elements);
    if (o->finish.clamped)
        value = fmin(fmax(value, (double)o->finish.least), (double)o->finish.most);
    return (struct expectation){value, bound};
}

struct expectation oracle_conv_rounded(const struct conv_operands *o, int64_t filter, int64_t row,
                                       int64_t col)
{
    const struct conv_shape *s = o->shape;
    const int64_t depth = s->channels / s->groups, terms = depth * s->kernel * s->kernel;
    const int64_t first = filter / (s->filters / s->groups) * depth;
    const struct epilogue e = epilogue_of(o, filter, row, col);
    struct expectation out = oracle_conv(o, filter, row, col);
    struct sums sums = {0.0, 0.0, 0.0};
    double weights = 0.0;
    for (int64_t c = 0; c < depth; c++)
        add_window(&sums, o, first + c, o->weights + filter * terms + c * s->kernel * s->kernel,
                   row * s->stride - s->padding, col * s->stride - s->padding);
    for (int64_t q = 0; q < terms; q++)
        weights += fabs((double)o->weights[filter * terms + q]);
    const double of_terms =
        oracle_rounded_bound(o->roundoff, terms, sums.magnitude, sums.elements + weights);
    out.bound += fabs(e.scale) * of_terms + 2.0 * FLT_MIN * sums.elements; /* of folded weights */
    return out;
}

/* The sum of the magnitudes of a window's elements. */
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
    enum { TRANSFORMS = 14 };
    const struct conv_shape *s = o->shape;
    const int64_t depth = s->channels / s->groups, window = s->kernel * s->kernel;
    const int64_t first = filter / (s->filters / s->groups) * depth;
    const int64_t summed = s->stride == 2 ? 4 * depth : depth;
    const struct epilogue e = epilogue_of(o, filter, row, col);
    double products = 0.0, elements = 0.0;
    for (int64_t c = 0; c < depth; c++) {
        const float *weights = o->weights + (filter * depth + c) * window;
        const double under = window_magnitude(o, first + c, row * s->stride - s->padding,
                                              col * s->stride - s->padding);
        double sum = 0.0;
        for (int64_t i = 0; i < window; i++)
            sum += fabs((double)weights[i]);
        products += sum * under;
        elements += under;
    }
    return bound_of(&e, summed + TRANSFORMS, 4.0 * products) +
           oracle_bound(TRANSFORMS, 4.0 * FLT_MIN * elements) + oracle_bound(depth * window, 0.0);
}

/* Computes m_r(k) of kernels/conv/oracle.h, from the matrices of the points 11/16 and 3/2. */
static void largest_of_axis(int64_t r, double m[6])
{
    static const double a = 0.6875, b = 1.5, v = 0.47265625, w = 2.25;
    static const double points[6][6] = {{v * w, 0, v + w, 0, 1, 0}, {0, a * w, w, a, 1, 0},
                                        {0, a * w, w, a, 1, 0},     {0, b * v, v, b, 1, 0},
                                        {0, b * v, v, b, 1, 0},     {0, v * w, 0, v + w, 0, 1}};
    const double at_a = 1 / (2 * v * (w - v)), at_b = 1 / (2 * w * (w - v));
    const double filters[6][3] = {{1 / (v * w), 0, 0},        {at_a, a * at_a, v * at_a},
                                  {at_a, a * at_a, v * at_a}, {at_b, b * at_b, w * at_b},
                                  {at_b, b * at_b, w * at_b}, {0, 0, 1}};
    const double powers[4][6] = {{1, 1, 1, 1, 1, 0},
                                 {0, a, a, b, b, 0},
                                 {0, v, v, w, w, 0},
                                 {0, a * v, a * v, b * w, b * w, 1}};
    for (int k = 0; k < 6; k++) {
        m[k] = 0.0;
        for (int i = 0; i < 3; i++) {
            double sum = 0.0;
            for (int p = 0; p < 6; p++)
                sum += powers[r][p] * filters[p][i] * points[p][k];
            m[k] = fmax(m[k], sum);
        }
    }
}

/* The sum of the magnitudes of the elements, inside the view, of the output's tile of 6 x 6, each
 * times m_r m_q. */
static double tile_magnitude(const struct conv_operands *o, int64_t channel, int64_t row,
                             int64_t col, const double down[6], const double across[6])
{
    const struct conv_shape *s = o->shape;
    const struct view *v = &o->image;
    const int64_t top = row - row % 4 - s->padding, left = col - col % 4 - s->padding;
    double sum = 0.0;
    for (int64_t i = 0; i < 6; i++)
        for (int64_t j = 0; j < 6; j++) {
            const int64_t y = top + i - v->first_row, x = left + j;
            if (y >= 0 && y < v->rows && x >= o->first_col && x < s->cols)
                sum += down[i] * across[j] *
                       fabs((double)v->data[channel * v->plane_stride + y * v->row_stride + x -
                                            o->first_col]);
        }
    return sum;
}

double oracle_conv_winograd4_bound(const struct conv_operands *o, int64_t filter, int64_t row,
                                   int64_t col)
{
    enum { TRANSFORMS = 18, APART = 16 };
    const struct conv_shape *s = o->shape;
    const int64_t depth = s->channels / s->groups;
    const int64_t first = filter / (s->filters / s->groups) * depth;
    const int64_t summed = depth < APART ? depth : APART + depth / APART;
    const struct epilogue e = epilogue_of(o, filter, row, col);
    double products = 0.0, under_and_weights = 0.0, down[6], across[6];
    largest_of_axis(row % 4, down);
    largest_of_axis(col % 4, across);
    for (int64_t c = 0; c < depth; c++) {
        const float *weights = o->weights + (filter * depth + c) * 9;
        const double under = tile_magnitude(o, first + c, row, col, down, across);
        double sum = 0.0;
        for (int64_t i = 0; i < 9; i++)
            sum += fabs((double)weights[i]);
        products += sum * under;
        under_and_weights += under + fabs(e.scale) * sum;
    }
    return bound_of(&e, summed + TRANSFORMS, products) +
           16.0 * oracle_bound(TRANSFORMS, FLT_MIN * under_and_weights) +
           oracle_bound((depth + 16) * 36, 0.0);
}
