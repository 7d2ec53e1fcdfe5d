/* Matrix products and max pooling by cuBLAS. cuBLAS stores matrices in column-major order: a
 * row-major matrix of ours is its transpose there, and our C = A B is computed as C' = B' A'.
 * Source: cuBLAS documentation, sections on cublas<t>gemm and cublas<t>gemmStridedBatched.
 *
 * If windows do not overlap (stride >= kernel) and the stride divides the columns, an image row
 * read with a row stride of `stride` is a matrix whose rows are the rows of windows. One product
 * multiplies the k image rows that a row of windows covers, and one batched call all rows of
 * windows of a group. Without such a tiling each window is a matrix in place: its rows are one
 * image row apart, and the next window of the same output row begins `stride` elements later. So
 * one batched product computes one output row. Products are stored in scratch, for a group of
 * output rows at a time, and a kernel of ours takes the maxima. */
#include "cuda/peers/cublas_session.h"
#include "peers/peers.h"

#include <limits.h>
#include <stdbool.h>

enum { SCRATCH_BYTES = 64 << 20 }; /* for a group of rows; more only if one row takes more */

struct peer_state {
    struct cublas_session session;
    float *padded;   /* a plane with its padding; NULL: none */
    float *products; /* of a group of output rows */
    int64_t group;   /* output rows */
};

#define TOOL(s, call, f) CUBLAS_TOOL(&(s)->session, call, "cuda/peers/cublas.c", f)

static const char *refuses(const struct operation *op)
{
    return op->image.rows > INT_MAX || op->image.cols > INT_MAX ||
                   op->operands[OPERAND_FILTER].shape.cols > INT_MAX
               ? "cuBLAS counts in 32 bits here"
               : NULL;
}

/* ---- preparing ------------------------------------------------------------------------------ */

/* Returns the columns of a padded plane: a multiple of the stride if windows do not overlap, so
 * that rows can be read as rows of windows. */
static int64_t padded_cols(int64_t outputs, int64_t kernel, int64_t stride)
{
    return stride >= kernel ? outputs * stride : (outputs - 1) * stride + kernel;
}

static enum status allocate_scratch(struct peer_state *s, const struct geometry *g,
                                    struct failure *f)
{
    const size_t row = (size_t)(g->out_cols * g->kernel * g->kernel) * sizeof(float);
    const int64_t rows = (g->out_rows - 1) * g->stride + g->kernel;
    const int64_t cols = padded_cols(g->out_cols, g->kernel, g->stride);
    const size_t padded = (size_t)rows * (size_t)cols * sizeof(float);
    const int64_t fit = (int64_t)(SCRATCH_BYTES / row);
    s->group = fit < 1 ? 1 : fit < g->out_rows ? fit : g->out_rows;
    enum status status = TOOL(s, allocate((void **)&s->products, (size_t)s->group * row), f);
    if (status == STATUS_OK && g->padding > 0)
        status = TOOL(s, allocate((void **)&s->padded, padded), f);
    return status;
}

static void release(struct peer_state *s)
{
    cublas_release(&s->session, s->products);
    cublas_release(&s->session, s->padded);
    cublas_close(&s->session);
}

static enum status prepare(const struct device_peer_job *job, struct peer_state *s,
                           const char **name, struct failure *f)
{
    enum status status = cublas_open(&s->session, job, f);
    if (status == STATUS_OK && job->operation->kind->device == DEVICE_POOL)
        status = allocate_scratch(s, &job->operation->geometry, f);
    *name = s->session.name;
    return status;
}

/* ---- max pooling ---------------------------------------------------------------------------- */

/* A plane as the windows see it: the first element of the first window, and the floats from row to
 * row. */
struct plane {
    const float *elements;
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
    task.out_cols = padded_cols(t->out_cols, t->kernel, t->stride);
    task.map_plane = task.out_rows * task.out_cols;
    task.stride = 1;
    *out = (struct plane){s->padded, task.out_cols};
    return TOOL(s, launch(s->session.tools.pad, &s->session.launch, &task), f);
}

/* Products C_i (n x k) = A_i (n x k) B for i < count, row-major. A_i begins step_a floats after the
 * one before, and its rows are lda floats apart; C is dense. */
struct batch {
    const float *a;
    float *c;
    int64_t n, lda, step_a, count;
};

static enum status multiply(struct peer_state *s, const struct pool_task *t, const struct batch *b,
                            struct failure *f)
{
    const float one = 1.0f, zero = 0.0f;
    const int k = (int)t->kernel;
    const int64_t step_c = b->n * t->kernel;
    enum status status = STATUS_OK;
    for (int64_t i = 0; status == STATUS_OK && i < b->count; i += BATCH_MOST) {
        const int64_t left = b->count - i;
        status = cublas_check(
            cublasSgemmStridedBatched(s->session.handle, CUBLAS_OP_N, CUBLAS_OP_N, k, (int)b->n, k,
                                      &one, t->filter, k, 0, b->a + i * b->step_a, (int)b->lda,
                                      b->step_a, &zero, b->c + i * step_c, k, step_c,
                                      (int)(left < BATCH_MOST ? left : BATCH_MOST)),
            STATUS_RESOURCE, "the products of the windows", f);
    }
    return status;
}

static bool is_tiled(const struct pool_task *t, const struct plane *plane)
{
    return t->stride >= t->kernel && plane->row_stride % t->stride == 0;
}

/* Multiplies a tiled plane. The k image rows of a row of windows are k * cols / stride pieces of
 * `stride` elements, which are the rows of one matrix. If rows of windows touch, all of them are
 * one product. */
