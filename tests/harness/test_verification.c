/* The verification itself, tested by answers worked out on paper: oracles, their bounds, the hash
 * of maps, verdicts and poison. Other tests compare methods with oracles; here only the oracle can
 * be wrong. tests/mutation plants faults in all of these, which these tests must find. */
#include "harness/base/digest.h"
#include "harness/point/verify/verify.h"
#include "harness/space/host.h"
#include "kernels/conv/gradients/gradient_oracle.h"
#include "kernels/conv/oracle.h"
#include "kernels/distances/oracle.h"
#include "kernels/operators.h"
#include "tests/support/cases.h"
#include "tests/support/unit_test.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(found, right) check_double(found, right, __LINE__)

static void check_double(double found, double right, int line)
{
    if (!(found == right))
        fail_msg("line %d: %.17g where %.17g is right", line, found, right);
}

/* gamma_n = n u / (1 - n u), u = 2^-24. */
static double gamma_of(double n)
{
    return n / (0x1p24 - n);
}

/* Bounds are compared with a relative tolerance of 1e-12: larger than their own rounding, smaller
 * than the change by one rounding in a thousand. */
static void check_bound(double found, double right, int line)
{
    if (!(fabs(found - right) <= 1e-12 * right))
        fail_msg("line %d: the bound is %.17g where %.17g is right", line, found, right);
}

#define CHECK_BOUND(found, right) check_bound(found, right, __LINE__)

/* ---- bounds and exactness -------------------------------------------------------------------- */

TEST(bounds_are_those_of_the_textbook)
{
    CHECK_BOUND(oracle_bound(1, 1.0), gamma_of(1));
    CHECK_BOUND(oracle_bound(1000, 3.0), 3.0 * gamma_of(1000));
    CHECK_BOUND(oracle_bound(1 << 23, 1.0), 1.0); /* n u = 1/2 */
    CHECK(oracle_bound(5, 0.0), 5 * 0x1p-149);
    CHECK(oracle_bound(0, 7.0), 0.0);
    assert_true(isfinite(oracle_bound((1 << 24) - 1, 1.0)));
    assert_true(isinf(oracle_bound(1 << 24, 1.0)));
    assert_true(isinf(oracle_bound(1 << 24, 0.0)));
    assert_true(isinf(oracle_bound((1 << 24) + 1, 0.0)));
}

TEST(what_meets_an_expectation)
{
    const struct expectation exact = {3.0, 0.0}, within = {-2.0, 0.25}, zero = {0.0, 0.0};
    assert_true(oracle_accepts(exact, 3.0f));
    assert_false(oracle_accepts(exact, nextafterf(3.0f, 4.0f)));
    assert_false(oracle_accepts(exact, nextafterf(3.0f, 2.0f)));
    assert_true(oracle_accepts(zero, -0.0f));
    assert_true(oracle_accepts(within, -2.25f));
    assert_true(oracle_accepts(within, -1.75f));
    assert_false(oracle_accepts(within, nextafterf(-2.25f, -3.0f)));
    assert_false(oracle_accepts(within, nextafterf(-1.75f, 0.0f)));
    assert_false(oracle_accepts(within, NAN));
    assert_false(oracle_accepts((struct expectation){0.0, INFINITY}, INFINITY));
    assert_false(oracle_accepts((struct expectation){0.0, INFINITY}, NAN));
    assert_false(oracle_accepts((struct expectation){INFINITY, 0.0}, INFINITY));
    assert_false(oracle_accepts((struct expectation){NAN, 1.0}, 0.0f));
}

TEST(exactness_ends_where_sums_round)
{
    assert_true(oracle_is_exact(true, 3, 9.0, 9.0));
    assert_true(oracle_is_exact(true, 1, 4095.0, 4096.0));
    assert_false(oracle_is_exact(true, 1, 4096.0, 4096.0));
    assert_false(oracle_is_exact(true, 16, 1024.0, 1024.0));
    assert_true(oracle_is_exact(true, 15, 1024.0, 1024.0));
    assert_false(oracle_is_exact(false, 1, 1.0, 1.0));
}

/* ---- max pooling ----------------------------------------------------------------------------- */

static struct oracle_window window_of(const struct geometry *g, const float *image)
{
    return (struct oracle_window){.geometry = g, .image = {image, g->cols, 0, g->rows, 0}};
}

/* Every element of a window is the result if it is the largest, and no element outside the window
 * is. */
TEST(each_element_of_a_window_takes_part)
{
    enum { N = 8 };
    const struct geometry g = {1, N, N, 3, 2, 1, PAD_ZERO, 4, 4};
    for (int64_t at = 0; at < N * N; at++) {
        float image[N * N] = {0};
        image[at] = 5.0f;
        for (int64_t out = 0; out < 16; out++) {
            struct oracle_window w = window_of(&g, image);
            w.row = out / 4;
            w.col = out % 4;
            const int64_t row = at / N - (2 * w.row - 1), col = at % N - (2 * w.col - 1);
            const bool inside = row >= 0 && row < 3 && col >= 0 && col < 3;
            CHECK(oracle_maximum(&w).value, inside ? 5.0 : 0.0);
            CHECK(oracle_maximum(&w).bound, 0.0);
        }
    }
}

