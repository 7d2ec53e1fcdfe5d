/* The state of the CUDA space, and the interface of an offload. Only cuda/ and its tests read
 * this. */
#ifndef MAXPOOL_CUDA_INSTANCE_H
#define MAXPOOL_CUDA_INSTANCE_H

#include "cuda/flush.h"
#include "cuda/host_memory.h"
#include "cuda/kernels/launch.h"
#include "cuda/tasks.h"
#include "harness/space/space.h"

struct offloading;
struct nvml;
struct device_peer;
struct peer_state;

struct instance {
    const struct operation *operation;
    struct instance *first; /* whose memory, on the host and on the device, this one uses; NULL: it
                               has its own */
    struct device_options options;
    struct device device;
    const struct cuda_method *kernels;
    struct device_kernel kernel;
    struct launch launch; /* of the kernel; the offload sets its stream */
    float *image, *map;   /* on the host */
    struct held held;     /* by the caller: what `image` and `map` then begin with */
    struct guarded image_block, map_block; /* that contain these two; only in the first instance */
    /* Device arrays by role. NULL if there is no such operand, or if it is the right one and in
     * constant memory. */
    float *operands[OPERAND_COUNT];
    int64_t pieces; /* that the terms of a sum are cut into; 0 or 1: not cut */
    float *parts;   /* sums of the pieces, for each lane; each method has its own; NULL: none */
    const struct device_peer *peer; /* the library that computes; NULL: our kernels do */
    struct peer_state *peer_state;
    bool fused; /* the peer adds the bias in the same call */
    const struct offloading *offloading;
    void *state;        /* the offload's */
    struct flush flush; /* without an array, caches stay warm */
    double first_launch_s;
    struct nvml *nvml;  /* NULL: not found */
    bool computes_long; /* the last execution was long enough to read NVML meanwhile */
    char isa[64];       /* or the peer's name */
    char summary[1024];
    struct failure pending; /* of a poisoning, reported by the next execution */
};

/* How work is offloaded. Each function except close returns with the device idle, or with an
 * error. */
struct offloading {
    enum status (*open)(struct instance *in, struct resources *resources, struct failure *f);
    enum status (*poison)(struct instance *in, struct failure *f);
    enum status (*execute)(struct instance *in, struct phases *phases, struct failure *f);
    /* Loads the kernel, without a launch; calls a peer once with all of the work. */
    enum status (*launch_first)(struct instance *in, struct failure *f);
    /* Launches the kernel over the whole map, or over one window, and records which thread computed
     * which element: *rows x *cols of them. The caller frees *places. */
    enum status (*note_places)(struct instance *in, struct thread_place **places, int64_t *rows,
                               int64_t *cols, struct failure *f);
    void (*close)(struct instance *in); /* also after a failed open */
};

extern const struct offloading offload_image, offload_window;

static inline size_t operand_bytes(const struct operand *o)
{
    return (size_t)shape_elements(o->shape) * sizeof(float);
}

#endif
