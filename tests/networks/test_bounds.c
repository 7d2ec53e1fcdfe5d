/* The error bounds of verification, tested both ways: no result that a float32 computation may give
 * is refused, and an error of four bounds is found. Layers of every kind run with random
 * parameters, like those of trained networks and adversarial ones. Sums are also computed in orders
 * that no method of ours uses but another may. */
#include "harness/base/digest.h"
#include "kernels/conv/oracle.h"
#include "networks/layers/batchnorm.h"
#include "networks/layers/conv_choices.h"
#include "networks/layers/conv_layer.h"
#include "networks/layers/kinds.h"
#include "networks/models/models.h"
#include "networks/operator_rows.h"
#include "networks/training/trainer.h"
#include "tests/support/unit_test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Every filter (or output) of a layer has its own parameters: 1,000 sets of each kind. Sanitizers
 * check how memory is used, for which fewer sets suffice. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { LAYERS = 25, FILTERS = 10 };
#else
enum { LAYERS = 100, FILTERS = 10 };
#endif

static const struct verify_extent in_full = {.full = true};

/* ---- draws ----------------------------------------------------------------------------------- */

struct rng {
    uint64_t seed, count;
};

/* 0 <= number < 1. */
static double unit(struct rng *d)
{
    return (double)(digest_mix(digest_mix(d->seed) + d->count++) >> 11) * 0x1p-53;
}

/* Approximately N(0, 1): the sum of twelve uniform numbers. */
static double normal(struct rng *d)
{
    double sum = -6.0;
    for (int i = 0; i < 12; i++)
        sum += unit(d);
    return sum;
}

/* How parameters are drawn. */
enum flavour {
    TRAINED,   /* like those of trained networks */
    SHIFTED,   /* shifts of hundreds of standard deviations */
    DROWNED,   /* terms below the last bit of a shift: a running sum loses each of them */
    CANCELLED, /* terms of either sign, and means, that almost cancel */
    VANISHING, /* weights so small that the folded ones are denormal */
    FLAVOURS
};

static double draw_weight(struct rng *d, enum flavour flavour)
{
    const double drawn = normal(d);
    switch (flavour) {
    case DROWNED:
        return 0x1p-25 * (1.98 + 0.01 * unit(d));
    case CANCELLED:
        return (d->count & 1 ? 1.0 : -1.0) * (1.0 + 0x1p-12 * drawn);
    case VANISHING:
        return 1e-38 * drawn;
    default:
        return 0.3 * drawn;
    }
}

static double draw_shift(struct rng *d, enum flavour flavour)
{
    switch (flavour) {
    case SHIFTED:
        return 300.0 * normal(d);
    case DROWNED:
        return 1.0 + 0x1p-20 * unit(d);
    case VANISHING:
        return 0.0;
    default:
        return 0.1 * normal(d);
    }
}

/* Value k of a batch norm: weight, bias, mean, variance. */
static double draw_norm(struct rng *d, enum flavour flavour, int k)
{
    if (k == 1)
        return draw_shift(d, flavour);
    if (k == 2)
        return flavour == DROWNED ? 0.0 : draw_shift(d, flavour);
    if (flavour == VANISHING)
        return k == 0 ? 1e-4 * (0.5 + unit(d)) : 0.5 + unit(d);
    return 0.5 + unit(d);
}

static void draw_tensor(struct rng *d, enum flavour flavour, const struct layer *l, int k,
                        float *values)
{
    const struct parameter_tensor tensor = layer_parameter(l, k);
    for (int64_t i = 0; i < parameter_floats(&tensor); i++)
        values[i] = (float)(l->kind == &batchnorm_layer ? draw_norm(d, flavour, k)
                            : k == 0                    ? draw_weight(d, flavour)
                                                        : draw_shift(d, flavour));
}

static void draw_parameters(const struct network *n, struct rng *d, enum flavour flavour,
                            float *values)
{
    for (int i = 0; i < n->count; i++)
        for (int k = 0; k < layer_parameter_count(&n->layers[i]); k++)
            draw_tensor(d, flavour, &n->layers[i], k, values + n->layers[i].offset[k]);
}

