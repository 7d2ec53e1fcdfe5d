/* Parameters, and what the optimizer keeps of them, must stay finite: what overflows stays so, and
 * a moment that is infinite ends the training of its parameter while the loss looks right. */
#include "networks/training/trainer.h"

#include <math.h>

/* The first value of a tensor that is not finite; -1: there is none. */
static int64_t first_infinite(const float *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return i;
    return -1;
}

/* The steps, up to this one, of which one made what was finite before it infinite. */
static void name_steps(const struct trainer *t, int64_t step, char *out, size_t bytes)
{
    if (step - t->finite > 1)
        snprintf(out, bytes, "between steps %lld and %lld", (long long)t->finite + 1,
                 (long long)step);
    else
        snprintf(out, bytes, "after step %lld", (long long)step);
}

/* One list as long as the parameters; `kept` is what it is to them. */
static enum status check_list(const struct trainer *t, const float *list, const char *kept,
                              int64_t step, struct failure *f)
{
    const struct network *n = t->forward.plan.network;
    for (int l = 0; l < n->count; l++)
        for (int i = 0; i < layer_parameter_count(&n->layers[l]); i++) {
            char name[2 * LAYER_NAME], steps[64];
            const struct parameter_tensor tensor = layer_parameter(&n->layers[l], i);
            const float *values = list + n->layers[l].offset[i];
            const int64_t at = first_infinite(values, parameter_floats(&tensor));
            if (at < 0)
                continue;
            parameter_name(&n->layers[l], &tensor, name, sizeof name);
            name_steps(t, step, steps, sizeof steps);
            return fail(f, STATUS_WRONG,
                        "%s: %s %s is %g at value %lld: float32 holds no more (a smaller "
                        "--learning-rate, or data of smaller values, may help)",
                        steps, kept, name, (double)values[at], (long long)at);
        }
    return STATUS_OK;
}

enum status trainer_check_finite(const struct trainer *t, int64_t step, struct failure *f)
{
    enum status status = STATUS_OK;
    if (t->pace)
        return status;
    for (int i = 0; status == STATUS_OK && i < t->optimizer->moments; i++) {
        char kept[64];
        snprintf(kept, sizeof kept, "moment %d of %s for", i + 1, t->optimizer->name);
        if (t->moments[i])
            status = check_list(t, t->moments[i], kept, step, f);
    }
    return status == STATUS_OK ? check_list(t, t->parameters, "parameter", step, f) : status;
}
