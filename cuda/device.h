/* The GPU: found, described, and its errors made ours. */
#ifndef MAXPOOL_CUDA_DEVICE_H
#define MAXPOOL_CUDA_DEVICE_H

#include "harness/base/failure.h"

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

struct device {
    char name[256];
    char bus[32];        /* PCI bus id */
    int major, minor;    /* compute capability */
    int driver, runtime; /* CUDA versions, as 13000 for 13.0 */
    int64_t processors, threads_per_processor;
    int64_t grid_rows, grid_planes; /* largest grid along y and z, blocks */
    int64_t cache_bytes;            /* L2 */
    size_t memory_bytes;
};

/* STATUS_OK for cudaSuccess. What is missing here (driver, device, memory, a kernel for this GPU)
 * is status 3 in plain words, any other error status 4; the message names the call and its place,
 * and, once a fault has broken the context, so that every later call fails too, that first fault.
 */
enum status cuda_check(cudaError_t error, const char *call, const char *file, int line,
                       struct failure *f);

/* A macro, because only a macro knows where it stands. */
#define CUDA(call, f) cuda_check((call), #call, __FILE__, __LINE__, (f))

/* Is there a driver new enough, and any device? Makes no context. */
enum status device_probe(struct failure *f);

/* Takes the device of that number for this process, makes its context, and describes it. Status 2
 * where there are fewer. */
enum status device_take(struct device *d, int64_t index, struct failure *f);

/* Device time between two events, seconds. Both must have happened. */
enum status device_seconds(cudaEvent_t begin, cudaEvent_t end, double *seconds, struct failure *f);

/* Bytes of device memory that may still be taken: a tenth of what is free is left alone. */
enum status device_room(size_t *bytes, struct failure *f);

#endif