TEST(elements_outside_are_zero_or_never_win)
{
    const float image[4] = {-4.0f, -3.0f, -2.0f, -1.0f};
    struct geometry g = {1, 2, 2, 2, 1, 1, PAD_ZERO, 3, 3};
    static const double ignored[9] = {-4, -3, -3, -2, -1, -1, -2, -1, -1};
    for (int64_t i = 0; i < 9; i++) {
        struct oracle_window w = window_of(&g, image);
        w.row = i / 3;
        w.col = i % 3;
        g.pad_mode = PAD_ZERO;
        CHECK(oracle_maximum(&w).value, i == 4 ? -1.0 : 0.0);
        g.pad_mode = PAD_IGNORE;
        CHECK(oracle_maximum(&w).value, ignored[i]);
    }
}

/* A view that begins at row 2 and column 3 of the image. */
TEST(views_begin_anywhere)
{
    const float part[6] = {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f};
    const struct geometry g = {1, 9, 9, 2, 1, 0, PAD_ZERO, 8, 8};
    const struct oracle_window w = {
        .geometry = &g, .image = {part, 3, 2, 2, 0}, .first_col = 3, .row = 2, .col = 4};
    const float identity[4] = {1.0f, 0.0f, 0.0f, 1.0f};
    CHECK(oracle_maximum(&w).value, 6.0);
    CHECK(oracle_product(&w, identity).value, 6.0);
}

/* W B with its largest sum, and the magnitudes of another sum: |-9| + |10| = 19, next to 5. */
TEST(products_are_the_definition)
{
    const struct geometry g = {1, 2, 2, 2, 1, 0, PAD_ZERO, 1, 1};
    const float image[4] = {1.0f, 2.0f, 3.0f, -4.0f};
    const float filter[4] = {-3.0f, 2.0f, -2.5f, 1.0f};
    const struct oracle_window w = window_of(&g, image);
    const struct expectation e = oracle_product(&w, filter);
    CHECK(e.value, 4.0); /* -8 4; 1 2 */
    CHECK_BOUND(e.bound, 19.0 * gamma_of(2));
    /* The largest sum may be in the second column of the first row, or in the last place. */
    const float ends[2][4] = {{0.0f, 1.0f, 0.0f, 1.0f}, {0.0f, -1.0f, 0.0f, -1.0f}};
    CHECK(oracle_product(&w, ends[0]).value, 3.0);
    CHECK(oracle_product(&w, ends[1]).value, 1.0);
}

/* ---- the matrix product and distances -------------------------------------------------------- */

TEST(dots_are_the_definition)
{
    const float a[3] = {1.0f, -2.0f, 4.0f};
    const float b[12] = {9, 1, 2, 9, 9, 3, 4, 9, 9, 5, -6, 9};
    const struct view view = {b, 4, 0, 3, 0};
    struct expectation out[3] = {{0}};
    oracle_dots(a, &view, 3, 1, 2, out);
    CHECK(out[0].value, 15.0);
    CHECK_BOUND(out[0].bound, 27.0 * gamma_of(3));
    CHECK(out[1].value, -30.0);
    CHECK_BOUND(out[1].bound, 34.0 * gamma_of(3));
    CHECK(out[2].value, 0.0); /* not requested */
}

TEST(distances_are_the_definition)
{
    const float x[2] = {1.0f, 2.0f}, y[8] = {9, 9, 4, 6, 1, 2, 1, -1};
    const struct view view = {y, 2, 0, 4, 0};
    struct expectation out[3];
    oracle_distances(x, &view, 2, 0.25, 1, 3, out);
    const double underflow = sqrt(2 * 0x1p-149);
    CHECK(out[0].value, 5.0);
    CHECK_BOUND(out[0].bound, 1.25 + underflow);
    CHECK(out[1].value, 0.0);
    CHECK(out[1].bound, 0.0);
    CHECK(out[2].value, 3.0);
    oracle_distances(x, &view, 2, 0.0, 3, 1, out);
    CHECK_BOUND(out[0].bound, underflow);
}

/* ---- convolution ----------------------------------------------------------------------------- */

/* Two groups of two channels, 3 x 3 elements, k = 2, s = 1, p = 1: four filters in all. */
static const struct conv_shape grouped = {.batch = 1,
                                          .channels = 4,
                                          .rows = 3,
                                          .cols = 3,
                                          .filters = 4,
                                          .groups = 2,
                                          .kernel = 2,
                                          .stride = 1,
                                          .padding = 1,
                                          .out_rows = 4,
                                          .out_cols = 4};

/* Fills with integers of either sign, such that neighbours differ. */
static void fill(float *values, int64_t count, int seed)
{
    for (int64_t i = 0; i < count; i++)
        values[i] = (float)((i * 29 + seed * 17) % 23 - 11);
}

