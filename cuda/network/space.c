#include "cuda/network/space.h"

#include "cuda/network/run.h"
#include "cuda/network/train.h"
#include "cuda/nvml.h"
#include "harness/base/clock.h"
#include "harness/base/text/screen.h"
#include "harness/machine/memory.h"
#include "kernels/operators.h"
#include "networks/point/training/training.h"
#include "peers/peers.h"

#include <stdlib.h>
#include <string.h>

/* No second of an emulation is one of a GPU. */
#ifdef CUDA_EMULATION_WITHOUT_TIMES
enum { GRAPHS_ARE_TIMED = false };
#else
enum { GRAPHS_ARE_TIMED = true };
#endif

/* What an instance on a device has beyond one on the host. */
struct device_state {
    struct device device;
    int64_t number; /* of the device */
    enum host_memory memory;
    float *outputs; /* pinned; NULL: memory is pageable */
    struct device_run run;
    struct device_trainer trainer; /* for a network in training */
    const struct nvml *nvml;       /* NULL: not found */
    struct nvml *own_nvml;         /* the same, if this is the first method's */
    char isa[128];
    char summary[1024];
    size_t described;       /* characters of it before the graphs of training steps; 0: none yet */
    struct failure pending; /* of a poisoning, reported by the next execution */
};

static struct device_state *state_of(const struct instance *in)
{
    return in->device;
}

/* ---- opening ----------------------------------------------------------------------------------
 */

/* Finds the engine: "own", or the library that computes convolutions under that name. */
static enum status find_engine(struct device_state *s, const char *name, struct failure *f)
{
    const struct peer_row *row = peers_find(&device_peers, &conv_operator, name);
    const struct peer *peer = NULL;
    if (!row)
        return STATUS_OK;
    if (row->method.unavailable)
        return fail(f, STATUS_UNAVAILABLE, "--engine %s: %s", name, row->method.unavailable);
    const enum status status = device_peers.load(row, &peer, f);
    s->run.engine.peer = peer ? peer->device : NULL;
    return status;
}

/* Opens the plan, whose steps run on the device. The host allocates the outputs of all layers too,
 * for the oracle. A rank without images runs nothing. */
static enum status open_plan(struct instance *in, struct failure *f)
{
    const struct network_run *run = in->run;
    struct forward *w = &in->forward;
    w->team = (struct team){.workers = 1, .run = team_alone};
    w->clocked = run->settings.clocked;
    w->traced = run->settings.traced;
    w->device_step = device_run_step;
    w->device_context = &state_of(in)->run;
    w->plan = (struct plan){.network = &run->network,
                            .parameters = run->raw.values,
                            .batch = run->images.here.count,
                            .whole_batch = run->images.batch,
                            .isa = ISA_BASELINE,
                            .external = true};
    return run->images.here.count > 0 ? forward_open(w, f) : STATUS_OK;
}

static enum status allocate_pinned(struct guarded *block, size_t bytes, const char *what,
                                   struct failure *f)
{
    return host_allocate_guarded(HOST_PINNED, block, bytes, what, f);
}

static void release_pinned(struct guarded *block)
{
    host_release_guarded(HOST_PINNED, block);
}

const struct image_memory network_pinned = {allocate_pinned, release_pinned};

/* Allocates pinned memory for the outputs. */
static enum status pin(struct instance *in, struct failure *f)
{
    struct device_state *s = state_of(in);
    const int64_t elements = tensor_elements(network_output(&in->run->network));
    const size_t bytes = (size_t)(in->run->images.here.count * elements) * sizeof(float);
    const enum status status =
        bytes > 0 ? host_allocate(HOST_PINNED, &s->outputs, bytes, "the outputs", f) : STATUS_OK;
    in->forward.caller_output = s->outputs;
    return status;
}

/* Opens the network on the device, for the images of this instance. */
static enum status open_inference(struct instance *in, const struct job *job, struct failure *f)
{
    struct device_state *s = state_of(in);
    enum status status = s->memory == HOST_PINNED ? pin(in, f) : STATUS_OK;
    if (status == STATUS_OK)
        status = open_plan(in, f);
    return status == STATUS_OK && in->run->images.here.count > 0
               ? device_run_open(&s->run, &in->forward, job->device.warm_cache, f)
               : status;
}

/* Writes "CUDA graphs: 1, of 43 kernels". */
static void describe_graphs(char *text, size_t size, int64_t graphs, int64_t kernels)
{
    message_fill(
        text, size,
        message_plural(screen_language(), "CUDA graphs: %{graphs}, of %{kernels} kernel",
                       "CUDA graphs: %{graphs}, of %{kernels} kernels", (unsigned long)kernels),
        WITH({"graphs", integer_text(graphs).text}, {"kernels", integer_text(kernels).text}));
}

