/* --task train: the steps of a training are the samples of the point. */
#ifndef MAXPOOL_NETWORK_TRAINING_H
#define MAXPOOL_NETWORK_TRAINING_H

#include "harness/point/subject.h"
#include "harness/records/training_record.h"
#include "networks/data/augment.h"
#include "networks/data/data.h"
#include "networks/point/network_run.h"
#include "networks/training/checkpoint.h"
#include "networks/training/evaluate.h"
#include "networks/training/trainer.h"

/* --normalize: x becomes (x - mean) / deviation. */
struct normalization {
    float mean, deviation;
};

struct training {
    const struct options *options;
    struct data data;
    struct normalization normalization;
    struct augmentation augmentation;
    struct trainer trainer;
    bool opened;
    struct checkpoint_facts facts;
    int64_t of_epoch; /* steps per epoch */
    int64_t all;      /* steps in all, those before a --resume included */
    size_t *order;    /* indices of the samples, in the order of epoch `ordered` */
    int64_t ordered;
    struct verify_extent how;
    /* Of each step's outputs, gradients of parameters and gradients of inputs, verified last; NULL:
     * none were. */
    struct error_tally *errors;
    int error_count; /* length of `errors` */
    bool verified;   /* the first and last step are verified */
    bool timed;      /* false on an emulated device, whose seconds say nothing */
    double spent_s;  /* seconds of all steps */
    double epoch_loss;
    int64_t epoch_hits, epoch_images;
    double epoch_seconds;        /* of its steps */
    double epoch_began, aside_s; /* its begin; seconds since then that do not count */
    double epoch_wall_s, rest_s; /* by the clock; of steps with less than a whole batch */
    int64_t whole_steps;
    struct table_writer *rows;  /* of --record-training, on the root; NULL: not requested */
    struct training_record row; /* the launch of these rows */
    struct score validation;    /* a count of 0: no such part */
    struct score score;         /* of the test part; a count of 0: none */
    int64_t images_done;        /* of all steps */
    /* With --select best-validation, on the root. */
    int64_t selected; /* the epoch with the least validation loss; 0: none yet */
    struct score selected_validation, selected_score;
};

/* Reads the options, opens the data, and stores both in run->training. Status 2 if they do not go
 * together. */
enum status training_find(struct point *p, struct network_run *run, struct failure *f);
/* Closes the trainer, if it is open: before its device is closed. */
void training_close(struct training *t);
void training_release(struct training *t);

/* For the spaces: opens a training, and takes its steps as samples. */
enum status training_open(const struct job *job, const struct network_run *run, struct team team,
                          struct resources *resources, struct failure *f);
enum status training_sample(struct point *p, struct failure *f);

/* What a checkpoint of the training is written from, and read into. */
struct checkpoint_of training_checkpoint(struct training *t);

/* Fills the trainer's batch with that of step `step`, counted from 0, in the order of its epoch. */
void training_fill(struct training *t, int64_t step);

/* The epoch of the last step, counted from 1. */
static inline int64_t training_epoch(const struct training *t)
{
    return (t->trainer.state.updates - 1) / t->of_epoch + 1;
}

/* The epoch whose parameters are tested. */
static inline int64_t training_tested_epoch(const struct training *t)
{
    return t->selected > 0 ? t->selected : training_epoch(t);
}

/* --find-learning-rate: tries rates, and prints their losses; `out` is NULL except on the root. The
 * caller restores the parameters. */
enum status training_find_rate(struct training *t, FILE *out, struct failure *f);

void training_fill_row(struct record *r, const struct training *t);
void training_describe(FILE *out, const struct training *t);
void training_add_to_summary(FILE *out, const struct training *t);

#endif