/* The definition again, by indices into padded planes. */
static double sum_of(const struct conv_shape *s, const float *image, const float *weights,
                     int64_t filter, int64_t row, int64_t col, bool magnitudes)
{
    const int64_t depth = s->channels / s->groups, k = s->kernel;
    double sum = 0.0;
    for (int64_t t = 0; t < depth * k * k; t++) {
        const int64_t c = filter / (s->filters / s->groups) * depth + t / (k * k);
        const int64_t y = row * s->stride - s->padding + t / k % k;
        const int64_t x = col * s->stride - s->padding + t % k;
        if (y < 0 || x < 0 || y >= s->rows || x >= s->cols)
            continue;
        const double term = (double)image[(c * s->rows + y) * s->cols + x] *
                            (double)weights[filter * depth * k * k + t];
        sum += magnitudes ? fabs(term) : term;
    }
    return sum;
}

struct convolved {
    float image[36], weights[32], bias[4], scale[4], residual[64];
    struct conv_norm norm;
    struct conv_operands o;
};

static void make_convolved(struct convolved *c)
{
    memset(c, 0, sizeof *c);
    fill(c->image, 36, 1);
    fill(c->weights, 32, 2);
    fill(c->bias, 4, 3);
    fill(c->scale, 4, 6);
    fill(c->residual, 64, 5);
    c->norm = (struct conv_norm){-1.5, 2.0};
    c->o = (struct conv_operands){
        .shape = &grouped, .image = {c->image, 3, 0, 3, 9}, .weights = c->weights};
}

TEST(convolutions_are_the_definition)
{
    struct convolved c;
    make_convolved(&c);
    for (int64_t i = 0; i < 4 * 16; i++) {
        const int64_t f = i / 16, row = i / 4 % 4, col = i % 4;
        const struct expectation e = oracle_conv(&c.o, f, row, col);
        CHECK(e.value, sum_of(&grouped, c.image, c.weights, f, row, col, false));
        const double magnitude = sum_of(&grouped, c.image, c.weights, f, row, col, true);
        CHECK_BOUND(e.bound, gamma_of(9) * magnitude + 17 * 0x1p-149);
    }
}

/* The sum has 8 terms, and each operand adds a rounding: gamma(9) with a bias, 10 with a factor, 11
 * with a batch norm, 12 with a residual. */
TEST(endings_count_every_rounding)
{
    struct convolved c;
    make_convolved(&c);
    const double sum = sum_of(&grouped, c.image, c.weights, 2, 1, 2, false);
    const double magnitude = sum_of(&grouped, c.image, c.weights, 2, 1, 2, true);
    const double bias = c.bias[2], factor = c.scale[2], residual = c.residual[2 * 16 + 6];
    assert_true(magnitude > 0.0 && bias != 0.0 && factor != 0.0 && residual != 0.0);
    c.o.bias = c.bias;
    struct expectation e = oracle_conv(&c.o, 2, 1, 2);
    CHECK(e.value, sum + bias);
    CHECK_BOUND(e.bound, gamma_of(9) * (magnitude + fabs(bias)));
    c.o.scale = c.scale;
    e = oracle_conv(&c.o, 2, 1, 2);
    CHECK(e.value, factor * sum + bias);
    CHECK_BOUND(e.bound, gamma_of(10) * (fabs(factor) * magnitude + fabs(bias)));
    c.o.norm = &c.norm;
    e = oracle_conv(&c.o, 2, 1, 2);
    const double folded = -1.5 * factor, all = fabs(folded) * magnitude + 1.5 * fabs(bias) + 2.0;
    CHECK(e.value, folded * sum - 1.5 * bias + 2.0);
    CHECK_BOUND(e.bound, gamma_of(11) * all);
    c.o.finish.residual = (struct view){c.residual, 4, 0, 4, 16};
    e = oracle_conv(&c.o, 2, 1, 2);
    CHECK(e.value, folded * sum - 1.5 * bias + 2.0 + residual);
    CHECK_BOUND(e.bound, gamma_of(12) * (all + fabs(residual)));
    c.o.finish.clamped = true;
    c.o.finish.least = (float)e.value + 1.0f;
    c.o.finish.most = (float)e.value + 9.0f;
    CHECK(oracle_conv(&c.o, 2, 1, 2).value, e.value + 1.0);
    c.o.finish.least = (float)e.value - 9.0f;
    c.o.finish.most = (float)e.value - 1.0f;
    CHECK(oracle_conv(&c.o, 2, 1, 2).value, e.value - 1.0);
}

/* Folded weights may underflow: each counts as if it were the smallest normal number. */
TEST(folded_weights_underflow)
{
    struct convolved c;
    make_convolved(&c);
    memset(c.weights, 0, sizeof c.weights);
    double elements = 0.0;
    for (int64_t i = 0; i < 36; i++)
        elements += i >= 18 && i % 9 / 3 < 2 && i % 3 >= 1 ? fabs((double)c.image[i]) : 0.0;
    c.norm = (struct conv_norm){1.0, 0.0};
    CHECK_BOUND(oracle_conv(&c.o, 2, 1, 2).bound, 9 * 0x1p-149 + 8 * 0x1p-149);
    c.o.norm = &c.norm;
    CHECK_BOUND(oracle_conv(&c.o, 2, 1, 2).bound,
                10 * 0x1p-149 + 8 * 0x1p-149 + gamma_of(1) * FLT_MIN * elements + 0x1p-149);
}

