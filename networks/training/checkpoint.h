/* Everything that a training needs to continue as if it had never stopped: parameters, the state of
 * the optimizer and the number of updates, in one safetensors file. The parameters have their own
 * names in it, so that --weights reads the file too. */
#ifndef MAXPOOL_CHECKPOINT_H
#define MAXPOOL_CHECKPOINT_H

#include "networks/training/trainer.h"

/* What must be the same for the bits to be the same. The file holds these facts in addition to the
 * tensors. */
struct checkpoint_facts {
    uint64_t seed, data; /* data: the hash of all samples, by data_hash() */
    int64_t batch, shards, samples;
    bool seeded_order, drops;
    uint64_t augmentation; /* by augmentation_hash() */
};

/* The training that a checkpoint is of. */
struct checkpoint_of {
    const struct network *network;
    const struct optimizer *optimizer;
    struct trainer_state *state;
};

/* Writes a checkpoint whole or not at all: an existing file stays until the new one is complete.
 * Status 5 if it cannot be written. */
enum status checkpoint_write(const char *path, const struct checkpoint_of *what,
                             const struct checkpoint_facts *facts, struct failure *f);

/* Reads a checkpoint into parameters, moments and updates. Status 2 if the file is none, is of
 * another network or optimizer, or of a training with other facts, which are named. */
enum status checkpoint_read(const char *path, const struct checkpoint_of *what,
                            const struct checkpoint_facts *facts, struct failure *f);

#endif
