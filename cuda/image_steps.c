/* The steps of a chunk: send, compute by a kernel or a peer, collect. */
#include "cuda/conv_run.h"
#include "cuda/kernels/training/training.h"
#include "cuda/offload_image.h"
#include "cuda/peers/peer.h"
#include "cuda/tasks.h"
#include "kernels/conv/methods.h"

struct lane *lane_of(const struct image_state *s, int64_t chunk)
{
    return &s->lanes[chunk % s->lane_count];
}

static enum status mark(const struct image_state *s, int64_t chunk, enum mark what,
                        struct failure *f)
{
    return CUDA(cudaEventRecord(s->marks[chunk].at[what], lane_of(s, chunk)->stream), f);
}

static enum status send_operand(const struct instance *in, enum operand_role role,
                                cudaStream_t stream, struct failure *f)
{
    const struct operation *op = in->operation;
    return CUDA(cudaMemcpyAsync(in->operands[role], sent_values(op, role),
                                operand_bytes(&op->operands[role]), cudaMemcpyHostToDevice, stream),
                f);
}

enum status image_send_filter(const struct instance *in, const struct image_state *s,
                              struct failure *f)
{
    const cudaStream_t stream = s->lanes[0].stream;
    enum status status = STATUS_OK;
    if (in->options.filter_memory == FILTER_CONSTANT)
        return status;
    for (int role = 0; status == STATUS_OK && role < OPERAND_COUNT; role++)
        if (in->operands[role])
            status = send_operand(in, (enum operand_role)role, stream, f);
    return status == STATUS_OK ? CUDA(cudaStreamSynchronize(stream), f) : status;
}

static struct task_arrays arrays_of(const struct instance *in, const struct lane *lane,
                                    struct thread_place *places)
{
    const struct image_state *s = in->state;
    struct task_arrays arrays = {.image = lane->image, .map = lane->map, .places = places};
    if (in->parts)
        arrays.parts = in->parts + (lane - s->lanes) * in->pieces * s->chunks.map_elements;
    for (int role = 0; role < OPERAND_COUNT; role++)
        arrays.operands[role] = in->operands[role];
    return arrays;
}

enum status image_convert_in(const struct instance *in, const struct chunk *c,
                             const struct lane *lane, struct failure *f)
{
    if (!in->peer || !in->peer->convert_in)
        return STATUS_OK;
    const struct task_arrays arrays = arrays_of(in, lane, NULL);
    const struct conv_task task = conv_of(in->operation, c, &arrays);
    return in->peer->convert_in(in->peer_state, &task, lane->stream, f);
}

enum status image_convert_out(const struct instance *in, const struct chunk *c,
                              const struct lane *lane, struct failure *f)
{
    if (!in->peer || !in->peer->convert_out)
        return STATUS_OK;
    const struct task_arrays arrays = arrays_of(in, lane, NULL);
    const struct conv_task task = conv_of(in->operation, c, &arrays);
    return in->peer->convert_out(in->peer_state, &task, lane->stream, f);
}

/* Return where the lines of a chunk are in the host's image and map. */
static const float *image_lines(const struct instance *in, const struct chunk *c)
{
    const int64_t before = in->held.image_first * in->operation->image.cols;
    return in->image + (chunk_image_first(in->operation, c) - before);
}

static float *map_lines(const struct instance *in, const struct chunk *c)
{
    const int64_t before = in->held.map_first * in->operation->map.cols;
    return in->map + (chunk_map_first(in->operation, c) - before);
}

enum status image_send(const struct instance *in, const struct image_state *s, int64_t i,
                       struct failure *f)
{
    const struct chunk *c = &s->chunks.items[i];
    const struct lane *lane = lane_of(s, i);
    const int64_t elements = chunk_image_elements(in->operation, c);
    enum status status = mark(s, i, SENDING, f);
    if (status == STATUS_OK && elements > 0)
        status =
            CUDA(cudaMemcpyAsync(lane->image, image_lines(in, c), (size_t)elements * sizeof(float),
                                 cudaMemcpyHostToDevice, lane->stream),
                 f);
    if (status == STATUS_OK)
        status = image_convert_in(in, c, lane, f);
    return status == STATUS_OK ? mark(s, i, SENT, f) : status;
}

/* Queues the peer instead of a kernel. */
static enum status queue_peer(const struct instance *in, const struct chunk *c,
                              const struct task_arrays *a, cudaStream_t stream, struct failure *f)
{
    const struct operation *op = in->operation;
    const struct pool_task pool = pool_of(op, c, a);
    const struct product_task product = product_of(op, c, a);
    if (c->rows == 0)
        return STATUS_OK;
    if (op->kind->device == DEVICE_PRODUCT)
        return in->peer->product(in->peer_state, &product, stream, f);
    if (op->kind->device == DEVICE_POOL)
        return in->peer->pool(in->peer_state, &pool, stream, f);
    const struct conv_task conv = conv_of(op, c, a);
    return in->fused ? in->peer->conv_fused(in->peer_state, &conv, stream, f)
                     : in->peer->conv(in->peer_state, &conv, stream, f);
}

