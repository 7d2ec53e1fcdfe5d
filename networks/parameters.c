#include "networks/parameters.h"

#include "harness/base/digest.h"
#include "harness/machine/memory.h"

#include <math.h>

enum status parameters_allocate(const struct network *n, float **out, struct failure *f)
{
    return memory_allocate((void **)out, memory_multiply((size_t)n->floats, sizeof(float)),
                           "the parameters", f);
}

/* A hash of the seed and the tensor's name. */
static uint64_t key_of(uint64_t seed, const char *name)
{
    uint64_t key = digest_mix(seed);
    for (; *name; name++)
        key = digest_mix(key + (unsigned char)*name);
    return key;
}

static uint64_t drawn(uint64_t key, int64_t index)
{
    return digest_mix(key + (uint64_t)index * UINT64_C(0x9e3779b97f4a7c15));
}

/* Uniform in (-bound, bound), from the upper 24 bits, which a float32 holds exactly. */
static float uniform(uint64_t key, int64_t index, double bound)
{
    const uint64_t bits = drawn(key, index) >> 40;
    return (float)(bound * (((double)bits + 0.5) / 8388608.0 - 1.0));
}

/* Uniform in (0, 1), from the upper 52 bits: 1 cannot come out. */
static double fraction(uint64_t bits)
{
    return ((double)(bits >> 12) + 0.5) / 4503599627370496.0;
}

/* Normal with mean 0, from two draws: Box & Muller (1958), "A note on the generation of random
 * normal deviates". */
static float normal(uint64_t key, int64_t index, double deviation)
{
    const double length = sqrt(-2.0 * log(fraction(drawn(key, 2 * index))));
    const double turn = 6.283185307179586 * fraction(drawn(key, 2 * index + 1));
    return (float)(deviation * length * cos(turn));
}

const char *const initialization_words[INITIALIZATIONS] = {
    "he-uniform", "he-normal", "glorot-uniform", "glorot-normal", "tesina"};

/* A variance as over / under. */
struct quotient {
    double over, under;
};

static struct quotient weight_variance(enum initialization how, const struct parameter_tensor *t)
{
    const struct quotient he = {2.0, (double)t->fan_in};
    const struct quotient glorot = {2.0, (double)t->fan_in + (double)t->fan_out};
    const bool is_convolution = t->dimensions == TENSOR_DIMENSIONS;
    switch (how) {
    case INIT_GLOROT_UNIFORM:
    case INIT_GLOROT_NORMAL:
        return glorot;
    case INIT_TESINA: /* the square of a ReLU's gain is 2 */
        return is_convolution ? he : (struct quotient){2.0 * glorot.over, glorot.under};
    default:
        return he;
    }
}

static void draw_weight(enum initialization how, const struct parameter_tensor *t, uint64_t key,
                        float *values)
{
    const bool is_uniform = how == INIT_HE_UNIFORM || how == INIT_GLOROT_UNIFORM;
    const struct quotient variance = weight_variance(how, t);
    const double deviation = sqrt(variance.over / variance.under);
    /* a uniform distribution has the variance bound^2 / 3 */
    const double bound = sqrt(3.0 * variance.over / variance.under);
    const int64_t count = parameter_floats(t);
    for (int64_t i = 0; i < count; i++)
        values[i] = is_uniform ? uniform(key, i, bound) : normal(key, i, deviation);
}

static void fill(float *values, int64_t count, float value)
{
    for (int64_t i = 0; i < count; i++)
        values[i] = value;
}

static void draw_bias(enum initialization how, const struct parameter_tensor *t, uint64_t key,
                      float *values)
{
    const int64_t count = parameter_floats(t);
    if (how != INIT_HE_UNIFORM) {
        fill(values, count, 0.0f);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        values[i] = uniform(key, i, 1.0 / sqrt((double)t->fan_in));
}

static void initialize_tensor(const struct layer *l, const struct parameter_tensor *t,
                              enum initialization how, uint64_t seed, float *values)
{
    char name[2 * LAYER_NAME];
    parameter_name(l, t, name, sizeof name);
    const uint64_t key = key_of(seed, name);
    switch (t->seeded) {
    case SEEDED_WEIGHT:
        draw_weight(how, t, key, values);
        break;
    case SEEDED_BIAS:
        draw_bias(how, t, key, values);
        break;
    case SEEDED_ZERO:
        fill(values, parameter_floats(t), 0.0f);
        break;
    case SEEDED_ONE:
        fill(values, parameter_floats(t), 1.0f);
        break;
    }
}

void parameters_initialize(const struct network *n, enum initialization how, uint64_t seed,
                           float *values)
{
    for (int i = 0; i < n->count; i++)
        for (int k = 0; k < layer_parameter_count(&n->layers[i]); k++) {
            const struct parameter_tensor t = layer_parameter(&n->layers[i], k);
            initialize_tensor(&n->layers[i], &t, how, seed, values + n->layers[i].offset[k]);
        }
}

void parameters_seed(const struct network *n, uint64_t seed, float *values)
{
    parameters_initialize(n, INIT_HE_UNIFORM, seed, values);
}
