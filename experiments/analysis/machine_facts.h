/* What R/environment.json tells about the machine that the samples come from. */
#ifndef MAXPOOL_MACHINE_FACTS_H
#define MAXPOOL_MACHINE_FACTS_H

#include "harness/base/failure.h"

#include <stdbool.h>

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

/* A missing or empty file leaves all unknown and is no failure; status 2 where it is no JSON, 3
 * where this build cannot read it (no cJSON). */
enum status machine_facts_read(struct machine_facts *m, const char *path, struct failure *f);

#endif
