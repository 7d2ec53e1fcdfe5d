/* Selects and describes the GPU, and translates CUDA errors into our statuses and messages. */
#ifndef MAXPOOL_CUDA_DEVICE_H
#define MAXPOOL_CUDA_DEVICE_H

#include "harness/base/failure.h"

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

/* The interface whose versions a device has. */
#ifdef MAXPOOL_HIP
#define DEVICE_INTERFACE "HIP"
#else
#define DEVICE_INTERFACE "CUDA"
#endif

struct device {
    char name[256];
    char bus[32];        /* PCI bus id */
    int major, minor;    /* compute capability */
    int driver, runtime; /* versions of CUDA, as 13000 for 13.0, or of HIP */
    int64_t processors, threads_per_processor;
    int64_t grid_rows, grid_planes; /* largest grid along y and z, blocks */
    int64_t cache_bytes;            /* L2 */
    size_t memory_bytes;
};

/* Returns STATUS_OK for cudaSuccess, status 3 with a plain message if something is missing on this
 * machine (driver, device, a kernel for this GPU), and status 4 for any other error. Of memory that
 * device_malloc or device_malloc_pinned could not get, the message has the bytes.
 * Messages of status 4 name the call and its place. Once a fault has broken the context, every
 * later call fails too; then the message also names that first fault. */
enum status cuda_check(cudaError_t error, const char *call, const char *file, int line,
                       struct failure *f);

/* A macro, because only a macro knows the place and the text of the call. */
#define CUDA(call, f) cuda_check((call), #call, __FILE__, __LINE__, (f))

/* cudaMalloc and cudaMallocHost. They note the bytes that they could not get, for cuda_check. */
cudaError_t device_malloc(void **out, size_t bytes);
cudaError_t device_malloc_pinned(void **out, size_t bytes);

/* Creates events; and destroys those of them that exist, after which they do not. `events` may be
 * NULL there. The same for a stream. */
enum status device_events_open(cudaEvent_t *events, int64_t count, struct failure *f);
void device_events_close(cudaEvent_t *events, int64_t count);
void device_stream_close(cudaStream_t *stream);

/* Returns STATUS_OK if there is a device and a driver that is new enough. Creates no context. */
enum status device_probe(struct failure *f);

/* Sets *count to the number of devices that this process sees: at least 1, or a failure. */
enum status device_count(int64_t *count, struct failure *f);

/* Selects the device of that number for this process, creates its context and describes it. Status
 * 2 if there is no such device. */
enum status device_take(struct device *d, int64_t index, struct failure *f);

/* Writes and returns the line for CMake that builds for the selected device. */
const char *device_architecture_option(char *text, size_t size);

/* Writes the first two lines of the summary, without a line end: the device, and the versions of
 * CUDA. */
void device_describe(const struct device *d, char *text, size_t size);

/* Sets *seconds to the device time between two events. Both must have happened. */
enum status device_seconds(cudaEvent_t begin, cudaEvent_t end, double *seconds, struct failure *f);

/* Sets best_s[way] to the least device time of some runs of that way, 0 or 1, taken in turn. `run`
 * queues a run in the stream. */
enum status device_compare(enum status (*run)(void *context, int way, struct failure *f),
                           void *context, cudaStream_t stream, double best_s[2], struct failure *f);

/* Sets *faster to 0 or 1: the way of which a run takes the device less time. */
enum status device_faster(enum status (*run)(void *context, int way, struct failure *f),
                          void *context, cudaStream_t stream, int *faster, struct failure *f);

/* Sets *bytes to the device memory that may still be allocated: nine tenths of what is free. */
enum status device_available(size_t *bytes, struct failure *f);

#endif
