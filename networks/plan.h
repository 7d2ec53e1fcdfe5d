/* From a network to what runs: steps, how each is partitioned, and where outputs lie. Outputs share
 * one arena; a place is used again as soon as the last step that reads it has run. The last output,
 * and the images, lie outside the arena. */
#ifndef MAXPOOL_NETWORKS_PLAN_H
#define MAXPOOL_NETWORKS_PLAN_H

#include "networks/step.h"

/* Whether convolutions may be computed together in bands of rows (networks/bands.h). */
enum banding {
    BANDS_BY_SIZE, /* where it pays: by the maps' size, and by the rows of each worker */
    BANDS_ALWAYS,
    BANDS_NEVER
};

struct memory_pool; /* harness/machine/memory_pool.h */

struct plan {
    const struct network *network;
    const float *parameters;
    float *droppable;    /* the same, where weights are folded in place and given back once they are
                            packed; NULL: they stay */
    int64_t batch;       /* images that go through together, here */
    int64_t whole_batch; /* and in all processes */
    int64_t workers;
    enum isa isa;
    const struct conv_method *forced; /* NULL: each layer has its own */
    enum banding banding;
    /* Of a network that is trained: every output keeps a place of its own, and dropouts drop by
     * these draws (networks/layers/dropout.h); NULL where none does. */
    bool training;
    const struct draws *draws;
    bool external; /* the steps run on another device: nothing is chosen or packed here
                       (nor where nothing is computed) */
    struct step *steps;
    struct memory_pool *packed; /* the packed weights of all steps */
    int count;
    int64_t *place;       /* of each step's output in the arena, floats; -1: the last */
    size_t arena_floats;  /* with places used again, */
    size_t apart_floats;  /* and had each output its own */
    size_t scratch_bytes; /* of one worker */
};

/* Finds the steps and their places; what the caller set of the fields above `steps` stays. Nothing
 * large is allocated. Status 2 where a layer cannot run, 4 where sizes cannot be counted. */
enum status plan_make(struct plan *p, struct failure *f);

/* Chooses methods, folds and packs the weights, and counts the scratch: once. */
enum status plan_prepare(struct plan *p, struct failure *f);

/* The parameters have changed: worker `worker` prepares its share of the weights again. */
void plan_refresh(const struct plan *p, int64_t worker);

/* Bytes of the weights that the steps read when they run: packed, or as the network holds them. */
size_t plan_weights_bytes(const struct plan *p);

/* Layers that read this one's output, or the same floats seen otherwise. */
int plan_readers(const struct plan *p, int layer);

/* The step whose output that layer's is, or -1 for the input. */
int plan_step_of(const struct plan *p, int layer);

void plan_release(struct plan *p);

#endif
