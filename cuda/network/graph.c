#include "cuda/network/graph.h"

#include <stdlib.h>

/* The first release with graphs: CUDA 10.0, HIP 4.3. */
#ifdef MAXPOOL_HIP
enum { FIRST_WITH_GRAPHS = 4030 };
#else
enum { FIRST_WITH_GRAPHS = 10000 };
#endif

enum status graph_supported(const struct device *d, struct failure *f)
{
    const int least = d->driver < d->runtime ? d->driver : d->runtime;
    if (CUDART_VERSION >= FIRST_WITH_GRAPHS && least >= FIRST_WITH_GRAPHS)
        return STATUS_OK;
    return fail(
        f, STATUS_UNAVAILABLE,
        "--submit graph: not supported: graphs need %s %d.%d; this build has %s %d.%d, and the "
        "driver serves %d.%d",
        DEVICE_INTERFACE, FIRST_WITH_GRAPHS / 1000, FIRST_WITH_GRAPHS % 1000 / 10, DEVICE_INTERFACE,
        d->runtime / 1000, d->runtime % 1000 / 10, d->driver / 1000, d->driver % 1000 / 10);
}

#if CUDART_VERSION >= 10000

static enum status begin_capture(cudaStream_t stream, struct failure *f)
{
#if CUDART_VERSION >= 10010
    return CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), f);
#else
    return CUDA(cudaStreamBeginCapture(stream), f);
#endif
}

static enum status instantiate(struct graph *g, cudaGraph_t graph, struct failure *f)
{
#if CUDART_VERSION >= 12000
    return CUDA(cudaGraphInstantiate(&g->launches, graph, 0), f);
#else
    return CUDA(cudaGraphInstantiate(&g->launches, graph, NULL, NULL, 0), f);
#endif
}

static enum status count_kernels(struct graph *g, cudaGraph_t graph, struct failure *f)
{
    size_t count = 0;
    enum status status = CUDA(cudaGraphGetNodes(graph, NULL, &count), f);
    if (status != STATUS_OK || count == 0)
        return status;
    cudaGraphNode_t *nodes = calloc(count, sizeof *nodes);
    if (!nodes)
        return fail(f, STATUS_RESOURCE, "no memory for a graph of %zu launches", count);
    status = CUDA(cudaGraphGetNodes(graph, nodes, &count), f);
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        enum cudaGraphNodeType type;
        status = CUDA(cudaGraphNodeGetType(nodes[i], &type), f);
        if (status == STATUS_OK && type == cudaGraphNodeTypeKernel)
            g->kernels++;
    }
    g->others = (int64_t)count - g->kernels;
    free(nodes);
    return status;
}

/* The capture ends also after a failure, whose message is kept. */
enum status graph_capture(struct graph *g, queue_work *queue, void *context, cudaStream_t stream,
                          struct failure *f)
{
    struct failure of_end = {0};
    cudaGraph_t graph = NULL;
    *g = (struct graph){0};
    enum status status = begin_capture(stream, f);
    if (status != STATUS_OK)
        return status;
    status = queue(context, f);
    const enum status ended = CUDA(cudaStreamEndCapture(stream, &graph), &of_end);
    if (status == STATUS_OK && ended != STATUS_OK)
        status = fail(f, ended, "%s", of_end.message);
    if (status == STATUS_OK)
        status = count_kernels(g, graph, f);
    if (status == STATUS_OK)
        status = instantiate(g, graph, f);
    if (graph)
        cudaGraphDestroy(graph);
    return status;
}

enum status graph_launch(const struct graph *g, cudaStream_t stream, struct failure *f)
{
    return CUDA(cudaGraphLaunch(g->launches, stream), f);
}

void graph_close(struct graph *g)
{
    if (g->launches)
        cudaGraphExecDestroy(g->launches);
    *g = (struct graph){0};
}

#else

/* graph_supported has refused before. */
enum status graph_capture(struct graph *g, queue_work *queue, void *context, cudaStream_t stream,
                          struct failure *f)
{
    (void)g, (void)queue, (void)context, (void)stream;
    return fail(f, STATUS_UNAVAILABLE, "--submit graph: graphs need CUDA 10.0");
}

enum status graph_launch(const struct graph *g, cudaStream_t stream, struct failure *f)
{
    return graph_capture(NULL, NULL, (void *)g, stream, f);
}

void graph_close(struct graph *g)
{
    (void)g;
}

#endif

/* The two ways of one piece of work. */
struct ways {
    const struct graph *graph;
    queue_work *queue;
    void *context;
    cudaStream_t stream;
};

static enum status run_way(void *context, int way, struct failure *f)
{
    const struct ways *w = context;
    return way == 0 ? w->queue(w->context, f) : graph_launch(w->graph, w->stream, f);
}

enum status graph_compare(const struct graph *g, queue_work *queue, void *context,
                          cudaStream_t stream, double *share, struct failure *f)
{
    struct ways ways = {g, queue, context, stream};
    double best_s[2];
    const enum status status = device_compare(run_way, &ways, stream, best_s, f);
    *share = status == STATUS_OK && best_s[1] < best_s[0] ? 1.0 - best_s[1] / best_s[0] : 0.0;
    return status;
}
