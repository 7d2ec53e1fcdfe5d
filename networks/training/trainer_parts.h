/* The parts of a trainer's step: trainer.c says in which order, trainer_local.c and
 * trainer_device.c run them, trainer_verify.c verifies them. Only these include this. */
#ifndef MAXPOOL_TRAINER_PARTS_H
#define MAXPOOL_TRAINER_PARTS_H

#include "networks/training/trainer.h"

/* What is set beside a part's result: what was there before it. */
struct kept {
    float *slopes;                        /* of a layer's outputs, before they were gated */
    float *parameters, *moments[MOMENTS]; /* before the update */
};

/* Where the parts of a step run: here, by the team, or on another device. What a part made is here
 * when it is over if it is to be judged, by `how`; elsewhere the rest may only be queued. */
struct trainer_side {
    bool alone;  /* a part that fails ends the step: no other process waits for those behind it */
    bool clocks; /* it clocks the parts by itself */
    forward_elsewhere *forward_step; /* NULL: the team runs it */
    enum status (*open)(struct trainer *t, struct failure *f);
    /* Images and targets; the layers; the losses, of which *collect_s is waiting for copies. */
    enum status (*send)(struct trainer *t, struct failure *f);
    enum status (*forward)(struct trainer *t, const struct judgement *how, struct failure *f);
    enum status (*loss)(struct trainer *t, const struct judgement *how, double *collect_s,
                        struct failure *f);
    /* PART_GATE, PART_PARAMETERS or PART_INPUT of a step, or PART_UPDATE. */
    enum status (*run)(struct trainer *t, enum trainer_part part, int step,
                       const struct judgement *how, struct failure *f);
    /* PHASE_BACKWARD or PHASE_UPDATE is over. */
    enum status (*end)(struct trainer *t, enum trainer_phase phase, struct failure *f);
    /* All outputs and parameters are here afterwards; or parameters and what the optimizer keeps */
    enum status (*look)(struct trainer *t, struct failure *f);
    enum status (*bring)(struct trainer *t, struct failure *f);
    /* The parameters that are here have changed. */
    void (*refresh)(struct trainer *t);
};

extern const struct trainer_side trainer_here, trainer_there, trainer_paced;

/* Of a side that has nothing to open, send or bring: all of it is here. */
enum status trainer_nothing(struct trainer *t, struct failure *f);

/* The gradients of a layer are complete here: to the other processes. */
void trainer_begin_exchange(struct trainer *t, const struct layer *l);

/* What the layers left to exchange, and the update. */
void trainer_end_exchange(struct trainer *t);

/* What PART_GATE, PART_PARAMETERS or PART_INPUT of a step made, or PART_UPDATE. */
enum status judge_part(struct trainer *t, enum trainer_part part, int step, const struct kept *k,
                       const struct judgement *how, struct failure *f);
enum status judge_loss(struct trainer *t, const struct judgement *how, struct failure *f);

/* A clocked part took so long. */
void trainer_add_time(struct step_clock *clock, double seconds);

/* Images here. */
int64_t trainer_images(const struct trainer *t);

/* Values of the largest output or input of a step, of one image. */
int64_t trainer_widest(const struct network *n);

/* The call of the loss for the images here. */
struct loss_call trainer_loss_call(const struct trainer *t);

#endif
