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
struct window_resources {
    cudaStream_t stream;
    cudaEvent_t begin, end;
    float *window, *product, *filter;
};

struct window_state {
    float *window, *zeros, *product; /* on the host, kernel x kernel each */
    struct window_resources device;  /* kept from window to window with window-lean */
    void *anchor;                    /* a small device array that stays allocated */
    bool reads_nvml;                 /* read clock and power during this window */
    double nvml_s;                   /* seconds that the reading took */
};

/* ---- arrays, stream and events ----------------------------------------------------------------
 */

static enum status acquire_resources(const struct instance *in, struct window_resources *device,
                                     struct failure *f)
{
    const size_t bytes = operand_bytes(&in->operation->operands[OPERAND_FILTER]);
    enum status status = CUDA(cudaStreamCreateWithFlags(&device->stream, cudaStreamNonBlocking), f);
    if (status == STATUS_OK)
        status = CUDA(cudaEventCreate(&device->begin), f);
    if (status == STATUS_OK)
        status = CUDA(cudaEventCreate(&device->end), f);
    if (status == STATUS_OK)
        status = CUDA(device_malloc((void **)&device->window, bytes), f);
    if (status == STATUS_OK)
        status = CUDA(device_malloc((void **)&device->product, bytes), f);
    if (status == STATUS_OK && in->options.filter_memory == FILTER_TRANSFERRED)
        status = CUDA(device_malloc((void **)&device->filter, bytes), f);
    return status;
}

static void release_resources(struct window_resources *device)
{
    cudaFree(device->window);
    cudaFree(device->product);
    cudaFree(device->filter);
    device_events_close(&device->begin, 1);
    device_events_close(&device->end, 1);
    device_stream_close(&device->stream);
    *device = (struct window_resources){0};
}

static bool keeps_resources(const struct instance *in)
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
        status = CUDA(device_malloc(&s->anchor, sizeof(float)), f);
    if (status == STATUS_OK && keeps_resources(in))
        status = acquire_resources(in, &s->device, f);
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
    release_resources(&s->device);
    cudaFree(s->anchor);
    host_release(in->options.host_memory, s->window);
    host_release(in->options.host_memory, s->zeros);
    host_release(in->options.host_memory, s->product);
    free(s);
}

/* ---- the steps of a window --------------------------------------------------------------------
 */

static enum status wait_for(const struct window_resources *device, struct failure *f)
{
    return CUDA(cudaStreamSynchronize(device->stream), f);
}

static enum status copy_in(float *to, const float *from, size_t bytes,
                           const struct window_resources *device, struct failure *f)
{
    return CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, device->stream), f);
}

static enum status send(const struct instance *in, const struct window_state *s,
                        const struct window_resources *device, struct failure *f)
{
    const struct operation *op = in->operation;
    const size_t bytes = operand_bytes(&op->operands[OPERAND_FILTER]);
    enum status status = copy_in(device->window, s->window, bytes, device, f);
    if (status == STATUS_OK)
        status = copy_in(device->product, s->zeros, bytes, device, f);
    if (status == STATUS_OK && device->filter)
        status = copy_in(device->filter, op->operands[OPERAND_FILTER].values, bytes, device, f);
    return status == STATUS_OK ? wait_for(device, f) : status;
}

static enum status launch_window(const struct instance *in, const struct window_resources *device,
                                 int64_t rows, struct thread_place *places, struct failure *f)
{
    struct launch launch = in->launch;
    const struct product_task task = {.a = device->window,
                                      .b = device->filter,
                                      .c = device->product,
                                      .places = places,
                                      .rows = rows,
                                      .inner = in->operation->geometry.kernel,
                                      .cols = in->operation->geometry.kernel,
                                      .planes = 1};
    launch.stream = device->stream;
    return CUDA(launch_product(in->kernel.product, &launch, &task), f);
}

/* Reads clock, power and throttle reasons during one window. The time that this takes is subtracted
 * from the total and from compute. */
static void read_nvml(const struct instance *in, struct window_state *s, struct phases *phases)
{
    const double begin = clock_now();
    nvml_read(in->nvml, phases);
    s->nvml_s = clock_now() - begin;
}

static enum status compute(const struct instance *in, struct window_state *s,
                           const struct window_resources *device, struct phases *phases,
                           struct failure *f)
{
    enum status status = CUDA(cudaEventRecord(device->begin, device->stream), f);
    if (status == STATUS_OK)
        status = launch_window(in, device, in->operation->geometry.kernel, NULL, f);
    if (status == STATUS_OK)
        status = CUDA(cudaEventRecord(device->end, device->stream), f);
    if (status == STATUS_OK && s->reads_nvml)
        read_nvml(in, s, phases);
    return status == STATUS_OK ? wait_for(device, f) : status;
}

