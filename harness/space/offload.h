/* How work is passed to a GPU: the choices of the CUDA programs. C and CUDA C++ read this
 * header. */
#ifndef MAXPOOL_OFFLOAD_H
#define MAXPOOL_OFFLOAD_H

#include <stdbool.h>
#include <stdint.h>

enum offload {
    OFFLOAD_IMAGE,      /* the image is sent once; the GPU multiplies and reduces windows */
    OFFLOAD_WINDOW,     /* each window separately, with its own arrays, stream and events */
    OFFLOAD_WINDOW_LEAN /* each window separately; arrays, stream and events are reused */
};

enum filter_memory {
    FILTER_TRANSFERRED, /* sent to global memory with its data */
    FILTER_CONSTANT     /* in constant memory, set once */
};

enum host_memory { HOST_PAGEABLE, HOST_PINNED };

/* The launches of a network: one by one, or captured once and replayed as a CUDA graph. */
enum submit { SUBMIT_SINGLE, SUBMIT_GRAPH };

/* Constant memory is 64 KiB: a filter of 128 x 128 floats. */
enum { CONSTANT_ORDER = 128 };

/* No GPU was asked for: a rank takes that of its local rank. */
enum { DEVICE_OF_RANK = -1 };

struct device_options {
    enum offload offload;
    enum filter_memory filter_memory;
    enum host_memory host_memory;
    enum submit submit;
    bool overlaps;        /* a training's exchange, with the backward pass */
    int64_t block;        /* threads along each side of a block: 16 or 32 */
    int64_t device;       /* index of the GPU, from 0; among ranks also DEVICE_OF_RANK */
    int64_t streams;      /* chunks in flight at a time */
    int64_t memory_bytes; /* of the device, for image and map; 0: what is free */
    bool warm_cache;      /* keep the device's L2 cache between samples */
    /* Of an emulated device: count what the kernels do, and show it in this form ("": a table), for
     * the card of this name. NULL: not requested, not given. */
    const char *count, *card;
};

#endif
