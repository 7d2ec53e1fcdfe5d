/* Adds and clamps, a vector at a time. */
#include "networks/layers/epilogue.h"

#include "kernels/clamp.h"

static inline vec finish(const struct epilogue *e, vec v, vec added, vec least, vec most)
{
    const vec sum = e->added ? vec_add(v, added) : v;
    return e->clamped ? vec_clamp(sum, least, most) : sum;
}

void ISA_FUNCTION(layer_epilogue)(const struct epilogue *e)
{
    const vec least = vec_all(e->least), most = vec_all(e->most), zero = vec_zero();
    const int64_t whole = e->count / LANES * LANES, rest = e->count - whole;
    for (int64_t i = 0; i < whole; i += LANES)
        vec_store(e->values + i, finish(e, vec_load(e->values + i),
                                        e->added ? vec_load(e->added + i) : zero, least, most));
    if (rest == 0)
        return;
    const vec v = vec_load_part(e->values + whole, rest, zero);
    const vec added = e->added ? vec_load_part(e->added + whole, rest, zero) : zero;
    vec_store_part(e->values + whole, finish(e, v, added, least, most), rest);
}
