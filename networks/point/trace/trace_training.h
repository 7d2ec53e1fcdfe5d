/* The events of a training's last step. */
#ifndef MAXPOOL_TRACE_TRAINING_H
#define MAXPOOL_TRACE_TRAINING_H

#include "networks/point/training/training.h"

#include <stdio.h>

/* If a GPU trains, its track has the parts one after another. Otherwise a rank is a process and a
 * worker a thread; "step" contains the phases, and these contain the parts; gradients under way
 * have a separate track. Collective; `file` is NULL except on the root. */
enum status trace_training(FILE *file, const struct point *p, struct failure *f);

#endif
