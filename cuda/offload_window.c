/* The tesina's offload: the host cuts out every window, sends it with a zeroed result (and with the
 * filter, if that is transferred), has it multiplied on the device, copies the product back and
 * finds its maximum. With `window`, arrays, a stream and events are created for each window; with
 * `window-lean` all windows share one set. This code is deliberately not optimized. */
#include "cuda/instance.h"
#include "cuda/nvml.h"
#include "harness/base/clock.h"
#include "kernels/maxpool/window.h"

#include <stdlib.h>
#include <string.h>

/* The device resources of one window. */
struct seat {
    cudaStream_t stream;
    cudaEvent_t begin, end;
    float *window, *product, *filter;
};

struct window_state {
    float *window, *zeros, *product; /* on the host, kernel x kernel each */
    struct seat seat;                /* kept from window to window with window-lean */
    void *anchor;                    /* a small device array that stays allocated */
    bool asks;                       /* read clock and power during this window */
    double asked_s;                  /* seconds that the reading took */
};

/* ---- arrays, stream and events ----------------------------------------------------------------
 */

static enum status take_seat(const struct instance *in, struct seat *seat, struct failure *f)
{
    const size_t bytes = operand_bytes(&in->operation->operands[OPERAND_FILTER]);
    enum status status = CUDA(cudaStreamCreateWithFlags(&seat->stream, cudaStreamNonBlocking), f);
    if (status == STATUS_OK)
        status = CUDA(cudaEventCreate(&seat->begin), f);
    if (status == STATUS_OK)
        status = CUDA(cudaEventCreate(&seat->end), f);
    if (status == STATUS_OK)
        status = CUDA(cudaMalloc((void **)&seat->window, bytes), f);
    if (status == STATUS_OK)
        status = CUDA(cudaMalloc((void **)&seat->product, bytes), f);
    if (status == STATUS_OK && in->options.filter_memory == FILTER_TRANSFERRED)
        status = CUDA(cudaMalloc((void **)&seat->filter, bytes), f);
    return status;
}

static void leave_seat(struct seat *seat)
{
    cudaFree(seat->window);
    cudaFree(seat->product);
    cudaFree(seat->filter);
    if (seat->begin)
        cudaEventDestroy(seat->begin);
    if (seat->end)
        cudaEventDestroy(seat->end);
    if (seat->stream)
        cudaStreamDestroy(seat->stream);
    *seat = (struct seat){0};
}

static bool keeps_seat(const struct instance *in)
{
    return in->options.offload == OFFLOAD_WINDOW_LEAN;
}

/* The runtime takes small arrays from blocks of 2 MiB and may return a block to the device when its
 * last array is freed. A transferred filter keeps one block in use from window to window; a
 * constant filter would not, and would be slower for that reason alone. The anchor keeps a block in
 * use in both cases. */
static enum status open_window(struct instance *in, struct resources *resources, struct failure *f)
{
    const struct operation *op = in->operation;
    const size_t bytes = operand_bytes(&op->operands[OPERAND_FILTER]);
    struct window_state *s = in->state = calloc(1, sizeof *s);
    if (!s)
        return fail(f, STATUS_RESOURCE, "no memory for a window");
    enum status status = host_allocate(in->options.host_memory, &s->window, bytes, "a window", f);
    if (status == STATUS_OK)
        status = host_allocate(in->options.host_memory, &s->zeros, bytes, "a zeroed product", f);
    if (status == STATUS_OK)
        status = host_allocate(in->options.host_memory, &s->product, bytes, "a product", f);
    if (status == STATUS_OK)
        status = CUDA(cudaMalloc(&s->anchor, sizeof(float)), f);
    if (status == STATUS_OK && keeps_seat(in))
        status = take_seat(in, &s->seat, f);
    if (status == STATUS_OK)
        memset(s->zeros, 0, bytes);
    resources->partition = partition_make(op->map.planes, op->map.rows, op->map.cols, 1, 1, 0);
    return status;
}

static void close_window(struct instance *in)
{
    struct window_state *s = in->state;
    if (!s)
        return;
    leave_seat(&s->seat);
    cudaFree(s->anchor);
    host_release(in->options.host_memory, s->window);
    host_release(in->options.host_memory, s->zeros);
    host_release(in->options.host_memory, s->product);
    free(s);
}

/* ---- the steps of a window --------------------------------------------------------------------
 */

static enum status wait_for(const struct seat *seat, struct failure *f)
{
    return CUDA(cudaStreamSynchronize(seat->stream), f);
}

static enum status copy_in(float *to, const float *from, size_t bytes, const struct seat *seat,
                           struct failure *f)
{
    return CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, seat->stream), f);
}

