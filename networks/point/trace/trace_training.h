/* The events of a training's last step. */
#ifndef MAXPOOL_TRACE_TRAINING_H
#define MAXPOOL_TRACE_TRAINING_H

#include "networks/point/training/training.h"

#include <stdio.h>

/* Where a GPU trains its parts are on its track, one after another. Else a rank is a process and a
 * worker a thread, within "step" lie the phases, and within them the parts; gradients under way
 * have a track of their own. Collective; `file` is NULL but in the root. */
enum status trace_training(FILE *file, const struct point *p, struct failure *f);

#endif
