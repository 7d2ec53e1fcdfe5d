#include "networks/layers/dropout.h"

#include "networks/layers/dropout_elements.h"
#include "networks/layers/dropout_mask.h"

static uint64_t step_key(const struct draws *d, const struct layer *l)
{
    uint64_t key = digest_mix(digest_mix(d->seed) + (uint64_t)d->step);
    for (const char *c = l->name; *c; c++)
        key = digest_mix(key + (unsigned char)*c);
    return key;
}

struct dropout_bits dropout_bits(const struct draws *d, const struct layer *l)
{
    return (struct dropout_bits){step_key(d, l), d->first_image, (int64_t)(l->rate * BIT_VALUES)};
}

static uint64_t key_of(const struct dropout_bits *bits, int64_t image)
{
    return mask_key(bits->key, bits->first_image + image);
}

double dropout_scale(const struct layer *l)
{
    return (double)(float)(1.0 / (1.0 - l->rate));
}

bool dropout_keeps(const struct draws *d, const struct layer *l, int64_t image, int64_t element)
{
    const struct dropout_bits bits = dropout_bits(d, l);
    return mask_keeps(mask_bits(key_of(&bits, image), element), element, bits.dropped);
}

void dropout_run(const struct draws *d, const struct layer *l, int64_t image, int64_t element,
                 float *values, int64_t count, enum isa isa)
{
    static dropout_function *const run[ISA_COUNT] = ISA_VARIANTS(dropout_elements);
    const struct dropout_bits bits = dropout_bits(d, l);
    const struct dropout_call call = {.key = key_of(&bits, image),
                                      .dropped = bits.dropped,
                                      .scale = (float)dropout_scale(l),
                                      .element = element,
                                      .count = count,
                                      .values = values};
    while (!run[isa])
        isa--;
    run[isa](&call);
}