/* Queues a convolution. The epilogue is applied as outputs are stored, or in a pass afterwards. */
static enum status queue_conv(const struct instance *in, const struct launch *l,
                              const struct chunk *c, const struct task_arrays *a, struct failure *f)
{
    const struct operation *op = in->operation;
    struct conv_task task = conv_of(op, c, a);
    task.pieces = in->pieces;
    const struct conv_task sums = sums_of(&task);
    const bool passes = op->parameters.epilogue == CONV_PASS;
    const enum status status = device_conv_run(&in->kernel.conv, l, passes ? &sums : &task, f);
    struct launch pass = *l;
    pass.per_thread = (struct elements_per_thread){1, 1};
    pass.by_groups = false;
    pass.by_strips = false;
    pass.shared_bytes = 0;
    return status == STATUS_OK && passes ? CUDA(launch_conv(&conv_pass_kernel, &pass, &task), f)
                                         : status;
}

/* Queues a product, whole or in pieces of its terms, followed by the addition of their sums. */
static enum status queue_product(const struct instance *in, const struct launch *l,
                                 const struct chunk *c, const struct task_arrays *a,
                                 struct failure *f)
{
    struct product_task task = product_of(in->operation, c, a);
    task.pieces = (int32_t)in->pieces;
    task.piece_stride = task.planes * task.c_plane;
    task.piece_terms = terms_of_piece(task.inner, in->pieces > 1 ? in->pieces : 1);
    const struct pieces_task sums = {.from = task.parts,
                                     .to = task.c,
                                     .count = task.piece_stride,
                                     .piece_stride = task.piece_stride,
                                     .shards = 1,
                                     .pieces = task.pieces};
    const enum status status = CUDA(launch_product(in->kernel.product, l, &task), f);
    return status == STATUS_OK && task.pieces > 1 ? CUDA(launch_pieces(&sums, l->stream), f)
                                                  : status;
}

static enum status queue_kernel(const struct instance *in, const struct launch *l,
                                const struct chunk *c, const struct task_arrays *a,
                                struct failure *f)
{
    const struct operation *op = in->operation;
    const struct device_kernel *k = &in->kernel;
    if (k->pool) {
        const struct pool_task task = pool_of(op, c, a);
        return CUDA(launch_pool(k->pool, l, &task), f);
    }
    if (k->product)
        return queue_product(in, l, c, a, f);
    if (k->conv.narrow)
        return queue_conv(in, l, c, a, f);
    const struct distances_task task = distances_of(op, c, a);
    return CUDA(launch_distances(k->distances, l, &task), f);
}

bool image_fuses(const struct instance *in, const struct chunk *c, const struct lane *lane)
{
    const struct task_arrays arrays = arrays_of(in, lane, NULL);
    if (!in->peer || !in->peer->fuses)
        return false;
    const struct conv_task task = conv_of(in->operation, c, &arrays);
    return in->peer->fuses(in->peer_state, &task);
}

enum status image_launch(const struct instance *in, const struct chunk *c, const struct lane *lane,
                         struct thread_place *places, struct failure *f)
{
    const struct task_arrays arrays = arrays_of(in, lane, places);
    struct launch launch = in->launch;
    launch.stream = lane->stream;
    return in->peer ? queue_peer(in, c, &arrays, launch.stream, f)
                    : queue_kernel(in, &launch, c, &arrays, f);
}

enum status image_compute_in_a_row(const struct instance *in, const struct image_state *s,
                                   int64_t i, int64_t launches, struct failure *f)
{
    enum status status = mark(s, i, COMPUTING, f);
    for (int64_t n = 0; status == STATUS_OK && n < launches; n++)
        status = image_launch(in, &s->chunks.items[i], lane_of(s, i), NULL, f);
    return status == STATUS_OK ? mark(s, i, COMPUTED, f) : status;
}

enum status image_compute(const struct instance *in, const struct image_state *s, int64_t i,
                          struct failure *f)
{
    return image_compute_in_a_row(in, s, i, 1, f);
}

enum status image_collect(const struct instance *in, const struct image_state *s, int64_t i,
                          struct failure *f)
{
    const struct chunk *c = &s->chunks.items[i];
    const struct lane *lane = lane_of(s, i);
    float *to = map_lines(in, c);
    const size_t bytes = (size_t)chunk_map_elements(in->operation, c) * sizeof(float);
    enum status status = mark(s, i, COLLECTING, f);
    if (status == STATUS_OK)
        status = image_convert_out(in, c, lane, f);
    if (status == STATUS_OK)
        status =
            CUDA(cudaMemcpyAsync(to, lane->map, bytes, cudaMemcpyDeviceToHost, lane->stream), f);
    return status == STATUS_OK ? mark(s, i, COLLECTED, f) : status;
}

enum status lane_wait(const struct lane *lane, struct failure *f)
{
    return CUDA(cudaStreamSynchronize(lane->stream), f);
}
