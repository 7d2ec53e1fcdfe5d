/* A figure as a table of texts, for every format: the rows of the tesina's own tables with our
 * seconds, its curves with bars, and the maps of its worked images. */
#ifndef MAXPOOL_REPRODUCTION_FIGURE_TABLE_H
#define MAXPOOL_REPRODUCTION_FIGURE_TABLE_H

#include "experiments/report/reproduction/reproduction.h"

enum { FIGURE_TABLE_ROWS = 32, FIGURE_TABLE_COLUMNS = 5, FIGURE_CELL = 200 };

struct figure_table {
    size_t rows, columns;
    char headers[FIGURE_TABLE_COLUMNS][FIGURE_CELL];
    char cells[FIGURE_TABLE_ROWS][FIGURE_TABLE_COLUMNS][FIGURE_CELL];
};

/* `drawn`: with a column of bars or shades, in characters that not every format has. False if the
 * row is no figure with a table, or nothing was measured for it. */
bool figure_table_make(struct figure_table *out, const struct reproduced_row *row, bool drawn,
                       const struct language *l);

/* True if a place, "figures 28-31" or "figure 45, text", is that of an item, "figure 45" or
 * "figure 4 (second)". */
bool figure_is_at(const char *place, const char *item);

#endif