/* One channel of ones, weights of ones: at most 9 elements below a window, 9 weights. */
TEST(bounds_of_transforms_grow_with_sums)
{
    const struct conv_shape s = {.batch = 1,
                                 .channels = 2,
                                 .rows = 4,
                                 .cols = 4,
                                 .filters = 2,
                                 .groups = 2,
                                 .kernel = 3,
                                 .stride = 1,
                                 .padding = 1,
                                 .out_rows = 4,
                                 .out_cols = 4};
    float image[32], weights[18];
    for (int i = 0; i < 32; i++)
        image[i] = i < 16 ? 100.0f : -1.0f;
    for (int i = 0; i < 18; i++)
        weights[i] = i < 9 ? 100.0f : (float)(i - 8) * (i % 2 ? 1.0f : -1.0f);
    const struct conv_operands o = {.shape = &s, .image = {image, 4, 0, 4, 16}, .weights = weights};
    /* Filter 1 reads the second channel only; the magnitudes of its weights sum to 45. */
    CHECK_BOUND(oracle_conv_winograd_bound(&o, 1, 1, 1), gamma_of(16) * 4 * 45 * 9);
    CHECK_BOUND(oracle_conv_winograd_bound(&o, 1, 0, 0), gamma_of(16) * 4 * 45 * 4);
    CHECK_BOUND(oracle_conv_winograd_bound(&o, 1, 3, 1), gamma_of(16) * 4 * 45 * 6);
}

/* ---- gradients of convolution -----------------------------------------------------------------
 *
 * Each is linear in the output gradient: if one output has a nonzero gradient and all others have
 * zero, the gradient is a multiple of a weight or an element, found by its indices. */

static struct conv_shape strided(int64_t stride)
{
    struct conv_shape s = grouped;
    s.rows = s.cols = 5;
    s.kernel = 3;
    s.stride = stride;
    s.out_rows = s.out_cols = (5 + 2 - 3) / stride + 1;
    return s;
}

struct gradient {
    struct conv_shape shape;
    float image[2 * 4 * 25], weights[4 * 2 * 9], d_output[2 * 4 * 25];
    struct conv_gradient_operands o;
};

static void make_gradient(struct gradient *g, int64_t stride)
{
    memset(g, 0, sizeof *g);
    g->shape = strided(stride);
    fill(g->image, 2 * 4 * 25, 1);
    fill(g->weights, 72, 2);
    g->o = (struct conv_gradient_operands){.shape = &g->shape,
                                           .image = conv_images_by_planes(&g->shape, g->image),
                                           .weights = g->weights,
                                           .d_output = g->d_output,
                                           .images = 2};
}

static int64_t outputs_of(const struct conv_shape *s)
{
    return s->out_rows * s->out_cols;
}

/* Returns the weight of the filter that output `out` multiplies element (channel, row, col) by, or
 * 0 if its window does not contain the element. */
static double weight_on(const struct gradient *g, int64_t filter, int64_t out, int64_t channel,
                        int64_t row, int64_t col)
{
    const struct conv_shape *s = &g->shape;
    const int64_t i = row + s->padding - out / s->out_cols * s->stride;
    const int64_t j = col + s->padding - out % s->out_cols * s->stride;
    if (channel / 2 != filter / 2 || i < 0 || j < 0 || i >= 3 || j >= 3)
        return 0.0;
    return g->weights[(filter * 2 + channel % 2) * 9 + i * 3 + j];
}

static void check_image_gradient(struct gradient *g, int64_t n, int64_t filter, int64_t out)
{
    float *d_output = &g->d_output[(n * 4 + filter) * outputs_of(&g->shape) + out];
    *d_output = -2.0f;
    for (int64_t at = 0; at < 4 * 25; at++) {
        const int64_t channel = at / 25, row = at / 5 % 5, col = at % 5;
        const double right = -2.0 * weight_on(g, filter, out, channel, row, col);
        CHECK(oracle_conv_data_gradient(&g->o, n, channel, row, col).value, right);
        CHECK(oracle_conv_data_gradient(&g->o, 1 - n, channel, row, col).value, 0.0);
    }
    *d_output = 0.0f;
}

static void check_weight_gradient(struct gradient *g, int64_t n, int64_t filter, int64_t out)
{
    const struct conv_shape *s = &g->shape;
    float *d_output = &g->d_output[(n * 4 + filter) * outputs_of(s) + out];
    *d_output = -2.0f;
    for (int64_t at = 0; at < 72; at++) {
        const int64_t channel = filter / 2 * 2 + at / 9 % 2;
        const int64_t row = out / s->out_cols * s->stride - s->padding + at % 9 / 3;
        const int64_t col = out % s->out_cols * s->stride - s->padding + at % 3;
        const bool inside = at / 18 == filter && row >= 0 && row < 5 && col >= 0 && col < 5;
        const double element = inside ? g->image[((n * 4 + channel) * 5 + row) * 5 + col] : 0.0;
        CHECK(oracle_conv_weight_gradient(&g->o, at).value, -2.0 * element);
    }
    for (int64_t f = 0; f < 4; f++)
        CHECK(oracle_conv_bias_gradient(&g->o, f).value, f == filter ? -2.0 : 0.0);
    *d_output = 0.0f;
}

