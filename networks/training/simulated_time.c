#include "networks/training/simulated_time.h"

#include "harness/machine/memory.h"
#include "harness/machine/simulation.h"

void pace_product(const struct pace *p, const struct network *n, const struct layer *l,
                  int64_t images)
{
    if (l->kind->multiply_adds)
        simulation_spend(p->image_s * (double)images * l->kind->multiply_adds(l) /
                         network_training_multiply_adds(n));
}

void pace_sum(const struct pace *p, const struct network *n, double gradients)
{
    simulation_spend(p->sum_s * gradients / (double)n->floats);
}

void pace_update(const struct pace *p)
{
    simulation_spend(p->update_s);
}

/* ---- memory -------------------------------------------------------------------------------------
 */

/* Of SimGrid 3.32: 1.1 KB and 0.3 MB as measured with 64 ranks, rounded up. */
enum { MESSAGE_BYTES = 2 << 10, RANK_BYTES = 1 << 20 };

static int64_t layers_with_parameters(const struct network *n)
{
    int64_t count = 0;
    for (int i = 0; i < n->count; i++)
        count += layer_parameter_count(&n->layers[i]) > 0;
    return count;
}

size_t pace_bytes(const struct network *n, int64_t shards, int64_t ranks, bool mirrored)
{
    const size_t others = (size_t)ranks - 1, layers = (size_t)layers_with_parameters(n);
    const size_t receivers = mirrored ? others : 1;
    const size_t of_layer = memory_add(memory_multiply((size_t)shards, receivers),
                                       memory_multiply((size_t)ranks, receivers));
    return memory_add(memory_multiply(memory_multiply(of_layer, layers), MESSAGE_BYTES),
                      memory_multiply((size_t)ranks, RANK_BYTES));
}

enum status pace_check(const struct network *n, int64_t shards, int64_t ranks, bool mirrored,
                       struct failure *f)
{
    const size_t need = pace_bytes(n, shards, ranks, mirrored), room = memory_available();
    char needed[32], there[32];
    if (need <= room)
        return STATUS_OK;
    memory_text(needed, sizeof needed, (double)need);
    memory_text(there, sizeof there, (double)room);
    return fail(f, STATUS_RESOURCE,
                "no memory for the messages of a step between %lld simulated ranks, %lld shards: "
                "%s are needed and %s are available",
                (long long)ranks, (long long)shards, needed, there);
}
