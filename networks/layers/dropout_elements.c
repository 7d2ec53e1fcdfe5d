/* Drops elements, one block at a time: computes the hashes first, then which elements are kept,
 * then values, so that a compiler can vectorize each loop. */
#include "networks/layers/dropout_elements.h"

#include "kernels/min_max.h"
#include "networks/layers/dropout_mask.h"

enum { GROUPS = 64, BLOCK = GROUPS * BITS_SHARED };

/* Decides which elements of `groups` groups are kept; the first group begins at `element`. */
static void draw(const struct dropout_call *call, int64_t element, int64_t groups,
                 int32_t stays[BLOCK])
{
    const uint64_t key = call->key;
    const int64_t dropped = call->dropped;
    uint64_t bits[GROUPS];
    for (int64_t g = 0; g < groups; g++)
        bits[g] = mask_bits(key, element + g * BITS_SHARED);
    for (int64_t g = 0; g < groups; g++)
        for (int64_t i = 0; i < BITS_SHARED; i++)
            stays[g * BITS_SHARED + i] = mask_keeps(bits[g], i, dropped);
}

void ISA_FUNCTION(dropout_elements)(const struct dropout_call *call)
{
    const float scale = call->scale;
    int32_t stays[BLOCK];
    for (int64_t at = 0, end; at < call->count; at = end) {
        const int64_t element = call->element + at, skipped = element % BITS_SHARED;
        end = smaller(call->count, at + BLOCK - skipped);
        draw(call, element - skipped, (skipped + end - at + BITS_SHARED - 1) / BITS_SHARED, stays);
        float *values = call->values + at;
        for (int64_t i = 0; i < end - at; i++) {
            const float kept = values[i] * scale;
            values[i] = stays[skipped + i] ? kept : 0.0f;
        }
    }
}
