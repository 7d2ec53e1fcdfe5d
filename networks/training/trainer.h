/* One training step: forward with every output kept, loss, backward, update.
 *
 * A batch is divided into `shards` shards, whose sizes differ by at most one image. Each shard has
 * its own gradient, and the batch's gradient is their sum in shard order. Nothing else is summed
 * over images except the loss, which is summed in the same way. So the parameters have the same
 * bits for any number of workers, and of processes that hold some of the shards each. */
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

/* Seconds of a step's phases. exchange_s is the exposed communication time; send_s and collect_s
 * are 0 unless a device runs the steps. The others are NaN if a device runs the step as a whole. */
struct step_seconds {
    double forward_s, loss_s, backward_s, exchange_s, update_s;
    double send_s, collect_s;
};

struct step_result {
    double loss;  /* before the update, of the whole batch */
    int64_t hits; /* images whose largest output is their class; 0 if targets are values */
    struct step_seconds seconds;
};

/* Forward, loss, backward and update are between these moments, the exchange included. */
enum trainer_moment {
    MOMENT_BEGAN,
    MOMENT_FORWARD,
    MOMENT_LOSS,
    MOMENT_BACKWARD,
    MOMENT_UPDATED,
    TRAINER_MOMENTS
};

/* Marks of the last step, if forward.traced: see networks/training/trainer_trace.h. */
struct trainer_marks {
    struct mark *parts; /* [step][part][worker]; NULL: none */
    struct mark messages;
    double moments[TRAINER_MOMENTS]; /* the time of each moment */
};

struct trainer_side; /* networks/training/trainer_parts.h */

/* What the caller requests. It must not change while the trainer is open, except for the rate,
 * which the caller may set between steps. */
struct trainer_settings {
    const struct loss *loss;
    const struct optimizer *optimizer;
    double rate;           /* the learning rate */
    int64_t batch, shards; /* images of a whole batch; its shards */
    bool drops;            /* dropouts drop elements */
    uint64_t seed;         /* decides which elements they drop */
};

/* Where steps run; the caller sets it, too. All NULL: by the team of this process alone. */
struct trainer_where {
    const struct gradient_exchange *exchange; /* other processes hold shards of the batch */
    const struct device_steps *device;        /* a device runs the steps */
    const struct dry_run *dry_run;            /* nothing is computed; the work is reported */
};

/* The results of a training, which a checkpoint holds. */
struct trainer_state {
    float *parameters;       /* the caller's memory */
    float *moments[MOMENTS]; /* of the optimizer, for each parameter */
    int64_t updates;         /* done so far */
    int64_t finite; /* after this many updates all were finite; the caller sets it before step 1 */
};

/* This process's part of the batch. The caller fills images and targets before each step. */
struct trainer_share {
    float *images, *values; /* own images x inputs; x outputs, if targets are values */
    int32_t *labels;
    struct shards own;   /* the shards of this process */
    int64_t first_shard; /* index of the first of them in the batch */
    int64_t first_image; /* index of their first image in the batch */
    int64_t now;         /* images of the whole batch in this step */
};

/* What the parts of a step pass to each other. */
struct trainer_work {
    const struct trainer_side *side; /* where the parts run */
    struct draws draws;
    struct reverse *reverses; /* one per step */
    float *d_output[2];
    float *gradients;       /* the sum over all shards */
    float *shard_gradients; /* of each shard of this process, if other processes hold shards too */
    double *losses;
    double *shard_losses; /* of all shards of the batch */
    char *scratch;
    size_t scratch_step;
    struct updating updating; /* of the current step */
    double exchange_s;        /* seconds that its exchange was waited for */
    bool overlaps;            /* its gradients leave the device while it runs backward */
    bool joined;              /* all its parts are queued together: nothing ends before the step */
    struct failure pending;   /* of the device, where nothing can be returned; the update or the
                                 next step reports it */
};

