/* Convolution by cuBLAS (im2col): a kernel of ours stores the windows of some output rows of one
 * image as a matrix, term by term, and cuBLAS multiplies it by the weights. The columns of cuBLAS
 * are our rows (cublas.c): each output row is a matrix with one column per filter, and one batched
 * call computes all rows. If there is a bias, it is stored in the outputs first and the products
 * are added to it. Source: cuBLAS documentation, cublas<t>gemmStridedBatched. */
#include "cuda/peers/cublas_session.h"
#include "peers/peers.h"

#include <limits.h>

struct peer_state {
    struct cublas_session session;
    float *windows; /* of a group of output rows of one image */
    int64_t group;  /* output rows */
};

#define TOOL(s, call, f) CUBLAS_TOOL(&(s)->session, call, "cuda/peers/cublas_conv.c", f)

static const char *refuses(const struct operation *op)
{
    const int64_t terms = operation_terms(op);
    return op->image.cols > INT_MAX || op->map.cols > INT_MAX || terms > INT_MAX ||
                   (double)op->map.rows * (double)op->map.cols > INT_MAX
               ? "cuBLAS counts in 32 bits here"
               : NULL;
}

/* Returns the terms of a window through the channels of all groups. */
static int64_t all_terms(const struct conv_task *t)
{
    return t->groups * t->depth * t->kernel * t->kernel;
}

static void release(struct peer_state *s)
{
    cublas_release(&s->session, s->windows);
    cublas_close(&s->session);
}

/* Allocates the windows of as many output rows as fit into `bytes`: at least one, at most
 * BATCH_MOST. */
static enum status allocate_windows(struct peer_state *s, const struct conv_task *t, int64_t bytes,
                                    struct failure *f)
{
    const size_t row = (size_t)(all_terms(t) * t->out_cols) * sizeof(float);
    const int64_t fit = bytes / (int64_t)row;
    const int64_t most = t->out_rows < BATCH_MOST ? t->out_rows : BATCH_MOST;
    s->group = fit < 1 ? 1 : fit < most ? fit : most;
    return TOOL(s, allocate((void **)&s->windows, (size_t)s->group * row), f);
}

static enum status prepare(const struct device_peer_job *job, struct peer_state *s,
                           const char **name, struct failure *f)
{
    const enum status status = cublas_open(&s->session, job, f);
    *name = s->session.name;
    return status == STATUS_OK ? allocate_windows(s, &job->conv, job->scratch_bytes, f) : status;
}

/* Returns the task of some output rows of one image. */
static struct conv_task rows_of(const struct conv_task *t, int64_t image, int64_t row, int64_t rows)
{
    struct conv_task part = *t;
    part.image = t->image + image * t->in.image;
    part.map = t->map + image * t->out.image + row * t->out.row;
    part.images = 1;
    part.out_rows = rows;
    part.top = t->top + row * t->stride;
    return part;
}

static enum status store_windows(struct peer_state *s, const struct conv_task *t, struct failure *f)
{
    struct conv_task task = *t;
    task.map = s->windows;
    task.filters = t->depth * t->kernel * t->kernel;
    return TOOL(s, launch_conv(s->session.tools.windows, &s->session.launch, &task), f);
}

static enum status multiply_group(struct peer_state *s, const struct conv_task *t, int64_t group,
                                  struct failure *f)
{
    const float one = 1.0f, beta = t->bias ? 1.0f : 0.0f;
    const int64_t terms = t->depth * t->kernel * t->kernel, pixels = t->out_rows * t->out_cols;
    const float *windows = s->windows + group * terms * pixels;
    const float *weights = t->weights + group * t->filters * terms;
    float *map = t->map + group * t->filters * t->out.channel;
    return cublas_check(cublasSgemmStridedBatched(s->session.handle, CUBLAS_OP_N, CUBLAS_OP_N,
                                                  (int)t->out_cols, (int)t->filters, (int)terms,
                                                  &one, windows, (int)pixels, t->out_cols, weights,
                                                  (int)terms, 0, &beta, map, (int)t->out.channel,
                                                  t->out.row, (int)t->out_rows),
                        STATUS_RESOURCE, "the products of the windows", f);
}

static enum status conv_rows(struct peer_state *s, const struct conv_task *t, struct failure *f)
{
    enum status status = store_windows(s, t, f);
    if (status == STATUS_OK && t->bias)
        status = TOOL(s, launch_conv(s->session.tools.biases, &s->session.launch, t), f);
    for (int64_t g = 0; status == STATUS_OK && g < t->groups; g++)
        status = multiply_group(s, t, g, f);
    return status;
}

static enum status conv(struct peer_state *s, const struct conv_task *t, cudaStream_t stream,
                        struct failure *f)
{
    enum status status = cublas_use(&s->session, stream, f);
    for (int64_t n = 0; status == STATUS_OK && n < t->images; n++)
        for (int64_t row = 0; status == STATUS_OK && row < t->out_rows; row += s->group) {
            const int64_t left = t->out_rows - row;
            const struct conv_task part = rows_of(t, n, row, left < s->group ? left : s->group);
            status = conv_rows(s, &part, f);
        }
    return status;
}

static const struct device_peer on_device = {
    .state_bytes = sizeof(struct peer_state), .prepare = prepare, .conv = conv, .release = release};
const struct peer peer_cublas_conv = {.refuses = refuses, .device = &on_device};
