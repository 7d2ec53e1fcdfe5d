/* The parts of a trainer's step; trainer.c runs them, trainer_judge.c verifies them. Only these
 * include this. */
#ifndef MAXPOOL_TRAINER_PARTS_H
#define MAXPOOL_TRAINER_PARTS_H

#include "networks/training/trainer.h"

/* What is set beside a part's result: what was there before it. */
struct kept {
    float *slopes;                        /* of a layer's outputs, before they were gated */
    float *parameters, *moments[MOMENTS]; /* before the update */
};

enum status judge_loss(struct trainer *t, const struct judgement *how, struct failure *f);
enum status judge_gate(struct trainer *t, int step, const struct kept *k,
                       const struct judgement *how, struct failure *f);
enum status judge_parameters(struct trainer *t, int step, const struct judgement *how,
                             struct failure *f);
enum status judge_input(struct trainer *t, int step, const struct judgement *how,
                        struct failure *f);
enum status judge_update(struct trainer *t, const struct kept *k, const struct judgement *how,
                         struct failure *f);

/* A clocked part took so long. */
void trainer_add_time(struct step_clock *clock, double seconds);

/* Images here. */
int64_t trainer_images(const struct trainer *t);

/* Values of the largest output or input of a step, of one image. */
int64_t trainer_widest(const struct network *n);

/* The call of the loss for the images here. */
struct loss_call trainer_loss_call(const struct trainer *t);

/* The update of the parameters [first, first + count). */
struct update trainer_update(const struct trainer *t, int64_t first, int64_t count);

#endif