/* For DROWNED all elements are ones: each of their terms is just below half of a last bit. */
static void draw_elements(struct rng *d, enum flavour flavour, int64_t count, float *values)
{
    for (int64_t i = 0; i < count; i++)
        values[i] = (float)(flavour == DROWNED     ? 1.0
                            : flavour == VANISHING ? 1e6 * normal(d)
                                                   : normal(d));
}

/* ---- kinds of layers ------------------------------------------------------------------------- */

static const struct window same = {3, 1, 1}, point = {1, 1, 0}, strided = {3, 2, 1};

static void with_norm(struct network *n, int64_t channels, struct window w, int64_t groups,
                      bool bias)
{
    network_begin(n, "with_norm", (struct tensor_shape){channels, 7, 7});
    const int conv = add_conv(n, "conv", NETWORK_INPUT, FILTERS, w, groups, bias);
    add_plain(n, &batchnorm_layer, "norm", conv);
}

static void make_conv_norm(struct network *n)
{
    with_norm(n, 6, same, 1, false);
}

static void make_conv_bias_norm(struct network *n)
{
    with_norm(n, 6, strided, 1, true);
}

static void make_point_norm(struct network *n)
{
    with_norm(n, 6, point, 1, false);
}

static void make_depthwise_norm(struct network *n)
{
    with_norm(n, FILTERS, same, FILTERS, false);
}

static void make_grouped_norm(struct network *n)
{
    with_norm(n, 8, same, 2, true);
}

static void make_conv_bias(struct network *n)
{
    network_begin(n, "conv_bias", (struct tensor_shape){6, 7, 7});
    add_conv(n, "conv", NETWORK_INPUT, FILTERS, same, 1, true);
}

static void make_conv_norm_sum(struct network *n)
{
    network_begin(n, "conv_norm_sum", (struct tensor_shape){6, 7, 7});
    const int first = add_conv(n, "first", NETWORK_INPUT, FILTERS, point, 1, true);
    const int conv = add_conv(n, "conv", first, FILTERS, same, 1, false);
    const int norm = add_plain(n, &batchnorm_layer, "norm", conv);
    const int sum = add_sum(n, "sum", norm, first);
    add_plain(n, &relu_layer, "relu", sum);
}

static void make_linear(struct network *n)
{
    network_begin(n, "linear", (struct tensor_shape){61, 1, 1});
    add_linear(n, "dense", NETWORK_INPUT, 2 * FILTERS);
}

static void make_average(struct network *n)
{
    network_begin(n, "average", (struct tensor_shape){6, 7, 7});
    add_plain(n, &average_pool_layer, "mean", NETWORK_INPUT);
}

/* Batch sizes at which a fully connected layer uses its different methods. */
static const struct kind_case {
    void (*make)(struct network *n);
    int64_t batch;
} kind_cases[] = {{make_conv_norm, 1},      {make_conv_bias_norm, 2}, {make_point_norm, 2},
                  {make_depthwise_norm, 1}, {make_grouped_norm, 1},   {make_conv_bias, 1},
                  {make_conv_norm_sum, 1},  {make_linear, 2},         {make_linear, 7},
                  {make_average, 2}};

enum { KINDS = sizeof kind_cases / sizeof *kind_cases };

/* ---- an independent bound -------------------------------------------------------------------- */

/* The terms that one output of a convolution or of a fully connected layer sums; elements outside
 * the image are 0. */
struct own_sum {
    double terms[128], elements[128]; /* weights including their scale, and elements */
    double added[3];                  /* shift, bias including its scale, residual */
    int count;
    bool winograd;
    double products; /* of one of its sums, per channel */
    bool tiles;      /* true for Winograd with tiles of 4 x 4 outputs, which sets: */
    double of_tiles;
};

/* A folded weight that underflows counts as the smallest normal number. */
static double magnitude_of_terms(const struct own_sum *s)
{
    double sum = 0.0;
    for (int i = 0; i < s->count; i++)
        sum += fmax(fabs(s->terms[i]), FLT_MIN) * fabs(s->elements[i]);
    return sum;
}

/* 4 times the product of the two sums of a channel's window of 3 x 3 (kernels/conv/oracle.h). */
static double magnitude_of_winograd(const struct own_sum *s)
{
    double sum = 0.0;
    for (int i = 0; i < s->count; i += 9) {
        double weights = 0.0, elements = 0.0;
        for (int k = i; k < i + 9; k++) {
            weights += fmax(fabs(s->terms[k]), FLT_MIN);
            elements += fabs(s->elements[k]);
        }
        sum += 4.0 * weights * elements;
    }
    return sum;
}

