/* Instructions and cycles of a command and of all that it starts, from the processor's counters. */
#ifndef MAXPOOL_OWN_COUNTERS_H
#define MAXPOOL_OWN_COUNTERS_H

#include <stddef.h>

struct own_counters {
    int instructions_file, cycles_file; /* -1: none */
    int error;                          /* of the system; 0: they are read */
};

/* Begins to count in this process, so that commands started from now on are counted with it. */
void own_counters_begin(struct own_counters *c);

/* Ends it; each is NaN if it was not counted. */
void own_counters_end(struct own_counters *c, double *instructions, double *cycles);

/* Writes why they are not read, and what an administrator must allow; "" if they are. */
void own_counters_reason(int error, char *text, size_t size);

#endif
