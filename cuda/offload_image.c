/* The whole image is sent, every window is multiplied and reduced on the device, and the map is
 * copied back; the matrix product is offloaded in the same way. If the device's memory cannot hold
 * all of it, or if several streams are to overlap, the image is sent in chunks of rows. Each stream
 * has its own arrays and takes every n-th chunk, n being the number of streams. */
#include "cuda/offload_image.h"

#include "cuda/choice.h"
#include "cuda/peers/peer.h"

#include <stdlib.h>
#include <string.h>

static enum status open_lane(struct lane *lane, const struct chunks *c, struct failure *f)
{
    enum status status = CUDA(cudaStreamCreateWithFlags(&lane->stream, cudaStreamNonBlocking), f);
    if (status == STATUS_OK && c->image_elements > 0)
        status = CUDA(
            device_malloc((void **)&lane->image, (size_t)c->image_elements * sizeof(float)), f);
    if (status == STATUS_OK)
        status =
            CUDA(device_malloc((void **)&lane->map, (size_t)c->map_elements * sizeof(float)), f);
    return status;
}

/* Returns the arrays of the map's size per lane: the map, and the sums of pieces of any method that
 * may join later. If a peer is first, no such sums are reserved within --device-memory. */
static int64_t maps_of(const struct instance *in)
{
    const int64_t pieces = in->peer ? 1 : choose_most_pieces(in);
    return pieces > 1 ? 1 + pieces : 1;
}

/* No chunk is both in the interior and outside of it. */
static enum status plan_held(const struct instance *in, struct image_state *s, size_t available,
                             struct failure *f)
{
    const struct held *h = &in->held;
    const struct chunk_span spans[] = {
        {h->map_first, h->interior, h->image_first, h->own_end},
        {h->map_first + h->interior, h->map_count - h->interior, h->image_first, h->image_end}};
    return chunks_plan_spans(&s->chunks, in->operation, spans, 2, in->options.streams, maps_of(in),
                             available, f);
}

static enum status plan(struct instance *in, struct image_state *s, struct failure *f)
{
    size_t available = 0;
    enum status status = device_available(&available, f);
    if (in->options.memory_bytes > 0 && (size_t)in->options.memory_bytes < available)
        available = (size_t)in->options.memory_bytes;
    if (status != STATUS_OK)
        return status;
    if (in->held.map)
        return plan_held(in, s, available, f);
    return chunks_plan(&s->chunks, in->operation, in->options.streams, maps_of(in), available, f);
}

static enum status open_image(struct instance *in, struct resources *resources, struct failure *f)
{
    struct image_state *s = in->state = calloc(1, sizeof *s);
    if (!s)
        return fail(f, STATUS_RESOURCE, "no memory for the streams");
    enum status status = plan(in, s, f);
    if (status != STATUS_OK)
        return status;
    s->lanes = calloc((size_t)in->options.streams, sizeof *s->lanes);
    s->marks = calloc((size_t)s->chunks.count, sizeof *s->marks);
    if (!s->lanes || !s->marks)
        return fail(f, STATUS_RESOURCE, "no memory for the streams");
    s->lane_count = in->options.streams;
    for (int64_t i = 0; status == STATUS_OK && i < s->lane_count; i++)
        status = open_lane(&s->lanes[i], &s->chunks, f);
    for (int64_t i = 0; status == STATUS_OK && i < s->chunks.count; i++)
        status = device_events_open(s->marks[i].at, MARKS, f);
    if (status == STATUS_OK)
        status = device_events_open(&s->origin, 1, f);
    resources->partition = s->chunks.partition;
    resources->chunks = s->chunks.count;
    return status;
}

static size_t parts_bytes(const struct instance *in)
{
    const struct image_state *s = in->state;
    return (size_t)(s->lane_count * in->pieces * s->chunks.map_elements) * sizeof *in->parts;
}

enum status image_open_parts(struct instance *in, struct failure *f)
{
    return CUDA(device_malloc((void **)&in->parts, parts_bytes(in)), f);
}

static void close_lane(struct lane *lane)
{
    cudaFree(lane->image);
    cudaFree(lane->map);
    device_stream_close(&lane->stream);
}

static void close_image(struct instance *in)
{
    struct image_state *s = in->state;
    if (!s)
        return;
    for (int64_t i = 0; i < s->lane_count; i++)
        close_lane(&s->lanes[i]);
    for (int64_t i = 0; s->marks && i < s->chunks.count; i++)
        device_events_close(s->marks[i].at, MARKS);
    device_events_close(&s->origin, 1);
    chunks_release(&s->chunks);
    free(s->lanes);
    free(s->marks);
    free(s);
}

/* Overwrites what the last sample left, so that the next one cannot use it: image elements become a
 * value that wins every window, sums, filter and map become NaN. */
