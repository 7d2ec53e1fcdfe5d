/* The CPU share and memory of a process over time: a separate thread samples them ten times a
 * second. */
#ifndef MAXPOOL_TIMELINE_H
#define MAXPOOL_TIMELINE_H

#include "harness/records/table.h"

enum { TIMELINE_LABEL = 64, TIMELINE_HERTZ = 10 };

/* One row. */
struct timeline_row {
    char label[TIMELINE_LABEL]; /* what the process is doing: timeline_label() */
    char phase[TIMELINE_LABEL]; /* and which part of it: timeline_phase(); "": not recorded */
    double seconds;             /* since the label was set */
    double cpu_share;           /* processor seconds per second, since the previous row */
    double resident_bytes;      /* of memory in use */
};

extern const struct schema timeline_schema;

struct timeline;

/* Starts to append rows to a .csv file. Status 5 if it cannot be written, 2 if it has other
 * columns, 4 if no thread can be started. */
enum status timeline_start(struct timeline **out, const char *path, struct failure *f);

/* Set the label or the phase of the rows from now on. A new label restarts the seconds and clears
 * the phase. The timeline may be NULL. */
void timeline_label(struct timeline *t, const char *label);
void timeline_phase(struct timeline *t, const char *phase);

/* Appends a last row and stops. Returns the failure of the first row that could not be written. The
 * timeline may be NULL. */
enum status timeline_stop(struct timeline *t, struct failure *f);

#endif
