/* Max pooling run backward: each output's gradient goes to the element that was its maximum, the
 * first in row order if there are several, as in PyTorch. The element is found again from the
 * input, which is still in memory. */
#include "networks/layers/backward.h"

#include "kernels/min_max.h"
#include "networks/layers/maxpool_backward_2x2.h"

#include <math.h>

/* The index of the window's maximum among the plane's elements. */
static int64_t winner(const struct layer *l, const float *plane, int64_t y, int64_t x)
{
    const int64_t top = y * l->stride - l->padding, left = x * l->stride - l->padding;
    int64_t best = -1;
    for (int64_t row = larger(top, 0); row < smaller(top + l->kernel, l->in.rows); row++)
        for (int64_t col = larger(left, 0); col < smaller(left + l->kernel, l->in.cols); col++)
            if (best < 0 || plane[row * l->in.cols + col] > plane[best])
                best = row * l->in.cols + col;
    return best;
}

static void scatter_plane(const struct layer *l, const float *plane, const float *d_output,
                          float *to)
{
    for (int64_t i = 0; i < l->in.rows * l->in.cols; i++)
        to[i] = 0.0f;
    for (int64_t y = 0; y < l->out.rows; y++)
        for (int64_t x = 0; x < l->out.cols; x++)
            to[winner(l, plane, y, x)] += d_output[y * l->out.cols + x];
}

static bool is_in_pairs(const struct layer *l)
{
    return l->kernel == 2 && l->stride == 2 && l->padding == 0 && l->in.rows % 2 == 0 &&
           l->in.cols % 2 == 0;
}

/* Each element belongs to exactly one window, which writes it. */
static void scatter_pairs(const struct reverse *r, const float *plane, const float *d_output,
                          float *to)
{
    static maxpool_pairs_function *const run[ISA_COUNT] = ISA_VARIANTS(maxpool_pairs);
    const struct layer *l = r->step->layer;
    const int64_t cols = l->in.cols;
    enum isa isa = r->step->isa;
    while (!run[isa])
        isa--;
    for (int64_t y = 0; y < l->out.rows; y++) {
        const struct maxpool_pairs pairs = {plane + 2 * y * cols, d_output + y * l->out.cols,
                                            to + 2 * y * cols, cols, l->out.cols};
        run[isa](&pairs);
    }
}

static void scatter_planes(const struct reverse *r, int64_t plane, int64_t end)
{
    const struct layer *l = r->step->layer;
    const int64_t elements = l->in.rows * l->in.cols, outputs = l->out.rows * l->out.cols;
    for (; plane < end; plane++) {
        const float *from = r->step->from + plane * elements,
                    *d_output = r->d_output + plane * outputs;
        float *to = r->d_input + plane * elements;
        if (is_in_pairs(l))
            scatter_pairs(r, from, d_output, to);
        else
            scatter_plane(l, from, d_output, to);
    }
}

static void run_input(const struct reverse *r, const struct shares *shares, int64_t worker,
                      void *scratch)
{
    struct taker t = {
        .shares = shares, .worker = worker, .units = r->step->images * r->step->layer->in.channels};
    (void)scratch;
    while (shares_take(&t))
        scatter_planes(r, t.first, t.end);
}

static int64_t pieces_of_input(const struct reverse *r)
{
    return step_pieces(r->step);
}

/* True if element (row, col) is the first maximum of the window of output (y, x). */
static bool wins(const struct layer *l, const float *plane, int64_t y, int64_t x, int64_t row,
                 int64_t col)
{
    const int64_t top = y * l->stride - l->padding, left = x * l->stride - l->padding;
    if (row < top || row >= top + l->kernel || col < left || col >= left + l->kernel)
        return false;
    const float value = plane[row * l->in.cols + col];
    for (int64_t i = 0; i < l->kernel * l->kernel; i++) {
        const int64_t r = top + i / l->kernel, c = left + i % l->kernel;
        if (r < 0 || r >= l->in.rows || c < 0 || c >= l->in.cols)
            continue;
        const float other = plane[r * l->in.cols + c];
        const bool before = r < row || (r == row && c < col);
        if (other > value || (before && other == value))
            return false;
    }
    return true;
}

static struct expectation expect_input(const struct reverse *r, int64_t image, int64_t channel,
                                       int64_t row, int64_t col)
{
    const struct layer *l = r->step->layer;
    const int64_t plane = image * l->in.channels + channel;
    const float *elements = r->step->from + plane * l->in.rows * l->in.cols;
    const float *d_output = r->d_output + plane * l->out.rows * l->out.cols;
    double sum = 0.0, magnitude = 0.0;
    for (int64_t y = 0; y < l->out.rows; y++)
        for (int64_t x = 0; x < l->out.cols; x++)
            if (wins(l, elements, y, x, row, col)) {
                sum += d_output[y * l->out.cols + x];
                magnitude += fabs((double)d_output[y * l->out.cols + x]);
            }
    return (struct expectation){sum, oracle_bound(l->kernel * l->kernel, magnitude)};
}

const struct backward maxpool_backward = {.input = {run_input, pieces_of_input},
                                          .expect_input = expect_input};
