/* The products by cuBLAS. It stores matrices by columns: what it takes for the transpose of ours is
 * ours, and C = A B by rows is C' = B' A' by columns. Source: cuBLAS documentation, sections on
 * cublas<t>gemm and cublas<t>gemmStridedBatched.
 *
 * A window is a matrix in place: its rows lie a row of the image apart, and the next window of the
 * same output row begins a stride further, so one batched product makes all products of an output
 * row. They land in scratch, a group of rows at a time, and a kernel of ours takes the maxima. */
#include "cuda/peers/peer.h"
#include "peers/peers.h"

#include <cublas_v2.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { SCRATCH_BYTES = 64 << 20 }; /* that a group of rows may take, or one row if that is more */

struct peer_state {
    cublasHandle_t handle;
    struct launch launch;
    struct device_tools tools;
    float *padded;   /* a plane with its padding; NULL: none */
    float *products; /* of a group of output rows */
    int64_t group;   /* output rows */
    char name[32];
};

#define TOOL(s, call, f)                                                                           \
    (s)->tools.check((s)->tools.call, #call, "cuda/peers/cublas.c", __LINE__, (f))

static enum status check(cublasStatus_t status, enum status otherwise, const char *what,
                         struct failure *f)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return STATUS_OK;
    return fail(f, otherwise, "cuBLAS: %s: %s", what, cublasGetStatusString(status));
}

static const char *refuses(const struct operation *op)
{
    return op->image.rows > INT_MAX || op->image.cols > INT_MAX || op->second.shape.cols > INT_MAX
               ? "cuBLAS counts in 32 bits here"
               : NULL;
}

/* ---- preparing ------------------------------------------------------------------------------ */

/* Rows and columns of a plane that the windows reach over. */
static int64_t reach(int64_t outputs, const struct geometry *g)
{
    return (outputs - 1) * g->stride + g->kernel;
}

static enum status allocate_scratch(struct peer_state *s, const struct geometry *g,
                                    struct failure *f)
{
    const size_t row = (size_t)(g->out_cols * g->kernel * g->kernel) * sizeof(float);
    const int64_t fit = (int64_t)(SCRATCH_BYTES / row);
    s->group = fit < 1 ? 1 : fit < g->out_rows ? fit : g->out_rows;
    enum status status = TOOL(s, allocate((void **)&s->products, (size_t)s->group * row), f);
    if (status == STATUS_OK && g->padding > 0)
        status =
            TOOL(s,
                 allocate((void **)&s->padded, (size_t)reach(g->out_rows, g) *
                                                   (size_t)reach(g->out_cols, g) * sizeof(float)),
                 f);
    return status;
}

static void release(struct peer_state *s)
{
    if (!s)
        return;
    s->tools.release(s->products);
    s->tools.release(s->padded);
    if (s->handle)
        cublasDestroy(s->handle);
    free(s);
}

static void name_version(char *name, size_t size)
{
    int major = 0, minor = 0;
    cublasGetProperty(MAJOR_VERSION, &major);
    cublasGetProperty(MINOR_VERSION, &minor);
    snprintf(name, size, "cublas %d.%d", major, minor);
}

static enum status prepare(const struct device_peer_job *job, struct peer_state **out,
                           const char **name, struct failure *f)
{
    struct peer_state *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s)
        return fail(f, STATUS_RESOURCE, "no memory for cuBLAS");
    s->launch = job->launch;
    s->tools = job->tools;
    enum status status =
        check(cublasCreate(&s->handle), STATUS_UNAVAILABLE, "it does not start here", f);
    if (status == STATUS_OK && job->operation->kind->device == DEVICE_POOL)
        status = allocate_scratch(s, &job->operation->geometry, f);
    if (status != STATUS_OK) {
        release(s);
        return status;
    }
    name_version(s->name, sizeof s->name);
    *name = s->name;
    *out = s;
    return STATUS_OK;
}

/* ---- max pooling ---------------------------------------------------------------------------- */

/* A plane as the windows see it: where the first one begins, and floats from row to row. */
struct plane {
    const float *cells;
    int64_t row_stride;
};

