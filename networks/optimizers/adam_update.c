/* The update of Adam, a vector of parameters at a time. */
#include "networks/optimizers/optimizer.h"

#include "kernels/min_max.h"
#include "kernels/vector.h"

/* Numbers that all parameters share, copied to every lane. */
struct shared {
    vec beta1, beta2, rest1, rest2; /* rest: 1 - beta */
    vec rate;                       /* divided by 1 - beta1^step */
    vec root;                       /* 1 over the root of 1 - beta2^step */
    vec epsilon;
};

static inline void update_vector(const struct shared *s, vec gradient, vec *parameter, vec *first,
                                 vec *second)
{
    const vec square = vec_multiply(gradient, gradient);
    *first = vec_add(vec_multiply(s->beta1, *first), vec_multiply(s->rest1, gradient));
    *second = vec_add(vec_multiply(s->beta2, *second), vec_multiply(s->rest2, square));
    const vec spread = vec_add(vec_multiply(vec_square_root(*second), s->root), s->epsilon);
    *parameter = vec_subtract(*parameter, vec_divide(vec_multiply(s->rate, *first), spread));
}

static void update_part(const struct shared *s, const struct update *u, int64_t at, int64_t lanes)
{
    float *p = u->parameters + at, *m = u->moments[0] + at, *v = u->moments[1] + at;
    vec parameter = vec_load_part(p, lanes, vec_zero());
    vec first = vec_load_part(m, lanes, vec_zero()), second = vec_load_part(v, lanes, vec_zero());
    const vec gradient = vec_load_part(u->gradients + at, lanes, vec_zero());
    update_vector(s, gradient, &parameter, &first, &second);
    vec_store_part(p, parameter, lanes);
    vec_store_part(m, first, lanes);
    vec_store_part(v, second, lanes);
}

void ISA_FUNCTION(adam_update)(const struct update *u)
{
    const struct shared s = {.beta1 = vec_all((float)ADAM_BETA1),
                             .beta2 = vec_all((float)ADAM_BETA2),
                             .rest1 = vec_all((float)(1.0 - ADAM_BETA1)),
                             .rest2 = vec_all((float)(1.0 - ADAM_BETA2)),
                             .rate = vec_all(u->scales[0]),
                             .root = vec_all(u->scales[1]),
                             .epsilon = vec_all((float)ADAM_EPSILON)};
    const int64_t whole = u->count / LANES * LANES;
    for (int64_t i = 0; i < whole; i += LANES) {
        vec parameter = vec_load(u->parameters + i);
        vec first = vec_load(u->moments[0] + i), second = vec_load(u->moments[1] + i);
        update_vector(&s, vec_load(u->gradients + i), &parameter, &first, &second);
        vec_store(u->parameters + i, parameter);
        vec_store(u->moments[0] + i, first);
        vec_store(u->moments[1] + i, second);
    }
    if (whole < u->count)
        update_part(&s, u, whole, u->count - whole);
}
