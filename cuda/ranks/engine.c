#include "cuda/ranks/engine.h"

#include "cuda/cuda_space.h"
#include "cuda/host_memory.h"
#include "cuda/offload_image.h"
#include "cuda/ranks/place.h"
#include "cuda/ranks/ranks.h"

/* ---- the device of a rank ---------------------------------------------------------------------
 */

static enum status refuse(const struct job *job, struct failure *f)
{
    const struct device_options *o = &job->device;
    if (o->offload != OFFLOAD_IMAGE)
        return fail(f, STATUS_USAGE,
                    "--offload: ranks take the whole of their bands (image), not windows");
    if (o->filter_memory == FILTER_CONSTANT && operator_takes_panels(job->operation->kind))
        return fail(f, STATUS_USAGE,
                    "--filter-memory constant: among ranks only rank 0 has the %s before an "
                    "execution, so it is transferred",
                    operator_right(job->operation->kind)->noun);
    if (o->count)
        return fail(f, STATUS_USAGE,
                    "--count, --explain: for a program of one process, without a launcher");
    return STATUS_OK;
}

static enum status take(const struct job *job, struct failure *f)
{
    const enum status status = refuse(job, f); /* the same in every rank */
    return status == STATUS_OK ? place_take(job, f) : status;
}

/* ---- memory and computing ---------------------------------------------------------------------
 */

static enum status allocate(struct guarded *block, size_t bytes, const char *what,
                            struct failure *f)
{
    return host_allocate_guarded(HOST_PINNED, block, bytes, what, f);
}

static void release(struct guarded *block)
{
    host_release_guarded(HOST_PINNED, block);
}

/* Returns the most device memory for image and map of this rank: its share without the operands,
 * and no more than was asked for. At least 1 byte, because 0 stands for all that is free. */
static int64_t bytes_for_bands(const struct job *job)
{
    size_t bytes = place_share_bytes();
    for (int role = 0; role < OPERAND_COUNT; role++) {
        const struct operand *o = &job->operation->operands[role];
        const size_t used = o->values ? operand_bytes(o) : 0;
        bytes = bytes > used ? bytes - used : 1;
    }
    const int64_t asked = job->device.memory_bytes;
    return asked > 0 && (size_t)asked < bytes ? asked : (int64_t)bytes;
}

/* Caches stay warm: the image is sent between two kernels. */
static enum status open_device(const struct job *job, void *first, void **device,
                               struct resources *resources, struct failure *f)
{
    struct job own = *job;
    struct resources r = *resources;
    struct instance *in = NULL;
    if (job->peer)
        return fail(f, STATUS_USAGE, "--method %s: among ranks our own kernels compute",
                    operation_method(job->operation));
    own.device.device = place_device();
    own.device.host_memory = HOST_PINNED;
    own.device.warm_cache = true;
    own.device.memory_bytes = bytes_for_bands(job);
    const enum status status =
        first ? cuda_space.join(first, &own, &in, &r, f) : cuda_space.open(&own, &in, &r, f);
    *device = in;
    if (status != STATUS_OK)
        return status;
    resources->isa = r.isa;
    if (first)
        return STATUS_OK;
    resources->device = r.device;
    resources->device_summary = r.device_summary;
    resources->chunks = r.chunks;
    return STATUS_OK;
}

static void poison(void *device)
{
    cuda_space.poison(device);
}

static enum status begin(void *device, struct failure *f)
{
    const struct instance *in = device;
    if (in->pending.status != STATUS_OK)
        return fail(f, in->pending.status, "%s", in->pending.message);
    return image_send_filter(in, in->state, f);
}

static enum status compute(void *device, int64_t first, int64_t count, double *seconds,
                           struct failure *f)
{
    return image_compute_lines(device, first, count, seconds, f);
}

static enum status read_device(void *device, struct phases *phases, struct failure *f)
{
    return image_read_device(device, phases, f);
}

static void close_device(void *device)
{
    cuda_space.close(device);
}

const struct engine gpu_engine = {.space = "cuda",
                                  .kind = SPACE_CUDA,
                                  .take = take,
                                  .allocate = allocate,
                                  .release = release,
                                  .open = open_device,
                                  .describe = place_describe,
                                  .poison = poison,
                                  .begin = begin,
                                  .compute = compute,
                                  .read = read_device,
                                  .merge_readings = place_merge_readings,
                                  .close = close_device};

struct space ranks_among(void)
{
    return mpi_space_by(&gpu_engine);
}
