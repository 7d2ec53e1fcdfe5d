/* Training on a device: the steps of a trainer (networks/training/device_steps.h) by our own
 * kernels. Parameters are sent once. For each step, images and targets are sent, and losses and the
 * last outputs are copied back. Each sum is computed by one thread or block in an order that does
 * not depend on the device, so the same steps give the same bits. */
#ifndef MAXPOOL_CUDA_NETWORK_TRAIN_H
#define MAXPOOL_CUDA_NETWORK_TRAIN_H

#include "cuda/host_memory.h"
#include "cuda/network/backward.h"
#include "networks/training/trainer.h"

struct nvml;

/* An array of the trainer's, and its counterpart. */
struct twin {
    const char *here;
    char *there;
    size_t bytes;
};

enum { TWINS_MOST = 10 + MOMENTS };

struct device_trainer {
    struct device_steps face; /* what the trainer sees; its context is this */
    enum host_memory memory;  /* of what is sent */
    const struct device *device;
    struct layer_engine engine;
    const struct nvml *nvml; /* NULL: not found */
    struct device_layer *layers;
    struct device_reverse *reverses;
    int count;
    struct twin twins[TWINS_MOST];
    int twin_count;
    struct reverse_scratch scratch;
    cudaStream_t stream;
    cudaEvent_t begin, end; /* of the phase */
    bool began;             /* something of it is queued */
    struct phases seen;     /* of the device's clock and power, while it ran backward */
    double device_s[TRAINER_PHASES];
    bool idle; /* updates change nothing */
    /* Where parts are traced: an event before each, and behind the last. */
    struct part_mark *marks;
    cudaEvent_t *edges;
    int mark_most;
    bool marking; /* between the sending of a step and its update */
    double first_launch_s;
};

/* How a trainer is to use the device: before trainer_open, whose `where.device` is &d->face then.
 * Closed by device_trainer_close, also after a failure, before the trainer is. */
void device_trainer_begin(struct device_trainer *d, const struct device *device, int64_t block,
                          enum host_memory memory);
void device_trainer_close(struct device_trainer *d);

#endif