/* u = 2^-24: gamma(roundings) times the sum of all magnitudes. */
static double gamma_bound(const struct own_sum *s, double roundings, double terms)
{
    const double n = roundings * 0x1p-24;
    return n / (1.0 - n) * (terms + fabs(s->added[0]) + fabs(s->added[1]) + fabs(s->added[2]));
}

/* The largest factors m_r(k) by which the transforms of tiles of 4 x 4 outputs scale an element of
 * one axis, for each of the four outputs along it (kernels/conv/oracle.h). */
static const double of_axis[4][6] = {
    {1, 2.01864802, 5.35667968, 1.23076923, 2.38074653, 0},
    {0, 1.53186813, 2.01864802, 1.53186813, 1.23076923, 0},
    {0, 1.30889423, 1.53186813, 2.08173077, 1.53186813, 0},
    {0, 2.69258242, 1.30889423, 5.6967033, 2.08173077, 1},
};

/* The sum of a channel's weights, times the elements of its tile of 6 x 6. */
static double magnitude_of_tile(const struct verified_step *j, const float *plane, int64_t row,
                                int64_t col, const double *terms)
{
    const struct tensor_shape in = j->step->in;
    const int64_t padding = j->step->layer->padding;
    double weights = 0.0, elements = 0.0;
    for (int64_t k = 0; k < 9; k++)
        weights += fmax(fabs(terms[k]), FLT_MIN);
    for (int64_t k = 0; k < 36; k++) {
        const int64_t y = row / 4 * 4 - padding + k / 6, x = col / 4 * 4 - padding + k % 6;
        if (y >= 0 && y < in.rows && x >= 0 && x < in.cols)
            elements += of_axis[row % 4][k / 6] * of_axis[col % 4][k % 6] *
                        fabs((double)plane[y * in.cols + x]);
    }
    return weights * elements;
}

/* gamma(n + 1) for n terms. The bound of Winograd, from its channels and 10 additions of its
 * transforms (18 for tiles of 4 x 4 outputs), may be larger: if the layer may use Winograd, a plain
 * sum gets that bound too. */
static double own_bound(const struct own_sum *s)
{
    const double plain = gamma_bound(s, s->count + 1, magnitude_of_terms(s));
    if (s->tiles)
        return fmax(plain, gamma_bound(s, s->count / 9.0 + 19.0, s->of_tiles));
    return s->winograd ? fmax(plain, gamma_bound(s, s->products * s->count / 9.0 + 11.0,
                                                 magnitude_of_winograd(s)))
                       : plain;
}

static void own_conv(const struct verified_step *j, int64_t at, struct own_sum *out)
{
    const struct step *s = j->step;
    const struct layer *l = s->layer;
    const int64_t outputs = s->out.rows * s->out.cols, elements = s->in.rows * s->in.cols;
    const int64_t channel = at / outputs % s->out.channels, depth = s->in.channels / l->groups;
    const int64_t image = at / outputs / s->out.channels;
    const int64_t top = at % outputs / s->out.cols * l->stride - l->padding;
    const int64_t left = at % s->out.cols * l->stride - l->padding;
    const int64_t window = l->kernel * l->kernel;
    const struct norm norm =
        s->norm ? norm_of(s->norm, j->parameters, channel) : (struct norm){1.0, 0.0};
    for (int64_t t = 0; t < depth * window; t++) {
        const int64_t row = top + t % window / l->kernel, col = left + t % l->kernel;
        const int64_t c = channel / (l->filters / l->groups) * depth + t / window;
        const bool inside = row >= 0 && row < s->in.rows && col >= 0 && col < s->in.cols;
        const int64_t element = (image * s->in.channels + c) * elements + row * s->in.cols + col;
        out->elements[out->count] = inside ? j->from[element] : 0.0;
        out->terms[out->count++] =
            norm.scale * j->parameters[l->offset[CONV_WEIGHT] + channel * depth * window + t];
    }
    const int64_t first = channel / (l->filters / l->groups) * depth;
    for (int64_t c = 0; out->tiles && c < depth; c++)
        out->of_tiles +=
            magnitude_of_tile(j, j->from + (image * s->in.channels + first + c) * elements,
                              at % outputs / s->out.cols, at % s->out.cols, out->terms + c * 9);
    out->added[0] = norm.shift;
    out->added[1] = l->bias ? norm.scale * j->parameters[l->offset[CONV_BIAS] + channel] : 0.0;
    out->added[2] = s->add ? j->residual[at] : 0.0;
}

