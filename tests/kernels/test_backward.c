/* Tests the gradients of convolution, and sums of outer products. The oracles, in double precision,
 * are compared with central differences of an objective that weighs every output differently; the
 * methods, in every instruction set, are compared with the oracles. Each test prints how many
 * numbers it compared, and planted faults (a sign, an index, a term) must be seen. */
#include "harness/base/digest.h"
#include "kernels/conv/conv.h"
#include "kernels/conv/gradients/gradient.h"
#include "kernels/conv/gradients/gradient_oracle.h"
#include "kernels/conv/oracle.h"
#include "kernels/matmul/outer.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- operands -------------------------------------------------------------------------------- */

/* Multiples of 1 / 64 within (-2, 2), so that a step of 1/2 to either side is exact. */
static float *drawn(uint64_t seed, int64_t count)
{
    float *values = malloc((size_t)(count + 1) * sizeof *values);
    assert_non_null(values);
    for (int64_t i = 0; i < count; i++)
        values[i] = (float)((int64_t)(digest_mix(seed * 977 + (uint64_t)i) % 255) - 127) / 64.0f;
    return values;
}

static void *scratch_of(size_t bytes)
{
    void *scratch = aligned_alloc(64, (bytes + 63) / 64 * 64 + 64);
    assert_non_null(scratch);
    memset(scratch, 0xff, (bytes + 63) / 64 * 64);
    return scratch;
}

struct conv_case {
    const char *name;
    struct conv_shape shape;
};

static const struct conv_case conv_cases[] = {
    {"one_pixel",
     {.batch = 1,
      .channels = 1,
      .rows = 1,
      .cols = 1,
      .filters = 1,
      .groups = 1,
      .kernel = 1,
      .stride = 1}},
    {"kernel_is_image",
     {.batch = 3,
      .channels = 2,
      .rows = 4,
      .cols = 4,
      .filters = 5,
      .groups = 1,
      .kernel = 4,
      .stride = 1}},
    {"padding_wider_than_kernel",
     {.batch = 2,
      .channels = 3,
      .rows = 5,
      .cols = 4,
      .filters = 2,
      .groups = 1,
      .kernel = 2,
      .stride = 1,
      .padding = 3}},
    {"stride_gt_kernel",
     {.batch = 2,
      .channels = 3,
      .rows = 9,
      .cols = 11,
      .filters = 4,
      .groups = 1,
      .kernel = 2,
      .stride = 3}},
    {"prime_channels",
     {.batch = 3,
      .channels = 17,
      .rows = 7,
      .cols = 6,
      .filters = 13,
      .groups = 1,
      .kernel = 3,
      .stride = 1,
      .padding = 1}},
    {"groups",
     {.batch = 2,
      .channels = 36,
      .rows = 6,
      .cols = 5,
      .filters = 10,
      .groups = 2,
      .kernel = 3,
      .stride = 2,
      .padding = 1}},
    {"depthwise",
     {.batch = 2,
      .channels = 6,
      .rows = 8,
      .cols = 7,
      .filters = 6,
      .groups = 6,
      .kernel = 3,
      .stride = 1,
      .padding = 1}},
    {"several_bands",
     {.batch = 2,
      .channels = 18,
      .rows = 29,
      .cols = 31,
      .filters = 14,
      .groups = 1,
      .kernel = 3,
      .stride = 1}},
    {"many_small_images",
     {.batch = 37,
      .channels = 20,
      .rows = 4,
      .cols = 4,
      .filters = 25,
      .groups = 1,
      .kernel = 3,
      .stride = 1,
      .padding = 1}},
    {"wide_windows",
     {.batch = 2,
      .channels = 3,
      .rows = 13,
      .cols = 14,
      .filters = 8,
      .groups = 1,
      .kernel = 7,
      .stride = 2,
      .padding = 3}},
};
enum { CONV_CASES = sizeof conv_cases / sizeof *conv_cases, DRAWS = 6 };

struct conv_trial {
    struct conv_shape shape;
    int64_t inputs, weights, outputs; /* floats, of all images */
    float *image, *filters, *d_output;
};

