/* The files that a network's point writes besides samples and outputs: layers, training, trace and
 * timeline. */
#ifndef MAXPOOL_POINT_OUTPUT_FILES_H
#define MAXPOOL_POINT_OUTPUT_FILES_H

#include "harness/point/point.h"
#include "harness/records/timeline.h"

/* Those that were asked for, of the root; the others are NULL. */
struct outputs {
    struct table_writer *layers, *training;
    FILE *trace;
    struct timeline *timeline;
};

/* Opens them all, before any time is spent. Of the root alone; status 5 where one cannot be
 * written. */
enum status outputs_open(struct outputs *o, const struct options *asked, struct failure *f);

/* Writes what the samples showed, and closes. Collective. */
enum status outputs_deliver(struct outputs *o, const struct point *p, struct failure *f);

/* Closes what is open still. */
void outputs_close(struct outputs *o);

#endif