static void own_linear(const struct verified_step *j, int64_t at, struct own_sum *out)
{
    const struct layer *l = j->step->layer;
    const int64_t inputs = l->in.channels, output = at % l->filters;
    for (int64_t i = 0; i < inputs; i++) {
        out->elements[out->count] = j->from[at / l->filters * inputs + i];
        out->terms[out->count++] = j->parameters[l->offset[0] + output * inputs + i];
    }
    out->added[0] = j->parameters[l->offset[1] + output];
}

/* A mean: all terms have the same weight. */
static void own_average(const struct verified_step *j, int64_t at, struct own_sum *out)
{
    const int64_t elements = j->step->in.rows * j->step->in.cols;
    for (int64_t i = 0; i < elements; i++) {
        out->elements[out->count] = j->from[at * elements + i];
        out->terms[out->count++] = 1.0 / (double)elements;
    }
}

/* Returns false for a step of another kind, whose bound is not tested. */
static bool own_sum_of(const struct verified_step *j, int64_t at, struct own_sum *out)
{
    const struct step *s = j->step;
    *out = (struct own_sum){.winograd = s->choice && s->choice->bound,
                            .products = s->layer->stride == 2 ? 4.0 : 1.0,
                            .tiles = s->choice && s->choice->head.rounds};
    if (s->layer->kind == &conv_layer)
        own_conv(j, at, out);
    else if (s->layer->kind == &linear_layer)
        own_linear(j, at, out);
    else if (s->layer->kind == &average_pool_layer)
        own_average(j, at, out);
    else
        return false;
    return true;
}

/* ---- a step ---------------------------------------------------------------------------------- */

static struct expectation expected(const struct verified_step *j, int64_t at)
{
    const struct step *s = j->step;
    const int64_t line = at / s->out.cols, plane = line / s->out.rows;
    return verify_expectation(j, plane / s->out.channels, plane % s->out.channels,
                              line % s->out.rows, at % s->out.cols);
}

/* The value that is stored: the sum, clamped if the step has a clamp. */
static float finished(const struct step *s, float sum)
{
    return s->clamp ? fmaxf(sum, s->clamp->kind->least) : sum;
}

/* Two orders of summation. The first begins with shift and residual, and rounds each product. The
 * second adds them last, takes the terms backwards, and uses fused multiply-adds. `terms` include
 * the scale in both. */
static float shift_first(const struct own_sum *s)
{
    float sum = (float)(s->added[0] + s->added[1]) + (float)s->added[2];
    for (int i = 0; i < s->count; i++) {
        const float product = (float)s->terms[i] * (float)s->elements[i];
        sum += product;
    }
    return sum;
}

static float shift_last(const struct own_sum *s)
{
    float sum = 0.0f;
    for (int i = s->count - 1; i >= 0; i--)
        sum = fmaf((float)s->terms[i], (float)s->elements[i], sum);
    sum += (float)(s->added[0] + s->added[1]);
    return sum + (float)s->added[2];
}

static void check_output(const struct verified_step *j, int64_t at, const char *what)
{
    struct own_sum sum;
    if (!own_sum_of(j, at, &sum))
        return;
    const struct expectation e = expected(j, at);
    const float orders[] = {finished(j->step, shift_first(&sum)),
                            finished(j->step, shift_last(&sum))};
    const double apart = 4.0 * own_bound(&sum) + 0x1p-126;
    for (int i = 0; i < 2; i++)
        if (!oracle_accepts(e, orders[i]))
            fail_msg("%s: a sum in order %d is %.9g, refused by %.9g, give or take %.3g", what, i,
                     (double)orders[i], e.value, e.bound);
    if (apart <= e.bound)
        fail_msg("%s: %.3g is allowed where four bounds are %.3g", what, e.bound, apart);
}

