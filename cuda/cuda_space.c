#include "cuda/cuda_space.h"

#include "cuda/choice.h"
#include "cuda/instance.h"
#include "cuda/kernel_facts.h"
#include "cuda/nvml.h"
#include "cuda/offload_image.h"
#include "cuda/peers/peer.h"
#include "cuda/peers/peer_kernels.h"
#include "cuda/tasks.h"
#include "harness/base/clock.h"
#include "harness/base/text/screen.h"
#include "harness/machine/memory.h"
#include "harness/space/guards.h"
#include "kernels/precision/declared_math.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT_TEXT = 48 };

/* ---- host memory ------------------------------------------------------------------------------
 */

static size_t shape_bytes(struct image_shape s)
{
    return (size_t)(s.planes * s.rows * s.cols) * sizeof(float);
}

static enum status open_host(struct instance *in, const struct job *job,
                             struct resources *resources, struct failure *f)
{
    const struct operation *op = in->operation;
    const size_t image = shape_bytes(op->image), map = shape_bytes(op->map);
    in->held = job->held;
    in->image = in->held.image;
    in->map = in->held.map;
    if (in->map)
        return STATUS_OK;
    enum status status = memory_check(memory_add(image, map), "image and map", f);
    if (status == STATUS_OK)
        status =
            host_allocate_guarded(in->options.host_memory, &in->image_block, image, "the image", f);
    if (status == STATUS_OK)
        status = host_allocate_guarded(in->options.host_memory, &in->map_block, map, "the map", f);
    in->image = in->image_block.block;
    in->map = in->map_block.block;
    resources->facts = IMAGE_FACTS_NONE;
    if (status == STATUS_OK)
        status = source_read_all(job->source, in->image, &resources->facts, f);
    if (status != STATUS_OK)
        return status;
    guarded_plant(&in->image_block);
    guarded_plant(&in->map_block);
    return STATUS_OK;
}

/* ---- the device -------------------------------------------------------------------------------
 */

enum { TENSOR_CAPABILITY = 80 }; /* from which on tensor cores multiply tf32 and bf16 */

/* Operands that are rounded need a GPU with tensor cores for them. */
static enum status check_math(const struct instance *in, struct failure *f)
{
    const struct device *d = &in->device;
    const char *math = math_words[in->operation->parameters.math];
    if (!math_rounds(in->operation))
        return STATUS_OK;
#ifdef MAXPOOL_HIP
    (void)d;
    return fail(f, STATUS_UNAVAILABLE,
                "--math %s is not supported on AMD's GPUs: its kernels are written for the tensor "
                "cores of NVIDIA's",
                math);
#else
    if (10 * d->major + d->minor >= TENSOR_CAPABILITY)
        return STATUS_OK;
    return fail(
        f, STATUS_UNAVAILABLE,
        "--math %s: tensor cores multiply it from compute capability 8.0 on (A100, RTX 30), "
        "and the %s has %d.%d: choose such a GPU with --device, or measure --math fp32",
        math, d->name, d->major, d->minor);
#endif
}

static enum status find_kernels(struct instance *in, struct failure *f)
{
    const char *name = operation_method(in->operation);
    const struct cuda_method *method = cuda_method_find(in->operation->kind, name);
    if (!method)
        return fail(f, STATUS_USAGE, "there is no kernel for the method %s", name);
    const enum status status = check_math(in, f);
    if (status != STATUS_OK)
        return status;
    const struct choice choice = choose_kernel(in, method);
    in->kernels = choice.kernels;
    in->kernel = choice.kernel;
    in->launch = choice.launch;
    in->pieces = choice.pieces;
    return STATUS_OK;
}

/* ---- peers ------------------------------------------------------------------------------------
 */

/* A peer needs the image in one piece, one stream, and the filter in a device array. */
static enum status find_peer(struct instance *in, const struct peer *peer, struct failure *f)
{
    const struct device_options *o = &in->options;
    const char *name = operation_method(in->operation);
    in->peer = peer->device;
    in->launch = launch_on(&in->device, o->block);
    if (!in->peer)
        return fail(f, STATUS_USAGE, "--method %s: does not compute on a GPU", name);
    if (o->offload != OFFLOAD_IMAGE)
        return fail(f, STATUS_USAGE, "--method %s: needs --offload image", name);
    if (o->filter_memory != FILTER_TRANSFERRED)
        return fail(f, STATUS_USAGE, "--method %s: needs --filter-memory transferred", name);
    if (o->streams > 1)
        return fail(f, STATUS_USAGE, "--method %s: takes one stream, not %lld", name,
                    (long long)o->streams);
    return STATUS_OK;
}

enum { PEER_SCRATCH_BYTES = 256 << 20 };

