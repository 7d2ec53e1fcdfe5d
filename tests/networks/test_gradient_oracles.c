/* The oracles of training gradients, compared with central differences in double precision, for the
 * outputs of every layer and for every loss. Outputs have random weights, since a plain sum is
 * blind to signs, and the sum of a softmax is constant. Layers are linear, or linear between the
 * kinks of a maximum, so that the difference is their derivative except for rounding; elements are
 * so far apart that no step crosses a kink. */
#include "harness/base/digest.h"
#include "networks/layers/kinds.h"
#include "networks/losses/loss.h"
#include "networks/training/trainer.h"
#include "tests/support/network_cases.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { IMAGES = 2, DRAWN = 60, ELEMENTS_MOST = 20000 };

static const float step_width = 1.0f / 65536.0f;

/* ---- numbers --------------------------------------------------------------------------------- */

static float drawn_weight(uint64_t seed, int64_t at)
{
    return (float)(digest_mix(digest_mix(seed) + (uint64_t)at) % 2001) / 1000.0f - 1.0f;
}

/* No two elements are closer than 2^-14: they are multiples of it in random order. */
static float *spread_elements(int64_t count)
{
    float *elements = malloc((size_t)count * sizeof *elements);
    assert_non_null(elements);
    const int64_t middle = count / 2;
    for (int64_t i = 0; i < count; i++)
        elements[i] = (float)(i - middle) / 16384.0f;
    for (int64_t i = count - 1; i > 0; i--) {
        const int64_t j = (int64_t)(digest_mix((uint64_t)i) % (uint64_t)(i + 1));
        const float kept = elements[i];
        elements[i] = elements[j];
        elements[j] = kept;
    }
    return elements;
}

static float *weights_of(int64_t count)
{
    float *weights = malloc((size_t)count * sizeof *weights);
    assert_non_null(weights);
    for (int64_t i = 0; i < count; i++)
        weights[i] = drawn_weight(7, i);
    return weights;
}

/* ---- one layer ------------------------------------------------------------------------------- */

/* A step with its own inputs; its output gradients are the weights of its outputs. */
struct bench {
    struct step step;
    struct reverse reverse;
    float *from, *weights, *parameters;
    int64_t compared, wrong;
};

static double objective(const struct bench *b)
{
    const struct step *s = &b->step;
    const struct verified_step j = {.step = s, .parameters = b->parameters, .from = b->from};
    const float *weight = b->weights;
    double sum = 0.0;
    for (int64_t n = 0; n < s->images; n++)
        for (int64_t c = 0; c < s->out.channels; c++)
            for (int64_t y = 0; y < s->out.rows; y++)
                for (int64_t x = 0; x < s->out.cols; x++)
                    sum += (double)*weight++ * s->layer->kind->expect(&j, n, c, y, x).value;
    return sum;
}

/* The derivative of the objective with respect to `number`, as a central difference. */
static double difference(const struct bench *b, float *number)
{
    const float kept = *number, above = kept + step_width, below = kept - step_width;
    *number = above;
    double change = objective(b);
    *number = below;
    change -= objective(b);
    *number = kept;
    return change / ((double)above - below);
}

static void compare(struct bench *b, double found, double right)
{
    b->compared++;
    b->wrong += !(fabs(found - right) <= 1e-6 * (1.0 + fabs(right)));
}

static void compare_input(struct bench *b, const struct backward *backward, int64_t at)
{
    const struct tensor_shape in = b->step.in;
    const int64_t line = at / in.cols, plane = line / in.rows;
    const struct expectation e = backward->expect_input(
        &b->reverse, plane / in.channels, plane % in.channels, line % in.rows, at % in.cols);
    compare(b, e.value, difference(b, &b->from[at]));
}

static void compare_parameters(struct bench *b, const struct backward *backward)
{
    const struct layer *l = b->step.layer;
    for (int k = 0; k < layer_parameter_count(l); k++) {
        const struct parameter_tensor tensor = layer_parameter(l, k);
        const int64_t floats = parameter_floats(&tensor);
        for (int64_t i = 0; i < DRAWN && i < floats; i++) {
            const int64_t at =
                floats <= DRAWN ? i : (int64_t)(digest_mix((uint64_t)i) % (uint64_t)floats);
            const struct expectation e =
                backward->expect_parameter(&b->reverse, k, at, 0, b->step.images);
            compare(b, e.value, difference(b, &b->parameters[l->offset[k] + at]));
        }
    }
}

/* Returns how many of a layer's gradients are wrong, by the oracles of `backward`; adds the
 * compared ones to *compared. */
static int64_t wrong_gradients(const struct trainer *t, int step, const struct backward *backward,
                               int64_t *compared)
{
    struct bench b = {.step = t->forward.plan.steps[step], .reverse = t->work.reverses[step]};
    struct plan plan = t->forward.plan;
    const int64_t inputs = IMAGES * tensor_elements(b.step.in);
    const size_t floats = (size_t)plan.network->floats * sizeof *b.parameters;
    assert_in_range(inputs, 1, ELEMENTS_MOST);
    b.step.from = b.from = spread_elements(inputs);
    b.step.images = IMAGES;
    b.weights = weights_of(IMAGES * tensor_elements(b.step.out));
    b.parameters = malloc(floats);
    assert_non_null(b.parameters);
    memcpy(b.parameters, t->state.parameters, floats);
    plan.parameters = b.parameters;
    b.reverse.plan = &plan;
    b.reverse.step = &b.step;
    b.reverse.d_output = b.weights;
    for (int64_t i = 0; i < DRAWN; i++)
        compare_input(&b, backward, (int64_t)(digest_mix((uint64_t)i + 99) % (uint64_t)inputs));
    if (backward->expect_parameter)
        compare_parameters(&b, backward);
    *compared += b.compared;
    free(b.from);
    free(b.weights);
    free(b.parameters);
    return b.wrong;
}

