/* How a GPU is fed: the choices of the CUDA programs. C and CUDA C++ read this header. */
#ifndef MAXPOOL_OFFLOAD_H
#define MAXPOOL_OFFLOAD_H

#include <stdbool.h>
#include <stdint.h>

enum offload {
    OFFLOAD_IMAGE,      /* the image is sent once; windows are multiplied and reduced there */
    OFFLOAD_WINDOW,     /* every window by itself, with arrays, stream and events of its own */
    OFFLOAD_WINDOW_LEAN /* every window by itself, arrays, stream and events kept */
};

enum filter_memory {
    FILTER_TRANSFERRED, /* sent to global memory with the data it is for */
    FILTER_CONSTANT     /* in constant memory, set once */
};

enum host_memory { HOST_PAGEABLE, HOST_PINNED };

/* Constant memory is 64 KiB: a filter of 128 x 128 floats. */
enum { CONSTANT_ORDER = 128 };

struct device_options {
    enum offload offload;
    enum filter_memory filter_memory;
    enum host_memory host_memory;
    int64_t block;        /* threads a side of a block: 16 or 32 */
    int64_t device;       /* which GPU, counted from 0 */
    int64_t streams;      /* chunks under way at a time */
    int64_t memory_bytes; /* of the device that image and map may take; 0: what is free */
    bool warm_cache;      /* leave the device's L2 cache as the last sample left it */
};

#endif
