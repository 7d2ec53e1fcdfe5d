/* Max pooling by cuDNN, through its legacy interface, which every release has had. Elements outside
 * the image never win there, so padding is that of --pad-mode ignore. Source: NVIDIA cuDNN backend
 * documentation, cudnnPoolingForward. */
#include "cuda/peers/peer.h"
#include "peers/peers.h"

#include <cudnn.h>
#include <limits.h>
#include <stdio.h>

struct peer_state {
    cudnnHandle_t handle;
    cudnnPoolingDescriptor_t pooling;
    cudnnTensorDescriptor_t image, map;
    char name[32];
};

static enum status check(cudnnStatus_t status, enum status otherwise, const char *what,
                         struct failure *f)
{
    if (status == CUDNN_STATUS_SUCCESS)
        return STATUS_OK;
    return fail(f, otherwise, "cuDNN: %s: %s", what, cudnnGetErrorString(status));
}

/* Returns the elements as a double, because they may be more than an int64_t holds. */
static double elements(struct image_shape s)
{
    return (double)s.planes * (double)s.rows * (double)s.cols;
}

static const char *refuses(const struct operation *op)
{
    const struct geometry *g = &op->geometry;
    if (g->padding > 0 && g->pad_mode == PAD_ZERO)
        return "cuDNN pads with elements that never win: --pad-mode ignore";
    if (g->planes > INT_MAX || g->rows > INT_MAX || g->cols > INT_MAX || g->stride > INT_MAX ||
        g->kernel > INT_MAX)
        return "cuDNN counts in 32 bits";
    if (elements(op->image) > INT_MAX || elements(op->map) > INT_MAX)
        return "cuDNN takes images and maps of less than 2^31 elements";
    return NULL;
}

static enum status describe_tensor(cudnnTensorDescriptor_t *tensor, struct image_shape s,
                                   struct failure *f)
{
    enum status status = check(cudnnCreateTensorDescriptor(tensor), STATUS_RESOURCE, "a tensor", f);
    if (status == STATUS_OK)
        status = check(cudnnSetTensor4dDescriptor(*tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1,
                                                  (int)s.planes, (int)s.rows, (int)s.cols),
                       STATUS_RESOURCE, "a tensor of the image's or map's size", f);
    return status;
}

static enum status describe_pooling(struct peer_state *s, const struct geometry *g,
                                    struct failure *f)
{
    const int k = (int)g->kernel, stride = (int)g->stride, padding = (int)g->padding;
    enum status status =
        check(cudnnCreatePoolingDescriptor(&s->pooling), STATUS_RESOURCE, "a pooling", f);
    if (status == STATUS_OK)
        status = check(cudnnSetPooling2dDescriptor(s->pooling, CUDNN_POOLING_MAX,
                                                   CUDNN_NOT_PROPAGATE_NAN, k, k, padding, padding,
                                                   stride, stride),
                       STATUS_RESOURCE, "a pooling with this window", f);
    return status;
}

static void release(struct peer_state *s)
{
    if (s->map)
        cudnnDestroyTensorDescriptor(s->map);
    if (s->image)
        cudnnDestroyTensorDescriptor(s->image);
    if (s->pooling)
        cudnnDestroyPoolingDescriptor(s->pooling);
    if (s->handle)
        cudnnDestroy(s->handle);
}

/* Writes the release: 91900 is 9.19.0; before release 9 the number has one digit less. */
static void name_version(char *name, size_t size)
{
    const size_t v = cudnnGetVersion(), thousand = v >= 90000 ? 10000 : 1000;
    snprintf(name, size, "cudnn %zu.%zu.%zu", v / thousand, v % thousand / 100, v % 100);
}

static enum status prepare(const struct device_peer_job *job, struct peer_state *s,
                           const char **name, struct failure *f)
{
    const struct operation *op = job->operation;
    enum status status =
        check(cudnnCreate(&s->handle), STATUS_UNAVAILABLE, "it does not start here", f);
    if (status == STATUS_OK)
        status = describe_tensor(&s->image, op->image, f);
    if (status == STATUS_OK)
        status = describe_tensor(&s->map, op->map, f);
    name_version(s->name, sizeof s->name);
    *name = s->name;
    return status == STATUS_OK ? describe_pooling(s, &op->geometry, f) : status;
}

static enum status pool(struct peer_state *s, const struct pool_task *task, cudaStream_t stream,
                        struct failure *f)
{
    const float one = 1.0f, zero = 0.0f;
    enum status status = check(cudnnSetStream(s->handle, stream), STATUS_RESOURCE, "the stream", f);
    if (status == STATUS_OK)
        status = check(cudnnPoolingForward(s->handle, s->pooling, &one, s->image, task->image,
                                           &zero, s->map, task->map),
                       STATUS_RESOURCE, "the pooling", f);
    return status;
}

static const struct device_peer on_device = {
    .state_bytes = sizeof(struct peer_state), .prepare = prepare, .pool = pool, .release = release};
const struct peer peer_cudnn = {.refuses = refuses, .device = &on_device};
