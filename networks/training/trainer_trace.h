/* When each worker computed which part of the last step. --trace shows it. */
#ifndef MAXPOOL_TRAINING_TRAINER_TRACE_H
#define MAXPOOL_TRAINING_TRAINER_TRACE_H

#include "networks/training/trainer.h"

/* Allocates the marks of an open trainer, if it is traced; trainer_close frees them. */
enum status trainer_marks_open(struct trainer *t, struct failure *f);

/* Begins a step: clears the marks of all parts. */
void trainer_marks_begin(struct trainer *t);

/* Sets the moment to now, if moments are kept. */
void trainer_mark_moment(struct trainer_marks *m, enum trainer_moment moment);

/* Marks messages: gradients are under way from the first call in a step to the last. */
void trainer_mark_messages(struct trainer_marks *m);

/* The team runs a part of the step, whose shares are cut into `pieces` pieces each. With several
 * runs, the first one's beginning counts and the last one's end. */
void trainer_run_part(struct trainer *t, enum trainer_part part, int step, int64_t pieces,
                      team_task *task, void *context);

/* When worker `worker` computed a part; begin is 0 if it did not. */
struct mark trainer_mark_of(const struct trainer *t, enum trainer_part part, int step,
                            int64_t worker);

#endif
