/* When each worker was in which part of the last step: what --trace draws of a training. */
#ifndef MAXPOOL_TRAINING_TRAINER_TRACE_H
#define MAXPOOL_TRAINING_TRAINER_TRACE_H

#include "networks/training/trainer.h"

/* All marks of a trainer that is open and traced, or of none; freed by trainer_close. */
enum status trainer_marks_open(struct trainer *t, struct failure *f);

/* A step begins: no part has been seen yet. */
void trainer_marks_begin(struct trainer *t);

/* The moment is now, where moments are kept. */
void trainer_mark_moment(struct trainer_marks *m, enum trainer_moment moment);

/* Gradients are under way from the first call in a step to the last. */
void trainer_mark_messages(struct trainer_marks *m);

/* The team runs a part of the step; of several runs the first one's beginning counts, and the last
 * one's end. */
void trainer_run_part(struct trainer *t, enum trainer_part part, int step, team_task *task,
                      void *context);

/* What worker `worker` had of a part; begin is 0 where there was none. */
struct mark trainer_mark_of(const struct trainer *t, enum trainer_part part, int step,
                            int64_t worker);

#endif
