/* What the CUDA space holds, and how its work is offloaded. Only cuda/ and its tests read this. */
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
    struct instance *first; /* whose memory, here and on the device, this uses; NULL: its own */
    struct device_options options;
    struct device device;
    const struct cuda_method *kernels;
    struct device_kernel kernel;
    struct launch launch; /* of the kernel that is launched; its stream is the offload's business */
    float *image, *map;   /* the host's */
    struct guarded image_block, map_block; /* where those lie; the first's alone has them */
    /* On the device, by role: arrays; NULL where there is none, or the right one is in constant
     * memory. */
    float *operands[OPERAND_COUNT];
    int64_t pieces; /* of a convolution's terms; 0 or 1: all of them are one */
    float *parts;   /* the sums of pieces, of each lane; this method's own; NULL: none */
    const struct device_peer *peer; /* the library that computes; NULL: kernels do */
    struct peer_state *peer_state;
    const struct offloading *offloading;
    void *state;        /* the offload's */
    struct flush flush; /* without array: caches stay warm */
    double first_launch_s;
    struct nvml *nvml;  /* NULL: not found */
    bool computes_long; /* a kernel of the last execution took milliseconds */
    char isa[64];       /* or what the peer calls itself */
    char summary[1024];
    struct failure pending; /* of a poisoning, reported by the next execution */
};

/* How work is offloaded. Each function but close returns with the device idle, or with an error. */
struct offloading {
    enum status (*open)(struct instance *in, struct resources *resources, struct failure *f);
    enum status (*poison)(struct instance *in, struct failure *f);
    enum status (*execute)(struct instance *in, struct phases *phases, struct failure *f);
    /* Launches the kernel once, on no work; calls a peer once, with all of it. */
    enum status (*launch_first)(struct instance *in, struct failure *f);
    /* Launches the kernel over all of the map (or over one window), and says which thread made
     * which element: rows x cols of them. The caller frees *places. */
    enum status (*note_places)(struct instance *in, struct thread_place **places, int64_t *rows,
                               int64_t *cols, struct failure *f);
    void (*close)(struct instance *in); /* whatever was opened of it */
};

extern const struct offloading offload_image, offload_window;

size_t operand_bytes(const struct operand *o);

#endif
