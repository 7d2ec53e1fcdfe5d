/* A trainer whose steps run on a device. Batches, verification and messages stay on the host;
 * parameters, outputs and gradients are in device memory. Every array of the trainer has a
 * counterpart there; statements about an array mean that counterpart. Each part of a step is
 * queued, in the order of the calls. */
#ifndef MAXPOOL_TRAINING_DEVICE_STEPS_H
#define MAXPOOL_TRAINING_DEVICE_STEPS_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>

struct trainer;
struct phases;

enum trainer_part {
    PART_FORWARD,    /* of a step: its outputs, before any is dropped */
    PART_DROP,       /* its outputs, dropped */
    PART_LOSS,       /* of no step: losses, and the last output gradient */
    PART_GATE,       /* its output gradient, back through what it drops and clamps */
    PART_PARAMETERS, /* the gradients of its parameters, of all shards in their order */
    PART_INPUT,      /* its input gradient */
    PART_UPDATE,     /* of no step: the parameters, and what the optimizer keeps */
    TRAINER_PARTS
};

enum trainer_phase {
    PHASE_SEND, /* images and targets */
    PHASE_FORWARD,
    PHASE_LOSS,
    PHASE_COLLECT, /* losses and outputs */
    PHASE_BACKWARD,
    PHASE_UPDATE,
    TRAINER_PHASES
};

/* When the device began a part of the last step, and when it had ended it: seconds from the first
 * one. */
struct part_mark {
    enum trainer_part part; /* TRAINER_PARTS: none, the host copied and waited */
    int step;
    double begin, end;
};

struct device_steps {
    void *context;
    bool traced;                   /* parts are marked, */
    const struct part_mark *marks; /* those of the last step, in their order */
    int mark_count;
    /* Host memory that is copied to the device at every step: images and targets. When release
     * is called the context may be gone. */
    enum status (*allocate)(const struct device_steps *e, float **out, size_t bytes,
                            const char *what, struct failure *f);
    void (*release)(float *array);
    /* The trainer is open on the host: allocates its device arrays. Sends no parameters yet. */
    enum status (*open)(struct trainer *t, struct failure *f);
    /* Copies bytes of one of the trainer's arrays to the device, and back to the host. */
    enum status (*send)(struct trainer *t, const void *here, size_t bytes, struct failure *f);
    enum status (*fetch)(struct trainer *t, void *here, size_t bytes, struct failure *f);
    enum status (*run)(struct trainer *t, enum trainer_part part, int step, struct failure *f);
    /* All of the phase is queued: waits until it is done. */
    enum status (*end)(struct trainer *t, enum trainer_phase phase, struct failure *f);
    /* Times that the device measured in the last step. */
    void (*read_phases)(const struct trainer *t, struct phases *phases);
};

#endif
