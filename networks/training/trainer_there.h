/* The parts of a trainer's step where they run on another device (networks/training/elsewhere.h):
 * run there, and what they made brought here where it is verified. Only the trainer includes this.
 */
#ifndef MAXPOOL_TRAINER_THERE_H
#define MAXPOOL_TRAINER_THERE_H

#include "networks/training/trainer_parts.h"

/* Images and targets of the step. */
enum status there_send(struct trainer *t, struct failure *f);

/* Without `how` the outputs of layers stay there. */
enum status there_forward(struct trainer *t, const struct judgement *how, struct failure *f);

/* The loss; then losses and last outputs are fetched, and slopes where they are verified. */
enum status there_loss(struct trainer *t, struct failure *f);
enum status there_collect(struct trainer *t, const struct judgement *how, struct failure *f);

/* A part of a step run backward, or the update. */
enum status there_run(struct trainer *t, enum trainer_part part, int step,
                      const struct judgement *how, struct failure *f);

/* What is looked at after a loss that is not finite: outputs and parameters. */
enum status there_look(struct trainer *t, struct failure *f);

/* What the device clocked of the step's parts, to the clocks of layers. */
void there_add_times(struct trainer *t);

/* Parameters, and what the optimizer keeps: over, and back. */
enum status there_send_parameters(struct trainer *t, struct failure *f);
enum status there_fetch_parameters(struct trainer *t, struct failure *f);

/* One step forward, its outputs brought here: forward.elsewhere, with the trainer as its place. */
forward_elsewhere there_forward_step;

#endif
