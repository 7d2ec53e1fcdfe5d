/* Random images and targets for measurements: each value is a pure function of the seed and its
 * index. */
#include "harness/base/digest.h"
#include "networks/data/data.h"

enum { BATCHES = 4 };

static float unit(uint64_t key, int64_t index)
{
    return (float)(digest_mix(key + (uint64_t)index) >> 40) / 16777216.0f;
}

enum status data_random(struct data *d, const struct data_request *r, struct failure *f)
{
    const uint64_t key = digest_mix(r->seed + 1);
    int64_t count;
    d->classes = r->outputs > 1;
    if (__builtin_mul_overflow(r->batch, BATCHES, &count))
        return fail(f, STATUS_RESOURCE, "--batch %lld: four of it cannot be counted",
                    (long long)r->batch);
    const enum status status = data_allocate(d, DATA_TRAIN, count, f);
    struct data_part *p = &d->parts[DATA_TRAIN];
    if (r->blank)
        return status;
    for (int64_t i = 0; status == STATUS_OK && i < count * tensor_elements(d->shape); i++)
        p->images[i] = unit(key, i);
    for (int64_t i = 0; status == STATUS_OK && i < count; i++) {
        const float drawn = unit(~key, i);
        if (d->classes)
            p->labels[i] = (int32_t)(drawn * (float)d->outputs);
        else
            p->values[i] = drawn;
    }
    return status;
}
