/* Networks so small that training them on an emulation takes a moment: every kind of layer that is
 * trained, in every way in which its gradients are computed. */
#ifndef MAXPOOL_TEST_SMALL_TRAINING_H
#define MAXPOOL_TEST_SMALL_TRAINING_H

#include "cuda/network/train.h"

enum { LONG_TRAINING = 2, SMALL_TRAININGS = 6 };

struct training_way {
    int64_t batch, shards, block;
    enum host_memory memory;
    bool drops, traced, captures, compares, overlaps;
    int64_t device;
};

/* One of them, with a trainer whose steps run on the device. */
struct small_training {
    int which;
    struct training_way way;
    struct network network;
    float *parameters;
    struct device device;
    struct device_trainer there;
    struct trainer trainer;
};

const char *small_training_name(int which);

/* Makes one, with its device, and opens its trainer. It must be closed in any case. */
enum status small_training_make(struct small_training *s, int which, const struct training_way *way,
                                struct failure *f);
enum status small_training_open(struct small_training *s, int which, const struct training_way *way,
                                struct failure *f);
void small_training_close(struct small_training *s);

/* Fills the batch of step `turn`. Some batches are smaller than others. */
void small_training_fill(struct trainer *t, int64_t turn);

/* Runs `steps` steps from the trainer's current state, each with a rate of its own, verified by
 * `how`; NULL: not verified. Sets
 * their losses, and *hash to the hash of the parameters after them. */
enum status small_training_steps(struct trainer *t, int64_t steps, const struct verify_extent *how,
                                 double *losses, uint64_t *hash, struct failure *f);

/* Fills the batch of step `turn`, and prepares steps of its size. */
enum status small_training_prepare(struct trainer *t, int64_t turn, struct failure *f);

/* Runs two steps without verification, resets the trainer, runs the same steps with every value of
 * every part compared with its oracle, and then runs them on the host. Status 1 if a value is
 * wrong, if losses or parameters differ the second time, or if the host's losses differ. */
enum status small_training_check(struct small_training *s, struct failure *f);

/* Runs five steps, of two sizes of batches, launch by launch and as graphs. Status 1 if losses or
 * parameters differ. */
enum status small_training_compare_graphs(int which, const struct training_way *way,
                                          struct failure *f);

#endif
