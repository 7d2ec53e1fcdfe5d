/* GPU peers: other libraries that compute on the same device arrays as our kernels. Their modules
 * do not call the CUDA runtime themselves: with each job the program passes its own functions of
 * the runtime, and the kernels that they also need. */
#ifndef MAXPOOL_CUDA_PEER_H
#define MAXPOOL_CUDA_PEER_H

#include "cuda/kernels/launch.h"
#include "harness/space/peer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Functions and kernels for peers.
 *
 * pad copies a band with its padding, at stride 1: output (row, col) is element (row + top, col +
 * left), or `pad` outside.
 *
 * maximum reduces products. The image holds out_cols x kernel x kernel floats for each row of the
 * map. The product of output (row, col) begins `stride` floats after that of (row, col - 1), and
 * its rows are in_cols floats apart.
 *
 * windows stores the windows of a convolution, of all channels, as a matrix terms x pixels. In its
 * task the filters (groups * filters) are the terms, and pixels are those of all images in order.
 *
 * biases sets every output to its filter's bias. */
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
    struct conv_task conv;             /* the whole convolution, without arrays */
    struct launch launch;              /* limits of a grid */
    int64_t scratch_bytes;             /* the most that scratch should take */
    const void *way;                   /* `way` of struct peer; NULL: a layer of a network */
    struct device_tools tools;
};

struct device_peer {
    size_t state_bytes;
    /* As in struct peer (harness/space/peer.h). The CUDA context exists already. */
    enum status (*prepare)(const struct device_peer_job *job, struct peer_state *state,
                           const char **name, struct failure *f);
    /* Each queues the whole task in the stream. Only the function of the peer's operator is set. */
    enum status (*pool)(struct peer_state *state, const struct pool_task *task, cudaStream_t stream,
                        struct failure *f);
    enum status (*product)(struct peer_state *state, const struct product_task *task,
                           cudaStream_t stream, struct failure *f);
    enum status (*conv)(struct peer_state *state, const struct conv_task *task, cudaStream_t stream,
                        struct failure *f);
    /* Only for a convolution that can add the bias and the residual, and clamp below 0, in the same
     * call; else NULL. fuses is true if it can for that task; conv_fused then does what conv and
     * these passes do. */
    bool (*fuses)(const struct peer_state *state, const struct conv_task *task);
    enum status (*conv_fused)(struct peer_state *state, const struct conv_task *task,
                              cudaStream_t stream, struct failure *f);
    /* Only for a peer that computes in its own layout, else NULL. convert_in converts image and
     * weights to that layout, at the end of distribute. convert_out converts the result back, at
     * the begin of collect. poison sets these arrays to NaN, before an execution. Each is queued in
     * the stream. */
    enum status (*convert_in)(struct peer_state *state, const struct conv_task *task,
                              cudaStream_t stream, struct failure *f);
    enum status (*convert_out)(struct peer_state *state, const struct conv_task *task,
                               cudaStream_t stream, struct failure *f);
    enum status (*poison)(struct peer_state *state, cudaStream_t stream, struct failure *f);
    void (*release)(struct peer_state *state);
};

#ifdef __cplusplus
}
#endif

#endif