static enum status prepare_peer(struct instance *in, const struct peer *peer, int64_t chunks,
                                struct failure *f)
{
    const bool convolves = in->operation->kind->device == DEVICE_CONV;
    const struct device_peer_job job = {
        .operation = in->operation,
        .conv = convolves ? whole_conv(in->operation) : (struct conv_task){0},
        .launch = in->launch,
        .way = peer ? peer->way : NULL,
        .scratch_bytes =
            in->options.memory_bytes > 0 ? in->options.memory_bytes : PEER_SCRATCH_BYTES,
        .tools = {.allocate = device_malloc,
                  .release = cudaFree,
                  .launch = launch_pool,
                  .launch_conv = launch_conv,
                  .pad = peer_pad_kernel,
                  .maximum = peer_maximum_kernel,
                  .windows = &peer_windows_kernel,
                  .biases = &peer_biases_kernel,
                  .check = cuda_check}};
    const char *name = "";
    if (!in->peer)
        return STATUS_OK;
    if (chunks > 1)
        return fail(f, STATUS_USAGE,
                    "--method %s: takes the image in one piece, device memory holds only a part",
                    operation_method(in->operation));
    enum status status = peer_state_make(&in->peer_state, in->peer->state_bytes, f);
    if (status == STATUS_OK)
        status = in->peer->prepare(&job, in->peer_state, &name, f);
    snprintf(in->isa, sizeof in->isa, "%s", name);
    return status;
}

/* Kernels that were compiled for an older architecture have no instructions for tensor cores. */
static enum status check_compiled(const struct instance *in, const struct kernel_facts *facts,
                                  struct failure *f)
{
    char option[96];
    if (!math_rounds(in->operation) || facts->compiled_for >= TENSOR_CAPABILITY)
        return STATUS_OK;
    return fail(f, STATUS_UNAVAILABLE,
                "--math %s: the kernels of this build are compiled for sm_%d, and tensor cores "
                "multiply it from sm_80 on: configure with %s",
                math_words[in->operation->parameters.math], facts->compiled_for,
                device_architecture_option(option, sizeof option));
}

/* Records the architecture that the kernel was compiled for and, if it strides, how many of its
 * blocks fill the device. */
static enum status query_own_kernel(struct instance *in, struct failure *f)
{
    struct kernel_facts facts = {0};
    enum status status = CUDA(query_kernel(&in->kernel, &in->launch, &facts), f);
    if (status == STATUS_OK)
        status = check_compiled(in, &facts, f);
    if (in->kernels->strides)
        in->launch.filling = in->device.processors * (facts.blocks > 0 ? facts.blocks : 1);
    snprintf(in->isa, sizeof in->isa, "sm_%d", facts.architecture);
    return status;
}

static enum status refuse_constant(const struct operation *op, struct failure *f)
{
    const struct image_shape s = operation_right(op)->shape;
    return fail(f, STATUS_USAGE,
                "--filter-memory constant: constant memory holds a %s of %d x %d at most, this one "
                "is %lld x %lld",
                operator_right(op->kind)->noun, CONSTANT_ORDER, CONSTANT_ORDER,
                (long long)(s.planes * s.rows), (long long)s.cols);
}

/* Copies the right operand to constant memory once. Each method has its own constant memory. */
static enum status set_constant(struct instance *in, struct failure *f)
{
    const struct operand *right = operation_right(in->operation);
    void *address = NULL;
    if (shape_elements(right->shape) > CONSTANT_ORDER * CONSTANT_ORDER)
        return refuse_constant(in->operation, f);
    enum status status = CUDA(in->kernels->constant_filter(&address), f);
    if (status == STATUS_OK)
        status = CUDA(cudaMemcpy(address, sent_values(in->operation, in->operation->kind->right),
                                 operand_bytes(right), cudaMemcpyHostToDevice),
                      f);
    return status == STATUS_OK ? CUDA(cudaDeviceSynchronize(), f) : status;
}

/* Allocates the device array of an operand, to which the offload sends the values. If the right
 * operand is in constant memory, the offload sends nothing, and all values are copied here. */
static enum status open_operand(struct instance *in, enum operand_role role, struct failure *f)
{
    const struct operand *o = &in->operation->operands[role];
    const size_t bytes = operand_bytes(o);
    const bool constant = in->options.filter_memory == FILTER_CONSTANT;
    if (constant && role == in->operation->kind->right)
        return set_constant(in, f);
    if (in->first)
        return STATUS_OK;
    enum status status = CUDA(device_malloc((void **)&in->operands[role], bytes), f);
    if (status == STATUS_OK && constant)
        status = CUDA(cudaMemcpy(in->operands[role], o->values, bytes, cudaMemcpyHostToDevice), f);
    return status == STATUS_OK && constant ? CUDA(cudaDeviceSynchronize(), f) : status;
}

