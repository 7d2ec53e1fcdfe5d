/* Training on a device: the steps of a trainer (networks/training/device_steps.h) by our own
 * kernels. Parameters are sent once. For each step, images, targets and some numbers are sent, and
 * losses and the last outputs are copied back. Each sum is computed by one thread or block in an
 * order that does not depend on the device, so the same steps give the same bits. */
#ifndef MAXPOOL_CUDA_NETWORK_TRAIN_H
#define MAXPOOL_CUDA_NETWORK_TRAIN_H

#include "cuda/host_memory.h"
#include "cuda/network/backward.h"
#include "cuda/network/part_graphs.h"
#include "networks/training/trainer.h"

struct nvml;

/* A host array of the trainer, and its counterpart on the device. */
struct mirrored_array {
    const char *host;
    char *device;
    size_t bytes;
};

enum { MIRRORED_MOST = 11 + MOMENTS };

struct device_trainer {
    struct device_steps trainer_interface; /* the trainer's interface; its context is this struct */
    enum host_memory memory;               /* of the host arrays that are sent */
    const struct device *device;
    struct layer_engine engine;
    const struct nvml *nvml; /* NULL: not found */
    struct device_layer *layers;
    struct device_reverse *reverses;
    int count;
    struct mirrored_array mirrored[MIRRORED_MOST];
    int mirrored_count;
    struct reverse_scratch scratch;
    /* What changes from step to step: the dropout's keys of each layer, if any layer has dropout,
     * and then a struct step_numbers. Pinned; on the device. */
    uint64_t *changing, *changing_there;
    int keys;
    /* Set by the caller before trainer_open: a step becomes a graph, or with an exchange its
     * forward and backward pass. */
    bool captures;
    bool preparing; /* a step in which they are captured; its update is held */
    struct part_graphs graphs;
    /* Called after the capture of a whole step; may be NULL. */
    void (*describe)(void *context, const struct part_graphs *g);
    void *describe_context;
    /* Of a whole step: losses and outputs, pinned, and events after sending and computing. */
    char *results;
    cudaEvent_t sent, computed;
    cudaStream_t stream;
    /* For an exchange that overlaps: gradients are copied in a second stream, which waits for
     * `ready`; an event of each step with parameters follows its copies. NULL: it does not. */
    cudaStream_t copies;
    cudaEvent_t ready, *arrived;
    cudaEvent_t begin, end; /* of the current phase */
    bool began;             /* some of its work is queued */
    bool closed;            /* all of it is */
    struct phases seen;     /* clock and power during the backward pass */
    double device_s[TRAINER_PHASES];
    bool idle; /* updates have no parameters */
    /* If parts are traced: an event before each part; `end` follows the last. */
    struct part_mark *marks;
    cudaEvent_t *edges;
    int mark_most;
    bool marking; /* from the sending of a step to its update */
    double first_launch_s;
};

/* Prepares a trainer for the device. Call it before trainer_open, whose `where.device` must be
 * &d->trainer_interface. Closed by device_trainer_close, also after a failure, before the trainer
 * is closed. */
void device_trainer_begin(struct device_trainer *d, const struct device *device, int64_t block,
                          enum host_memory memory);
void device_trainer_close(struct device_trainer *d);

#endif
