#include "cuda/ranks/network_engine.h"

#include "cuda/network/space.h"
#include "cuda/ranks/place.h"
#include "cuda/ranks/ranks.h"
#include "networks/ranks/ranks.h"

#include <string.h>

/* Images, outputs and gradients are pinned. Caches stay warm: images are sent between two
 * executions. */
static enum status open_device(struct instance *in, const struct job *job,
                               struct resources *resources, struct failure *f)
{
    struct job own = *job;
    if (strcmp(operation_method(job->operation), "own") != 0)
        return fail(f, STATUS_USAGE, "--engine %s: among ranks our own kernels compute",
                    operation_method(job->operation));
    own.device.device = place_device();
    own.device.host_memory = HOST_PINNED;
    own.device.warm_cache = true;
    const enum status status = network_device_open(in, &own, resources, f);
    if (status == STATUS_OK)
        network_device_watch(in, place_merge_readings);
    return status;
}

const struct network_engine gpu_network_engine = {.space = "cuda",
                                                  .kind = SPACE_CUDA,
                                                  .memory = &network_pinned,
                                                  .take = place_take,
                                                  .open = open_device,
                                                  .describe = place_describe,
                                                  .poison = network_device_poison,
                                                  .execute = network_device_execute,
                                                  .read = network_device_read,
                                                  .merge_readings = place_merge_readings,
                                                  .close = network_device_close};

struct space ranks_among(void)
{
    return network_ranks_by(&gpu_network_engine);
}
