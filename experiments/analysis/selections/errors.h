/* Time against accuracy: seconds against correct digits. */
#ifndef MAXPOOL_SELECTION_ERRORS_H
#define MAXPOOL_SELECTION_ERRORS_H

#include "experiments/analysis/selections/selection.h"

/* Draws, in a panel for each operator or network, at most four, the errors in ulps and the total
 * times of one worker in the problem that most of them solved, and at least one with rounding; each
 * mark has a name. Those of one GPU have panels of their own, in which the name has the precision
 * of the operands (--math) too; marks of an emulated GPU have no y. In the order of the panels,
 * `fastest`, the least time, and `nearest`, the least error, of equal errors the faster, both with
 * the error as y, unless all of it is emulated; `emulated`, each emulated point; at last `edge`,
 * where exact results are drawn, and `foot`, where marks without a time are. */
selection_function select_errors;

#endif
