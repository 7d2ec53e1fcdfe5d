/* The oracles of losses, compared with answers worked out on paper and with sums in long double;
 * and their bounds, which refuse no right result and find an error of four bounds. */
#include "harness/base/digest.h"
#include "networks/losses/loss.h"
#include "tests/support/unit_test.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VALUES_MOST = 1000, IMAGES = 3, WHOLE = 7, SETS = 60 };

/* ---- a batch --------------------------------------------------------------------------------- */

struct batch {
    float outputs[IMAGES * VALUES_MOST], values[IMAGES * VALUES_MOST];
    float d_output[IMAGES * VALUES_MOST];
    int32_t labels[IMAGES];
    double losses[IMAGES];
    struct loss_call call;
};

static struct batch batch;

/* -1 <= number < 1. */
static double drawn(uint64_t seed, int64_t at)
{
    return (double)(digest_mix(digest_mix(seed) + (uint64_t)at) >> 11) * 0x1p-52 - 1.0;
}

/* Outputs within +-spread; in every eighth image all outputs are equal. */
static void draw_batch(int64_t set, int64_t values, double spread)
{
    for (int64_t i = 0; i < IMAGES * values; i++) {
        const bool equal = (set + i / values) % 8 == 7;
        batch.outputs[i] = (float)(spread * (equal ? 0.5 : drawn((uint64_t)set, i)));
        batch.values[i] = (float)(spread * drawn((uint64_t)set + 1000, i));
    }
    for (int64_t n = 0; n < IMAGES; n++)
        batch.labels[n] = (int32_t)((set * 31 + n * 17) % values);
    batch.call = (struct loss_call){.outputs = batch.outputs,
                                    .targets = {batch.labels, batch.values},
                                    .values = values,
                                    .whole = WHOLE,
                                    .d_output = batch.d_output,
                                    .losses = batch.losses};
}

/* ---- in long double -------------------------------------------------------------------------- */

/* -log of the softmax of output `value` of image `image`. */
static long double own_log(int64_t image, int64_t value)
{
    const float *y = batch.outputs + image * batch.call.values;
    long double most = y[0], sum = 0.0L;
    for (int64_t i = 1; i < batch.call.values; i++)
        most = fmaxl(most, y[i]);
    for (int64_t i = 0; i < batch.call.values; i++)
        sum += expl((long double)y[i] - most);
    return logl(sum) + (most - y[value]);
}

/* own[0] is the value, own[1] its bound, in this function and those below: of an image's loss, or
 * of the gradient of an output. */
static void own_entropy(int64_t image, double own[2])
{
    const long double loss = own_log(image, batch.labels[image]);
    own[0] = (double)loss;
    own[1] = (5.0 * (double)batch.call.values + 8.0) * 0x1p-53 * (1.0 + (double)loss);
}

static void own_entropy_d_output(int64_t image, int64_t value, double own[2])
{
    const long double log_sum = own_log(image, value), share = expl(-log_sum);
    own[0] = (double)((share - (value == batch.labels[image] ? 1.0L : 0.0L)) / WHOLE);
    own[1] = 0x1p-24 * fabs(own[0]) + FLT_TRUE_MIN +
             (5.0 * (double)batch.call.values + 8.0) * 0x1p-53 *
                 (double)((1.0L + log_sum) * share) / WHOLE;
}

static void own_square(int64_t image, double own[2])
{
    const int64_t first = image * batch.call.values;
    long double sum = 0.0L;
    for (int64_t i = first; i < first + batch.call.values; i++) {
        const long double apart = (long double)batch.outputs[i] - batch.values[i];
        sum += apart * apart;
    }
    own[0] = (double)(sum / batch.call.values);
    own[1] = (2.0 * (double)batch.call.values + 6.0) * 0x1p-53 * own[0];
}

static void own_square_d_output(int64_t image, int64_t value, double own[2])
{
    const int64_t at = image * batch.call.values + value;
    const long double apart = (long double)batch.outputs[at] - batch.values[at];
    own[0] = (double)(2.0L * apart / batch.call.values / WHOLE);
    own[1] = 0x1p-24 * fabs(own[0]) + FLT_TRUE_MIN;
}

static const struct row {
    const struct loss *loss;
    void (*own)(int64_t image, double own[2]);
    void (*own_d_output)(int64_t image, int64_t value, double own[2]);
} rows[] = {{&cross_entropy_loss, own_entropy, own_entropy_d_output},
            {&mean_squared_loss, own_square, own_square_d_output}};

enum { ROWS = sizeof rows / sizeof *rows };

/* ---- known answers --------------------------------------------------------------------------- */

