/* The image goes over, every window is multiplied and reduced there, the map comes back; the matrix
 * product goes the same way. Where the device's memory does not hold all of it, or several streams
 * are to overlap, it goes in chunks of rows: each stream has a lane, arrays of its own, and takes
 * every so many chunks in turn. */
#include "cuda/chunks.h"
#include "cuda/instance.h"
#include "cuda/peers/peer.h"
#include "harness/base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct lane {
    cudaStream_t stream;
    float *image, *map; /* of one chunk, on the device */
};

/* When the device came to these points of one chunk: the begin and end of each step, so that what
 * the host does between two steps is no part of either. */
enum mark { SENDING, SENT, COMPUTING, COMPUTED, COLLECTING, COLLECTED, MARKS };

struct marks {
    cudaEvent_t at[MARKS];
};

struct image_state {
    struct chunks chunks;
    int64_t lane_count;
    struct lane *lanes;
    struct marks *marks; /* of each chunk */
    cudaEvent_t origin;
};

/* ---- opening and closing -----------------------------------------------------------------------
 */

static enum status open_lane(struct lane *lane, const struct chunks *c, struct failure *f)
{
    enum status status = CUDA(cudaStreamCreateWithFlags(&lane->stream, cudaStreamNonBlocking), f);
    if (status == STATUS_OK && c->image_cells > 0)
        status = CUDA(cudaMalloc((void **)&lane->image, (size_t)c->image_cells * sizeof(float)), f);
    if (status == STATUS_OK)
        status = CUDA(cudaMalloc((void **)&lane->map, (size_t)c->map_cells * sizeof(float)), f);
    return status;
}

static enum status open_marks(struct marks *marks, struct failure *f)
{
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < MARKS; i++)
        status = CUDA(cudaEventCreate(&marks->at[i]), f);
    return status;
}

static enum status plan(struct instance *in, struct image_state *s, struct failure *f)
{
    size_t room = 0;
    enum status status = device_room(&room, f);
    if (in->options.memory_bytes > 0 && (size_t)in->options.memory_bytes < room)
        room = (size_t)in->options.memory_bytes;
    if (status == STATUS_OK)
        status = chunks_plan(&s->chunks, in->operation, in->options.streams, room, f);
    return status;
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
        status = open_marks(&s->marks[i], f);
    if (status == STATUS_OK)
        status = CUDA(cudaEventCreate(&s->origin), f);
    resources->deal = s->chunks.deal;
    resources->chunks = s->chunks.count;
    return status;
}

static void close_lane(struct lane *lane)
{
    cudaFree(lane->image);
    cudaFree(lane->map);
    if (lane->stream)
        cudaStreamDestroy(lane->stream);
}

static void close_marks(struct marks *marks)
{
    for (int i = 0; i < MARKS; i++)
        if (marks->at[i])
            cudaEventDestroy(marks->at[i]);
}

static void close_image(struct instance *in)
{
    struct image_state *s = in->state;
    if (!s)
        return;
    for (int64_t i = 0; i < s->lane_count; i++)
        close_lane(&s->lanes[i]);
    for (int64_t i = 0; s->marks && i < s->chunks.count; i++)
        close_marks(&s->marks[i]);
    if (s->origin)
        cudaEventDestroy(s->origin);
    chunks_release(&s->chunks);
    free(s->lanes);
    free(s->marks);
    free(s);
}

/* ---- the steps of a chunk ----------------------------------------------------------------------
 */

static struct lane *lane_of(const struct image_state *s, int64_t chunk)
{
    return &s->lanes[chunk % s->lane_count];
}

static enum status mark(const struct image_state *s, int64_t chunk, enum mark what,
                        struct failure *f)
{
    return CUDA(cudaEventRecord(s->marks[chunk].at[what], lane_of(s, chunk)->stream), f);
}

