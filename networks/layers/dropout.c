#include "networks/layers/dropout.h"

#include "harness/base/digest.h"

/* Four cells share a hash, 16 bits each: a rate is a multiple of 1 / 65536. */
enum { SHARED = 4, LOT_BITS = 16, LOTS = 1 << LOT_BITS };

static uint64_t key_of(const struct draws *d, const struct layer *l, int64_t image)
{
    uint64_t key = digest_mix(digest_mix(d->seed) + (uint64_t)d->step);
    for (const char *c = l->name; *c; c++)
        key = digest_mix(key + (unsigned char)*c);
    return digest_mix(key + (uint64_t)(d->first_image + image));
}

static uint64_t lots_of(uint64_t key, int64_t cell)
{
    return digest_mix(key + (uint64_t)(cell / SHARED) * UINT64_C(0x9e3779b97f4a7c15));
}

static bool keeps(uint64_t lots, int64_t cell, int64_t dropped)
{
    return (int64_t)(lots >> (cell % SHARED * LOT_BITS) & (LOTS - 1)) >= dropped;
}

static int64_t dropped_lots(const struct layer *l)
{
    return (int64_t)(l->rate * LOTS);
}

double dropout_scale(const struct layer *l)
{
    return (double)(float)(1.0 / (1.0 - l->rate));
}

bool dropout_keeps(const struct draws *d, const struct layer *l, int64_t image, int64_t cell)
{
    return keeps(lots_of(key_of(d, l, image), cell), cell, dropped_lots(l));
}

void dropout_run(const struct draws *d, const struct layer *l, int64_t image, int64_t cell,
                 float *values, int64_t count)
{
    const uint64_t key = key_of(d, l, image);
    const int64_t dropped = dropped_lots(l);
    const float scale = (float)dropout_scale(l);
    uint64_t lots = lots_of(key, cell);
    for (int64_t i = 0; i < count; i++) {
        if ((cell + i) % SHARED == 0)
            lots = lots_of(key, cell + i);
        values[i] = keeps(lots, cell + i, dropped) ? values[i] * scale : 0.0f;
    }
}