static struct conv_trial tried(const struct conv_case *c)
{
    struct conv_trial t = {.shape = c->shape};
    assert_int_equal(conv_complete(&t.shape), CONV_OK);
    const struct conv_shape *s = &t.shape;
    t.inputs = s->batch * s->channels * s->rows * s->cols;
    t.weights = s->filters * conv_terms(s);
    t.outputs = s->batch * s->filters * s->out_rows * s->out_cols;
    t.image = drawn(1, t.inputs);
    t.filters = drawn(2, t.weights);
    t.d_output = drawn(3, t.outputs);
    return t;
}

static struct conv_gradient_operands operands_of(const struct conv_trial *t)
{
    return (struct conv_gradient_operands){&t->shape, conv_images_by_planes(&t->shape, t->image),
                                           t->filters, t->d_output, t->shape.batch};
}

static void forget(struct conv_trial *t)
{
    free(t->image);
    free(t->filters);
    free(t->d_output);
}

/* ---- central differences --------------------------------------------------------------------- */

/* The objective: every output times its output gradient, in double precision. */
static double objective(const struct conv_trial *t)
{
    const struct conv_shape *s = &t->shape;
    const int64_t elements = s->channels * s->rows * s->cols, outputs = s->out_rows * s->out_cols;
    double sum = 0.0;
    for (int64_t at = 0; at < t->outputs; at++) {
        const int64_t plane = at / outputs, place = at % outputs;
        const struct conv_operands o = {.shape = s,
                                        .image = {t->image + plane / s->filters * elements, s->cols,
                                                  0, s->rows, s->rows * s->cols},
                                        .weights = t->filters};
        sum += t->d_output[at] *
               oracle_conv(&o, plane % s->filters, place / s->out_cols, place % s->out_cols).value;
    }
    return sum;
}

/* The objective is linear in each value, so that a step of any width gives the exact gradient. */
static double central_difference(const struct conv_trial *t, float *value)
{
    const float kept = *value, step = 0.5f;
    *value = kept + step;
    const double above = objective(t);
    *value = kept - step;
    const double below = objective(t);
    *value = kept;
    return (above - below) / (2.0 * step);
}

static bool close_to(double a, double b)
{
    return fabs(a - b) <= 1e-9 * (1.0 + fabs(b));
}

TEST(test_oracles_of_convolution_are_central_differences)
{
    int64_t compared = 0;
    for (int c = 0; c < CONV_CASES; c++) {
        struct conv_trial t = tried(&conv_cases[c]);
        const struct conv_gradient_operands o = operands_of(&t);
        const struct conv_shape *s = &t.shape;
        for (uint64_t i = 0; i < DRAWS; i++) {
            const int64_t x = (int64_t)(digest_mix(i + 40) % (uint64_t)t.inputs);
            const int64_t w = (int64_t)(digest_mix(i + 80) % (uint64_t)t.weights);
            const int64_t plane = x / (s->rows * s->cols), place = x % (s->rows * s->cols);
            const struct expectation of_image = oracle_conv_data_gradient(
                &o, plane / s->channels, plane % s->channels, place / s->cols, place % s->cols);
            if (!close_to(of_image.value, central_difference(&t, &t.image[x])))
                fail_msg("%s: element %lld", conv_cases[c].name, (long long)x);
            const struct expectation of_weight = oracle_conv_weight_gradient(&o, w);
            if (!close_to(of_weight.value, central_difference(&t, &t.filters[w])))
                fail_msg("%s: weight %lld", conv_cases[c].name, (long long)w);
            compared += 2;
        }
        forget(&t);
    }
    print_message("compared %lld numbers\n", (long long)compared);
    assert_int_equal(compared, CONV_CASES * 2 * DRAWS);
}

/* ---- the methods ----------------------------------------------------------------------------- */

/* Returns how many gradients of weights and biases the oracle does not accept. */
static int64_t wrong_weights(const struct conv_trial *t, const float *weights, const float *bias,
                             int64_t *compared)
{
    const struct conv_gradient_operands o = operands_of(t);
    int64_t wrong = 0;
    for (int64_t i = 0; i < t->weights; i++)
        wrong += !oracle_accepts(oracle_conv_weight_gradient(&o, i), weights[i]);
    for (int64_t f = 0; f < t->shape.filters; f++)
        wrong += !oracle_accepts(oracle_conv_bias_gradient(&o, f), bias[f]);
    *compared += t->weights + t->shape.filters;
    return wrong;
}

