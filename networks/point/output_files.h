/* The files that a network's point writes besides samples and outputs: layers, training, trace and
 * timeline. */
#ifndef MAXPOOL_POINT_OUTPUT_FILES_H
#define MAXPOOL_POINT_OUTPUT_FILES_H

#include "harness/point/point.h"
#include "harness/records/timeline.h"

/* The requested files, on the root; the others are NULL. */
struct outputs {
    struct table_writer *layers, *training;
    FILE *trace;
    struct timeline *timeline;
};

/* Opens all of them, before any time is spent. On the root only; status 5 if one cannot be
 * written. */
enum status outputs_open(struct outputs *o, const struct options *asked, struct failure *f);

/* Writes the results of the samples, and closes the files. Collective. */
enum status outputs_deliver(struct outputs *o, const struct point *p, struct failure *f);

/* Closes the files that are still open. */
void outputs_close(struct outputs *o);

#endif
