#include "cuda/choice.h"

#include "harness/space/operation.h"

const struct cuda_kernels *const cuda_methods[] = {&naive_kernels, &loop_kernels, &tiled_kernels,
                                                   &roof_kernels, &registers_kernels};
const int cuda_method_count = sizeof cuda_methods / sizeof cuda_methods[0];

static bool serves(const struct cuda_kernels *k, bool pooling, const struct geometry *g)
{
    if (!pooling)
        return k->product != NULL;
    return k->pool && (!k->serves || k->serves(g->kernel, g->stride));
}

struct choice choose_kernel(const struct instance *in, const struct cuda_kernels *method)
{
    const struct device_options *o = &in->options;
    const struct geometry *g = &in->operation->geometry;
    const bool pooling =
        in->offloading == &offload_image && in->operation->kind->device == DEVICE_POOL;
    const struct cuda_kernels *k = serves(method, pooling, g) ? method : &loop_kernels;
    struct choice c = {.kernels = k,
                       .launch = {.block = o->block,
                                  .grid_rows = in->device.grid_rows,
                                  .grid_planes = in->device.grid_planes,
                                  .processors = in->device.processors}};
    if (pooling)
        c.pool = k->pool(o->block, o->filter_memory, g->kernel, g->stride);
    else
        c.product = k->product(o->block, o->filter_memory);
    if (pooling && k->pool_shared)
        c.launch.shared_bytes = k->pool_shared(o->block, g->kernel, g->stride);
    if (k->share)
        c.launch.share = k->share(o->block, g->kernel);
    return c;
}

cudaError_t look_at_choice(const struct choice *c, struct kernel_facts *facts)
{
    return c->pool ? look_at_pool(c->pool, &c->launch, facts)
                   : look_at_product(c->product, &c->launch, facts);
}
