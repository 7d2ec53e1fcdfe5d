/* Whole networks: which device, which network, which batch. Each names the roles of a chart of
 * select_columns. */
#ifndef MAXPOOL_SELECTION_NETWORKS_H
#define MAXPOOL_SELECTION_NETWORKS_H

#include "experiments/analysis/selections/selection.h"

/* `small`, the time of the smallest image on the processor, and `rate`, its images in a second;
 * `longer`, the time of the largest over it, and `pixels`, their quotient; `gpu` and `large_gpu`,
 * the times of a GPU for both, with `times` and `large_times`, the processor's over them; or
 * `no_gpu`. */
role_function networks_name_devices;

/* Of two networks with the same images, `light`, the time of one, `heavy`, the other's over it, and
 * `work`, the quotient of multiply-adds. Findings: `slower` for its work, `as_fast`. */
role_function networks_name_lighter;

/* `small` and `large`, batches; `gain`, how many times as fast an `input` is in the large one,
 * which takes `image` there. Findings: `less`, `more`, `same`. */
role_function networks_name_batch, networks_name_training_batch;

/* `small` and `large`, the steps with the fewest and the `more` times as many parameters; `times`,
 * if they differ; `team`, the most workers in words. */
role_function networks_name_training_size;

/* `longest`, the step that takes the largest share of the time of all `steps` of `network`; `half`,
 * the number of steps, the longest first, that take half; `saved`, the share that `longest` would
 * save if it were twice as fast; of the steps that are not too short, `furthest`, which reaches the
 * smallest share of its limit, and `all`, the share that all reach. Draws the longest steps in
 * their order, in percent: their share of the time and of their limit. Findings: `alone`, if
 * `longest` takes half; `several`. */
role_function layers_name_steps;

/* The same of a step of training; drawn, bars of its passes: forward, backward, update. */
role_function layers_name_passes;

#endif