static enum status send_filter(const struct instance *in, const struct image_state *s,
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

static enum status send(const struct instance *in, const struct image_state *s, int64_t i,
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

/* Launches the kernel over a chunk, or with rows = 0 over nothing. */
static enum status launch_chunk(const struct instance *in, const struct chunk *c,
                                const struct lane *lane, struct thread_place *places,
                                struct failure *f)
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

static enum status compute(const struct instance *in, const struct image_state *s, int64_t i,
                           struct failure *f)
{
    enum status status = mark(s, i, COMPUTING, f);
    if (status == STATUS_OK)
        status = launch_chunk(in, &s->chunks.items[i], lane_of(s, i), NULL, f);
    return status == STATUS_OK ? mark(s, i, COMPUTED, f) : status;
}

static enum status collect(const struct instance *in, const struct image_state *s, int64_t i,
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

static enum status wait_for(const struct lane *lane, struct failure *f)
{
    return CUDA(cudaStreamSynchronize(lane->stream), f);
}

/* ---- one stream: every phase by itself --------------------------------------------------------
 */

/* One step of a chunk, awaited; its seconds are added. */
typedef enum status chunk_step(const struct instance *in, const struct image_state *s, int64_t i,
                               struct failure *f);

static enum status timed(chunk_step *step, const struct instance *in, const struct image_state *s,
                         int64_t i, double *seconds, struct failure *f)
{
    const double start = clock_now();
    enum status status = step(in, s, i, f);
    if (status == STATUS_OK)
        status = wait_for(lane_of(s, i), f);
    *seconds += clock_now() - start;
    return status;
}

static enum status device_times(const struct image_state *s, struct phases *phases,
                                struct failure *f)
{
    enum status status = STATUS_OK;
    phases->device_distribute_s = phases->device_compute_s = phases->device_collect_s = 0.0;
    for (int64_t i = 0; status == STATUS_OK && i < s->chunks.count; i++) {
        const cudaEvent_t *at = s->marks[i].at;
        double sent = 0.0, computed = 0.0, collected = 0.0;
        status = seconds_between(at[SENDING], at[SENT], &sent, f);
        if (status == STATUS_OK)
            status = seconds_between(at[COMPUTING], at[COMPUTED], &computed, f);
        if (status == STATUS_OK)
            status = seconds_between(at[COLLECTING], at[COLLECTED], &collected, f);
        phases->device_distribute_s += sent;
        phases->device_compute_s += computed;
        phases->device_collect_s += collected;
    }
    return status;
}

static enum status execute_in_turn(struct instance *in, const struct image_state *s,
                                   struct phases *phases, struct failure *f)
{
    phases->distribute_s = phases->compute_s = phases->collect_s = 0.0;
    const double start = clock_now();
    enum status status = send_filter(in, s, f);
    phases->distribute_s = clock_now() - start;
    for (int64_t i = 0; status == STATUS_OK && i < s->chunks.count; i++) {
        status = timed(send, in, s, i, &phases->distribute_s, f);
        if (status == STATUS_OK)
            status = timed(compute, in, s, i, &phases->compute_s, f);
        if (status == STATUS_OK)
            status = timed(collect, in, s, i, &phases->collect_s, f);
    }
    phases->total_s = clock_now() - start;
    return status == STATUS_OK ? device_times(s, phases, f) : status;
}

/* ---- several streams: phases overlap ----------------------------------------------------------
 */

struct interval {
    double begin, end;
};

static int earlier(const void *a, const void *b)
{
    const struct interval *p = a, *q = b;
    return (p->begin > q->begin) - (p->begin < q->begin);
}

/* Seconds covered by the intervals together, which are sorted for it; *last is when the last ends.
 */
static double covered(struct interval *intervals, int64_t count, double *last)
{
    double seconds = 0.0;
    *last = 0.0;
    qsort(intervals, (size_t)count, sizeof *intervals, earlier);
    for (int64_t i = 0; i < count; i++) {
        const double begin = fmax(intervals[i].begin, *last);
        seconds += fmax(0.0, intervals[i].end - begin);
        *last = fmax(*last, intervals[i].end);
    }
    return seconds;
}

/* Compute is the time in which some kernel was under way, collect what came after the last of them,
 * distribute all else: waiting for data. */
static enum status exposed_times(const struct image_state *s, double offset, struct phases *phases,
                                 struct failure *f)
{
    struct interval *kernels = calloc((size_t)s->chunks.count, sizeof *kernels);
    enum status status = kernels ? STATUS_OK : fail(f, STATUS_RESOURCE, "no memory for intervals");
    for (int64_t i = 0; status == STATUS_OK && i < s->chunks.count; i++) {
        status = seconds_between(s->origin, s->marks[i].at[COMPUTING], &kernels[i].begin, f);
        if (status == STATUS_OK)
            status = seconds_between(s->origin, s->marks[i].at[COMPUTED], &kernels[i].end, f);
    }
    if (status == STATUS_OK) {
        double last;
        phases->compute_s = fmin(covered(kernels, s->chunks.count, &last), phases->total_s);
        phases->collect_s =
            fmin(fmax(0.0, phases->total_s - offset - last), phases->total_s - phases->compute_s);
        phases->distribute_s = phases->total_s - phases->compute_s - phases->collect_s;
    }
    free(kernels);
    return status;
}

static enum status execute_overlapped(struct instance *in, const struct image_state *s,
                                      struct phases *phases, struct failure *f)
{
    const double start = clock_now();
    enum status status = send_filter(in, s, f);
    const double origin = clock_now();
    if (status == STATUS_OK)
        status = CUDA(cudaEventRecord(s->origin, s->lanes[0].stream), f);
    for (int64_t i = 0; status == STATUS_OK && i < s->chunks.count; i++) {
        status = send(in, s, i, f);
        if (status == STATUS_OK)
            status = compute(in, s, i, f);
        if (status == STATUS_OK)
            status = collect(in, s, i, f);
    }
    for (int64_t i = 0; status == STATUS_OK && i < s->lane_count; i++)
        status = wait_for(&s->lanes[i], f);
    phases->total_s = clock_now() - start;
    if (status == STATUS_OK)
        status = device_times(s, phases, f);
    return status == STATUS_OK ? exposed_times(s, origin - start, phases, f) : status;
}

static enum status execute_image(struct instance *in, struct phases *phases, struct failure *f)
{
    const struct image_state *s = in->state;
    return s->lane_count > 1 ? execute_overlapped(in, s, phases, f)
                             : execute_in_turn(in, s, phases, f);
}

/* ---- the rest ---------------------------------------------------------------------------------
 */

/* What the last sample left must not serve the next one: cells become a value that wins every
 * window, filter and map NaN. */
static enum status poison_image(struct instance *in, struct failure *f)
{
    const struct image_state *s = in->state;
    enum status status = STATUS_OK;
    if (in->options.filter_memory == FILTER_TRANSFERRED)
        status = CUDA(
            cudaMemsetAsync(in->filter, 0xff, filter_bytes(in->operation), s->lanes[0].stream), f);
    for (int64_t i = 0; status == STATUS_OK && i < s->lane_count; i++) {
        const struct lane *lane = &s->lanes[i];
        const size_t image = (size_t)s->chunks.image_cells * sizeof(float);
        const size_t map = (size_t)s->chunks.map_cells * sizeof(float);
        if (image > 0)
            status = CUDA(cudaMemsetAsync(lane->image, 0x7f, image, lane->stream), f);
        if (status == STATUS_OK)
            status = CUDA(cudaMemsetAsync(lane->map, 0xff, map, lane->stream), f);
        if (status == STATUS_OK)
            status = wait_for(lane, f);
    }
    return status;
}

static enum status launch_nothing(struct instance *in, struct failure *f)
{
    const struct image_state *s = in->state;
    struct chunk none = s->chunks.items[0];
    none.rows = none.in_rows = 0;
    none.planes = 1;
    enum status status = send_filter(in, s, f); /* tiles of it are fetched even so */
    if (status == STATUS_OK)
        status = launch_chunk(in, &none, &s->lanes[0], NULL, f);
    return status == STATUS_OK ? wait_for(&s->lanes[0], f) : status;
}

/* One chunk again, with its places. */
static enum status note_chunk(struct instance *in, const struct image_state *s, int64_t i,
                              struct thread_place *device, struct thread_place *host,
                              struct failure *f)
{
    const struct chunk *c = &s->chunks.items[i];
    const struct lane *lane = lane_of(s, i);
    const size_t bytes = (size_t)chunk_map_cells(in->operation, c) * sizeof *host;
    enum status status = CUDA(cudaMemsetAsync(device, 0, bytes, lane->stream), f);
    if (status == STATUS_OK)
        status = send(in, s, i, f);
    if (status == STATUS_OK)
        status = launch_chunk(in, c, lane, device, f);
    if (status == STATUS_OK)
        status = CUDA(cudaMemcpyAsync(host + chunk_map_first(in->operation, c), device, bytes,
                                      cudaMemcpyDeviceToHost, lane->stream),
                      f);
    return status == STATUS_OK ? wait_for(lane, f) : status;
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
        CUDA(cudaMalloc((void **)&device, (size_t)s->chunks.map_cells * sizeof *device), f);
    if (status == STATUS_OK)
        status = send_filter(in, s, f);
    for (int64_t i = 0; status == STATUS_OK && i < s->chunks.count; i++)
        status = note_chunk(in, s, i, device, *places, f);
    cudaFree(device);
    return status;
}

const struct way way_image = {.open = open_image,
                              .poison = poison_image,
                              .execute = execute_image,
                              .launch_empty = launch_nothing,
                              .note_places = note_map,
                              .close = close_image};
