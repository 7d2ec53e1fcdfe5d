/* What is known of a training before it starts: whether the network can be trained, and the bytes
 * that it needs. */
#include "harness/machine/memory.h"
#include "kernels/min_max.h"
#include "networks/training/trainer.h"
#include "networks/training/trainer_parts.h"

/* ---- which networks ----------------------------------------------------------------------------
 */

enum status trainer_can(const struct network *n, struct failure *f)
{
    for (int i = 0; i < n->count; i++) {
        const struct layer *l = &n->layers[i];
        const bool plain = l->kind->role == ROLE_CLAMP || l->kind->role == ROLE_NOTHING;
        if (l->kind->role == ROLE_NORM)
            return fail(f, STATUS_USAGE,
                        "network %s cannot be trained here: %s is a batch norm, whose statistics "
                        "would hang on how a batch is divided",
                        n->name, l->name);
        if (!plain && !l->kind->backward)
            return fail(f, STATUS_USAGE,
                        "network %s cannot be trained here: %s (%s) has no gradient", n->name,
                        l->name, l->kind->name);
        if (network_source(n, l->input) != network_source(n, i - 1))
            return fail(f, STATUS_USAGE,
                        "network %s cannot be trained here: %s does not read the layer before it",
                        n->name, l->name);
    }
    return STATUS_OK;
}

/* ---- memory -------------------------------------------------------------------------------------
 */

static size_t bytes_of(int64_t a, int64_t b)
{
    return memory_multiply(memory_multiply((size_t)a, (size_t)b), sizeof(float));
}

int64_t trainer_widest(const struct network *n)
{
    int64_t most = tensor_elements(n->input);
    for (int i = 0; i < n->count; i++)
        most = larger(most, tensor_elements(n->layers[i].out));
    return most;
}

size_t trainer_bytes(const struct network *n, const struct trainer_settings *s)
{
    int64_t outputs = tensor_elements(n->input) + 2 * trainer_widest(n);
    for (int i = 0; i < n->count; i++)
        if (n->layers[i].kind->role == ROLE_COMPUTE)
            outputs += tensor_elements(n->layers[i].out);
    const int64_t of_parameters = 2 + s->optimizer->moments; /* gradients, and packed */
    return memory_add(bytes_of(s->batch, outputs), bytes_of(n->floats, of_parameters));
}

size_t trainer_process_bytes(const struct network *n, const struct trainer_settings *s)
{
    const int64_t of_parameters = 2 + s->optimizer->moments; /* parameters, and copies of all */
    return memory_add(trainer_bytes(n, s), bytes_of(n->floats, of_parameters));
}
