/* Sums and clamps, a vector at a time. */
#include "networks/layers/epilogue.h"

#include "kernels/order.h"
#include "kernels/vector.h"

/* min(max(v, least), most), as there is but a maximum: min(a, b) = -max(-a, -b). What is compared
 * stands second, so that NaN stays NaN. */
static inline vec clamp(vec v, vec least, vec minus_most)
{
    const vec low = vec_max(least, v);
    return vec_subtract(vec_zero(), vec_max(minus_most, vec_subtract(vec_zero(), low)));
}

static inline vec finish(const struct epilogue *e, vec v, vec added, vec least, vec minus_most)
{
    const vec sum = e->added ? vec_add(v, added) : v;
    return e->clamped ? clamp(sum, least, minus_most) : sum;
}

void ISA_FUNCTION(layer_epilogue)(const struct epilogue *e)
{
    const vec least = vec_all(e->least), minus_most = vec_all(-e->most), zero = vec_zero();
    const int64_t whole = e->count / LANES * LANES, rest = e->count - whole;
    for (int64_t i = 0; i < whole; i += LANES)
        vec_store(e->values + i,
                  finish(e, vec_load(e->values + i), e->added ? vec_load(e->added + i) : zero,
                         least, minus_most));
    if (rest == 0)
        return;
    const vec v = vec_load_part(e->values + whole, rest, zero);
    const vec added = e->added ? vec_load_part(e->added + whole, rest, zero) : zero;
    vec_store_part(e->values + whole, finish(e, v, added, least, minus_most), rest);
}