TEST(gradients_are_the_definition)
{
    for (int64_t stride = 1; stride <= 3; stride++) {
        struct gradient g;
        make_gradient(&g, stride);
        for (int64_t n = 0; n < 2; n++)
            for (int64_t i = 0; i < 4 * outputs_of(&g.shape); i++) {
                check_image_gradient(&g, n, i / outputs_of(&g.shape), i % outputs_of(&g.shape));
                check_weight_gradient(&g, n, i / outputs_of(&g.shape), i % outputs_of(&g.shape));
            }
    }
}

/* All output gradients are -1, all weights and elements are 2: every term has the magnitude 2, and
 * the bound depends on the number of terms. */
TEST(bounds_of_gradients_count_terms)
{
    struct gradient g;
    make_gradient(&g, 1);
    for (int i = 0; i < 200; i++)
        g.image[i] = 2.0f, g.d_output[i] = -1.0f;
    for (int i = 0; i < 72; i++)
        g.weights[i] = 2.0f;
    CHECK_BOUND(oracle_conv_data_gradient(&g.o, 1, 3, 2, 2).bound, gamma_of(19) * 36);
    CHECK_BOUND(oracle_conv_data_gradient(&g.o, 1, 3, 0, 0).bound, gamma_of(9) * 16);
    CHECK_BOUND(oracle_conv_weight_gradient(&g.o, 4).bound, gamma_of(51) * 100);
    CHECK_BOUND(oracle_conv_weight_gradient(&g.o, 0).bound, gamma_of(33) * 64);
    CHECK_BOUND(oracle_conv_bias_gradient(&g.o, 3).bound, gamma_of(51) * 50);
    /* Winograd: 2 filters with 9 weights of 2 each, and 9 output gradients of 1. */
    CHECK_BOUND(oracle_conv_data_gradient_winograd_bound(&g.o, 1, 3, 2, 2),
                gamma_of(17) * 4 * 2 * 18 * 9);
    CHECK_BOUND(oracle_conv_data_gradient_winograd_bound(&g.o, 1, 3, 0, 0),
                gamma_of(17) * 4 * 2 * 18 * 4);
    /* Tiles of 2 x 2 output gradients: 9 per image, and 3 parts. The magnitudes come from the
     * transforms of ones: 1 1 1 for output gradients, 2 2 2 for elements, gathered by 1 2 0, 0 2 0
     * and 0 2 1. */
    const double right = oracle_conv_weight_gradient_winograd_bound(&g.o, 4, 3);
    assert_true(right > gamma_of(18 + 14 + 3) * 2 * 9 * 4 * 4);
    CHECK_BOUND(oracle_conv_weight_gradient_winograd_bound(&g.o, 4, 4),
                right * gamma_of(36) / gamma_of(35));
}

/* ---- the hash -------------------------------------------------------------------------------- */

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

TEST(every_bit_of_value_and_place_is_hashed)
{
    const uint32_t bits = 0x40490fdb;
    const uint64_t hash = digest_value(12345, float_of(bits));
    for (int bit = 0; bit < 32; bit++)
        assert_true(digest_value(12345, float_of(bits ^ (uint32_t)1 << bit)) != hash);
    for (int bit = 0; bit < 62; bit++)
        assert_true(digest_value(12345 ^ (int64_t)1 << bit, float_of(bits)) != hash);
    assert_true(digest_value(7, -0.0f) == digest_value(7, 0.0f));
    assert_true(digest_value(7, 0.0f) != digest_value(8, 0.0f));
    assert_true(digest_mix(0) == 0 && digest_mix(1) == UINT64_C(0x5692161d100b05e5));
}

/* A neighbour's value, two swapped values, one missing value, one additional value. */
TEST(maps_that_differ_hash_differently)
{
    enum { N = 300 };
    float values[N + 1];
    for (int i = 0; i <= N; i++)
        values[i] = (float)(i * 7 % 64);
    const uint64_t hash = digest_range(values, 1000, N);
    assert_true(hash ==
                digest_range(values, 1000, 100) + digest_range(values + 100, 1100, N - 100));
    assert_true(hash != digest_range(values, 1001, N));
    assert_true(hash != digest_range(values, 1000, N - 1));
    assert_true(hash != digest_range(values, 1000, N + 1));
    for (int i = 0; i < N; i++) {
        const float kept = values[i];
        values[i] = kept + 1.0f;
        assert_true(digest_range(values, 1000, N) != hash);
        values[i] = values[i + 1];
        values[i + 1] = kept;
        assert_true(digest_range(values, 1000, N) != hash);
        values[i + 1] = values[i];
        values[i] = kept;
    }
    assert_true(digest_range(values, 1000, N) == hash);
    assert_true(digest_range(values, 0, 0) == 0);
}

/* ---- verdicts ---------------------------------------------------------------------------------
 *
 * Pooling with k = s = 1: a window is an element, so that the map is the image, or a third of it.
 */

enum { ROWS = 40, COLS = 16, ELEMENTS = ROWS * COLS };

struct verdicts {
    struct operation op;
    float image[ELEMENTS], map[ELEMENTS], filter[1];
    struct image_facts facts;
    struct source *source;
};

