/* A trainer whose steps run on a device. Batches, verification and messages stay on the host;
 * parameters, outputs and gradients are in device memory. Every array of the trainer has a
 * counterpart there; statements about an array mean that counterpart. The parts of a step are
 * queued in the order of the calls. */
#ifndef MAXPOOL_TRAINING_DEVICE_STEPS_H
#define MAXPOOL_TRAINING_DEVICE_STEPS_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>

struct trainer;
struct phases;

enum trainer_part {
    PART_FORWARD,    /* of a step: its outputs, before dropout */
    PART_DROP,       /* dropout of its outputs */
    PART_LOSS,       /* of no step: losses, and the last output gradient */
    PART_GATE,       /* its output gradient, passed back through dropout and clamp */
    PART_PARAMETERS, /* the gradients of its parameters, summed over all shards in their order, or
                        for an exchange of each shard of this process */
    PART_INPUT,      /* its input gradient */
    PART_UPDATE,     /* of no step: the parameters, and the optimizer's moments */
    TRAINER_PARTS
};

enum trainer_phase {
    PHASE_SEND, /* images and targets */
    PHASE_FORWARD,
    PHASE_LOSS,
    PHASE_COLLECT, /* losses and outputs */
    PHASE_BACKWARD,
    PHASE_EXCHANGE, /* gradients of this process's shards, to the host */
    PHASE_UPDATE,
    TRAINER_PHASES
};

/* When the device began and ended a part of the last step: seconds from the beginning of the first
 * part. */
struct part_mark {
    enum trainer_part part; /* TRAINER_PARTS: none, the host copied and waited */
    int step;
    double begin, end;
};

struct device_steps {
    void *context;
    bool traced;   /* parts are marked */
    bool overlaps; /* gradients are exchanged while the backward pass runs, not after it */
    bool joins;    /* set by `open`: all parts of a step that is not verified are queued together,
                      and its phases do not end one by one; `finish` ends the step */
    const struct part_mark *marks; /* of the last step, in their order */
    int mark_count;
    /* Allocates host memory that is copied to the device at every step: images and targets. When
     * release is called the context may be gone. */
    enum status (*allocate)(const struct device_steps *e, float **out, size_t bytes,
                            const char *what, struct failure *f);
    void (*release)(float *array);
    /* Allocates the device arrays of a trainer that is open on the host. Sends no parameters
     * yet. */
    enum status (*open)(struct trainer *t, struct failure *f);
    /* Copy bytes of one of the trainer's arrays to the device, and back to the host. */
    enum status (*send)(struct trainer *t, const void *host, size_t bytes, struct failure *f);
    enum status (*fetch)(struct trainer *t, void *host, size_t bytes, struct failure *f);
    enum status (*run)(struct trainer *t, enum trainer_part part, int step, struct failure *f);
    /* For an exchange that overlaps with the backward pass; none of them waits. `follow`: copies
     * that are queued from now on begin when all parts up to here are done, and run beside later
     * parts. `copy` queues one of them: bytes of an array to the host, which has pinned memory
     * there. `arrived` sets *done if all copies of that step have arrived. */
    enum status (*follow)(struct trainer *t, struct failure *f);
    enum status (*copy)(struct trainer *t, int step, void *host, size_t bytes, struct failure *f);
    enum status (*arrived)(struct trainer *t, int step, bool *done, struct failure *f);
    /* Queues all that is left of the phase, and does not wait. */
    enum status (*close)(struct trainer *t, enum trainer_phase phase, struct failure *f);
    /* Waits until the queued work of the phase is done, the copies of the backward pass included;
     * closes it first, unless it is closed. */
    enum status (*end)(struct trainer *t, enum trainer_phase phase, struct failure *f);
    /* For steps that are joined. Queues the parts, copies losses and outputs to the host, and waits
     * until all of it is done. Where a loss is not finite, the update has changed nothing. *send_s
     * and *collect_s: the device's time for images and targets, and for losses and outputs. */
    enum status (*finish)(struct trainer *t, double *send_s, double *collect_s, struct failure *f);
    /* Begins or ends a step that makes the queued work of its phases ready, so that later steps
     * need not: its times and results do not count, and it has no update, or one that changes
     * nothing. False: there is nothing to make ready. */
    bool (*prepare)(struct trainer *t, bool begins);
    /* Reads the times that the device measured in the last step. */
    void (*read_phases)(const struct trainer *t, struct phases *phases);
    /* Collective: makes of what the processes read of their devices what the record has of all of
     * them. NULL: the process is alone. */
    void (*merge_readings)(struct phases *phases);
};

#endif
