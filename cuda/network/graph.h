/* CUDA graphs: the launches of a stream are captured once and launched again as a whole, which
 * costs the host a single call and leaves no gaps between kernels. A graph keeps the arguments of
 * its kernels: it holds for the arrays, and for the numbers of images, of its capture. */
#ifndef MAXPOOL_CUDA_NETWORK_GRAPH_H
#define MAXPOOL_CUDA_NETWORK_GRAPH_H

#include "cuda/device.h"

#include <stdbool.h>

#if CUDART_VERSION >= 10000
typedef cudaGraphExec_t graph_launches;
#else
typedef void *graph_launches; /* releases before 10.0 have no graphs */
#endif

struct graph {
    graph_launches launches; /* NULL: nothing is captured */
    int64_t kernels, others; /* in it: kernels; copies and other operations */
};

/* Queues what is captured, in the stream of the capture. */
typedef enum status queue_work(void *context, struct failure *f);

/* Status 3 if the CUDA release of the build, or the driver, has no graphs. */
enum status graph_supported(const struct device *d, struct failure *f);

/* Captures what `queue` queues in the stream; nothing of it runs. Its kernels must have run before,
 * because the first launch of a kernel may load it. `queue` must not wait, allocate, or record
 * events. */
enum status graph_capture(struct graph *g, queue_work *queue, void *context, cudaStream_t stream,
                          struct failure *f);
enum status graph_launch(const struct graph *g, cudaStream_t stream, struct failure *f);
void graph_close(struct graph *g);

/* Sets *share to the share of the time of single launches that the graph saves, which is time
 * between kernels: the best of some runs of each. */
enum status graph_compare(const struct graph *g, queue_work *queue, void *context,
                          cudaStream_t stream, double *share, struct failure *f);

#endif