static void make_verdicts(struct verdicts *v, bool exact)
{
    memset(v, 0, sizeof *v);
    fill(v->image, ELEMENTS, 7);
    v->filter[0] = exact ? 1.0f : 1.0f / 3.0f;
    for (int i = 0; i < ELEMENTS; i++)
        v->map[i] = v->image[i] * v->filter[0];
    v->op.kind = &maxpool_operator;
    v->op.geometry = (struct geometry){1, ROWS, COLS, 1, 1, 0, PAD_ZERO, ROWS, COLS};
    v->op.image = v->op.map = (struct image_shape){1, ROWS, COLS};
    v->op.method = operator_method(&maxpool_operator, SPACE_HOST, "literal");
    v->op.operands[OPERAND_FILTER] = (struct operand){.values = v->filter,
                                                      .shape = {1, 1, 1},
                                                      .identity = exact,
                                                      .integers = exact,
                                                      .max_abs = v->filter[0],
                                                      .name = "case"};
    v->facts = (struct image_facts){.max_abs = 11.0, .integers = true};
    v->source = case_source(v->op.image, v->image);
}

static struct verifier *verify(struct verdicts *v, const struct verify_scope *scope,
                               enum verify_mode mode)
{
    struct verifier *out;
    struct failure f = {0};
    if (verifier_make(&out, &v->op, v->source, &v->facts, scope, mode, 1, &f) != STATUS_OK)
        fail_msg("%s", f.message);
    return out;
}

/* Returns true if an output that is off by one is refused and the message names its place. */
static bool refuses(struct verifier *v, float *map, int64_t first, int64_t at)
{
    struct failure f = {0};
    char place[64];
    const float kept = map[at];
    map[at] += 1.0f;
    const enum status status = verifier_check(v, map + first, &f);
    map[at] = kept;
    snprintf(place, sizeof place, "row %d, column %d:", (int)(at / COLS), (int)(at % COLS));
    assert_true(status == STATUS_OK || (status == STATUS_WRONG && strstr(f.message, place)));
    return status != STATUS_OK;
}

/* A rank that holds outputs [first, first + count) verifies all of them and nothing else, for
 * either verdict. */
TEST(full_verdicts_look_at_every_output)
{
    static const struct verify_scope scopes[] = {{.count = ELEMENTS}, {.first = 37, .count = 200}};
    for (int exact = 0; exact < 2; exact++)
        for (size_t i = 0; i < 2; i++) {
            const struct verify_scope *s = &scopes[i];
            struct verdicts v;
            make_verdicts(&v, exact);
            struct verifier *verifier = verify(&v, s, VERIFY_FULL);
            assert_string_equal(verifier_verdict(verifier), exact ? "exact" : "bound");
            assert_int_equal(verifier_check(verifier, v.map + s->first, NULL), STATUS_OK);
            for (int64_t at = 0; at < ELEMENTS; at++)
                assert_int_equal(refuses(verifier, v.map, s->first, at),
                                 at >= s->first && at < s->first + s->count);
            v.map[s->first + s->count - 1] += 1.0f;
            assert_int_equal(verifier_check_last(verifier, v.map + s->first, NULL),
                             exact ? STATUS_OK : STATUS_WRONG);
            verifier_free(verifier);
            source_close(v.source);
        }
}

/* Only the map that was compared is trusted, however often it is verified. */
TEST(trust_is_of_the_map_that_was_compared)
{
    struct verdicts v;
    const struct verify_scope all = {.count = ELEMENTS};
    make_verdicts(&v, false);
    struct verifier *verifier = verify(&v, &all, VERIFY_FULL);
    for (int i = 0; i < 200; i++) {
        assert_int_equal(verifier_check(verifier, v.map, NULL), STATUS_OK);
        assert_true(refuses(verifier, v.map, 0, (i * 3) % ELEMENTS));
    }
    verifier_free(verifier);
    source_close(v.source);
}

/* A sampled verdict covers the first and last rows, both sides of the boundaries between 3 workers,
 * and 4096 random draws of 640 outputs, which meet all but about one in 600. */
TEST(sampled_verdicts_look_at_edges_and_draws)
{
    struct verdicts v;
    make_verdicts(&v, true);
    const struct partition partition = operation_partition(&v.op, 3, 1.0);
    const struct verify_scope all = {
        .count = ELEMENTS, .partitions = &partition, .partition_count = 1};
    struct verifier *verifier = verify(&v, &all, VERIFY_SAMPLED);
    assert_string_equal(verifier_verdict(verifier), "sampled_exact");
    assert_int_equal(verifier_check(verifier, v.map, NULL), STATUS_OK);
    int64_t seen = 0;
    for (int64_t at = 0; at < ELEMENTS; at++) {
        const bool refused = refuses(verifier, v.map, 0, at);
        assert_true(refused || (at >= COLS && at < ELEMENTS - COLS)); /* first and last row */
        seen += refused;
    }
    assert_true(seen >= ELEMENTS - 10);
    verifier_free(verifier);
    source_close(v.source);
}

/* A wide map, of which random draws cover only a small part. */
enum { WIDE = 4000, LINES = 36 };

static bool is_edge(const struct partition *partition, int64_t line)
{
    for (int64_t w = 1; w < partition->workers; w++) {
        const int64_t first =
            partition_output(partition, partition_share(partition, w).first) / WIDE;
        if (line == first || line == first - 1)
            return true;
    }
    return line == 0 || line == LINES - 1;
}

