/* The parts of a trainer's step: trainer.c says in which order, trainer_local.c and
 * trainer_device.c run them, trainer_dry.c reports them, trainer_verify.c verifies them. Only these
 * include this. */
#ifndef MAXPOOL_TRAINER_PARTS_H
#define MAXPOOL_TRAINER_PARTS_H

#include "networks/training/trainer.h"

#include <math.h>

/* The values before a part, which its verification needs. */
struct kept {
    float *d_output;                      /* output gradient of a step, before it was gated */
    float *parameters, *moments[MOMENTS]; /* before the update */
};

/* Where the parts of a step run: in the team of this process, or on a device. The results of a part
 * that is verified, by `how`, are on the host when it returns; otherwise a device may only have
 * queued the part. */
struct trainer_side {
    bool fails;    /* its parts can fail without being verified */
    bool clocks;   /* it times the parts by itself */
    bool external; /* the team of this process does not run the layers' steps */
    bool computes; /* if false, no value is ever read: arrays stay as they were allocated, and the
                      gradients of one shard represent those of all */
    device_step *forward_step; /* NULL: the team runs it */
    enum status (*open)(struct trainer *t, struct failure *f);
    /* Send images and targets; run the layers; compute the losses, with *collect_s the seconds of
     * waiting for copies. */
    enum status (*send)(struct trainer *t, struct failure *f);
    enum status (*forward)(struct trainer *t, const struct verify_extent *how, struct failure *f);
    enum status (*loss)(struct trainer *t, const struct verify_extent *how, double *collect_s,
                        struct failure *f);
    /* Runs PART_GATE, PART_PARAMETERS or PART_INPUT of a step, or PART_UPDATE. */
    enum status (*run)(struct trainer *t, enum trainer_part part, int step,
                       const struct verify_extent *how, struct failure *f);
    /* Ends PHASE_BACKWARD or PHASE_UPDATE. */
    enum status (*end)(struct trainer *t, enum trainer_phase phase, struct failure *f);
    /* Ends a step whose parts are joined, which had no other end: losses and outputs are on the
     * host. Times that it does not know are NaN. NULL: no step is joined. */
    enum status (*finish)(struct trainer *t, struct step_seconds *seconds, struct failure *f);
    /* Copy to the host: all outputs and parameters; or parameters and the optimizer's moments. */
    enum status (*fetch_all)(struct trainer *t, struct failure *f);
    enum status (*fetch_state)(struct trainer *t, struct failure *f);
    /* The parameters in this process have changed. */
    void (*refresh)(struct trainer *t);
    /* For an exchange (networks/training/trainer.h); NULL: the side has none. */
    void (*sum)(struct trainer *t, const struct shard_sum *s);
    void (*update)(struct trainer *t);
};

extern const struct trainer_side trainer_local, trainer_on_device, trainer_dry;

/* For a side that has nothing to open, send or bring: all data is in this process. */
enum status trainer_nothing(struct trainer *t, struct failure *f);

/* Begins to exchange the gradients of a layer, which are complete in this process. */
void trainer_begin_exchange(struct trainer *t, const struct layer *l);

/* Finishes the exchange of the layers, and makes the update. */
void trainer_end_exchange(struct trainer *t);

/* The sum of an exchange, on the host. */
void trainer_add_shards(struct trainer *t, const struct shard_sum *s);

/* Verifies the results of PART_GATE, PART_PARAMETERS or PART_INPUT of a step, or of PART_UPDATE. */
enum status verify_part(struct trainer *t, enum trainer_part part, int step, const struct kept *k,
                        const struct verify_extent *how, struct failure *f);
enum status verify_loss(struct trainer *t, const struct verify_extent *how, struct failure *f);

/* Adds the time of one execution of a part. */
static inline void trainer_add_time(struct step_clock *clock, double seconds)
{
    clock->fastest_s = clock->executions++ > 0 ? fmin(clock->fastest_s, seconds) : seconds;
    clock->sum_s += seconds;
}

/* The number of images in this process. */
static inline int64_t trainer_images(const struct trainer *t)
{
    return t->share.own.count > 0 ? t->share.own.ends[t->share.own.count - 1] : 0;
}

/* Elements of the network's input or of its layers' largest output, per image. */
int64_t trainer_widest(const struct network *n);

/* The call of the loss for the images of this process. */
static inline struct loss_call trainer_loss_call(const struct trainer *t)
{
    return (struct loss_call){.outputs = t->forward.output,
                              .targets = {t->share.labels, t->share.values},
                              .values = tensor_elements(network_output(t->forward.plan.network)),
                              .whole = t->share.now,
                              .d_output = t->work.d_output[0],
                              .losses = t->work.losses};
}

#endif