/* Opens the operands that the operation has. */
static enum status open_operands(struct instance *in, struct failure *f)
{
    enum status status = STATUS_OK;
    for (int role = 0; status == STATUS_OK && role < OPERAND_COUNT; role++)
        if (in->operation->operands[role].values)
            status = open_operand(in, (enum operand_role)role, f);
    return status;
}

/* Times the first launch by itself. The runtime loads a kernel only when it is first used, so this
 * launch has no work and comes before anything else uses the kernel. A peer's first call, which
 * loads much more, has real work. */
static enum status launch_first(struct instance *in, struct failure *f)
{
    const double start = clock_now();
    enum status status = in->offloading->launch_first(in, f);
    in->first_launch_s = clock_now() - start;
    return status;
}

/* Opens the kernels or the library of a method. The first method also opens the offload's arrays,
 * which later methods share. */
static enum status open_device(struct instance *in, const struct peer *peer,
                               struct resources *resources, struct failure *f)
{
    enum status status = peer ? find_peer(in, peer, f) : find_kernels(in, f);
    if (status == STATUS_OK)
        status = open_operands(in, f);
    if (status == STATUS_OK && !in->first)
        status = in->options.warm_cache ? STATUS_OK : flush_open(&in->flush, &in->device, f);
    if (status == STATUS_OK && !in->first)
        status = in->offloading->open(in, resources, f);
    if (status == STATUS_OK && in->pieces > 1)
        status = image_open_parts(in, f);
    if (status == STATUS_OK)
        status = prepare_peer(in, peer, resources->chunks, f);
    if (status == STATUS_OK)
        status = launch_first(in, f);
    return status == STATUS_OK && !in->peer ? query_own_kernel(in, f) : status;
}

/* ---- description of the setup -----------------------------------------------------------------
 */

/* Fills the count into a form of "%{n} streams". */
static void count_text(char text[COUNT_TEXT], const char *form, int64_t count)
{
    message_fill(text, COUNT_TEXT, form, WITH({"n", integer_text(count).text}));
}

static void summarise_device(struct instance *in, const struct resources *resources)
{
    static const char *const offloads[] = {"image", "window", "window-lean"};
    const struct language *l = screen_language();
    const struct device_options *o = &in->options;
    char streams[COUNT_TEXT], chunks[COUNT_TEXT];
    count_text(streams, message_plural(l, "%{n} stream", "%{n} streams", (unsigned long)o->streams),
               o->streams);
    count_text(chunks,
               message_plural(l, "%{n} chunk", "%{n} chunks", (unsigned long)resources->chunks),
               resources->chunks);
    device_describe(&in->device, in->summary, sizeof in->summary);
    const size_t used = strlen(in->summary);
    message_format(
        in->summary + used, sizeof in->summary - used, l,
        ", kernels %{kernels}\noffload %{offload}, filter %{filter}, blocks of %{block} x %{block} "
        "threads\n%{pages} host memory, %{streams}, %{chunks}, L2 cache %{cache} between samples",
        WITH({"kernels", in->isa}, {"offload", offloads[o->offload]},
             {"filter", message(l, o->filter_memory == FILTER_CONSTANT ? N_("in constant memory")
                                                                       : N_("transferred"))},
             {"block", integer_text(o->block).text}, {"pages", host_memory_word(o->host_memory, l)},
             {"streams", streams}, {"chunks", chunks}, {"cache", flush_word(&in->flush, l)}));
}

static void describe(struct instance *in, struct resources *resources)
{
    resources->ranks = RECORD_NO_INT;
    resources->threads = RECORD_NO_INT;
    resources->nodes = 1;
    resources->launch = "plain";
    resources->bind = "none";
    resources->isa = in->isa;
    resources->device = in->device.name;
    summarise_device(in, resources);
    resources->device_summary = in->summary;
}

/* ---- the space's functions --------------------------------------------------------------------
 */

static void close_cuda(struct instance *in)
{
    if (!in)
        return;
    cudaDeviceSynchronize(); /* nothing may still be reading what is freed */
    if (in->peer)
        peer_state_end(in->peer_state, in->peer->release);
    cudaFree(in->parts);
    if (!in->first) {
        in->offloading->close(in);
        for (int role = 0; role < OPERAND_COUNT; role++)
            cudaFree(in->operands[role]);
        flush_close(&in->flush);
        host_release_guarded(in->options.host_memory, &in->image_block);
        host_release_guarded(in->options.host_memory, &in->map_block);
        nvml_close(in->nvml);
    }
    free(in);
}