static enum status poison_image(struct instance *in, struct failure *f)
{
    const struct image_state *s = in->state;
    float *right = in->operands[in->operation->kind->right];
    enum status status = STATUS_OK;
    if (in->parts)
        status = CUDA(cudaMemsetAsync(in->parts, 0xff, parts_bytes(in), s->lanes[0].stream), f);
    if (status == STATUS_OK && right)
        status = CUDA(cudaMemsetAsync(right, 0xff, operand_bytes(operation_right(in->operation)),
                                      s->lanes[0].stream),
                      f);
    if (status == STATUS_OK && in->peer && in->peer->poison)
        status = in->peer->poison(in->peer_state, s->lanes[0].stream, f);
    for (int64_t i = 0; status == STATUS_OK && i < s->lane_count; i++) {
        const struct lane *lane = &s->lanes[i];
        const size_t image = (size_t)s->chunks.image_elements * sizeof(float);
        const size_t map = (size_t)s->chunks.map_elements * sizeof(float);
        if (image > 0)
            status = CUDA(cudaMemsetAsync(lane->image, 0x7f, image, lane->stream), f);
        if (status == STATUS_OK)
            status = CUDA(cudaMemsetAsync(lane->map, 0xff, map, lane->stream), f);
        if (status == STATUS_OK)
            status = lane_wait(lane, f);
    }
    return status;
}

static enum status launch_nothing(const struct instance *in, const struct image_state *s,
                                  struct failure *f)
{
    struct chunk none = s->chunks.items[0];
    none.rows = none.in_rows = 0;
    none.planes = 1;
    return image_launch(in, &none, &s->lanes[0], NULL, f);
}

/* A library loads its kernels and chooses among them at the first call that has work. So this call
 * computes a whole chunk of zeros. */
static enum status call_peer(const struct instance *in, const struct image_state *s,
                             struct failure *f)
{
    const struct lane *lane = &s->lanes[0];
    const size_t bytes = (size_t)s->chunks.image_elements * sizeof(float);
    enum status status = STATUS_OK;
    if (bytes > 0)
        status = CUDA(cudaMemsetAsync(lane->image, 0, bytes, lane->stream), f);
    if (status == STATUS_OK)
        status = image_convert_in(in, &s->chunks.items[0], lane, f);
    if (status == STATUS_OK)
        status = image_launch(in, &s->chunks.items[0], lane, NULL, f);
    return status == STATUS_OK ? image_convert_out(in, &s->chunks.items[0], lane, f) : status;
}

static enum status run_way(void *context, int way, struct failure *f)
{
    struct instance *in = context;
    const struct image_state *s = in->state;
    in->fused = way == 1;
    return image_launch(in, &s->chunks.items[0], &s->lanes[0], NULL, f);
}

/* Keeps the faster of two ways of a library: bias by a pass of its own, or in the same call. */
static enum status choose_way(struct instance *in, const struct image_state *s, struct failure *f)
{
    int faster = 0;
    if (!image_fuses(in, &s->chunks.items[0], &s->lanes[0]))
        return STATUS_OK;
    const enum status status = device_faster(run_way, in, s->lanes[0].stream, &faster, f);
    in->fused = faster == 1;
    if (in->fused)
        snprintf(in->isa + strlen(in->isa), sizeof in->isa - strlen(in->isa), ", fused");
    return status;
}

static enum status launch_first(struct instance *in, struct failure *f)
{
    const struct image_state *s = in->state;
    enum status status = image_send_filter(in, s, f); /* which a peer reads */
    if (status == STATUS_OK)
        status = in->peer ? call_peer(in, s, f) : launch_nothing(in, s, f);
    if (status == STATUS_OK)
        status = lane_wait(&s->lanes[0], f);
    return status == STATUS_OK ? choose_way(in, s, f) : status;
}

/* Computes one chunk again and records which thread computed which output. */
static enum status note_chunk(struct instance *in, const struct image_state *s, int64_t i,
                              struct thread_place *device, struct thread_place *host,
                              struct failure *f)
{
    const struct chunk *c = &s->chunks.items[i];
    const struct lane *lane = lane_of(s, i);
    const size_t bytes = (size_t)chunk_map_elements(in->operation, c) * sizeof *host;
    enum status status = CUDA(cudaMemsetAsync(device, 0, bytes, lane->stream), f);
    if (status == STATUS_OK)
        status = image_send(in, s, i, f);
    if (status == STATUS_OK)
        status = image_launch(in, c, lane, device, f);
    if (status == STATUS_OK)
        status = CUDA(cudaMemcpyAsync(host + chunk_map_first(in->operation, c), device, bytes,
                                      cudaMemcpyDeviceToHost, lane->stream),
                      f);
    return status == STATUS_OK ? lane_wait(lane, f) : status;
}

static enum status note_map(struct instance *in, struct thread_place **places, int64_t *rows,
                            int64_t *cols, struct failure *f)
{
    const struct image_state *s = in->state;
    const struct image_shape map = in->operation->map;
    struct thread_place *device = NULL;
    *rows = map.planes * map.rows;
    *cols = map.cols;
    *places = calloc((size_t)(*rows * *cols), sizeof **places);
    if (!*places)
        return fail(f, STATUS_RESOURCE, "no memory for the places of threads");
    enum status status =
        CUDA(device_malloc((void **)&device, (size_t)s->chunks.map_elements * sizeof *device), f);
    if (status == STATUS_OK)
        status = image_send_filter(in, s, f);
    for (int64_t i = 0; status == STATUS_OK && i < s->chunks.count; i++)
        status = note_chunk(in, s, i, device, *places, f);
    cudaFree(device);
    return status;
}

const struct offloading offload_image = {.open = open_image,
                                         .poison = poison_image,
                                         .execute = image_execute,
                                         .launch_first = launch_first,
                                         .note_places = note_map,
                                         .close = close_image};
