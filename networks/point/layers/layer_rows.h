/* The file of layers: --record-layers. */
#ifndef MAXPOOL_NETWORK_LAYER_ROWS_H
#define MAXPOOL_NETWORK_LAYER_ROWS_H

#include "harness/point/point.h"
#include "harness/records/table.h"

/* Appends a row for each step of each method in this process, after the samples were taken. Status
 * 5 if they cannot be written. */
enum status layer_rows_append(struct table_writer *w, const struct point *p, struct failure *f);

#endif
