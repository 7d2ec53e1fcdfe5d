/* The steps of a chunk: sent, computed by a kernel or a peer, collected. */
#include "cuda/offload_image.h"
#include "cuda/peers/peer.h"

struct lane *lane_of(const struct image_state *s, int64_t chunk)
{
    return &s->lanes[chunk % s->lane_count];
}

static enum status mark(const struct image_state *s, int64_t chunk, enum mark what,
                        struct failure *f)
{
    return CUDA(cudaEventRecord(s->marks[chunk].at[what], lane_of(s, chunk)->stream), f);
}

enum status image_send_filter(const struct instance *in, const struct image_state *s,
                              struct failure *f)
{
    const struct operation *op = in->operation;
    const cudaStream_t stream = s->lanes[0].stream;
    if (in->options.filter_memory == FILTER_CONSTANT)
        return STATUS_OK;
    enum status status = CUDA(cudaMemcpyAsync(in->filter, op->second.values, filter_bytes(op),
                                              cudaMemcpyHostToDevice, stream),
                              f);
    return status == STATUS_OK ? CUDA(cudaStreamSynchronize(stream), f) : status;
}

enum status image_send(const struct instance *in, const struct image_state *s, int64_t i,
                       struct failure *f)
{
    const struct chunk *c = &s->chunks.items[i];
    const struct lane *lane = lane_of(s, i);
    const int64_t cells = chunk_image_cells(in->operation, c);
    enum status status = mark(s, i, SENDING, f);
    if (status == STATUS_OK && cells > 0)
        status = CUDA(cudaMemcpyAsync(lane->image, in->image + chunk_image_first(in->operation, c),
                                      (size_t)cells * sizeof(float), cudaMemcpyHostToDevice,
                                      lane->stream),
                      f);
    return status == STATUS_OK ? mark(s, i, SENT, f) : status;
}

static struct pool_task pool_of(const struct instance *in, const struct chunk *c,
                                const struct lane *lane)
{
    const struct geometry *g = &in->operation->geometry;
    return (struct pool_task){.image = lane->image,
                              .filter = in->filter,
                              .map = lane->map,
                              .planes = c->planes,
                              .in_rows = c->in_rows,
                              .in_cols = g->cols,
                              .out_rows = c->rows,
                              .out_cols = g->out_cols,
                              .map_plane = c->rows * g->out_cols,
                              .top = c->row * g->stride - g->padding - c->in_first,
                              .left = -g->padding,
                              .kernel = g->kernel,
                              .stride = g->stride,
                              .pad = geometry_pad_value(g)};
}

static struct product_task product_of(const struct instance *in, const struct chunk *c,
                                      const struct lane *lane)
{
    return (struct product_task){.a = lane->image,
                                 .b = in->filter,
                                 .c = lane->map,
                                 .rows = c->rows,
                                 .order = in->operation->image.cols};
}

/* The peer in the kernel's place. */
static enum status queue_peer(const struct instance *in, const struct chunk *c,
                              const struct lane *lane, struct failure *f)
{
    if (c->rows == 0)
        return STATUS_OK;
    if (in->operation->kind->device == DEVICE_PRODUCT) {
        const struct product_task task = product_of(in, c, lane);
        return in->peer->product(in->peer_state, &task, lane->stream, f);
    }
    const struct pool_task task = pool_of(in, c, lane);
    return in->peer->pool(in->peer_state, &task, lane->stream, f);
}

enum status image_launch(const struct instance *in, const struct chunk *c, const struct lane *lane,
                         struct thread_place *places, struct failure *f)
{
    struct launch launch = in->launch;
    launch.stream = lane->stream;
    if (in->peer)
        return queue_peer(in, c, lane, f);
    if (in->operation->kind->device == DEVICE_PRODUCT) {
        struct product_task task = product_of(in, c, lane);
        task.places = places;
        return CUDA(launch_product(in->product, &launch, &task), f);
    }
    struct pool_task task = pool_of(in, c, lane);
    task.places = places;
    return CUDA(launch_pool(in->pool, &launch, &task), f);
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
    float *to = in->map + chunk_map_first(in->operation, c);
    const size_t bytes = (size_t)chunk_map_cells(in->operation, c) * sizeof(float);
    enum status status = mark(s, i, COLLECTING, f);
    if (status == STATUS_OK)
        status =
            CUDA(cudaMemcpyAsync(to, lane->map, bytes, cudaMemcpyDeviceToHost, lane->stream), f);
    return status == STATUS_OK ? mark(s, i, COLLECTED, f) : status;
}

enum status lane_wait(const struct lane *lane, struct failure *f)
{
    return CUDA(cudaStreamSynchronize(lane->stream), f);
}
