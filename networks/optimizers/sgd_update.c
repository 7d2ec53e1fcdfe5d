/* The update of sgd, a vector of parameters at a time. */
#include "networks/optimizers/optimizer.h"

#include "kernels/min_max.h"
#include "kernels/vector.h"

void ISA_FUNCTION(sgd_update)(const struct update *u)
{
    const vec momentum = vec_all((float)SGD_MOMENTUM), rate = vec_all((float)u->rate);
    for (int64_t i = 0; i < u->count; i += LANES) {
        const int64_t lanes = smaller(LANES, u->count - i);
        const vec gradient = vec_load_part(u->gradients + i, lanes, vec_zero());
        const vec before = vec_load_part(u->moments[0] + i, lanes, vec_zero());
        const vec parameter = vec_load_part(u->parameters + i, lanes, vec_zero());
        const vec velocity = vec_add(vec_multiply(momentum, before), gradient);
        vec_store_part(u->moments[0] + i, velocity, lanes);
        vec_store_part(u->parameters + i, vec_subtract(parameter, vec_multiply(rate, velocity)),
                       lanes);
    }
}