static void open_trainer(struct trainer *t, const struct network *n)
{
    struct failure f = {0};
    *t = (struct trainer){.forward = {.plan = {.network = n, .isa = isa_best()},
                                      .team = {.workers = 1, .run = team_alone}},
                          .state.parameters = make_parameters(n, 11),
                          .settings.loss = &cross_entropy_loss,
                          .settings.optimizer = &adam_optimizer,
                          .settings.rate = 1e-3,
                          .settings.batch = IMAGES,
                          .settings.shards = 1};
    if (trainer_open(t, &f) != STATUS_OK)
        fail_msg("%s", f.message);
}

/* ---- planted faults -------------------------------------------------------------------------- */

static const struct backward *honest;

static struct expectation negative(struct expectation e)
{
    return (struct expectation){-e.value, e.bound};
}

static struct expectation input_of_other_sign(const struct reverse *r, int64_t image,
                                              int64_t channel, int64_t row, int64_t col)
{
    return negative(honest->expect_input(r, image, channel, row, col));
}

static struct expectation input_swapped(const struct reverse *r, int64_t image, int64_t channel,
                                        int64_t row, int64_t col)
{
    return honest->expect_input(r, IMAGES - 1 - image, channel, row, col);
}

static struct expectation parameter_of_other_sign(const struct reverse *r, int tensor, int64_t at,
                                                  int64_t first, int64_t end)
{
    return negative(honest->expect_parameter(r, tensor, at, first, end));
}

/* Omits one term, that of the last image. */
static struct expectation parameter_short(const struct reverse *r, int tensor, int64_t at,
                                          int64_t first, int64_t end)
{
    return honest->expect_parameter(r, tensor, at, first, end - 1);
}

static int64_t faults_missed(const struct trainer *t, int step, int64_t *planted)
{
    int64_t missed = 0, compared = 0;
    struct backward wrong = *honest;
    wrong.expect_input = input_of_other_sign;
    missed += wrong_gradients(t, step, &wrong, &compared) == 0;
    wrong.expect_input = input_swapped;
    missed += wrong_gradients(t, step, &wrong, &compared) == 0;
    *planted += 2;
    if (!honest->expect_parameter)
        return missed;
    wrong = *honest;
    wrong.expect_parameter = parameter_of_other_sign;
    missed += wrong_gradients(t, step, &wrong, &compared) == 0;
    wrong.expect_parameter = parameter_short;
    missed += wrong_gradients(t, step, &wrong, &compared) == 0;
    *planted += 2;
    return missed;
}

TEST(test_layers)
{
    struct network n;
    struct trainer t;
    int64_t compared = 0, planted = 0;
    make_every_trained_kind(&n);
    open_trainer(&t, &n);
    for (int i = 0; i < t.forward.plan.count; i++) {
        const struct layer *l = t.forward.plan.steps[i].layer;
        honest = l->kind->backward;
        const int64_t wrong = wrong_gradients(&t, i, honest, &compared);
        if (wrong > 0)
            fail_msg("%s (%s): %lld gradients are wrong", l->name, l->kind->name, (long long)wrong);
        if (faults_missed(&t, i, &planted) > 0)
            fail_msg("%s (%s): a planted fault was not seen", l->name, l->kind->name);
    }
    print_message("%lld gradients of %d layers compared, %lld planted faults seen\n",
                  (long long)compared, t.forward.plan.count, (long long)planted);
    assert_true(compared > 500);
    trainer_close(&t);
    free(t.state.parameters);
    network_release(&n);
}

/* ---- losses ---------------------------------------------------------------------------------- */

enum { VALUES = 7, WHOLE = 5 };

/* Wrong means by more than the error of the difference itself: a softmax is curved, so that this
 * error grows with the square of the step. */
static int64_t wrong_loss_gradients(const struct loss *loss, double sign)
{
    float outputs[IMAGES * VALUES], values[IMAGES * VALUES];
    const int32_t labels[IMAGES] = {3, 6};
    const struct loss_call call = {.outputs = outputs,
                                   .targets = {.labels = labels, .values = values},
                                   .values = VALUES,
                                   .whole = WHOLE};
    int64_t wrong = 0;
    for (int i = 0; i < IMAGES * VALUES; i++) {
        outputs[i] = 3.0f * drawn_weight(21, i);
        values[i] = drawn_weight(22, i);
    }
    for (int i = 0; i < IMAGES * VALUES; i++) {
        const float kept = outputs[i], above = kept + 1.0f / 1024.0f, below = kept - 1.0f / 1024.0f;
        const double d_output = sign * loss->expect_d_output(&call, i / VALUES, i % VALUES).value;
        outputs[i] = above;
        double change = loss->expect(&call, i / VALUES).value;
        outputs[i] = below;
        change -= loss->expect(&call, i / VALUES).value;
        outputs[i] = kept;
        const double right = change / ((double)above - below) / WHOLE;
        wrong += !(fabs(d_output - right) <= 1e-6 * (1.0 + fabs(right)));
    }
    return wrong;
}

TEST(test_losses)
{
    static const struct loss *const losses[] = {&cross_entropy_loss, &mean_squared_loss};
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        assert_int_equal(wrong_loss_gradients(losses[i], 1.0), 0);
        assert_true(wrong_loss_gradients(losses[i], -1.0) > 0);
    }
}
