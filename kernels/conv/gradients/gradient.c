/* Gradients of a convolution by their definitions, and the rotated filters with which the data
 * gradient is a convolution. */
#include "kernels/conv/gradients/gradient.h"

/* ---- data gradient --------------------------------------------------------------------------- */

/* Along an axis, the output whose window has the element at place `place`, or -1. */
static int64_t output_at(int64_t element, int64_t place, int64_t outputs,
                         const struct conv_shape *s)
{
    const int64_t first = element + s->padding - place;
    return first >= 0 && first % s->stride == 0 && first / s->stride < outputs ? first / s->stride
                                                                               : -1;
}

/* The sum of the terms of one filter. */
static float filter_terms(const struct conv_shape *s, const float *window, const float *d_output,
                          int64_t row, int64_t col)
{
    float sum = 0.0f;
    for (int64_t i = 0; i < s->kernel; i++)
        for (int64_t j = 0; j < s->kernel; j++) {
            const int64_t y = output_at(row, i, s->out_rows, s);
            const int64_t x = output_at(col, j, s->out_cols, s);
            if (y >= 0 && x >= 0)
                sum += window[i * s->kernel + j] * d_output[y * s->out_cols + x];
        }
    return sum;
}

static float image_element(const struct conv_data_gradient *call, int64_t channel, int64_t row,
                           int64_t col)
{
    const struct conv_shape *s = call->shape;
    const int64_t depth = s->channels / s->groups, filters = s->filters / s->groups;
    const int64_t first = channel / depth * filters, window = s->kernel * s->kernel;
    float sum = 0.0f;
    for (int64_t f = first; f < first + filters; f++)
        sum += filter_terms(s, call->weights + (f * depth + channel % depth) * window,
                            call->d_output + f * s->out_rows * s->out_cols, row, col);
    return sum;
}

void conv_data_gradient_literal(const struct conv_data_gradient *call)
{
    const struct conv_shape *s = call->shape;
    for (int64_t c = 0; c < s->channels; c++)
        for (int64_t y = call->row; y < call->row + call->rows; y++)
            for (int64_t x = 0; x < s->cols; x++)
                map_row(&call->image, y)[c * call->image.plane_stride + x] =
                    image_element(call, c, y, x);
}

bool conv_data_gradient_is_convolution(const struct conv_shape *s)
{
    return s->stride == 1 && s->padding < s->kernel;
}

struct conv_shape conv_rotated_shape(const struct conv_shape *s)
{
    struct conv_shape rotated = {.batch = s->batch,
                                 .channels = s->filters,
                                 .rows = s->out_rows,
                                 .cols = s->out_cols,
                                 .filters = s->channels,
                                 .groups = s->groups,
                                 .kernel = s->kernel,
                                 .stride = 1,
                                 .padding = s->kernel - 1 - s->padding};
    conv_complete(&rotated);
    return rotated;
}

void conv_rotate_filters(const struct conv_shape *s, const float *weights, float *rotated)
{
    const int64_t depth = s->channels / s->groups, filters = s->filters / s->groups;
    const int64_t window = s->kernel * s->kernel;
    for (int64_t f = 0; f < s->filters; f++)
        for (int64_t c = 0; c < depth; c++) {
            const int64_t channel = f / filters * depth + c;
            const float *from = weights + (f * depth + c) * window;
            float *to = rotated + (channel * filters + f % filters) * window;
            for (int64_t i = 0; i < window; i++)
                to[i] = from[window - 1 - i];
        }
}

/* ---- weight gradient ------------------------------------------------------------------------- */

struct conv_images conv_images_by_planes(const struct conv_shape *s, const float *data)
{
    const int64_t plane = s->rows * s->cols;
    return (struct conv_images){data, s->channels * plane, plane, s->cols};
}

static float weight_element(const struct conv_weight_gradient *call, int64_t filter,
                            int64_t channel, int64_t i, int64_t j)
{
    const struct conv_shape *s = call->shape;
    float sum = 0.0f;
    for (int64_t n = 0; n < call->images; n++) {
        const float *plane =
            call->image.data + n * call->image.image_stride + channel * call->image.channel_stride;
        const float *d_output =
            call->d_output + (n * s->filters + filter) * s->out_rows * s->out_cols;
        for (int64_t v = 0; v < s->out_rows; v++)
            for (int64_t u = 0; u < s->out_cols; u++) {
                const int64_t row = v * s->stride + i - s->padding;
                const int64_t col = u * s->stride + j - s->padding;
                if (row >= 0 && row < s->rows && col >= 0 && col < s->cols)
                    sum +=
                        d_output[v * s->out_cols + u] * plane[row * call->image.row_stride + col];
            }
    }
    return sum;
}

static float bias_element(const struct conv_weight_gradient *call, int64_t filter)
{
    const struct conv_shape *s = call->shape;
    const int64_t outputs = s->out_rows * s->out_cols;
    float sum = 0.0f;
    for (int64_t n = 0; n < call->images; n++)
        for (int64_t q = 0; q < outputs; q++)
            sum += call->d_output[(n * s->filters + filter) * outputs + q];
    return sum;
}

void conv_weight_gradient_literal(const struct conv_weight_gradient *call, void *scratch)
{
    const struct conv_shape *s = call->shape;
    const int64_t depth = s->channels / s->groups, window = s->kernel * s->kernel;
    (void)scratch;
    for (int64_t i = 0; i < call->filters; i++) {
        const int64_t f = call->filter + i;
        const int64_t first = f / (s->filters / s->groups) * depth;
        for (int64_t c = 0; c < depth; c++)
            for (int64_t q = 0; q < window; q++)
                call->weights[(i * depth + c) * window + q] =
                    weight_element(call, f, first + c, q / s->kernel, q % s->kernel);
        if (call->bias)
            call->bias[i] = bias_element(call, f);
    }
}
