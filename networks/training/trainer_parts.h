/* The parts of a trainer's step: trainer.c says in which order, trainer_local.c and
 * trainer_device.c run them, trainer_dry.c reports them, trainer_verify.c verifies them. Only these
 * include this. */
#ifndef MAXPOOL_TRAINER_PARTS_H
#define MAXPOOL_TRAINER_PARTS_H

#include "networks/training/trainer.h"

/* What is set beside a part's result: what was there before it. */
struct kept {
    float *d_output;                      /* of a layer's outputs, before they were gated */
    float *parameters, *moments[MOMENTS]; /* before the update */
};

/* Where the parts of a step run: in the team of this process, or on a device. The results of a part
 * that is to be verified, by `how`, are on the host when it returns; a device may only have queued
 * the rest. */
struct trainer_side {
    bool alone;    /* a part that fails ends the step: no other process waits for those behind it */
    bool clocks;   /* it clocks the parts by itself */
    bool external; /* the layers' steps are not for the team of this process */
    bool computes; /* otherwise no value is ever read: arrays stay as they were allocated, and the
                      gradients of one shard stand for those of all */
    device_step *forward_step; /* NULL: the team runs it */
    enum status (*open)(struct trainer *t, struct failure *f);
    /* Images and targets; the layers; the losses, of which *collect_s is waiting for copies. */
    enum status (*send)(struct trainer *t, struct failure *f);
    enum status (*forward)(struct trainer *t, const struct verify_extent *how, struct failure *f);
    enum status (*loss)(struct trainer *t, const struct verify_extent *how, double *collect_s,
                        struct failure *f);
    /* PART_GATE, PART_PARAMETERS or PART_INPUT of a step, or PART_UPDATE. */
    enum status (*run)(struct trainer *t, enum trainer_part part, int step,
                       const struct verify_extent *how, struct failure *f);
    /* PHASE_BACKWARD or PHASE_UPDATE is over. */
    enum status (*end)(struct trainer *t, enum trainer_phase phase, struct failure *f);
    /* All outputs and parameters are here afterwards; or parameters and what the optimizer keeps */
    enum status (*look)(struct trainer *t, struct failure *f);
    enum status (*bring)(struct trainer *t, struct failure *f);
    /* The parameters that are here have changed. */
    void (*refresh)(struct trainer *t);
    /* For an exchange (networks/training/trainer.h); NULL: the side has none. */
    void (*sum)(struct trainer *t, const struct shard_sum *s);
    void (*update)(struct trainer *t);
};

extern const struct trainer_side trainer_local, trainer_on_device, trainer_dry;

/* Of a side that has nothing to open, send or bring: all of it is here. */
enum status trainer_nothing(struct trainer *t, struct failure *f);

/* The gradients of a layer are complete here: to the other processes. */
void trainer_begin_exchange(struct trainer *t, const struct layer *l);

/* What the layers left to exchange, and the update. */
void trainer_end_exchange(struct trainer *t);

/* What PART_GATE, PART_PARAMETERS or PART_INPUT of a step made, or PART_UPDATE. */
enum status verify_part(struct trainer *t, enum trainer_part part, int step, const struct kept *k,
                        const struct verify_extent *how, struct failure *f);
enum status verify_loss(struct trainer *t, const struct verify_extent *how, struct failure *f);

/* A clocked part took so long. */
void trainer_add_time(struct step_clock *clock, double seconds);

/* Images here. */
int64_t trainer_images(const struct trainer *t);

/* Values of the largest output or input of a step, of one image. */
int64_t trainer_widest(const struct network *n);

/* The call of the loss for the images here. */
struct loss_call trainer_loss_call(const struct trainer *t);

#endif
