/* How a network runs: its steps, how each is partitioned, and where outputs are stored. Outputs
 * share one arena; a place is reused as soon as the last step that reads it has run. The last
 * output and the images are outside the arena. */
#ifndef MAXPOOL_NETWORKS_PLAN_H
#define MAXPOOL_NETWORKS_PLAN_H

#include "networks/step.h"

/* Whether convolutions are computed together in bands of rows (networks/bands.h). */
enum banding {
    BANDS_BY_SIZE, /* where it pays: depends on the maps' size and on the rows per worker */
    BANDS_ALWAYS,
    BANDS_NEVER
};

struct memory_pool; /* harness/machine/memory_pool.h */

struct plan {
    const struct network *network;
    const float *parameters;
    float *droppable; /* the same if weights are folded in place and their memory is given back once
                         they are packed; NULL: they stay */
    int64_t batch;    /* images that go through together in this process */
    int64_t whole_batch; /* the same in all processes */
    int64_t workers;
    enum isa isa;
    const struct conv_method *forced; /* NULL: each layer has its own */
    enum banding banding;
    /* For training: every output keeps its own place, and dropouts drop by these draws
     * (networks/layers/dropout.h); NULL if none drops. */
    bool training;
    const struct draws *draws;
    bool external; /* the steps run on another device, or nothing is computed: nothing is chosen or
                      packed here */
    struct step *steps;
    struct memory_pool *packed; /* the packed weights of all steps */
    int count;
    int64_t *place;       /* of each step's output in the arena, floats; -1: the last output */
    size_t arena_floats;  /* arena size, with places reused */
    size_t apart_floats;  /* the same if every output had its own place */
    size_t scratch_bytes; /* of one worker */
};

/* Finds the steps and their places; what the caller set of the fields above `steps` stays.
 * Allocates nothing large. Status 2 if a layer cannot run, 4 if sizes cannot be counted. */
enum status plan_make(struct plan *p, struct failure *f);

/* Chooses methods, folds and packs the weights, and counts the scratch: once. */
enum status plan_prepare(struct plan *p, struct failure *f);

/* After the parameters have changed: worker `worker` prepares its share of the weights again. */
void plan_refresh(const struct plan *p, int64_t worker);

/* Bytes of the weights that the steps read when they run: packed, or directly from the
 * parameters. */
size_t plan_weights_bytes(const struct plan *p);

/* The step that computes this layer's output, or -1 for the input. */
int plan_step_of(const struct plan *p, int layer);

void plan_release(struct plan *p);

#endif
