/* Parameters and the state of the optimizer must stay finite: a value that overflowed stays
 * infinite, and an infinite moment ends the training of its parameter although the loss looks
 * right. */
#include "networks/training/trainer.h"

#include <math.h>

/* The index of the first value that is not finite; -1 if all are. */
static int64_t first_infinite(const float *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return i;
    return -1;
}

/* The steps, up to this one, of which one made a finite value infinite. */
static void name_steps(const struct trainer_state *s, int64_t step, char *out, size_t bytes)
{
    if (step - s->finite > 1)
        snprintf(out, bytes, "between steps %lld and %lld", (long long)s->finite + 1,
                 (long long)step);
    else
        snprintf(out, bytes, "after step %lld", (long long)step);
}

/* Checks one list as long as the parameters; `kept` says what it holds, for messages. */
static enum status check_list(const struct network *n, const float *list, const char *kept,
                              const char *steps, struct failure *f)
{
    for (int l = 0; l < n->count; l++)
        for (int i = 0; i < layer_parameter_count(&n->layers[l]); i++) {
            char name[2 * LAYER_NAME];
            const struct parameter_tensor tensor = layer_parameter(&n->layers[l], i);
            const float *values = list + n->layers[l].offset[i];
            const int64_t at = first_infinite(values, parameter_floats(&tensor));
            if (at < 0)
                continue;
            parameter_name(&n->layers[l], &tensor, name, sizeof name);
            return fail(f, STATUS_WRONG,
                        "%s: %s %s is %g at value %lld: float32 holds no more (a smaller "
                        "--learning-rate, or data of smaller values, may help)",
                        steps, kept, name, (double)values[at], (long long)at);
        }
    return STATUS_OK;
}

enum status trainer_check_finite(const struct network *n, const struct optimizer *o,
                                 const struct trainer_state *s, int64_t step, struct failure *f)
{
    enum status status = STATUS_OK;
    char steps[64];
    name_steps(s, step, steps, sizeof steps);
    for (int i = 0; status == STATUS_OK && i < o->moments; i++) {
        char kept[64];
        snprintf(kept, sizeof kept, "moment %d of %s for", i + 1, o->name);
        if (s->moments[i])
            status = check_list(n, s->moments[i], kept, steps, f);
    }
    return status == STATUS_OK ? check_list(n, s->parameters, "parameter", steps, f) : status;
}