static void check_near(double found, double right)
{
    if (!(fabs(found - right) <= 1e-14 * (1.0 + fabs(right))))
        fail_msg("%.17g where %.17g is right", found, right);
}

/* Equal outputs have equal probabilities: the loss is log(values). */
TEST(equal_outputs)
{
    draw_batch(0, 4, 0.0);
    check_near(cross_entropy_loss.expect(&batch.call, 1).value, log(4.0));
    for (int64_t value = 0; value < 4; value++)
        check_near(cross_entropy_loss.expect_d_output(&batch.call, 1, value).value,
                   (0.25 - (value == batch.labels[1])) / WHOLE);
}

/* A class whose output is 1,000 below another: e^1000 overflows a double, the loss does not. */
TEST(outputs_far_apart)
{
    const float outputs[2] = {0.0f, -1000.0f};
    draw_batch(0, 2, 0.0);
    memcpy(batch.outputs, outputs, sizeof outputs);
    batch.labels[0] = 1;
    const struct expectation e = cross_entropy_loss.expect(&batch.call, 0);
    check_near(e.value, 1000.0);
    assert_true(e.bound < 1e-9);
    check_near(cross_entropy_loss.expect_d_output(&batch.call, 0, 1).value, -1.0 / WHOLE);
    check_near(cross_entropy_loss.expect_d_output(&batch.call, 0, 0).value, 1.0 / WHOLE);
}

TEST(squares)
{
    const float outputs[3] = {1.0f, -2.0f, 4.0f}, values[3] = {0.0f, 1.0f, 4.0f};
    draw_batch(0, 3, 0.0);
    memcpy(batch.outputs + 3, outputs, sizeof outputs);
    memcpy(batch.values + 3, values, sizeof values);
    check_near(mean_squared_loss.expect(&batch.call, 1).value, 10.0 / 3.0);
    check_near(mean_squared_loss.expect_d_output(&batch.call, 1, 0).value, 2.0 / (3 * WHOLE));
    check_near(mean_squared_loss.expect_d_output(&batch.call, 1, 1).value, -6.0 / (3 * WHOLE));
    check_near(mean_squared_loss.expect_d_output(&batch.call, 1, 2).value, 0.0);
}

/* ---- right results and errors ---------------------------------------------------------------- */

/* The oracle accepts what was found, refuses values four bounds away, and its bound is at most 1 %
 * above ours. */
static void check(const char *what, struct expectation e, double found, const double own[2])
{
    const double apart = 4.0 * own[1];
    if (!(fabs(found - e.value) <= e.bound))
        fail_msg("%s: %.17g is refused by %.17g, give or take %.3g", what, found, e.value, e.bound);
    if (!(e.bound <= 1.01 * own[1]))
        fail_msg("%s: %.3g is allowed where the bound is %.3g", what, e.bound, own[1]);
    if (own[1] > 0.0 &&
        (fabs(own[0] + apart - e.value) <= e.bound || fabs(own[0] - apart - e.value) <= e.bound))
        fail_msg("%s: four bounds from %.17g are not found by %.17g, give or take %.3g", what,
                 own[0], e.value, e.bound);
}

static void check_batch(const struct row *row)
{
    double own[2];
    for (int64_t n = 0; n < IMAGES; n++) {
        row->loss->run(&batch.call, n);
        row->own(n, own);
        check(row->loss->name, row->loss->expect(&batch.call, n), batch.losses[n], own);
        for (int64_t v = 0; v < batch.call.values; v++) {
            row->own_d_output(n, v, own);
            check("an output gradient", row->loss->expect_d_output(&batch.call, n, v),
                  batch.d_output[n * batch.call.values + v], own);
        }
    }
}

TEST(no_right_loss_is_refused_and_no_wrong_one_passes)
{
    static const int64_t values[] = {1, 2, 3, 10, 257, VALUES_MOST};
    static const double spreads[] = {0.0, 1e-3, 1.0, 30.0, 2000.0, 1e30};
    for (size_t r = 0; r < ROWS; r++)
        for (int64_t set = 0; set < SETS; set++) {
            draw_batch(set, values[set % 6], spreads[set / 6 % 6]);
            check_batch(&rows[r]);
        }
}

/* A loss that is not a number is refused. */
TEST(a_loss_that_is_no_number_is_refused)
{
    for (size_t r = 0; r < ROWS; r++) {
        draw_batch(1, 3, 1.0);
        batch.outputs[1] = NAN;
        const struct expectation e = rows[r].loss->expect(&batch.call, 0);
        assert_false(fabs(1.0 - e.value) <= e.bound);
        assert_false(oracle_accepts(rows[r].loss->expect_d_output(&batch.call, 0, 1), 0.1f));
    }
}
