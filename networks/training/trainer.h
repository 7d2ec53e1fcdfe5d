/* One training step: forward with every output kept, loss, backward, update.
 *
 * A batch is `shards` parts whose sizes differ by at most one. Each has a gradient of its own, and
 * the batch's is their sum in the order of the shards. Nothing else is summed over images but the
 * loss, which is summed the same way; so the parameters have the same bits for any number of
 * workers, and of processes that hold some of the shards each. */
#ifndef MAXPOOL_TRAINER_H
#define MAXPOOL_TRAINER_H

#include "harness/space/dry_run.h"
#include "networks/forward.h"
#include "networks/layers/backward.h"
#include "networks/layers/dropout.h"
#include "networks/losses/loss.h"
#include "networks/optimizers/optimizer.h"
#include "networks/training/device_steps.h"
#include "networks/training/gradient_exchange.h"

/* Seconds of a step's phases; exchange is what other work does not hide; send and collect are 0
 * where the steps run here. */
struct step_seconds {
    double forward_s, loss_s, backward_s, exchange_s, update_s;
    double send_s, collect_s;
};

struct step_result {
    double loss;  /* before the update, of the whole batch */
    int64_t hits; /* images whose largest output is their class; 0 where targets are values */
    struct step_seconds seconds;
};

/* Between them lie forward, loss, backward and update, what is exchanged included. */
enum trainer_moment {
    MOMENT_BEGAN,
    MOMENT_FORWARD,
    MOMENT_LOSS,
    MOMENT_BACKWARD,
    MOMENT_UPDATED,
    TRAINER_MOMENTS
};

/* Of the last step, where forward.traced: by networks/training/trainer_trace.h. */
struct trainer_marks {
    struct mark *parts; /* of each step, part and worker; NULL: none */
    struct mark messages;
    double moments[TRAINER_MOMENTS]; /* when each of them was over */
};

struct trainer_side; /* networks/training/trainer_parts.h */

/* What the caller asks for. It stays as it is while the trainer is open; between steps the caller
 * may set another rate. */
struct trainer_settings {
    const struct loss *loss;
    const struct optimizer *optimizer;
    double rate;           /* the learning rate */
    int64_t batch, shards; /* images of a whole batch, and parts of one */
    bool drops;            /* dropouts do */
    uint64_t seed;         /* of what they drop */
};

/* Where steps run, the caller's too. All NULL: here, by the team of this process alone. */
struct trainer_where {
    const struct gradient_exchange *exchange; /* other processes hold shards of the batch */
    const struct device_steps *device;        /* a device runs the steps; not with exchange */
    const struct dry_run *dry_run;            /* nothing is computed; its work is reported */
};

/* What a training comes to, and a checkpoint holds. */
struct trainer_state {
    float *parameters;       /* the caller's memory */
    float *moments[MOMENTS]; /* what the optimizer keeps of them */
    int64_t updates;         /* done so far */
    int64_t finite; /* after as many all of them were finite; the caller's, before the first step */
};

/* What of the batch is here. The caller fills images and targets before each step. */
struct trainer_share {
    float *images, *values; /* own images x inputs; x outputs where targets are values */
    int32_t *labels;
    struct shards own;   /* the shards here, */
    int64_t first_shard; /* counted from the first of the batch, */
    int64_t first_image; /* and where their images begin in it */
    int64_t now;         /* images of the whole batch of this step */
};

/* What the parts of a step hand each other. */
struct trainer_work {
    const struct trainer_side *side; /* where the parts run */
    struct draws draws;
    struct reverse *reverses; /* a step each */
    float *d_output[2];
    float *gradients;       /* the sum of all shards', */
    float *shard_gradients; /* and of each shard here, where there are others */
    double *losses;
    double *shard_losses; /* of all shards of the batch */
    char *scratch;
    size_t scratch_step;
    struct updating updating; /* of the step under way, */
    double exchange_s;        /* and what of its exchange was waited for */
    struct failure pending;   /* of parameters sent to the device; the next step reports it */
};

/* Where forward.clocked: of each step backward, and of the update; where forward.traced: marks. */
struct trainer_clocks {
    struct step_clock *backward, update;
    struct trainer_marks marks;
};

/* Stays where it was opened: its parts point at each other. The caller sets settings, where,
 * state.parameters, and of forward plan.network, forced, isa, and team. */
struct trainer {
    struct forward forward;
    struct trainer_settings settings;
    struct trainer_where where;
    struct trainer_state state;
    struct trainer_share share;
    struct trainer_work work;
    struct trainer_clocks clocks;
};

/* Allocates all of it. Status 2 for a network that cannot be trained, with the reason, and for a
 * batch below the number of shards; 4 where memory does not suffice. Closed by trainer_close, also
 * after a failure. */
enum status trainer_open(struct trainer *t, struct failure *f);
void trainer_close(struct trainer *t);

/* Why a network cannot be trained: status 2. */
enum status trainer_can(const struct network *n, struct failure *f);

/* Bytes that trainer_open would allocate for one process, beside the parameters. */
size_t trainer_bytes(const struct network *n, const struct trainer_settings *s);

/* The same with the parameters, and what is put back after a warm-up: a copy of them and of what
 * the optimizer keeps. */
size_t trainer_process_bytes(const struct network *n, const struct trainer_settings *s);

/* Where this process's images lie in a batch of `images`. */
void trainer_place(struct trainer *t, int64_t images);

/* A step with a batch of `images` images in all, as trainer_place() was given. With `how` it is
 * verified: each layer's outputs, the loss, each gradient and the update are compared with the
 * oracles (status 1 names what is wrong). Status 1 too where the loss is not finite, with the step
 * and the layer where that began. */
enum status trainer_step(struct trainer *t, const struct verify_extent *how,
                         struct step_result *out, struct failure *f);

/* For an exchange: the update of all parameters by the gradients that are there; and `count` sums
 * over all shards, in their order, of what part(context, shard) points at. */
struct shard_sum {
    float *to;
    int64_t count;
    const float *(*part)(const void *context, int64_t shard);
    const void *context;
};
void trainer_update_local(struct trainer *t);
void trainer_sum_shards(struct trainer *t, const struct shard_sum *s);

/* Floats from one shard's `floats` gradients to the next one's: 0 in a dry run, where they lie on
 * one another. */
int64_t trainer_shard_step(const struct trainer *t, int64_t floats);

/* Status 4 where a dry run between so many processes has no memory for the messages of a step. */
enum status trainer_check_messages(const struct trainer *t, int64_t ranks, bool mirrored,
                                   struct failure *f);

/* The parameters have changed otherwise: by a file, or put back. */
void trainer_refresh(struct trainer *t);

/* Copies the parameters, and what the optimizer keeps, from the device to the host. */
enum status trainer_bring(struct trainer *t, struct failure *f);

/* The outputs of `count` images, a batch at most, into forward.output, nothing dropped: of a
 * trainer whose steps run on a device. */
enum status trainer_outputs(struct trainer *t, const float *images, int64_t count,
                            struct failure *f);

/* Are the parameters and what the optimizer keeps of them finite, as they are here after `step`
 * steps? Status 1 names the tensor, the value that is not, and the steps since s->finite: one of
 * them made it. */
enum status trainer_check_finite(const struct network *n, const struct optimizer *o,
                                 const struct trainer_state *s, int64_t step, struct failure *f);

/* The hash of the parameters that are here. */
uint64_t trainer_hash(const struct trainer *t);

#endif
