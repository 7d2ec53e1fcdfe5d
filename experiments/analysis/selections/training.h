/* Steps of training: their parts, and their ranks. Each names the roles of a chart of
 * select_columns.
 */
#ifndef MAXPOOL_SELECTION_TRAINING_H
#define MAXPOOL_SELECTION_TRAINING_H

#include "experiments/analysis/selections/selection.h"

/* `last`, the share of unseen images that is right after the last of `epochs`, and its `time`;
 * `first`, `second` and `third`, after 25, 50 and 100, with `first_epochs`, `first_time` and so on,
 * and `first_better` or `first_no_better` than `chance`; `network`, `images`, `classes`; the
 * tesina's shares and times, `tesina` and `tesina_later`; `trainings`, how many if several, of
 * which shares are medians, and `selected` if the epoch of least validation loss is tested. Draws
 * loss and accuracy. Findings: `chance`, `learned`. */
role_function training_name_epochs;

/* `hits` of `images` in their class, a `share`; `better` or `no_better`; `hundred`, of 100 images;
 * `right`, most often taken for `said`, `once` or so many `times`; `never`, a class for which no
 * image is taken. Draws the matrix: y are images, x the percent of their class, the place is the
 * class, the panel what was predicted. Findings: `chance`, `learned`. */
role_function training_name_classes;

/* `rate`, at which the loss of `network` falls fastest, and `used`, with which it was trained. */
role_function training_name_rates;

/* Of the deepest networks with two batches and the most threads, the one with the median number of
 * parameters: `small` and `large`, the share of the update in the smallest and in the largest
 * batch, and `times`, their quotient; `forward` and `large_forward`, and so on; `small_batch` and
 * `large_batch`. Draws bars of it, and of the smallest and the largest network. Findings:
 * `weighs_more`, `unseen`. */
role_function training_name_parts;

/* `many`, the time of a step on several `ranks`, `times`, that of one rank over it, and `exchange`,
 * its share of the time; `longer`, the time with the parameters on one rank over it, and `central`,
 * its share; `minute`, the seconds of one that it exchanges. */
role_function training_name_phases;

/* `curve`, steps on simulated ranks of `platform` under both strategies, x being their images;
 * `central` and `mirrored`, the ranks up to which they gain, and how much, and `central_all` or
 * `central_some`, whether these are all; `exchange` of the most ranks; `furthest`, likewise, of
 * another curve with `furthest_ranks`. */
role_function training_name_ranks;

#endif
