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

/* Uniform in (-bound, bound), from the upper 24 bits, which a float32 holds exactly. */
static float uniform(uint64_t key, int64_t index, double bound)
{
    const uint64_t bits = digest_mix(key + (uint64_t)index * UINT64_C(0x9e3779b97f4a7c15)) >> 40;
    return (float)(bound * (((double)bits + 0.5) / 8388608.0 - 1.0));
}

static void seed_tensor(const struct layer *l, const struct parameter_tensor *t, uint64_t seed,
                        float *values)
{
    char name[2 * LAYER_NAME];
    const int64_t count = parameter_floats(t);
    parameter_name(l, t, name, sizeof name);
    const uint64_t key = key_of(seed, name);
    for (int64_t i = 0; i < count; i++)
        switch (t->seeded) {
        case SEEDED_HE: /* the variance of a uniform distribution is bound^2 / 3 */
            values[i] = uniform(key, i, sqrt(6.0 / (double)t->fan_in));
            break;
        case SEEDED_BIAS:
            values[i] = uniform(key, i, 1.0 / sqrt((double)t->fan_in));
            break;
        case SEEDED_ZERO:
            values[i] = 0.0f;
            break;
        case SEEDED_ONE:
            values[i] = 1.0f;
            break;
        }
}

void parameters_seed(const struct network *n, uint64_t seed, float *values)
{
    for (int i = 0; i < n->count; i++)
        for (int k = 0; k < layer_parameter_count(&n->layers[i]); k++) {
            const struct parameter_tensor t = layer_parameter(&n->layers[i], k);
            seed_tensor(&n->layers[i], &t, seed, values + n->layers[i].offset[k]);
        }
}