static enum status multiply_tiled(struct peer_state *s, const struct pool_task *t,
                                  const struct plane *plane, int64_t first, int64_t rows,
                                  struct failure *f)
{
    const int64_t pieces = t->kernel * (plane->row_stride / t->stride);
    const bool touch = t->stride == t->kernel;
    const struct batch b = {.a = plane->elements + first * t->stride * plane->row_stride,
                            .c = s->products,
                            .n = touch ? rows * pieces : pieces,
                            .lda = t->stride,
                            .step_a = t->stride * plane->row_stride,
                            .count = touch ? 1 : rows};
    return multiply(s, t, &b, f);
}

/* Multiplies any plane: one batched product per output row. */
static enum status multiply_windows(struct peer_state *s, const struct pool_task *t,
                                    const struct plane *plane, int64_t first, int64_t rows,
                                    struct failure *f)
{
    const int64_t step = t->out_cols * t->kernel * t->kernel;
    enum status status = STATUS_OK;
    for (int64_t i = 0; status == STATUS_OK && i < rows; i++) {
        const struct batch b = {.a = plane->elements + (first + i) * t->stride * plane->row_stride,
                                .c = s->products + i * step,
                                .n = t->kernel,
                                .lda = plane->row_stride,
                                .step_a = t->stride,
                                .count = t->out_cols};
        status = multiply(s, t, &b, f);
    }
    return status;
}

/* Multiplies a group of output rows and takes the maxima. In scratch the products of one output row
 * are k x (cols k) floats if the plane is tiled, otherwise one window after another. */
static enum status pool_group(struct peer_state *s, const struct pool_task *t,
                              const struct plane *plane, int64_t first, int64_t rows, float *map,
                              struct failure *f)
{
    const bool tiled = is_tiled(t, plane);
    struct pool_task maxima = *t;
    enum status status = tiled ? multiply_tiled(s, t, plane, first, rows, f)
                               : multiply_windows(s, t, plane, first, rows, f);
    maxima.image = s->products;
    maxima.map = map + first * t->out_cols;
    maxima.planes = 1;
    maxima.out_rows = rows;
    maxima.in_cols = tiled ? t->out_cols * t->kernel : t->kernel;
    maxima.top = 0;
    maxima.stride = tiled ? t->kernel : t->kernel * t->kernel;
    if (status == STATUS_OK)
        status = TOOL(s, launch(s->session.tools.maximum, &s->session.launch, &maxima), f);
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

static enum status pool(struct peer_state *s, const struct pool_task *task, cudaStream_t stream,
                        struct failure *f)
{
    enum status status = cublas_use(&s->session, stream, f);
    for (int64_t i = 0; status == STATUS_OK && i < task->planes; i++)
        status = pool_plane(s, task, i, f);
    return status;
}

/* ---- the matrix product --------------------------------------------------------------------- */

/* If all planes share one B, they are the rows of one matrix, as in tasks.c. */
static const char *refuses_product(const struct operation *op)
{
    const bool own = op->operands[OPERAND_FILTER].shape.planes > 1;
    const double rows = (double)op->image.rows * (double)(own ? 1 : op->image.planes);
    return rows > INT_MAX ? "cuBLAS counts in 32 bits here" : refuses(op);
}

static enum status product_of_one(struct peer_state *s, const struct product_task *t,
                                  struct failure *f)
{
    const float one = 1.0f, zero = 0.0f;
    const int cols = (int)t->cols, inner = (int)t->inner, rows = (int)t->rows;
    return cublas_check(cublasSgemm(s->session.handle, CUBLAS_OP_N, CUBLAS_OP_N, cols, rows, inner,
                                    &one, t->b + t->b_first, cols, t->a, inner, &zero, t->c, cols),
                        STATUS_RESOURCE, "the product", f);
}

/* Multiplies each plane by its own B. */
static enum status product_of_planes(struct peer_state *s, const struct product_task *t,
                                     struct failure *f)
{
    const float one = 1.0f, zero = 0.0f;
    const int cols = (int)t->cols, inner = (int)t->inner, rows = (int)t->rows;
    enum status status = STATUS_OK;
    for (int64_t i = 0; status == STATUS_OK && i < t->planes; i += BATCH_MOST) {
        const int64_t left = t->planes - i;
        status =
            cublas_check(cublasSgemmStridedBatched(
                             s->session.handle, CUBLAS_OP_N, CUBLAS_OP_N, cols, rows, inner, &one,
                             t->b + t->b_first + i * t->b_plane, cols, t->b_plane,
                             t->a + i * t->a_plane, inner, t->a_plane, &zero, t->c + i * t->c_plane,
                             cols, t->c_plane, (int)(left < BATCH_MOST ? left : BATCH_MOST)),
                         STATUS_RESOURCE, "the products of the planes", f);
    }
    return status;
}

static enum status product(struct peer_state *s, const struct product_task *t, cudaStream_t stream,
                           struct failure *f)
{
    const enum status status = cublas_use(&s->session, stream, f);
    if (status != STATUS_OK)
        return status;
    return t->planes > 1 ? product_of_planes(s, t, f) : product_of_one(s, t, f);
}

static const struct device_peer pools = {
    .state_bytes = sizeof(struct peer_state), .prepare = prepare, .pool = pool, .release = release};
static const struct device_peer multiplies = {.state_bytes = sizeof(struct peer_state),
                                              .prepare = prepare,
                                              .product = product,
                                              .release = release};
const struct peer peer_cublas_pool = {.refuses = refuses, .device = &pools};
const struct peer peer_cublas_product = {.refuses = refuses_product, .device = &multiplies};
