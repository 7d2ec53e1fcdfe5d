/* What R/environment.json and R/ceilings.csv tell about the machine that the samples come from. */
#ifndef MAXPOOL_MACHINE_FACTS_H
#define MAXPOOL_MACHINE_FACTS_H

#include "harness/failure.h"

#include <stdbool.h>
#include <stddef.h>

/* NaN, 0 or "" where not known. */
struct machine_facts {
    bool known; /* environment.json was there */
    char host[256];
    char cpu[128];
    double cores;       /* that the programs may use */
    double quota_cores; /* of the control group; NaN: none */
    double memory_bytes;
    double load; /* cores that others kept busy just before the study */
    double clock_resolution_s;
    char governor[64];
    char os[128], kernel[128];
    char compiler[128], flags[256];
    char commit[64];
    char mpi[128];
    char gpu[128];
    char time_utc[32];
};

/* A missing file leaves all unknown and is no failure; status 2 where it is no JSON, 3 where this
 * build cannot read it (no cJSON). */
enum status machine_facts_read(struct machine_facts *m, const char *path, struct failure *f);

/* Measured streaming bandwidths, one row per level and worker count, of R/ceilings.csv: columns
 * level (L1, L2, L3, memory), bytes (capacity of the level; empty for memory), workers,
 * bandwidth_bytes_per_s, lower_bytes_per_s, upper_bytes_per_s. */
struct ceiling {
    char level[16];
    double bytes;
    double workers;
    double bandwidth, lower, upper; /* bytes per second */
};

struct ceilings {
    struct ceiling *rows;
    size_t count;
};

/* A missing file has no rows and is no failure. */
enum status ceilings_read(struct ceilings *c, const char *path, struct failure *f);
void ceilings_release(struct ceilings *c);

/* Adds a row; status 4 where memory lacks. */
enum status ceilings_add(struct ceilings *c, const struct ceiling *row, struct failure *f);

/* Writes all rows in place of what the file held. Status 5. */
enum status ceilings_write(const struct ceilings *c, const char *path, struct failure *f);

/* The ceiling of the smallest level that holds `bytes`, at this many workers (or the next more);
 * NULL where none was measured. */
const struct ceiling *ceilings_find(const struct ceilings *c, double bytes, double workers);

#endif
