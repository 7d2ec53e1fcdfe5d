/* The memory that a program used while it ran, from R/NAME.timeline.csv. */
#ifndef MAXPOOL_CLAIMS_MEMORY_HELD_H
#define MAXPOOL_CLAIMS_MEMORY_HELD_H

#include "experiments/analysis/inventory.h"

struct memory_held {
    double mean_bytes, peak_bytes; /* of its resident memory, sampled at equal intervals */
};

/* Reads the rows with that label. False if there is no such file, or no such row. */
bool memory_held_read(struct memory_held *out, const struct experiment *e, const char *label);

#endif