/* Checks some outputs of each step that has just been verified. */
static void check_outputs(const struct forward *w)
{
    enum { LOOKED_AT = 24 };
    for (int i = 0; i < w->plan.count; i++) {
        const struct step *s = &w->plan.steps[i];
        const struct verified_step j = {s, w->plan.parameters, s->from, s->residual, s->to};
        const int64_t count = s->images * tensor_elements(s->out);
        for (int64_t k = 0; k < LOOKED_AT; k++)
            check_output(&j, k * 7919 % count, s->layer->name);
    }
}

static const char *const convs[] = {NULL,       "literal",   "im2col", "implicit",
                                    "winograd", "winograd4", "exact"};

/* Tests one set of a kind: `set` selects parameters, method and instruction set. */
static void check_set(const struct kind_case *c, const struct network *n, int64_t set,
                      float *elements, float *parameters)
{
    const enum flavour flavour = (enum flavour)(set % FLAVOURS);
    const char *conv = convs[set / FLAVOURS % (int64_t)(sizeof convs / sizeof *convs)];
    struct rng d = {.seed = (uint64_t)set};
    struct failure f = {0};
    struct forward w = {.plan = {.network = n,
                                 .parameters = parameters,
                                 .batch = c->batch,
                                 .whole_batch = c->batch,
                                 .isa = set % 2 ? isa_best() : ISA_BASELINE,
                                 .forced = conv_choice_named(conv)},
                        .team = {.workers = 1, .run = team_alone},
                        .input = elements};
    draw_parameters(n, &d, flavour, parameters);
    draw_elements(&d, flavour, c->batch * tensor_elements(n->input), elements);
    assert_int_equal(forward_open(&w, &f), STATUS_OK);
    if (forward_verify(&w, &in_full, &f) != STATUS_OK)
        fail_msg("%s, set %lld, flavour %d, %s: %s", n->name, (long long)set, (int)flavour,
                 conv ? conv : "-", f.message);
    check_outputs(&w);
    forward_close(&w);
}

static void check_kind(const struct kind_case *c)
{
    struct network n;
    struct failure f = {0};
    c->make(&n);
    assert_int_equal(network_finish(&n, &f), STATUS_OK);
    float *parameters = calloc((size_t)n.floats + 1, sizeof *parameters);
    float *elements = calloc((size_t)(c->batch * tensor_elements(n.input)), sizeof *elements);
    assert_non_null(parameters);
    assert_non_null(elements);
    for (int64_t set = 0; set < LAYERS; set++)
        check_set(c, &n, set, elements, parameters);
    free(elements);
    free(parameters);
    network_release(&n);
}

TEST(test_no_correct_output_of_a_layer_is_refused)
{
    for (size_t i = 0; i < KINDS; i++)
        check_kind(&kind_cases[i]);
}

/* ---- gradients ------------------------------------------------------------------------------- */

static void make_trained(struct network *n, struct window w, int64_t groups)
{
    network_begin(n, "trained", (struct tensor_shape){groups > 1 ? FILTERS : 4, 7, 7});
    const int conv = add_conv(n, "conv", NETWORK_INPUT, FILTERS, w, groups, true);
    const int next = add_conv(n, "next", conv, 4, w, 1, true);
    const int relu = add_plain(n, &relu6_layer, "relu", next);
    const int flat = add_plain(n, &flatten_layer, "flatten", relu);
    add_linear(n, "dense", flat, 3);
}

static void make_trained_same(struct network *n)
{
    make_trained(n, same, 1);
}

static void make_trained_strided(struct network *n)
{
    make_trained(n, strided, 1);
}

static void make_trained_point(struct network *n)
{
    make_trained(n, point, 1);
}

static void make_trained_depthwise(struct network *n)
{
    make_trained(n, same, FILTERS);
}

static void make_trained_linear(struct network *n)
{
    network_begin(n, "trained_linear", (struct tensor_shape){23, 1, 1});
    const int first = add_linear(n, "first", NETWORK_INPUT, FILTERS);
    add_linear(n, "dense", first, 3);
}

/* The terms of weight `at` of the first layer: a convolution with one group, or a fully connected
 * layer, which is treated as a convolution of one pixel. */
