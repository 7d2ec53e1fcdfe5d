/* A trainer whose steps run on another device. Batches, verification and what is told stay here;
 * parameters, outputs and gradients live there. Every array of the trainer has a counterpart there:
 * what is said of one here is meant of that one. Each part of a step is queued, in the order of the
 * calls. */
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
    PART_LOSS,       /* of no step: losses, and the slopes of the last outputs */
    PART_GATE,       /* the slopes of its outputs, back through what it drops and clamps */
    PART_PARAMETERS, /* the gradients of its parameters, of all shards in their order */
    PART_INPUT,      /* the slopes of its input */
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

struct trainer_elsewhere {
    void *context;
    bool traced;                   /* parts are marked, */
    const struct part_mark *marks; /* those of the last step, in their order */
    int mark_count;
    /* Memory here that goes over at every step: images and targets. Where release is called the
     * context may be gone. */
    enum status (*allocate)(const struct trainer_elsewhere *e, float **out, size_t bytes,
                            const char *what, struct failure *f);
    void (*release)(float *array);
    /* The trainer is open here: makes all of it there. Parameters are not sent yet. */
    enum status (*open)(struct trainer *t, struct failure *f);
    /* Some bytes of one of the trainer's arrays, over, and back. After fetch they are here. */
    enum status (*send)(struct trainer *t, const void *here, size_t bytes, struct failure *f);
    enum status (*fetch)(struct trainer *t, void *here, size_t bytes, struct failure *f);
    enum status (*run)(struct trainer *t, enum trainer_part part, int step, struct failure *f);
    /* All of the phase is queued: waits until it is done. */
    enum status (*end)(struct trainer *t, enum trainer_phase phase, struct failure *f);
    /* What the device tells of the last step. */
    void (*tell)(const struct trainer *t, struct phases *phases);
};

#endif