TEST(edges_are_looked_at_on_both_sides)
{
    struct verdicts v;
    make_verdicts(&v, true);
    source_close(v.source);
    float *map = malloc((size_t)LINES * WIDE * sizeof *map);
    assert_non_null(map);
    fill(map, (int64_t)LINES * WIDE, 3);
    v.op.geometry = (struct geometry){1, LINES, WIDE, 1, 1, 0, PAD_ZERO, LINES, WIDE};
    v.op.image = v.op.map = (struct image_shape){1, LINES, WIDE};
    v.source = case_source(v.op.image, map);
    const struct partition partition = operation_partition(&v.op, 6, 1.0);
    const struct verify_scope all = {
        .count = (int64_t)LINES * WIDE, .partitions = &partition, .partition_count = 1};
    struct verifier *verifier = verify(&v, &all, VERIFY_SAMPLED);
    assert_int_equal(partition.workers, 6);
    int64_t drawn = 0, others = 0;
    for (int64_t at = 0; at < all.count; at += 41) {
        map[at] += 1.0f;
        const bool seen = verifier_check(verifier, map, NULL) != STATUS_OK;
        map[at] -= 1.0f;
        assert_true(seen || !is_edge(&partition, at / WIDE));
        drawn += seen && !is_edge(&partition, at / WIDE);
        others += !is_edge(&partition, at / WIDE);
    }
    /* 4096 draws of 144,000 outputs: 2.8 %. */
    assert_true(drawn > others / 50 && drawn < others / 28);
    verifier_free(verifier);
    source_close(v.source);
    free(map);
}

TEST(no_verdict_is_said_to_be_none)
{
    struct verdicts v;
    const struct verify_scope all = {.count = ELEMENTS}, nothing = {.count = 0};
    make_verdicts(&v, false);
    struct verifier *verifier = verify(&v, &all, VERIFY_NONE);
    v.map[3] = NAN;
    assert_string_equal(verifier_verdict(verifier), "none");
    assert_int_equal(verifier_check(verifier, v.map, NULL), STATUS_OK);
    verifier_free(verifier);
    verifier = verify(&v, &nothing, VERIFY_FULL);
    assert_string_equal(verifier_verdict(verifier), "none");
    verifier_free(verifier);
    verifier = verify(&v, &all, VERIFY_SAMPLED);
    assert_string_equal(verifier_verdict(verifier), "sampled_bound");
    assert_int_equal(verifier_check(verifier, v.map, NULL), STATUS_WRONG);
    verifier_free(verifier);
    source_close(v.source);
}

/* ---- errors ---------------------------------------------------------------------------------- */

/* Four values of root mean square 1: an ulp is 2^-23. */
static struct error_tally four_errors(const double *ulps, double bound_ulps)
{
    static const double right[4] = {1.0, -1.0, 1.0, -1.0};
    struct error_tally t = error_tally_exact(0);
    for (int i = 0; i < 4; i++)
        error_tally_add(&t, (struct expectation){right[i], bound_ulps * 0x1p-23},
                        (float)(right[i] + copysign(ulps[i] * 0x1p-23, -right[i])));
    return t;
}

TEST(errors_are_counted_in_ulps_and_bounds)
{
    const struct error_tally t = four_errors((const double[]){3.0, 0.0, 4.0, 0.0}, 8.0);
    CHECK(error_tally_ulp(&t), 0x1p-23);
    CHECK(error_tally_ulps(&t), 2.5);
    const struct error_summary s = error_summarise(&t, 1);
    CHECK(s.bound_max, 0.5);
    CHECK(s.bound_rms, 2.5 / 8.0);
    CHECK(s.ulps_max, 4.0);
    CHECK(s.ulps_rms, 2.5);
    assert_int_equal(s.worst, 0);
    struct error_tally scaled = error_tally_exact(0); /* just above 2: an ulp is twice as large */
    error_tally_add(&scaled, (struct expectation){2.5, 1.0}, 2.5f + 0x1p-20f);
    CHECK(error_tally_ulps(&scaled), 4.0);
}

TEST(errors_of_layers_have_equal_parts)
{
    struct error_tally layers[3] = {four_errors((const double[]){1.0, 1.0, 1.0, 1.0}, 2.0),
                                    error_tally_exact(1000),
                                    four_errors((const double[]){7.0, 7.0, 7.0, 7.0}, 28.0)};
    struct error_tally twice = layers[2];
    error_tally_join(&twice, &layers[2]);
    assert_int_equal(twice.outputs, 8);
    CHECK(error_tally_ulps(&twice), 7.0);
    layers[2] = twice;
    const struct error_summary s = error_summarise(layers, 3);
    CHECK(s.ulps_max, 7.0);
    CHECK(s.ulps_rms, 5.0);
    CHECK(s.bound_max, 0.5);
    CHECK(s.bound_rms, sqrt((0.25 + 0.0625) / 2.0));
    assert_int_equal(s.worst, 2);
}

