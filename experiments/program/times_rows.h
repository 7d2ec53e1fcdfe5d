/* What spreadsheets and Slurm make of the rows of a file of times: merged cells, steps of jobs,
 * jobs that failed. */
#ifndef MAXPOOL_TIMES_ROWS_H
#define MAXPOOL_TIMES_ROWS_H

#include "experiments/program/times_table.h"

#include <stdbool.h>

/* Writes the value above into the blanks of a column of merged cells: its first row has a value,
 * and no value stands in two rows, one below the other. `first`: line of the first row. Returns
 * whether it did. */
bool times_fill_merged(struct times_table *t, size_t first, int column);

/* Removes the rows of steps, such as 7.batch, whose job 7 has a row too (sacct without -X). Returns
 * how many there were. */
size_t times_remove_steps(struct times_table *t, size_t first, int column);

/* Removes the rows of jobs that did not complete, if the column has the states of Slurm. Returns
 * how many there were. */
size_t times_remove_failed(struct times_table *t, size_t first, int column);

#endif