/* Adds a line on the graph of a network: how many kernels it launches, and what that saves. */
static void describe_graph(struct device_state *s)
{
    const size_t used = strlen(s->summary);
    char share[24], text[160];
    if (!s->run.graph.launches)
        return;
    describe_graphs(text, sizeof text, 1, s->run.graph.kernels);
    snprintf(share, sizeof share, "%.0f %%", 100.0 * s->run.between_share);
    if (s->run.compares)
        message_format(s->summary + used, sizeof s->summary - used, screen_language(),
                       "\n%{graphs}; launched one by one, %{share} of the time or more lies "
                       "between them",
                       WITH({"graphs", text}, {"share", share}));
    else
        snprintf(s->summary + used, sizeof s->summary - used, "\n%s", text);
}

/* The same for the graphs of training steps, one for each size of batch, which are captured later:
 * the line is written anew. It also has the kernels of a step of the first size. */
static void describe_step_graphs(void *context, const struct part_graphs *g)
{
    struct device_state *s = context;
    char text[160], share[24];
    if (s->described == 0)
        s->described = strlen(s->summary);
    describe_graphs(text, sizeof text, g->captured, g->kernels);
    snprintf(share, sizeof share, "%.0f %%", 100.0 * g->between_share);
    message_format(s->summary + s->described, sizeof s->summary - s->described, screen_language(),
                   g->compares
                       ? N_("\n%{graphs}; a training step is one graph instead of %{single} "
                            "launches, of whose time %{share} or more lies between them")
                       : N_("\n%{graphs}; a training step is one graph instead of %{single} "
                            "launches"),
                   WITH({"graphs", text}, {"single", integer_text(g->all[0].graph.kernels).text},
                        {"share", share}));
}

/* Refuses graphs where there are none, and where parts of them were to be timed. */
static enum status check_graph(const struct instance *in, struct failure *f)
{
    const enum status status = graph_supported(&state_of(in)->device, f);
    return status == STATUS_OK && (in->run->settings.clocked || in->run->settings.traced)
               ? fail(f, STATUS_USAGE,
                      "--submit graph: the layers of a graph cannot be timed one by one: leave "
                      "out --layers, --record-layers and --trace")
               : status;
}

static enum status open_training(struct instance *in, const struct job *job,
                                 struct resources *resources, struct failure *f)
{
    struct device_state *s = state_of(in);
    const struct team team = {.workers = 1, .run = team_alone};
    device_trainer_begin(&s->trainer, &s->device, job->device.block, job->device.host_memory);
    s->trainer.trainer_interface.traced = in->run->settings.traced || in->run->settings.clocked;
    s->trainer.trainer_interface.overlaps = job->device.overlaps;
    s->trainer.captures = s->run.captures;
    s->trainer.graphs.compares = s->run.compares;
    s->trainer.describe = describe_step_graphs;
    s->trainer.describe_context = s;
    in->run->training->trainer.where.device = &s->trainer.trainer_interface;
    return training_open(job, in->run, team, resources, f);
}

/* Adds a line on the exchange of gradients, among ranks. */
static void describe_exchange(struct device_state *s, const struct instance *in)
{
    const size_t used = strlen(s->summary);
    if (in->run->training && in->run->training->trainer.where.exchange)
        snprintf(s->summary + used, sizeof s->summary - used, "\n%s",
                 screen_text(s->trainer.trainer_interface.overlaps
                                 ? N_("gradients are exchanged while the GPU runs backward")
                                 : N_("gradients are exchanged after the GPU ran backward")));
}

static void describe_device(const struct instance *in, struct resources *resources, int64_t block)
{
    const struct language *l = screen_language();
    struct device_state *s = state_of(in);
    device_run_name(&s->run, s->isa, sizeof s->isa); /* each layer reports its method */
    device_describe(&s->device, s->summary, sizeof s->summary);
    const size_t used = strlen(s->summary);
    message_format(
        s->summary + used, sizeof s->summary - used, l,
        ", engine %{engine}\nblocks of %{block} x %{block} threads, %{pages} memory here, L2 cache "
        "%{cache} between samples",
        WITH({"engine", s->isa}, {"block", integer_text(block).text},
             {"pages", host_memory_word(s->memory, l)}, {"cache", flush_word(&s->run.flush, l)}));
    describe_graph(s);
    describe_exchange(s, in);
    resources->ranks = resources->threads = RECORD_NO_INT;
    resources->nodes = 1;
    resources->launch = "plain";
    resources->bind = "none";
    resources->isa = s->isa;
    resources->device = s->device.name;
    resources->device_summary = s->summary;
    resources->chunks = 1;
}

/* Takes the device, and finds out what is to run on it. */
static enum status take_device(struct instance *in, const struct job *job, struct failure *f)
{
    struct device_state *s = in->device = calloc(1, sizeof *s);
    if (!s)
        return fail(f, STATUS_RESOURCE, "no memory for a device");
    s->number = job->device.device;
    s->memory = job->device.host_memory;
    s->run.engine = (struct layer_engine){.device = &s->device, .block = job->device.block};
    enum status status = device_take(&s->device, job->device.device, f);
    s->run.captures = job->device.submit == SUBMIT_GRAPH;
    s->run.compares = GRAPHS_ARE_TIMED;
    if (status == STATUS_OK && s->run.captures)
        status = check_graph(in, f);
    return status == STATUS_OK ? find_engine(s, operation_method(job->operation), f) : status;
}