static enum status collect(const struct instance *in, const struct window_state *s,
                           const struct window_resources *device, struct failure *f)
{
    enum status status =
        CUDA(cudaMemcpyAsync(s->product, device->product,
                             operand_bytes(&in->operation->operands[OPERAND_FILTER]),
                             cudaMemcpyDeviceToHost, device->stream),
             f);
    return status == STATUS_OK ? wait_for(device, f) : status;
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

static enum status multiply(struct instance *in, struct window_state *s,
                            struct window_resources *device, struct phases *phases,
                            struct failure *f)
{
    double device_s = 0.0;
    const double begin = clock_now();
    enum status status = send(in, s, device, f);
    const double sent = clock_now();
    if (status == STATUS_OK)
        status = compute(in, s, device, phases, f);
    const double computed = clock_now();
    if (status == STATUS_OK)
        status = collect(in, s, device, f);
    const double collected = clock_now();
    if (status == STATUS_OK)
        status = device_seconds(device->begin, device->end, &device_s, f);
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
    if (!keeps_resources(in))
        status = acquire_resources(in, &s->device, f);
    const double acquired = clock_now();
    if (status == STATUS_OK)
        status = multiply(in, s, &s->device, phases, f);
    *output = maximum(s->product, k * k);
    const double reduced = clock_now();
    if (!keeps_resources(in))
        release_resources(&s->device);
    phases->allocate_s += acquired - ready + (clock_now() - reduced);
    return status;
}

static enum status execute_window(struct instance *in, struct phases *phases, struct failure *f)
{
    const struct geometry *g = &in->operation->geometry;
    struct window_state *s = in->state;
    enum status status = STATUS_OK;
    float *output = in->map;
    const float *middle = output + g->planes * g->out_rows * g->out_cols / 2;
    s->nvml_s = 0.0;
    phases->allocate_s = phases->distribute_s = phases->compute_s = phases->collect_s = 0.0;
    phases->device_compute_s = 0.0;
    const double start = clock_now();
    for (int64_t plane = 0; plane < g->planes; plane++)
        for (int64_t row = 0; row < g->out_rows; row++)
            for (int64_t col = 0; status == STATUS_OK && col < g->out_cols; col++) {
                s->reads_nvml = in->nvml && output == middle;
                status = one_window(in, plane, row, col, output++, phases, f);
            }
    phases->total_s = clock_now() - start - s->nvml_s;
    phases->compute_s -= s->nvml_s;
    return status;
}

/* ---- poison, first launch, places -------------------------------------------------------------
 */

static enum status poison_window(struct instance *in, struct failure *f)
{
    struct window_state *s = in->state;
    const size_t bytes = operand_bytes(&in->operation->operands[OPERAND_FILTER]);
    memset(s->product, 0xff, bytes);
    if (!keeps_resources(in))
        return STATUS_OK;
    enum status status = CUDA(cudaMemsetAsync(s->device.window, 0xff, bytes, s->device.stream), f);
    if (status == STATUS_OK)
        status = CUDA(cudaMemsetAsync(s->device.product, 0xff, bytes, s->device.stream), f);
    if (status == STATUS_OK && s->device.filter)
        status = CUDA(cudaMemsetAsync(s->device.filter, 0xff, bytes, s->device.stream), f);
    return status == STATUS_OK ? wait_for(&s->device, f) : status;
}

/* Calls `use` with resources: the kept ones, or temporary ones. */
typedef enum status resources_use(struct instance *in, struct window_resources *device,
                                  void *context, struct failure *f);

static enum status with_resources(struct instance *in, resources_use *use, void *context,
                                  struct failure *f)
{
    struct window_state *s = in->state;
    enum status status = keeps_resources(in) ? STATUS_OK : acquire_resources(in, &s->device, f);
    if (status == STATUS_OK)
        status = use(in, &s->device, context, f);
    if (!keeps_resources(in))
        release_resources(&s->device);
    return status;
}

static enum status launch_rows_0(struct instance *in, struct window_resources *device,
                                 void *context, struct failure *f)
{
    (void)context;
    memset(((struct window_state *)in->state)->window, 0,
           operand_bytes(&in->operation->operands[OPERAND_FILTER]));
    enum status status = send(in, in->state, device, f);
    if (status == STATUS_OK)
        status = launch_window(in, device, 0, NULL, f);
    return status == STATUS_OK ? wait_for(device, f) : status;
}

static enum status launch_nothing(struct instance *in, struct failure *f)
{
    return with_resources(in, launch_rows_0, NULL, f);
}

/* Computes the first window again and records which thread computed which element. */
static enum status note_window(struct instance *in, struct window_resources *device, void *context,
                               struct failure *f)
{
    struct thread_place *host_places = context, *device_places = NULL;
    const int64_t k = in->operation->geometry.kernel;
    const size_t bytes = (size_t)(k * k) * sizeof *host_places;
    struct window_state *s = in->state;
    cut(in, s->window, 0, 0, 0);
    enum status status = send(in, s, device, f);
    if (status == STATUS_OK)
        status = CUDA(device_malloc((void **)&device_places, bytes), f);
    if (status == STATUS_OK)
        status = CUDA(cudaMemsetAsync(device_places, 0, bytes, device->stream), f);
    if (status == STATUS_OK)
        status = launch_window(in, device, k, device_places, f);
    if (status == STATUS_OK)
        status = CUDA(cudaMemcpyAsync(host_places, device_places, bytes, cudaMemcpyDeviceToHost,
                                      device->stream),
                      f);
    if (status == STATUS_OK)
        status = wait_for(device, f);
    cudaFree(device_places);
    return status;
}

static enum status note_product(struct instance *in, struct thread_place **places, int64_t *rows,
                                int64_t *cols, struct failure *f)
{
    *rows = *cols = in->operation->geometry.kernel;
    *places = calloc((size_t)(*rows * *cols), sizeof **places);
    if (!*places)
        return fail(f, STATUS_RESOURCE, "no memory for the places of threads");
    return with_resources(in, note_window, *places, f);
}

const struct offloading offload_window = {.open = open_window,
                                          .poison = poison_window,
                                          .execute = execute_window,
                                          .launch_first = launch_nothing,
                                          .note_places = note_product,
                                          .close = close_window};
