/* The random image: every element is a function of the seed and its own index, so that any worker
 * can generate any part. */
#include "harness/base/digest.h"
#include "harness/image/numbers.h"
#include "harness/image/sources/source_kind.h"

#include <inttypes.h>

/* The largest value: float32 represents every integer up to it. */
#define RANDOM_MAX_VALUE ((int64_t)1 << 24)

struct source_random {
    struct source base;
    uint64_t seed;
    int64_t max_value;
};

/* Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014),
 * SplitMix64. */
void random_elements(uint64_t seed, int64_t max_value, int64_t first, int64_t count, float *dst)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15); /* 2^64 / golden ratio, odd */
    const uint64_t values = (uint64_t)max_value + 1;
    /* The seed is mixed first: otherwise seeds that differ by a multiple of the increment would
     * give the same stream, shifted. */
    const uint64_t start = digest_mix(seed + golden) + (uint64_t)first * golden;
    for (int64_t i = 0; i < count; i++) {
        uint64_t word = digest_mix(start + (uint64_t)i * golden);
        /* The upper half scaled to 0 .. max_value; no value is favoured by more than
         * (max_value + 1) / 2^32. */
        dst[i] = (float)(int32_t)(((word >> 32) * values) >> 32);
    }
}

static enum status read_random(struct source *s, const struct image_range *range, float *dst,
                               int64_t dst_stride, struct image_facts *facts, struct failure *f)
{
    const struct source_random *r = (const struct source_random *)s;
    (void)f;
    for (int64_t i = 0; i < range->rows; i++) {
        int64_t row = range->plane * s->shape.rows + range->row + i;
        float *elements = dst + i * dst_stride;
        random_elements(r->seed, r->max_value, row * s->shape.cols + range->col, range->cols,
                        elements);
        numbers_see(elements, range->cols, facts);
    }
    return STATUS_OK;
}

static void close_random(struct source *s)
{
    (void)s;
}

static const struct source_operations random_operations = {read_random, close_random};

/* Reports the largest possible value, so that no verdict claims more than for the real image. */
static enum status read_folded(struct source *s, const struct image_range *range, float *dst,
                               int64_t dst_stride, struct image_facts *facts, struct failure *f)
{
    const struct image_facts all = {.max_abs = (double)((const struct source_random *)s)->max_value,
                                    .integers = true};
    (void)range;
    (void)dst;
    (void)dst_stride;
    (void)f;
    if (facts)
        image_facts_merge(facts, &all);
    return STATUS_OK;
}

static const struct source_operations folded_operations = {read_folded, close_random};

static enum status open_kind(struct source **out, const struct source_operations *operations,
                             struct image_shape shape, uint64_t seed, int64_t max_value,
                             struct failure *f)
{
    *out = NULL;
    if (max_value < 0 || max_value > RANDOM_MAX_VALUE)
        return fail(f, STATUS_USAGE,
                    "the largest random value must be 0 to %" PRId64 ", not %" PRId64,
                    RANDOM_MAX_VALUE, max_value);
    struct source *s = NULL;
    enum status status = source_new(&s, sizeof(struct source_random), operations, "random", f);
    if (status != STATUS_OK)
        return status;
    status = source_set_shape(s, shape, f);
    if (status != STATUS_OK) {
        source_close(s);
        return status;
    }
    struct source_random *r = (struct source_random *)s;
    r->seed = seed;
    r->max_value = max_value;
    s->concurrent = true;
    *out = s;
    return STATUS_OK;
}

enum status source_open_random(struct source **out, struct image_shape shape, uint64_t seed,
                               int64_t max_value, struct failure *f)
{
    return open_kind(out, &random_operations, shape, seed, max_value, f);
}

enum status source_open_folded(struct source **out, struct image_shape shape, int64_t max_value,
                               struct failure *f)
{
    return open_kind(out, &folded_operations, shape, 0, max_value, f);
}