static enum status open_network(struct instance *in, const struct job *job,
                                struct resources *resources, struct failure *f)
{
    const enum status status =
        in->run->training ? open_training(in, job, resources, f) : open_inference(in, job, f);
    if (status == STATUS_OK)
        describe_device(in, resources, job->device.block);
    return status;
}

enum status network_device_open(struct instance *in, const struct job *job,
                                struct resources *resources, struct failure *f)
{
    const enum status status = take_device(in, job, f);
    return status == STATUS_OK ? open_network(in, job, resources, f) : status;
}

void network_device_close(struct instance *in)
{
    struct device_state *s = state_of(in);
    if (!s)
        return;
    device_trainer_close(&s->trainer);
    if (in->run->training)
        training_close(in->run->training);
    device_run_close(&s->run);
    nvml_close(s->own_nvml);
    host_release(HOST_PINNED, s->outputs);
    free(s);
    in->device = NULL;
}

static void close_cuda(struct instance *in)
{
    if (in)
        network_device_close(in);
    network_close(in);
}

void network_device_watch(struct instance *in, void (*merge)(struct phases *phases))
{
    struct device_state *s = state_of(in);
    s->nvml = s->run.nvml = s->trainer.nvml = s->own_nvml = nvml_open(s->device.bus);
    s->trainer.trainer_interface.merge_readings = merge;
    nvml_describe(s->nvml, s->summary, sizeof s->summary);
}

/* Opens the device, reads the images, and opens the network. */
static enum status open_all(struct instance *in, const struct job *job, struct resources *resources,
                            struct failure *f)
{
    enum status status = take_device(in, job, f);
    if (job->device.host_memory == HOST_PINNED)
        in->memory = &network_pinned;
    if (status == STATUS_OK && !in->run->training)
        status = instance_images(in, in->run->images.here, job->source, resources, f);
    return status == STATUS_OK ? open_network(in, job, resources, f) : status;
}

static enum status open_cuda(const struct job *job, struct instance **out,
                             struct resources *resources, struct failure *f)
{
    const double start = clock_now();
    struct instance *in;
    *out = NULL;
    enum status status = instance_make(job->subject, &in, f);
    if (status == STATUS_OK)
        status = open_all(in, job, resources, f);
    if (status != STATUS_OK) {
        close_cuda(in);
        return status;
    }
    const struct device_state *s = state_of(in);
    network_device_watch(in, NULL);
    resources->setup_s = clock_now() - start - s->run.first_launch_s - s->trainer.first_launch_s;
    *out = in;
    return STATUS_OK;
}

/* Opens another engine for the same images. It has its own arrays on the device. */
static enum status join_cuda(struct instance *first, const struct job *job, struct instance **out,
                             struct resources *resources, struct failure *f)
{
    const double start = clock_now();
    const struct device_state *other = state_of(first);
    struct instance *in;
    *out = NULL;
    enum status status = instance_make(first->run, &in, f);
    if (status == STATUS_OK) {
        in->forward.input = first->forward.input;
        status = network_device_open(in, job, resources, f);
    }
    if (status != STATUS_OK) {
        close_cuda(in);
        return status;
    }
    struct device_state *s = state_of(in);
    s->nvml = s->run.nvml = other->nvml;
    resources->setup_s = clock_now() - start - s->run.first_launch_s;
    *out = in;
    return STATUS_OK;
}

/* ---- running ----------------------------------------------------------------------------------
 */

void network_device_poison(struct instance *in)
{
    struct device_state *s = state_of(in);
    if (s->run.count > 0)
        device_run_poison(&s->run, &in->forward, &s->pending);
}

enum status network_device_execute(struct instance *in, struct phases *phases, struct failure *f)
{
    struct device_state *s = state_of(in);
    *phases = phases_none();
    if (s->pending.status != STATUS_OK)
        return fail(f, s->pending.status, "%s", s->pending.message);
    return s->run.count > 0 ? device_run_batch(&s->run, &in->forward, phases, f) : STATUS_OK;
}

enum status network_device_read(struct instance *in, struct phases *phases, struct failure *f)
{
    struct device_state *s = state_of(in);
    return s->run.count > 0 ? device_run_read(&s->run, &in->forward, phases, f) : STATUS_OK;
}

static enum status execute_cuda(struct instance *in, struct phases *phases, struct failure *f)
{
    const struct batch_times *t = &state_of(in)->run.times;
    const enum status status = network_device_execute(in, phases, f);
    in->moments = (struct moments){t->began, t->sent, t->computed, t->collected, false};
    return status == STATUS_OK ? network_device_read(in, phases, f) : status;
}

const struct space network_cuda_space = {.name = "cuda",
                                         .kind = SPACE_CUDA,
                                         .open = open_cuda,
                                         .join = join_cuda,
                                         .poison = network_device_poison,
                                         .execute = execute_cuda,
                                         .map = network_map,
                                         .close = close_cuda,
                                         .available = device_probe};