TEST(no_error_hides)
{
    static const float bad[] = {NAN, -NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++) {
        struct error_tally t = four_errors((const double[]){1.0, 1.0, 1.0, 1.0}, 2.0);
        error_tally_add(&t, (struct expectation){1.0, 1.0}, bad[i]);
        error_tally_add(&t, (struct expectation){1.0, 1.0}, 1.0f);
        const struct error_summary s = error_summarise(&t, 1);
        assert_true(isinf(s.bound_max) && isinf(s.bound_rms) && isinf(s.ulps_max) &&
                    isinf(s.ulps_rms));
    }
    struct error_tally off = error_tally_exact(3);
    error_tally_add(&off, (struct expectation){2.0, 0.0}, 2.5f); /* an exact result */
    assert_true(isinf(error_summarise(&off, 1).bound_max));
    const struct error_tally exact = error_tally_exact(9), nothing = error_tally_exact(0);
    const struct error_summary zero = error_summarise(&exact, 1),
                               none = error_summarise(&nothing, 1);
    CHECK(zero.bound_max + zero.bound_rms + zero.ulps_max + zero.ulps_rms, 0.0);
    assert_int_equal(zero.worst, -1);
    assert_true(isnan(none.bound_max) && isnan(none.bound_rms) && isnan(none.ulps_max) &&
                isnan(none.ulps_rms) && isnan(error_tally_ulps(&nothing)));
}

/* Errors are those of the map that was verified last, also if its hash is trusted; the right
 * values are thirds, up to 11 / 3. */
TEST(a_verdict_has_its_errors)
{
    static const enum verify_mode modes[] = {VERIFY_FULL, VERIFY_SAMPLED};
    const struct verify_scope all = {.count = ELEMENTS};
    for (int m = 0; m < 2; m++) {
        struct verdicts v;
        make_verdicts(&v, false);
        struct verifier *verifier = verify(&v, &all, modes[m]);
        assert_int_equal(verifier_check(verifier, v.map, NULL), STATUS_OK);
        const struct error_tally first = *verifier_errors(verifier).layers;
        for (int i = 0; i < ELEMENTS; i++) /* by one ulp, in the other direction */
            v.map[i] = nextafterf(v.map[i], v.map[i] > (double)v.image[i] / 3.0 ? -99.0f : 99.0f);
        const enum status status = verifier_check(verifier, v.map, NULL);
        for (int i = 0; i < ELEMENTS; i++) /* as make_verdicts() had it */
            v.map[i] = v.image[i] * v.filter[0];
        assert_int_equal(verifier_check(verifier, v.map, NULL), STATUS_OK);
        const struct error_tally *again = verifier_errors(verifier).layers;
        assert_memory_equal(&first, again, sizeof first);
        assert_true(status == STATUS_OK || status == STATUS_WRONG);
        assert_true(first.outputs == ELEMENTS || (m == 1 && first.outputs >= ELEMENTS - 10));
        const struct error_summary s = error_summarise(&first, 1);
        assert_true(s.ulps_max > 0.1 && s.ulps_max <= 1.0 && s.bound_max > 0.0 &&
                    s.bound_max <= 1.0);
        assert_true(s.ulps_rms > 0.0 && s.ulps_rms < s.ulps_max && s.bound_rms < s.bound_max);
        assert_string_equal(verifier_layer(verifier, s.worst), "");
        verifier_free(verifier);
        source_close(v.source);
    }
}

TEST(exact_maps_have_no_error)
{
    static const enum verify_mode modes[] = {VERIFY_FULL, VERIFY_SAMPLED, VERIFY_NONE};
    const struct verify_scope all = {.count = ELEMENTS};
    for (int m = 0; m < 3; m++) {
        struct verdicts v;
        make_verdicts(&v, true);
        struct verifier *verifier = verify(&v, &all, modes[m]);
        assert_int_equal(verifier_check(verifier, v.map, NULL), STATUS_OK);
        const struct error_summary s = error_summarise(verifier_errors(verifier).layers, 1);
        if (modes[m] == VERIFY_NONE)
            assert_true(isnan(s.ulps_max) && isnan(s.bound_rms));
        else
            CHECK(s.bound_max + s.bound_rms + s.ulps_max + s.ulps_rms, 0.0);
        verifier_free(verifier);
        source_close(v.source);
    }
}

/* ---- poison ---------------------------------------------------------------------------------- */

TEST(all_of_the_map_is_poisoned)
{
    for (int64_t workers = 1; workers <= 5; workers++) {
        struct verdicts v;
        make_verdicts(&v, true);
        const struct job job = {.operation = &v.op, .source = v.source, .min_cost = 1.0};
        const struct team team = {.workers = workers, .run = team_alone};
        struct resources resources = {0};
        struct instance *instance;
        struct failure f = {0};
        int64_t first, count;
        assert_int_equal(host_open(&job, team, &instance, &resources, &f), STATUS_OK);
        uint32_t *map = (uint32_t *)host_map(instance, &first, &count);
        assert_int_equal(count, ELEMENTS);
        memset(map, 0, ELEMENTS * sizeof *map);
        host_poison(instance);
        for (int i = 0; i < ELEMENTS; i++)
            assert_int_equal(map[i], 0xffffffff);
        host_close(instance);
        source_close(v.source);
    }
}