static int64_t wrong_image(const struct conv_trial *t, const float *image, int64_t *compared)
{
    const struct conv_gradient_operands o = operands_of(t);
    const struct conv_shape *s = &t->shape;
    int64_t wrong = 0;
    for (int64_t i = 0; i < t->inputs; i++) {
        const int64_t plane = i / (s->rows * s->cols), place = i % (s->rows * s->cols);
        wrong +=
            !oracle_accepts(oracle_conv_data_gradient(&o, plane / s->channels, plane % s->channels,
                                                      place / s->cols, place % s->cols),
                            image[i]);
    }
    *compared += t->inputs;
    return wrong;
}

static conv_weight_gradient_function *const tiles[ISA_COUNT] =
    ISA_VARIANTS(conv_weight_gradient_tiles);

/* A method of the weight gradient, and the scratch that it needs. */
struct way {
    conv_weight_gradient_function *run;
    size_t (*scratch)(const struct conv_shape *s, int64_t filters);
};

static struct way by_tiles(int isa)
{
    return (struct way){isa < 0 ? conv_weight_gradient_literal : tiles[isa],
                        conv_weight_gradient_scratch};
}

/* Computes the weight gradient in calls of `filters` filters each. */
static void find_weights(const struct conv_trial *t, struct way way, int64_t filters,
                         float *weights, float *bias)
{
    void *scratch = scratch_of(way.scratch(&t->shape, filters));
    for (int64_t f = 0; f < t->shape.filters; f += filters) {
        const int64_t left = t->shape.filters - f;
        const struct conv_weight_gradient call = {.shape = &t->shape,
                                                  .image =
                                                      conv_images_by_planes(&t->shape, t->image),
                                                  .d_output = t->d_output,
                                                  .images = t->shape.batch,
                                                  .filter = f,
                                                  .filters = left < filters ? left : filters,
                                                  .weights = weights + f * conv_terms(&t->shape),
                                                  .bias = bias + f};
        way.run(&call, scratch);
    }
    free(scratch);
}

TEST(test_gradients_of_weights)
{
    int64_t compared = 0;
    for (int c = 0; c < CONV_CASES; c++)
        for (int isa = -1; isa < ISA_COUNT; isa++) {
            if (isa >= 0 && (!tiles[isa] || isa_missing((enum isa)isa)))
                continue;
            struct conv_trial t = tried(&conv_cases[c]);
            float *weights = drawn(5, t.weights), *bias = drawn(6, t.shape.filters);
            float *others = drawn(7, t.weights), *other_bias = drawn(8, t.shape.filters);
            find_weights(&t, by_tiles(isa), t.shape.filters, weights, bias);
            const int64_t wrong = wrong_weights(&t, weights, bias, &compared);
            if (wrong > 0)
                fail_msg("%s, set %d: %lld wrong", conv_cases[c].name, isa, (long long)wrong);
            find_weights(&t, by_tiles(isa), GRADIENT_FILTERS, others, other_bias);
            assert_memory_equal(weights, others, (size_t)t.weights * sizeof(float));
            assert_memory_equal(bias, other_bias, (size_t)t.shape.filters * sizeof(float));
            free(weights);
            free(bias);
            free(others);
            free(other_bias);
            forget(&t);
        }
    print_message("compared %lld numbers\n", (long long)compared);
    assert_true(compared > 10000);
}

/* Computes the data gradient by the forward method `implicit` with rotated filters. */
static void find_image_by_turning(const struct conv_trial *t, float *image)
{
    const struct conv_shape rotated = conv_rotated_shape(&t->shape);
    float *filters = drawn(9, t->weights);
    float *packed = malloc(conv_implicit_packed(&rotated) * sizeof *packed);
    assert_non_null(packed);
    void *scratch = scratch_of(conv_implicit_scratch(&rotated, rotated.out_rows));
    conv_rotate_filters(&t->shape, t->filters, filters);
    conv_implicit_pack_baseline(&rotated, filters, packed);
    const int64_t elements = rotated.rows * rotated.cols,
                  outputs = rotated.out_rows * rotated.out_cols;
    for (int64_t n = 0; n < rotated.batch; n++) {
        const struct conv_call call = {
            .shape = &rotated,
            .weights = filters,
            .packed = packed,
            .image = {t->d_output + n * rotated.channels * elements, rotated.cols, 0, rotated.rows,
                      elements},
            .map = {image + n * rotated.filters * outputs, rotated.out_cols, 0, outputs},
            .rows = rotated.out_rows};
        conv_implicit_baseline(&call, scratch);
    }
    free(filters);
    free(packed);
    free(scratch);
}