/* If forward.clocked: times of each step backward and of the update; if forward.traced: marks. */
struct trainer_clocks {
    struct step_clock *backward, update;
    struct trainer_marks marks;
};

/* Must not be moved while it is open: its parts point to each other. The caller sets settings,
 * where, state.parameters, and of forward plan.network, forced, isa, and team. */
struct trainer {
    struct forward forward;
    struct trainer_settings settings;
    struct trainer_where where;
    struct trainer_state state;
    struct trainer_share share;
    struct trainer_work work;
    struct trainer_clocks clocks;
};

/* Allocates all of it. Status 2 for a network that cannot be trained, with the reason, and if the
 * batch or the number of shards is below 1; 4 if memory does not suffice. Call trainer_close in the
 * end, also after a failure. */
enum status trainer_open(struct trainer *t, struct failure *f);
void trainer_close(struct trainer *t);

/* Status 2, with the reason, if a network cannot be trained. */
enum status trainer_can(const struct network *n, struct failure *f);

/* Bytes that trainer_open allocates for one process, besides the parameters. */
size_t trainer_bytes(const struct network *n, const struct trainer_settings *s);

/* The same with the parameters and what is restored after a warm-up: a copy of them and of the
 * optimizer's moments. */
size_t trainer_process_bytes(const struct network *n, const struct trainer_settings *s);

/* Finds this process's images in a batch of `images`. */
void trainer_place(struct trainer *t, int64_t images);

/* Runs a step with the batch that trainer_place() was given. With `how` it is verified: each
 * layer's outputs, the loss, each gradient and the update are compared with the oracles (status 1
 * names what is wrong). Status 1 also if the loss is not finite, with the step and the layer where
 * that began. A device that fails in one of several processes fails the step in all of them. */
enum status trainer_step(struct trainer *t, const struct verify_extent *how,
                         struct step_result *out, struct failure *f);

/* Makes ready what a device would otherwise make ready in a step that is timed: runs forward, loss
 * and backward of the batch that trainer_place() was given, which the caller has filled, without
 * the update. Parameters and moments stay as they are. Does nothing where nothing is to be made
 * ready. The status is that of all processes. */
enum status trainer_prepare(struct trainer *t, struct failure *f);

/* For an exchange. trainer_update_local updates all parameters by the gradients in this process.
 * trainer_sum_shards computes `count` sums over all shards, in their order, of the values at
 * part(context, shard). */
struct shard_sum {
    float *to;
    int64_t count;
    const float *(*part)(const void *context, int64_t shard);
    const void *context;
};
void trainer_update_local(struct trainer *t);
void trainer_sum_shards(struct trainer *t, const struct shard_sum *s);

/* Floats from one shard's `floats` gradients to the next shard's: 0 in a dry run, where they share
 * their memory. */
int64_t trainer_shard_step(const struct trainer *t, int64_t floats);

/* Status 4 if a dry run between `ranks` processes has no memory for the messages of a step. */
enum status trainer_check_messages(const struct trainer *t, int64_t ranks, bool mirrored,
                                   struct failure *f);

/* To be called after the parameters have changed otherwise: read from a file, or restored. */
void trainer_refresh(struct trainer *t);

/* Copies the parameters and the optimizer's moments from the device to the host. */
enum status trainer_fetch_state(struct trainer *t, struct failure *f);

/* Computes the outputs of `count` images, at most a batch, into forward.output, without dropout;
 * for a trainer whose steps run on a device. */
enum status trainer_outputs(struct trainer *t, const float *images, int64_t count,
                            struct failure *f);

/* Checks that the parameters and the optimizer's moments in this process are finite after `step`
 * steps. Status 1 names the tensor, the value that is not finite, and the steps since s->finite,
 * one of which produced it. */
enum status trainer_check_finite(const struct network *n, const struct optimizer *o,
                                 const struct trainer_state *s, int64_t step, struct failure *f);

/* The hash of the parameters in this process. */
uint64_t trainer_hash(const struct trainer *t);

#endif
