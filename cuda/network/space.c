#include "cuda/network/space.h"

#include "cuda/network/run.h"
#include "cuda/network/train.h"
#include "cuda/nvml.h"
#include "harness/base/clock.h"
#include "harness/machine/memory.h"
#include "kernels/operators.h"
#include "networks/point/instance.h"
#include "networks/point/training/training.h"
#include "peers/peers.h"

#include <stdlib.h>
#include <string.h>

/* What an instance on a device has beyond one on the host. */
struct board {
    struct device device;
    int64_t number; /* of the device */
    enum host_memory memory;
    float *images, *outputs; /* pinned; NULL: memory is pageable */
    struct device_run run;
    struct device_trainer trainer; /* for a network in training */
    const struct nvml *nvml;       /* NULL: not found */
    struct nvml *own_nvml;         /* the same, if this is the first method's */
    char isa[128];
    char summary[1024];
    struct failure pending; /* of a poisoning, reported by the next execution */
};

static struct board *board_of(const struct instance *in)
{
    return in->space_state;
}

/* ---- opening ----------------------------------------------------------------------------------
 */

/* Finds the engine: "own", or the library that computes convolutions under that name. */
static enum status find_engine(struct board *b, const char *name, struct failure *f)
{
    const struct peer_row *row = peers_find(&device_peers, &conv_operator, name);
    const struct peer *peer = NULL;
    if (!row)
        return STATUS_OK;
    if (row->method.unavailable)
        return fail(f, STATUS_UNAVAILABLE, "--engine %s: %s", name, row->method.unavailable);
    const enum status status = device_peers.load(row, &peer, f);
    b->run.engine.peer = peer ? peer->device : NULL;
    return status;
}

/* Opens the plan, whose steps run on the device. The host allocates the outputs of all layers too,
 * for the oracle. */
static enum status open_plan(struct instance *in, struct failure *f)
{
    const struct network_run *run = in->run;
    struct forward *w = &in->forward;
    w->team = (struct team){.workers = 1, .run = team_alone};
    w->clocked = run->settings.clocked;
    w->traced = run->settings.traced;
    w->device_step = device_run_step;
    w->place = &board_of(in)->run;
    w->plan = (struct plan){.network = &run->network,
                            .parameters = run->raw.values,
                            .batch = run->images.here.count,
                            .whole_batch = run->images.batch,
                            .isa = ISA_BASELINE,
                            .external = true};
    return forward_open(w, f);
}

/* Allocates pinned memory for the outputs, and for the images if this instance owns them. */
static enum status pin(struct instance *in, struct failure *f)
{
    struct board *b = board_of(in);
    const struct network *n = &in->run->network;
    const size_t count = (size_t)in->run->images.here.count;
    const size_t images = count * (size_t)tensor_elements(n->input) * sizeof(float);
    const size_t outputs = count * (size_t)tensor_elements(network_output(n)) * sizeof(float);
    enum status status = host_allocate(HOST_PINNED, &b->outputs, outputs, "the outputs", f);
    in->forward.landing = b->outputs;
    if (status != STATUS_OK || !in->images)
        return status;
    status = host_allocate(HOST_PINNED, &b->images, images, "the images", f);
    if (status != STATUS_OK)
        return status;
    memcpy(b->images, in->images, images);
    in->forward.input = b->images;
    guarded_release(&in->own);
    in->images = NULL;
    return STATUS_OK;
}

/* Reads the images if this instance owns them, and opens the network on the device. */
static enum status open_inference(struct instance *in, const struct job *job,
                                  struct resources *resources, struct failure *f)
{
    struct board *b = board_of(in);
    enum status status = STATUS_OK;
    if (job->source)
        status = instance_images(in, in->run->images.here, job->source, resources, f);
    if (status == STATUS_OK && b->memory == HOST_PINNED)
        status = pin(in, f);
    if (status == STATUS_OK)
        status = open_plan(in, f);
    return status == STATUS_OK ? device_run_open(&b->run, &in->forward, job->device.warm_cache, f)
                               : status;
}

static enum status open_training(struct instance *in, const struct job *job,
                                 struct resources *resources, struct failure *f)
{
    struct board *b = board_of(in);
    const struct team team = {.workers = 1, .run = team_alone};
    device_trainer_begin(&b->trainer, &b->device, job->device.block, job->device.host_memory);
    b->trainer.face.traced = in->run->settings.traced || in->run->settings.clocked;
    in->run->training->trainer.where.device = &b->trainer.face;
    return training_open(job, in->run, team, resources, f);
}