static void find_image(const struct conv_trial *t, float *image)
{
    const struct conv_shape *s = &t->shape;
    const int64_t elements = s->channels * s->rows * s->cols;
    for (int64_t n = 0; n < s->batch; n++)
        for (int64_t row = 0; row < s->rows; row++) {
            const struct conv_data_gradient call = {
                s,
                t->filters,
                t->d_output + n * s->filters * s->out_rows * s->out_cols,
                {image + n * elements, s->cols, 0, s->rows * s->cols},
                row,
                1};
            conv_data_gradient_literal(&call);
        }
}

TEST(test_gradients_of_the_image)
{
    int64_t compared = 0, rotated = 0;
    for (int c = 0; c < CONV_CASES; c++) {
        struct conv_trial t = tried(&conv_cases[c]);
        float *image = drawn(5, t.inputs);
        find_image(&t, image);
        assert_int_equal(wrong_image(&t, image, &compared), 0);
        if (conv_data_gradient_is_convolution(&t.shape)) {
            memset(image, 0xff, (size_t)t.inputs * sizeof *image);
            find_image_by_turning(&t, image);
            assert_int_equal(wrong_image(&t, image, &compared), 0);
            rotated++;
        }
        free(image);
        forget(&t);
    }
    print_message("compared %lld numbers, %lld shapes by rotated filters\n", (long long)compared,
                  (long long)rotated);
    assert_int_equal(rotated, 6);
}

TEST(test_planted_faults_of_convolution_are_seen)
{
    for (int c = 0; c < CONV_CASES; c++) {
        struct conv_trial t = tried(&conv_cases[c]), fault = tried(&conv_cases[c]);
        float *weights = drawn(5, t.weights), *bias = drawn(6, t.shape.filters);
        float *image = drawn(7, t.inputs);
        int64_t compared = 0;
        for (int64_t i = 0; i < t.outputs; i++) /* a sign */
            fault.d_output[i] = -t.d_output[i];
        find_weights(&fault, by_tiles(0), t.shape.filters, weights, bias);
        assert_true(wrong_weights(&t, weights, bias, &compared) > t.weights / 4);
        find_image(&fault, image);
        assert_true(wrong_image(&t, image, &compared) > t.inputs / 8);
        memcpy(fault.d_output, t.d_output, (size_t)t.outputs * sizeof *t.d_output);
        fault.d_output[t.outputs / 2] = 0.0f; /* a term */
        if (t.d_output[t.outputs / 2] != 0.0f) {
            find_weights(&fault, by_tiles(0), t.shape.filters, weights, bias);
            assert_true(wrong_weights(&t, weights, bias, &compared) > 0);
        }
        if (t.shape.kernel > 1) { /* an index: filters that are not rotated */
            const int64_t window = t.shape.kernel * t.shape.kernel;
            for (int64_t i = 0; i < t.weights; i++)
                fault.filters[i] = t.filters[i / window * window + window - 1 - i % window];
            memcpy(fault.d_output, t.d_output, (size_t)t.outputs * sizeof *t.d_output);
            find_image(&fault, image);
            assert_true(wrong_image(&t, image, &compared) > 0);
        }
        free(weights);
        free(bias);
        free(image);
        forget(&t);
        forget(&fault);
    }
}

/* ---- weights by transformed tiles ------------------------------------------------------------ */

static conv_weight_gradient_function *const winograd_gradients[ISA_COUNT] =
    ISA_VARIANTS(conv_weight_gradient_winograd);

static struct way by_winograd(int isa)
{
    return (struct way){winograd_gradients[isa], conv_weight_gradient_winograd_scratch};
}

