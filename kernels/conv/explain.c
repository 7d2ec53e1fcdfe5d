/* Shows, channel by channel, the window, the filter on it and their products; then their sum, and
 * what the epilogue makes of it. Computes in double precision and shares no arithmetic with the
 * methods. */
#include "kernels/conv/explain.h"

#include "kernels/conv/methods.h"

#include <math.h>
#include <stdio.h>

int64_t conv_explained_elements(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    return 3 * conv_terms(&s);
}

/* The output, where its windows begin, and the first channel of its group. */
struct place {
    int64_t filter, row, col;
    int64_t top, left;
    int64_t first_channel;
};

static struct place place_of(const struct conv_shape *s, int64_t row, int64_t col)
{
    const int64_t filter = col / s->out_cols, x = col % s->out_cols;
    return (struct place){.filter = filter,
                          .row = row,
                          .col = x,
                          .top = row * s->stride - s->padding,
                          .left = x * s->stride - s->padding,
                          .first_channel =
                              filter / (s->filters / s->groups) * (s->channels / s->groups)};
}

static double element_at(const struct conv_shape *s, const struct view *image, int64_t channel,
                         int64_t row, int64_t col)
{
    if (row < 0 || row >= s->rows || col < 0 || col >= s->cols)
        return 0.0;
    return (double)view_row(image, row)[channel * s->cols + col];
}

/* Fills three lists, one after the other: elements, weights and products, each channel by channel.
 * Returns the sum of the products. */
static double fill(const struct operation *op, const struct conv_shape *s, const struct view *image,
                   const struct place *at, double *values)
{
    const int64_t terms = conv_terms(s), k = s->kernel;
    double sum = 0.0;
    for (int64_t t = 0; t < terms; t++) {
        const double element = element_at(s, image, at->first_channel + t / (k * k),
                                          at->top + t / k % k, at->left + t % k);
        const double weight = (double)op->operands[OPERAND_WEIGHTS].values[at->filter * terms + t];
        values[t] = element;
        values[terms + t] = weight;
        values[2 * terms + t] = element * weight + 0.0; /* no -0 */
        sum += element * weight;
    }
    return sum;
}

/* Appends a step to the text, as far as it fits. Returns the length of all steps so far. */
static size_t add_step(char *text, size_t used, const char *words, double value)
{
    const size_t room = sizeof((struct explanation *)0)->result;
    const int length =
        used < room ? snprintf(text + used, room - used, "%s %.9g", words, value) : 0;
    return used + (size_t)(length > 0 ? length : 0);
}

/* "sum 12, times 2, plus bias 3, plus residual -1, relu: 26" */
static void describe_result(const struct operation *op, const struct conv_shape *s, int64_t plane,
                            const struct place *at, double sum, char *text)
{
    const int64_t elements = s->out_rows * s->out_cols;
    size_t used = add_step(text, 0, "sum", sum);
    double value = sum;
    if (op->operands[OPERAND_FACTOR].values) {
        value *= (double)op->operands[OPERAND_FACTOR].values[at->filter];
        used = add_step(text, used, ", times",
                        (double)op->operands[OPERAND_FACTOR].values[at->filter]);
    }
    if (op->operands[OPERAND_BIAS].values) {
        value += (double)op->operands[OPERAND_BIAS].values[at->filter];
        used = add_step(text, used, ", plus bias",
                        (double)op->operands[OPERAND_BIAS].values[at->filter]);
    }
    if (op->operands[OPERAND_RESIDUAL].values) {
        const double residual = (double)op->operands[OPERAND_RESIDUAL]
                                    .values[(plane * s->filters + at->filter) * elements +
                                            at->row * s->out_cols + at->col];
        value += residual;
        used = add_step(text, used, ", plus residual", residual);
    }
    if (op->parameters.activation != CONV_LINEAR)
        value = fmax(value, 0.0);
    if (op->parameters.activation == CONV_RELU6)
        value = fmin(value, 6.0);
    if (op->parameters.activation != CONV_LINEAR || value != sum)
        add_step(text, used, op->parameters.activation == CONV_LINEAR ? ":" : ", clamped:", value);
}

struct explanation conv_explain(const struct operation *op, const struct view *image, int64_t plane,
                                int64_t row, int64_t col, double *values)
{
    const struct conv_shape s = conv_shape_of(op);
    const struct place at = place_of(&s, row, col);
    struct explanation e = {.rows = conv_terms(&s) / s.kernel,
                            .group = s.kernel,
                            .group_word = "channel",
                            .first_group = at.first_channel,
                            .parts = {{"", s.kernel}, {"x", s.kernel}, {"=", s.kernel}}};
    snprintf(e.title, sizeof e.title,
             "Output (%lld, %lld) of filter %lld: windows at row %lld, column %lld",
             (long long)at.row, (long long)at.col, (long long)at.filter, (long long)at.top,
             (long long)at.left);
    describe_result(op, &s, plane, &at, fill(op, &s, image, &at, values), e.result);
    return e;
}