static enum status send(const struct instance *in, const struct window_state *s,
                        const struct seat *seat, struct failure *f)
{
    const struct operation *op = in->operation;
    const size_t bytes = operand_bytes(&op->operands[OPERAND_FILTER]);
    enum status status = copy_in(seat->window, s->window, bytes, seat, f);
    if (status == STATUS_OK)
        status = copy_in(seat->product, s->zeros, bytes, seat, f);
    if (status == STATUS_OK && seat->filter)
        status = copy_in(seat->filter, op->operands[OPERAND_FILTER].values, bytes, seat, f);
    return status == STATUS_OK ? wait_for(seat, f) : status;
}

static enum status launch_window(const struct instance *in, const struct seat *seat, int64_t rows,
                                 struct thread_place *places, struct failure *f)
{
    struct launch launch = in->launch;
    const struct product_task task = {.a = seat->window,
                                      .b = seat->filter,
                                      .c = seat->product,
                                      .places = places,
                                      .rows = rows,
                                      .order = in->operation->geometry.kernel,
                                      .planes = 1};
    launch.stream = seat->stream;
    return CUDA(launch_product(in->kernel.product, &launch, &task), f);
}

/* Reads clock, power and throttle reasons during one window. The time that this takes is subtracted
 * from the total and from compute. */
static void ask(const struct instance *in, struct window_state *s, struct phases *phases)
{
    const double begin = clock_now();
    nvml_read(in->nvml, phases);
    s->asked_s = clock_now() - begin;
}

static enum status compute(const struct instance *in, struct window_state *s,
                           const struct seat *seat, struct phases *phases, struct failure *f)
{
    enum status status = CUDA(cudaEventRecord(seat->begin, seat->stream), f);
    if (status == STATUS_OK)
        status = launch_window(in, seat, in->operation->geometry.kernel, NULL, f);
    if (status == STATUS_OK)
        status = CUDA(cudaEventRecord(seat->end, seat->stream), f);
    if (status == STATUS_OK && s->asks)
        ask(in, s, phases);
    return status == STATUS_OK ? wait_for(seat, f) : status;
}

static enum status collect(const struct instance *in, const struct window_state *s,
                           const struct seat *seat, struct failure *f)
{
    enum status status =
        CUDA(cudaMemcpyAsync(s->product, seat->product,
                             operand_bytes(&in->operation->operands[OPERAND_FILTER]),
                             cudaMemcpyDeviceToHost, seat->stream),
             f);
    return status == STATUS_OK ? wait_for(seat, f) : status;
}

static float maximum(const float *values, int64_t count)
{
    float best = values[0];
    for (int64_t i = 1; i < count; i++)
        best = values[i] > best ? values[i] : best;
    return best;
}

/* Cuts out the window of one output, as the host does. */
static void cut(const struct instance *in, float *window, int64_t plane, int64_t row, int64_t col)
{
    const struct geometry *g = &in->operation->geometry;
    const struct maxpool_call call = {.geometry = g,
                                      .image = {.data = in->image + plane * g->rows * g->cols,
                                                .row_stride = g->cols,
                                                .rows = g->rows}};
    window_cut(&call, row, col, g->kernel, window);
}

/* ---- an execution -----------------------------------------------------------------------------
 */

static enum status multiply(struct instance *in, struct window_state *s, struct seat *seat,
                            struct phases *phases, struct failure *f)
{
    double device_s = 0.0;
    const double begin = clock_now();
    enum status status = send(in, s, seat, f);
    const double sent = clock_now();
    if (status == STATUS_OK)
        status = compute(in, s, seat, phases, f);
    const double computed = clock_now();
    if (status == STATUS_OK)
        status = collect(in, s, seat, f);
    const double collected = clock_now();
    if (status == STATUS_OK)
        status = device_seconds(seat->begin, seat->end, &device_s, f);
    phases->distribute_s += sent - begin;
    phases->compute_s += computed - sent;
    phases->collect_s += collected - computed;
    phases->device_compute_s += device_s;
    return status;
}

/* Cutting out the window and finding the maximum are the host's own work: they count in the total,
 * but in no phase. */
static enum status one_window(struct instance *in, int64_t plane, int64_t row, int64_t col,
                              float *output, struct phases *phases, struct failure *f)
{
    struct window_state *s = in->state;
    const int64_t k = in->operation->geometry.kernel;
    enum status status = STATUS_OK;
    cut(in, s->window, plane, row, col);
    const double ready = clock_now();
    if (!keeps_seat(in))
        status = take_seat(in, &s->seat, f);
    const double seated = clock_now();
    if (status == STATUS_OK)
        status = multiply(in, s, &s->seat, phases, f);
    *output = maximum(s->product, k * k);
    const double reduced = clock_now();
    if (!keeps_seat(in))
        leave_seat(&s->seat);
    phases->allocate_s += seated - ready + (clock_now() - reduced);
    return status;
}

