/* GPU peers: other libraries that compute on the same device arrays as our kernels. Their modules
 * do not call the CUDA runtime themselves: the program passes its own copy of it, and the kernels
 * that they need besides, with each task. */
#ifndef MAXPOOL_CUDA_PEER_H
#define MAXPOOL_CUDA_PEER_H

#include "cuda/kernels/launch.h"
#include "harness/space/peer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* pad copies a band with its padding, with stride 1: output (row, col) is element (row + top, col +
 * left), or `pad` outside. maximum reduces products: the image holds cols x kernel x kernel floats
 * for each row of the map; the product of output (row, col) begins `stride` floats after that of
 * (row, col - 1), and its rows lie in_cols apart. windows stores the windows of a convolution, of
 * all channels: term by term, which stand in the task's filters' places (groups * filters of them),
 * of each the pixels of all images in their order. biases sets every output to its
 * filter's bias. */
struct device_tools {
    cudaError_t (*allocate)(void **out, size_t bytes);
    cudaError_t (*release)(void *array);
    cudaError_t (*launch)(pool_kernel *kernel, const struct launch *l,
                          const struct pool_task *task);
    cudaError_t (*launch_conv)(const struct conv_pair *kernel, const struct launch *l,
                               const struct conv_task *task);
    pool_kernel *pad, *maximum;
    const struct conv_pair *windows, *biases;
    /* As cuda_check (cuda/device.h). */
    enum status (*check)(cudaError_t error, const char *call, const char *file, int line,
                         struct failure *f);
};

struct device_peer_job {
    const struct operation *operation; /* NULL: a layer of a network */
    struct conv_task conv;             /* of a convolution: all of it, without arrays */
    struct launch launch;              /* limits of a grid */
    int64_t scratch_bytes;             /* that scratch should take at the most */
    const void *way;                   /* of struct peer; NULL: a layer of a network */
    struct device_tools tools;
};

struct device_peer {
    /* As of struct peer (harness/space/peer.h); the context is there. */
    enum status (*prepare)(const struct device_peer_job *job, struct peer_state **out,
                           const char **name, struct failure *f);
    /* Queues the whole of the task in the stream. The one of the operator is set. */
    enum status (*pool)(struct peer_state *state, const struct pool_task *task, cudaStream_t stream,
                        struct failure *f);
    enum status (*product)(struct peer_state *state, const struct product_task *task,
                           cudaStream_t stream, struct failure *f);
    enum status (*conv)(struct peer_state *state, const struct conv_task *task, cudaStream_t stream,
                        struct failure *f);
    /* Of a peer that computes in a layout of its own, else NULL: image and weights into it, at the
     * end of distribute; the result from it, at the begin of collect; and it made NaN, before an
     * execution. Each is queued in the stream. */
    enum status (*bring)(struct peer_state *state, const struct conv_task *task,
                         cudaStream_t stream, struct failure *f);
    enum status (*deliver)(struct peer_state *state, const struct conv_task *task,
                           cudaStream_t stream, struct failure *f);
    enum status (*poison)(struct peer_state *state, cudaStream_t stream, struct failure *f);
    void (*release)(struct peer_state *state);
};

#ifdef __cplusplus
}
#endif

#endif