static bool winograd_serves(const struct conv_shape *s)
{
    return s->kernel == 3 && s->stride == 1;
}

/* Compares with the definition, within what the transforms may round. */
static int64_t wrong_wound(const struct conv_trial *t, const float *weights, const float *bias,
                           int64_t *compared)
{
    const struct conv_gradient_operands o = operands_of(t);
    int64_t wrong = 0;
    for (int64_t i = 0; i < t->weights; i++) {
        struct expectation e = oracle_conv_weight_gradient(&o, i);
        e.bound = oracle_conv_weight_gradient_winograd_bound(&o, i, 1);
        wrong += !oracle_accepts(e, weights[i]);
    }
    for (int64_t f = 0; f < t->shape.filters; f++)
        wrong += !oracle_accepts(oracle_conv_bias_gradient(&o, f), bias[f]);
    *compared += t->weights + t->shape.filters;
    return wrong;
}

/* The gradients must be right, have the same bits however the filters are cut into calls, and be
 * found wrong if an output gradient has the wrong sign or elements are in the wrong place. */
static void check_wound(const struct conv_trial *t, int isa, int64_t *compared)
{
    float *weights = drawn(5, t->weights), *bias = drawn(6, t->shape.filters);
    float *others = drawn(7, t->weights), *other_bias = drawn(8, t->shape.filters);
    find_weights(t, by_winograd(isa), t->shape.filters, weights, bias);
    assert_int_equal(wrong_wound(t, weights, bias, compared), 0);
    find_weights(t, by_winograd(isa), GRADIENT_FILTERS, others, other_bias);
    assert_memory_equal(weights, others, (size_t)t->weights * sizeof(float));
    assert_memory_equal(bias, other_bias, (size_t)t->shape.filters * sizeof(float));
    for (int64_t i = 0; i < t->weights; i++) /* transposed windows */
        others[i] = weights[i / 9 * 9 + i % 3 * 3 + i % 9 / 3];
    assert_true(wrong_wound(t, others, bias, compared) > t->weights / 4);
    const float kept = t->d_output[t->outputs / 2];
    t->d_output[t->outputs / 2] = -kept; /* a sign */
    find_weights(t, by_winograd(isa), t->shape.filters, others, other_bias);
    t->d_output[t->outputs / 2] = kept;
    assert_true(kept == 0.0f || wrong_wound(t, others, other_bias, compared) > 0);
    free(weights);
    free(bias);
    free(others);
    free(other_bias);
}

TEST(test_gradients_of_weights_by_transformed_tiles)
{
    int64_t compared = 0, shapes = 0;
    for (int c = 0; c < CONV_CASES; c++)
        for (int isa = 0; isa < ISA_COUNT; isa++) {
            struct conv_trial t = tried(&conv_cases[c]);
            if (winograd_serves(&t.shape) && winograd_gradients[isa] &&
                !isa_missing((enum isa)isa)) {
                check_wound(&t, isa, &compared);
                shapes += isa == 0;
            }
            forget(&t);
        }
    print_message("compared %lld numbers of %lld shapes\n", (long long)compared, (long long)shapes);
    assert_true(shapes >= 3);
}

/* ---- sums of outer products ------------------------------------------------------------------ */

/* Returns the sum in double precision. The bound holds for any order of the terms, in parts too. */
static struct expectation outer_expected(const struct outer_call *call, int64_t i, int64_t j)
{
    const int64_t terms = call->ends[call->parts - 1];
    double sum = 0.0, magnitude = 0.0;
    for (int64_t t = 0; t < terms; t++) {
        const double term = (double)call->a[t * call->a_step + i] * call->b[t * call->b_step + j];
        sum += term;
        magnitude += fabs(term);
    }
    return (struct expectation){sum, oracle_bound(terms + call->parts, magnitude)};
}

static int64_t wrong_outer(const struct outer_call *call)
{
    int64_t wrong = 0;
    for (int64_t i = 0; i < call->rows; i++)
        for (int64_t j = 0; j < call->cols; j++)
            wrong += !oracle_accepts(outer_expected(call, i, j), call->c[i * call->c_step + j]);
    return wrong;
}