static enum status pad_plane(struct peer_state *s, const struct pool_task *t, const float *image,
                             struct plane *out, struct failure *f)
{
    struct pool_task task = *t;
    task.image = image;
    task.map = s->padded;
    task.planes = 1;
    task.out_rows = (t->out_rows - 1) * t->stride + t->kernel;
    task.out_cols = (t->out_cols - 1) * t->stride + t->kernel;
    task.map_plane = task.out_rows * task.out_cols;
    task.stride = 1;
    *out = (struct plane){s->padded, task.out_cols};
    return TOOL(s, launch(s->tools.pad, &s->launch, &task), f);
}

static enum status multiply_row(struct peer_state *s, const struct pool_task *t,
                                const struct plane *plane, int64_t row, float *products,
                                struct failure *f)
{
    const float one = 1.0f, zero = 0.0f;
    const int k = (int)t->kernel;
    return check(cublasSgemmStridedBatched(
                     s->handle, CUBLAS_OP_N, CUBLAS_OP_N, k, k, k, &one, t->filter, k, 0,
                     plane->cells + row * t->stride * plane->row_stride, (int)plane->row_stride,
                     t->stride, &zero, products, k, t->kernel * t->kernel, (int)t->out_cols),
                 STATUS_RESOURCE, "the products of the windows", f);
}

static enum status pool_group(struct peer_state *s, const struct pool_task *t,
                              const struct plane *plane, int64_t first, int64_t rows, float *map,
                              struct failure *f)
{
    const int64_t step = t->out_cols * t->kernel * t->kernel;
    struct pool_task maxima = *t;
    enum status status = STATUS_OK;
    for (int64_t i = 0; status == STATUS_OK && i < rows; i++)
        status = multiply_row(s, t, plane, first + i, s->products + i * step, f);
    maxima.image = s->products;
    maxima.map = map + first * t->out_cols;
    maxima.planes = 1;
    maxima.out_rows = rows;
    maxima.top = 0;
    maxima.stride = 1;
    if (status == STATUS_OK)
        status = TOOL(s, launch(s->tools.maximum, &s->launch, &maxima), f);
    return status;
}

static enum status pool_plane(struct peer_state *s, const struct pool_task *t, int64_t index,
                              struct failure *f)
{
    const float *image = t->image + index * t->in_rows * t->in_cols;
    struct plane plane = {image, t->in_cols};
    enum status status = s->padded ? pad_plane(s, t, image, &plane, f) : STATUS_OK;
    for (int64_t row = 0; status == STATUS_OK && row < t->out_rows; row += s->group) {
        const int64_t left = t->out_rows - row;
        status = pool_group(s, t, &plane, row, left < s->group ? left : s->group,
                            t->map + index * t->map_plane, f);
    }
    return status;
}

static enum status use_stream(struct peer_state *s, cudaStream_t stream, struct failure *f)
{
    s->launch.stream = stream;
    return check(cublasSetStream(s->handle, stream), STATUS_RESOURCE, "the stream", f);
}

static enum status pool(struct peer_state *s, const struct pool_task *task, cudaStream_t stream,
                        struct failure *f)
{
    enum status status = use_stream(s, stream, f);
    for (int64_t i = 0; status == STATUS_OK && i < task->planes; i++)
        status = pool_plane(s, task, i, f);
    return status;
}

/* ---- the matrix product --------------------------------------------------------------------- */

static enum status product(struct peer_state *s, const struct product_task *t, cudaStream_t stream,
                           struct failure *f)
{
    const float one = 1.0f, zero = 0.0f;
    const int n = (int)t->order, rows = (int)t->rows;
    enum status status = use_stream(s, stream, f);
    if (status == STATUS_OK)
        status = check(cublasSgemm(s->handle, CUBLAS_OP_N, CUBLAS_OP_N, n, rows, n, &one, t->b, n,
                                   t->a, n, &zero, t->c, n),
                       STATUS_RESOURCE, "the product", f);
    return status;
}

static const struct device_peer pools = {.prepare = prepare, .pool = pool, .release = release};
static const struct device_peer multiplies = {
    .prepare = prepare, .product = product, .release = release};
const struct peer peer_cublas_pool = {.refuses = refuses, .device = &pools};
const struct peer peer_cublas_product = {.refuses = refuses, .device = &multiplies};
