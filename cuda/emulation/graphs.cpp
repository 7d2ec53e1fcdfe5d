#include "cuda/emulation/graphs.h"

#include <algorithm>

struct CUgraphNode_st {
    Ordered operation;
};

/* An executable graph has operations of its own. */
struct CUgraph_st {
    std::vector<CUgraphNode_st> nodes;
    bool stale; /* an array that it was given is gone */
};
struct CUgraphExec_st : CUgraph_st {
};

namespace
{

struct Capture {
    cudaStream_t stream = nullptr; /* nullptr: there is none */
    cudaGraph_t graph = nullptr;
    bool valid = true;
};

Capture capture;
std::set<cudaGraph_t> graphs; /* and the executable ones */

bool uses(const CUgraph_st &graph, const void *array)
{
    return std::any_of(graph.nodes.begin(), graph.nodes.end(), [=](const CUgraphNode_st &node) {
        return node.operation.arrays.count(array) > 0;
    });
}

cudaError_t release(cudaGraph_t graph)
{
    return graphs.erase(graph) > 0 ? cudaSuccess : cudaErrorInvalidValue;
}

} // namespace

bool graphs_capturing()
{
    return capture.stream != nullptr;
}

bool graphs_capturing(cudaStream_t stream)
{
    return capture.stream && capture.stream == stream;
}

cudaError_t graphs_add(const Ordered &operation)
{
    if (!capture.valid)
        return cudaErrorStreamCaptureInvalidated;
    capture.graph->nodes.push_back({operation});
    return cudaSuccess;
}

cudaError_t graphs_break(cudaError_t error)
{
    capture.valid = false;
    return error;
}

void graphs_freed(const void *array)
{
    for (cudaGraph_t graph : graphs)
        graph->stale |= uses(*graph, array);
}

int64_t graphs_live()
{
    return static_cast<int64_t>(graphs.size()) + graphs_capturing();
}

void graphs_forget()
{
    delete capture.graph;
    capture = Capture();
}

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, enum cudaStreamCaptureMode)
{
    const cudaError_t error = runtime_enter();
    const cudaStream_t stream = runtime_stream(handle);
    if (error != cudaSuccess)
        return error;
    if (!handle || !stream)
        return handle ? cudaErrorInvalidResourceHandle : cudaErrorStreamCaptureUnsupported;
    if (graphs_capturing())
        return graphs_break(cudaErrorIllegalState);
    capture.stream = stream;
    capture.graph = new CUgraph_st();
    return cudaSuccess;
}

/* The capture ends in any case. */
cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t *out)
{
    cudaError_t error = runtime_enter();
    *out = nullptr;
    if (!graphs_capturing(runtime_stream(handle)))
        return error != cudaSuccess ? error : cudaErrorIllegalState;
    if (error == cudaSuccess && !capture.valid)
        error = cudaErrorStreamCaptureInvalidated;
    if (error == cudaSuccess) {
        *out = capture.graph;
        graphs.insert(*out);
        capture.graph = nullptr;
    }
    graphs_forget();
    return error;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    if (const cudaError_t error = runtime_enter())
        return error;
    if (nodes)
        for (size_t i = 0; i < *count && i < graph->nodes.size(); i++)
            nodes[i] = &graph->nodes[i];
    *count = nodes ? std::min(*count, graph->nodes.size()) : graph->nodes.size();
    return cudaSuccess;
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
    *type = node->operation.type;
    return runtime_enter();
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long)
{
    if (const cudaError_t error = runtime_enter())
        return error;
    *out = new CUgraphExec_st();
    static_cast<CUgraph_st &>(**out) = *graph;
    graphs.insert(*out);
    return cudaSuccess;
}

/* The operations follow each other, as in the stream that was captured. */
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream)
{
    cudaError_t error = runtime_enter();
    if (error != cudaSuccess)
        return error;
    if (!runtime_stream(stream))
        return cudaErrorInvalidResourceHandle;
    if (graphs_capturing(runtime_stream(stream)))
        return graphs_break(cudaErrorNotSupported);
    if (graph->stale)
        return runtime_fault(cudaErrorIllegalAddress,
                             "a graph was launched that uses an array which was freed since its "
                             "capture");
    const size_t count = graph->nodes.size();
    const Ordered begin = {nullptr,
                           cudaGraphNodeTypeEmpty,
                           [=](uint32_t) {
                               runtime_note("graph", count);
                               return cudaSuccess;
                           },
                           {}};
    error = runtime_queue(stream, begin, true);
    for (size_t i = 0; error == cudaSuccess && i < count; i++)
        error = runtime_queue(stream, graph->nodes[i].operation, true);
    return error;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    const cudaError_t error = release(graph);
    if (error == cudaSuccess)
        delete graph;
    return error;
}

/* Launches that were not done yet have copies of the operations. */
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph)
{
    const cudaError_t error = release(graph);
    if (error == cudaSuccess)
        delete graph;
    return error;
}
}