/* Returns how many sums of A's columns are wrong: they are outer products with a column of ones. */
static int64_t wrong_sums(const struct outer_call *call)
{
    static const float one = 1.0f;
    struct outer_call alone = *call;
    int64_t wrong = 0;
    alone.b = &one;
    alone.b_step = 0;
    for (int64_t i = 0; i < call->rows; i++)
        wrong += !oracle_accepts(outer_expected(&alone, i, 0), call->sums[i]);
    return wrong;
}

/* Workers that compute some columns each, or some rows, give the same bits. */
static void expect_bits_of_parts(outer_function *outer, const struct outer_call *call,
                                 int64_t row_step, int64_t col_step)
{
    float *again = drawn(4, call->rows * call->c_step), *sums = drawn(5, call->rows);
    void *scratch = scratch_of(matmul_outer_scratch(call->ends[call->parts - 1], call->cols));
    for (int64_t i = 0; i < call->rows; i += row_step)
        for (int64_t j = 0; j < call->cols; j += col_step) {
            struct outer_call part = *call;
            part.a += i;
            part.b += j;
            part.c = again + i * call->c_step + j;
            part.rows = call->rows - i < row_step ? call->rows - i : row_step;
            part.cols = call->cols - j < col_step ? call->cols - j : col_step;
            part.sums = j == 0 ? sums + i : NULL;
            outer(&part, scratch);
        }
    for (int64_t i = 0; i < call->rows; i++)
        assert_memory_equal(call->c + i * call->c_step, again + i * call->c_step,
                            (size_t)call->cols * sizeof *again);
    assert_memory_equal(call->sums, sums, (size_t)call->rows * sizeof *sums);
    free(again);
    free(sums);
    free(scratch);
}

/* Column `cols` of C and value `rows` of the sums do not belong to the call and must not change. */
static void expect_right(outer_function *outer, const struct outer_call *call)
{
    void *scratch = scratch_of(matmul_outer_scratch(call->ends[call->parts - 1], call->cols));
    const float beside = call->c[call->cols], behind = call->sums[call->rows];
    outer(call, scratch);
    assert_int_equal(wrong_outer(call), 0);
    assert_int_equal(wrong_sums(call), 0);
    assert_true(call->c[call->cols] == beside && call->sums[call->rows] == behind);
    free(scratch);
}

static void expect_faults_seen(const struct outer_call *call)
{
    call->c[0] = -call->c[0] - 1.0f;
    call->sums[call->rows - 1] = -call->sums[call->rows - 1] - 1.0f;
    assert_int_equal(wrong_outer(call), 1);
    assert_int_equal(wrong_sums(call), 1);
}

TEST(test_sums_of_outer_products)
{
    static outer_function *const outer[ISA_COUNT] = ISA_VARIANTS(matmul_outer);
    static const int64_t ends[] = {4, 4, 9, 23}; /* one part is empty */
    static const int64_t sizes[][2] = {{1, 1},   {7, 5},   {13, 33}, {100, 64},
                                       {97, 31}, {1, 100}, {5, 64},  {12, 71}};
    int64_t compared = 0;
    for (int isa = 0; isa < ISA_COUNT; isa++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            if (!outer[isa] || isa_missing((enum isa)isa))
                continue;
            const int64_t rows = sizes[k][0], cols = sizes[k][1];
            float *a = drawn(1, 23 * (rows + 3)), *b = drawn(2, 23 * (cols + 2));
            float *c = drawn(3, rows * (cols + 1)), *sums = drawn(6, rows + 1);
            const struct outer_call call = {a,    b, rows + 3, cols + 2, rows, cols,
                                            ends, 4, c,        cols + 1, sums};
            expect_right(outer[isa], &call);
            expect_bits_of_parts(outer[isa], &call, rows, 3);
            expect_bits_of_parts(outer[isa], &call, 17, cols);
            expect_bits_of_parts(outer[isa], &call, 17, 40);
            expect_faults_seen(&call);
            compared += rows * (cols + 1);
            free(a);
            free(b);
            free(c);
            free(sums);
        }
    print_message("compared %lld numbers\n", (long long)compared);
    assert_true(compared > 0);
}