static void poison_cuda(struct instance *in)
{
    struct failure *f = &in->pending;
    if (!in->held.map)
        memset(in->map, 0xff, shape_bytes(in->operation->map));
    if (in->offloading->poison(in, f) == STATUS_OK)
        flush_cache(&in->flush, f);
}

static enum status open_cuda(const struct job *job, struct instance **out,
                             struct resources *resources, struct failure *f)
{
    const double start = clock_now();
    *out = NULL;
    struct instance *in = calloc(1, sizeof *in);
    if (!in)
        return fail(f, STATUS_RESOURCE, "no memory for an instance");
    in->operation = job->operation;
    in->options = job->device;
    in->offloading = job->device.offload == OFFLOAD_IMAGE ? &offload_image : &offload_window;
    resources->chunks = 1;
    enum status status = device_take(&in->device, job->device.device, f);
    if (status == STATUS_OK)
        status = open_host(in, job, resources, f);
    if (status == STATUS_OK)
        status = open_device(in, job->peer, resources, f);
    if (status != STATUS_OK) {
        close_cuda(in);
        return status;
    }
    in->nvml = nvml_open(in->device.bus);
    describe(in, resources);
    nvml_describe(in->nvml, in->summary, sizeof in->summary);
    resources->setup_s = clock_now() - start - in->first_launch_s;
    *out = in;
    return STATUS_OK;
}

/* Opens another method on the arrays of the first one. */
static enum status join_cuda(struct instance *first, const struct job *job, struct instance **out,
                             struct resources *resources, struct failure *f)
{
    const double start = clock_now();
    *out = NULL;
    struct instance *in = malloc(sizeof *in);
    if (!in)
        return fail(f, STATUS_RESOURCE, "no memory for an instance");
    *in = *first;
    in->first = first;
    in->operation = job->operation;
    in->kernels = NULL;
    in->kernel = (struct device_kernel){0};
    in->peer = NULL;
    in->peer_state = NULL;
    in->fused = false;
    in->pieces = 1;
    in->parts = NULL;
    in->computes_long = false;
    enum status status = open_device(in, job->peer, resources, f);
    if (status != STATUS_OK) {
        close_cuda(in);
        return status;
    }
    describe(in, resources);
    resources->setup_s = clock_now() - start - in->first_launch_s;
    *out = in;
    return STATUS_OK;
}

/* Copies, launch and synchronization take about ten microseconds, hundreds of ticks of the host's
 * clock. So an execution is never too short to be timed by itself, and there is no batch. */
static enum status execute_cuda(struct instance *in, struct phases *phases, struct failure *f)
{
    *phases = phases_none();
    if (in->pending.status != STATUS_OK)
        return fail(f, in->pending.status, "%s", in->pending.message);
    phases->first_launch_s = in->first_launch_s;
    return in->offloading->execute(in, phases, f);
}

/* Checks the guards of the host's arrays. Device arrays have no guards of ours: compute-sanitizer
 * checks them (scripts/gpu_check.sh), and so does the emulated device, which checks every kernel
 * with guards of its own. */
static enum status check_guards_cuda(struct instance *in, struct failure *f)
{
    struct instance *owner = in->first ? in->first : in;
    const struct image_shape image = in->operation->image, map = in->operation->map;
    const struct guarded_lines all[] = {{"map", map, 0, map.planes * map.rows},
                                        {"image", image, 0, image.planes * image.rows}};
    const enum status of_map = guards_check_lines(&owner->map_block, &all[0], f);
    const enum status of_image = guards_check_lines(&owner->image_block, &all[1], f);
    return of_map != STATUS_OK ? of_map : of_image;
}

static const float *map_cuda(const struct instance *in, int64_t *first, int64_t *count)
{
    const struct image_shape map = in->operation->map;
    *first = 0;
    *count = map.planes * map.rows * map.cols;
    return in->map;
}

static enum status describe_cuda(struct instance *in, enum space_topic topic, FILE *out,
                                 struct failure *f)
{
    if (in->peer)
        return fail(f, STATUS_USAGE,
                    "--kernel-facts, --show-indices: the kernels of %s are its own",
                    operation_method(in->operation));
    return topic == SPACE_KERNEL_FACTS ? describe_kernel_facts(in, out, f)
                                       : describe_indices(in, out, f);
}

const struct space cuda_space = {.name = "cuda",
                                 .kind = SPACE_CUDA,
                                 .open = open_cuda,
                                 .join = join_cuda,
                                 .poison = poison_cuda,
                                 .execute = execute_cuda,
                                 .check_guards = check_guards_cuda,
                                 .map = map_cuda,
                                 .close = close_cuda,
                                 .available = device_probe,
                                 .describe = describe_cuda};