static void own_gradient(const struct trainer *t, int64_t at, struct own_sum *out)
{
    const struct reverse *r = &t->work.reverses[0];
    const struct tensor_shape in = r->step->in, to = r->step->out;
    const struct layer *l = r->step->layer;
    const int64_t kernel = l->kernel > 0 ? l->kernel : 1, stride = l->stride > 0 ? l->stride : 1;
    const int64_t window = kernel * kernel, filter = at / (in.channels * window);
    const int64_t i = at % window / kernel - l->padding, k = at % kernel - l->padding;
    for (int64_t n = 0; n < t->settings.batch; n++)
        for (int64_t q = 0; q < to.rows * to.cols; q++) {
            const int64_t row = q / to.cols * stride + i, col = q % to.cols * stride + k;
            if (row < 0 || row >= in.rows || col < 0 || col >= in.cols)
                continue;
            const int64_t plane = n * in.channels + at / window % in.channels;
            out->elements[out->count] = r->step->from[(plane * in.rows + row) * in.cols + col];
            out->terms[out->count++] =
                r->d_output[(n * to.channels + filter) * to.rows * to.cols + q];
        }
}

static void check_gradient(const struct trainer *t, int64_t at)
{
    struct own_sum sum = {.count = 0};
    const struct reverse *r = &t->work.reverses[0];
    own_gradient(t, at, &sum);
    const struct expectation e =
        r->step->layer->kind->backward->expect_parameter(r, 0, at, 0, t->settings.batch);
    assert_true(oracle_accepts(e, shift_first(&sum)));
    assert_true(oracle_accepts(e, shift_last(&sum)));
    if (4.0 * own_bound(&sum) + 0x1p-126 <= e.bound)
        fail_msg("weight %lld: %.3g is allowed", (long long)at, e.bound);
}

/* Checks the gradients of a layer with one group whose products are not computed on transformed
 * tiles. */
static void check_gradients(const struct trainer *t)
{
    const struct layer *l = t->work.reverses[0].step->layer;
    const struct parameter_tensor weights = layer_parameter(l, 0);
    const int64_t count = parameter_floats(&weights);
    if (l->kind == &conv_layer && (l->groups > 1 || (l->kernel == 3 && l->stride == 1)))
        return;
    for (int64_t at = 0; at < count; at += 7)
        check_gradient(t, at);
}

static void draw_batch(struct trainer *t, struct rng *d, enum flavour flavour)
{
    const struct network *n = t->forward.plan.network;
    trainer_place(t, t->settings.batch);
    draw_parameters(n, d, flavour, t->state.parameters);
    trainer_refresh(t);
    draw_elements(d, flavour, t->settings.batch * tensor_elements(n->input), t->share.images);
    for (int64_t i = 0; i < t->settings.batch * tensor_elements(network_output(n)); i++)
        t->share.values[i] = (float)normal(d);
}

static void check_training(void (*make)(struct network *n), const struct optimizer *optimizer)
{
    struct network n;
    struct failure f = {0};
    struct step_result result;
    make(&n);
    assert_int_equal(network_finish(&n, &f), STATUS_OK);
    struct trainer t = {.forward = {.plan = {.network = &n, .isa = isa_best()},
                                    .team = {.workers = 1, .run = team_alone}},
                        .state.parameters = calloc((size_t)n.floats, sizeof(float)),
                        .settings.loss = &mean_squared_loss,
                        .settings.optimizer = optimizer,
                        .settings.rate = 1e-3,
                        .settings.batch = 2,
                        .settings.shards = 2};
    assert_int_equal(trainer_open(&t, &f), STATUS_OK);
    for (int set = 0; set < LAYERS; set++) {
        struct rng d = {.seed = (uint64_t)set};
        draw_batch(&t, &d, (enum flavour)(set % FLAVOURS));
        if (trainer_step(&t, &in_full, &result, &f) != STATUS_OK)
            fail_msg("%s, set %d: %s", n.name, set, f.message);
        check_gradients(&t);
    }
    trainer_close(&t);
    free(t.state.parameters);
    network_release(&n);
}

TEST(test_no_correct_gradient_is_refused)
{
    check_training(make_trained_same, &adam_optimizer);
    check_training(make_trained_strided, &sgd_optimizer);
    check_training(make_trained_point, &adam_optimizer);
    check_training(make_trained_depthwise, &sgd_optimizer);
    check_training(make_trained_linear, &adam_optimizer);
}