static void describe_device(struct board *b, struct resources *resources, int64_t block)
{
    const struct device *d = &b->device;
    char memory[32], cache[32];
    memory_text(memory, sizeof memory, (double)d->memory_bytes);
    memory_text(cache, sizeof cache, (double)d->cache_bytes);
    device_run_name(&b->run, b->isa, sizeof b->isa); /* each layer reports its method */
    snprintf(b->summary, sizeof b->summary,
             "%s, compute capability %d.%d, %lld multiprocessor%s, %s, L2 cache %s\n"
             "driver serves CUDA %d.%d, runtime %d.%d, engine %s\n"
             "blocks of %lld x %lld threads, %s memory here, L2 cache %s between samples",
             d->name, d->major, d->minor, (long long)d->processors, d->processors == 1 ? "" : "s",
             memory, cache, d->driver / 1000, d->driver % 1000 / 10, d->runtime / 1000,
             d->runtime % 1000 / 10, b->isa, (long long)block, (long long)block,
             b->memory == HOST_PINNED ? "pinned" : "pageable",
             b->run.flush.array ? "flushed" : "left warm");
    resources->ranks = resources->threads = RECORD_NO_INT;
    resources->nodes = 1;
    resources->launch = "plain";
    resources->bind = "none";
    resources->isa = b->isa;
    resources->device = d->name;
    resources->device_summary = b->summary;
    resources->chunks = 1;
}

static void close_board(struct instance *in)
{
    struct board *b = in ? board_of(in) : NULL;
    if (b) {
        device_trainer_close(&b->trainer);
        device_run_close(&b->run);
        nvml_close(b->own_nvml);
    }
    network_close(in);
    if (b) {
        host_release(HOST_PINNED, b->images);
        host_release(HOST_PINNED, b->outputs);
    }
    free(b);
}

/* Opens the device and the network on it. */
static enum status open_on(struct instance *in, const struct job *job, const char *engine,
                           struct resources *resources, struct failure *f)
{
    struct board *b = in->space_state = calloc(1, sizeof *b);
    if (!b)
        return fail(f, STATUS_RESOURCE, "no memory for a device");
    b->number = job->device.device;
    b->memory = job->device.host_memory;
    b->run.engine = (struct layer_engine){.device = &b->device, .block = job->device.block};
    enum status status = device_take(&b->device, job->device.device, f);
    if (status == STATUS_OK)
        status = find_engine(b, engine, f);
    if (status == STATUS_OK)
        status = in->run->training ? open_training(in, job, resources, f)
                                   : open_inference(in, job, resources, f);
    if (status == STATUS_OK)
        describe_device(b, resources, job->device.block);
    return status;
}

static enum status open_cuda(const struct job *job, struct instance **out,
                             struct resources *resources, struct failure *f)
{
    const double start = clock_now();
    struct instance *in;
    *out = NULL;
    enum status status = instance_make(job->subject, &in, f);
    if (status == STATUS_OK)
        status = open_on(in, job, operation_method(job->operation), resources, f);
    if (status != STATUS_OK) {
        close_board(in);
        return status;
    }
    struct board *b = board_of(in);
    b->nvml = b->run.nvml = b->trainer.nvml = b->own_nvml = nvml_open(b->device.bus);
    resources->setup_s = clock_now() - start - b->run.first_launch_s - b->trainer.first_launch_s;
    *out = in;
    return STATUS_OK;
}

/* Opens another engine for the same images. It has its own arrays on the device. */
static enum status join_cuda(struct instance *first, const struct job *job, struct instance **out,
                             struct resources *resources, struct failure *f)
{
    const double start = clock_now();
    const struct board *other = board_of(first);
    struct instance *in;
    *out = NULL;
    enum status status = instance_make(first->run, &in, f);
    if (status == STATUS_OK) {
        in->forward.input = first->forward.input;
        status = open_on(in, job, operation_method(job->operation), resources, f);
    }
    if (status != STATUS_OK) {
        close_board(in);
        return status;
    }
    struct board *b = board_of(in);
    b->nvml = b->run.nvml = other->nvml;
    resources->setup_s = clock_now() - start - b->run.first_launch_s;
    *out = in;
    return STATUS_OK;
}

/* ---- running ----------------------------------------------------------------------------------
 */

static void poison_cuda(struct instance *in)
{
    struct board *b = board_of(in);
    device_run_poison(&b->run, &in->forward, &b->pending);
}

static enum status execute_cuda(struct instance *in, struct phases *phases, struct failure *f)
{
    struct board *b = board_of(in);
    *phases = phases_none();
    if (b->pending.status != STATUS_OK)
        return fail(f, b->pending.status, "%s", b->pending.message);
    const struct batch_times *t = &b->run.times;
    const enum status status = device_run_batch(&b->run, &in->forward, phases, f);
    in->moments = (struct moments){t->began, t->sent, t->computed, t->collected, false};
    return status;
}

const struct space network_cuda_space = {.name = "cuda",
                                         .kind = SPACE_CUDA,
                                         .open = open_cuda,
                                         .join = join_cuda,
                                         .poison = poison_cuda,
                                         .execute = execute_cuda,
                                         .map = network_map,
                                         .close = close_board,
                                         .available = device_probe};