static enum status execute_window(struct instance *in, struct phases *phases, struct failure *f)
{
    const struct geometry *g = &in->operation->geometry;
    struct window_state *s = in->state;
    enum status status = STATUS_OK;
    float *output = in->map;
    const float *middle = output + g->planes * g->out_rows * g->out_cols / 2;
    s->asked_s = 0.0;
    phases->allocate_s = phases->distribute_s = phases->compute_s = phases->collect_s = 0.0;
    phases->device_compute_s = 0.0;
    const double start = clock_now();
    for (int64_t plane = 0; plane < g->planes; plane++)
        for (int64_t row = 0; row < g->out_rows; row++)
            for (int64_t col = 0; status == STATUS_OK && col < g->out_cols; col++) {
                s->asks = in->nvml && output == middle;
                status = one_window(in, plane, row, col, output++, phases, f);
            }
    phases->total_s = clock_now() - start - s->asked_s;
    phases->compute_s -= s->asked_s;
    return status;
}

/* ---- poison, first launch, places -------------------------------------------------------------
 */

static enum status poison_window(struct instance *in, struct failure *f)
{
    struct window_state *s = in->state;
    const size_t bytes = operand_bytes(&in->operation->operands[OPERAND_FILTER]);
    memset(s->product, 0xff, bytes);
    if (!keeps_seat(in))
        return STATUS_OK;
    enum status status = CUDA(cudaMemsetAsync(s->seat.window, 0xff, bytes, s->seat.stream), f);
    if (status == STATUS_OK)
        status = CUDA(cudaMemsetAsync(s->seat.product, 0xff, bytes, s->seat.stream), f);
    if (status == STATUS_OK && s->seat.filter)
        status = CUDA(cudaMemsetAsync(s->seat.filter, 0xff, bytes, s->seat.stream), f);
    return status == STATUS_OK ? wait_for(&s->seat, f) : status;
}

/* Calls `use` with a seat: the kept one, or a temporary one. */
typedef enum status seat_use(struct instance *in, struct seat *seat, void *context,
                             struct failure *f);

static enum status with_seat(struct instance *in, seat_use *use, void *context, struct failure *f)
{
    struct window_state *s = in->state;
    enum status status = keeps_seat(in) ? STATUS_OK : take_seat(in, &s->seat, f);
    if (status == STATUS_OK)
        status = use(in, &s->seat, context, f);
    if (!keeps_seat(in))
        leave_seat(&s->seat);
    return status;
}

static enum status launch_rows_0(struct instance *in, struct seat *seat, void *context,
                                 struct failure *f)
{
    (void)context;
    memset(((struct window_state *)in->state)->window, 0,
           operand_bytes(&in->operation->operands[OPERAND_FILTER]));
    enum status status = send(in, in->state, seat, f);
    if (status == STATUS_OK)
        status = launch_window(in, seat, 0, NULL, f);
    return status == STATUS_OK ? wait_for(seat, f) : status;
}

static enum status launch_nothing(struct instance *in, struct failure *f)
{
    return with_seat(in, launch_rows_0, NULL, f);
}

/* Computes the first window again and records which thread computed which element. */
static enum status note_window(struct instance *in, struct seat *seat, void *context,
                               struct failure *f)
{
    struct thread_place *host = context, *device = NULL;
    const int64_t k = in->operation->geometry.kernel;
    const size_t bytes = (size_t)(k * k) * sizeof *host;
    struct window_state *s = in->state;
    cut(in, s->window, 0, 0, 0);
    enum status status = send(in, s, seat, f);
    if (status == STATUS_OK)
        status = CUDA(cudaMalloc((void **)&device, bytes), f);
    if (status == STATUS_OK)
        status = CUDA(cudaMemsetAsync(device, 0, bytes, seat->stream), f);
    if (status == STATUS_OK)
        status = launch_window(in, seat, k, device, f);
    if (status == STATUS_OK)
        status =
            CUDA(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, seat->stream), f);
    if (status == STATUS_OK)
        status = wait_for(seat, f);
    cudaFree(device);
    return status;
}

static enum status note_product(struct instance *in, struct thread_place **places, int64_t *rows,
                                int64_t *cols, struct failure *f)
{
    *rows = *cols = in->operation->geometry.kernel;
    *places = calloc((size_t)(*rows * *cols), sizeof **places);
    if (!*places)
        return fail(f, STATUS_RESOURCE, "no memory for the places of threads");
    return with_seat(in, note_window, *places, f);
}

const struct offloading offload_window = {.open = open_window,
                                          .poison = poison_window,
                                          .execute = execute_window,
                                          .launch_first = launch_nothing,
                                          .note_places = note_product,
                                          .close = close_window};
