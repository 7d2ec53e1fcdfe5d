/* What each launch of a program of another used, R/NAME.usage.csv: one row per launch. */
#ifndef MAXPOOL_USAGE_H
#define MAXPOOL_USAGE_H

#include "experiments/samples/samples.h"

struct usage_row {
    char run_id[RECORD_TEXT];
    double wall_s;           /* of the process, from start to end */
    double user_s, system_s; /* of it and of the children that it waited for */
    int64_t voluntary_switches, involuntary_switches;
    double peak_memory_bytes;    /* of its largest process */
    double instructions, cycles; /* in user mode; NaN: not readable here */
    double moved_bytes;          /* to and from memory, as its user says; NaN: not said */
};

extern const struct schema usage_schema;

struct usage_row usage_blank(void);

/* Gives the launches of the samples what the file says. A missing file says nothing. Status 2 if it
 * is no such file. */
enum status usage_join(struct samples *s, const char *path, struct failure *f);

#endif
