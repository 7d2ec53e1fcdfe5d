/* Graphs: what is launched in a stream while it is captured, to be launched again as a whole.
 *
 * Stricter than the runtime: one capture at a time, of one stream. Events, and other streams in a
 * capture, are refused. */
#ifndef CUDA_EMULATION_GRAPHS_H
#define CUDA_EMULATION_GRAPHS_H

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

/* What an operation of a stream does, given its number (operations.h). */
typedef std::function<cudaError_t(uint32_t)> Work;

/* An operation of a stream. */
struct Ordered {
    const void *call; /* the host's instruction that ordered it; nullptr: not known */
    cudaGraphNodeType type;
    Work work;
    std::set<const void *> arrays; /* of the device, and pinned ones, that it was given */
};

/* The capture that is running, if any. */
bool graphs_capturing(); /* of any stream */
bool graphs_capturing(cudaStream_t stream);
cudaError_t graphs_add(const Ordered &operation);
/* A call that a capture does not permit: the error, after which the capture is invalid. */
cudaError_t graphs_break(cudaError_t error);

/* An array is gone: no graph that was given it may be launched any more. */
void graphs_freed(const void *array);

int64_t graphs_live();
void graphs_forget(); /* the capture that is running */

/* Defined by runtime.cpp: what begins every call that can fail; a stream by its handle, or nullptr;
 * queues an operation; the fault of a call. */
cudaError_t runtime_enter();
cudaStream_t runtime_stream(cudaStream_t handle);
cudaError_t runtime_queue(cudaStream_t handle, const Ordered &operation, bool of_graph);
cudaError_t runtime_fault(cudaError_t error, const std::string &why);
void runtime_note(const char *what, size_t number);

#endif
