/* The board of a class that was measured on one machine: places, times and intervals. */
#ifndef MAXPOOL_CLASS_BOARD_H
#define MAXPOOL_CLASS_BOARD_H

#include "classroom/class/class.h"
#include "experiments/analysis/numbers.h"
#include "experiments/report/page/format.h"

/* "7", "7 / 10?" if they are undecided, "-" if there are none. */
struct number class_points(const struct class_row *row, const struct language *l);

/* Writes the section of the board into an HTML page. */
void class_write_board(const struct class *c, const struct document *d, bool names);

#endif
