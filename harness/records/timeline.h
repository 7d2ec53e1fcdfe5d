/* The CPU share and memory that a process uses over time: a thread of its own samples them ten
 * times a second. */
#ifndef MAXPOOL_TIMELINE_H
#define MAXPOOL_TIMELINE_H

#include "harness/records/table.h"

enum { TIMELINE_LABEL = 64, TIMELINE_HERTZ = 10 };

/* One row. */
struct timeline_row {
    char label[TIMELINE_LABEL]; /* what the process was at: timeline_label() */
    char phase[TIMELINE_LABEL]; /* and in which part of it: timeline_phase(); "": not recorded */
    double seconds;             /* since the start */
    double cpu_share;           /* seconds of processors for each second since the row before */
    double resident_bytes;      /* of memory */
};

extern const struct schema timeline_schema;

struct timeline;

/* Starts to append rows to a .csv file. Status 5 where it cannot be written, 2 where it holds other
 * columns, 4 where there is no thread to be had. */
enum status timeline_start(struct timeline **out, const char *path, struct failure *f);

/* What rows record from now on, and whose seconds begin anew; NULL for the timeline is fine. */
void timeline_label(struct timeline *t, const char *label);
void timeline_phase(struct timeline *t, const char *phase);

/* A last row, and the end. The failure of a row that could not be written; NULL is fine. */
enum status timeline_stop(struct timeline *t, struct failure *f);

#endif
