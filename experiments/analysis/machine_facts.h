/* What R/environment.json says about the machine that the samples come from. */
#ifndef MAXPOOL_MACHINE_FACTS_H
#define MAXPOOL_MACHINE_FACTS_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>

/* One `study run` and the conditions that it began under. Times sort as texts. */
struct machine_run {
    char begin_utc[32], end_utc[32]; /* end "": under way, or killed */
    double load;                     /* cores that others kept busy just before it; NaN: unknown */
    double stolen; /* share of the busy time that the hypervisor gave to others; NaN: unknown */
    double others; /* cores that other programs kept busy while it ran; NaN: unknown */
};

/* NaN, 0 or "" where not known. */
struct machine_facts {
    bool known; /* environment.json was there */
    char host[256];
    char cpu[128];
    double cores;       /* that the programs may use */
    double quota_cores; /* of the control group; NaN: none */
    double memory_bytes;
    double load;              /* cores that others kept busy just before the last run */
    struct machine_run *runs; /* in the order of the file; NULL where it has no list of them */
    size_t run_count;
    double clock_resolution_s;
    char governor[64];
    double frequency_least_mhz, frequency_most_mhz; /* that it may choose from */
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
void machine_facts_release(struct machine_facts *m);

/* Cores that others kept busy before the run that was under way at `utc`: before the last run where
 * the file has no list of them, NaN where no run of the list was under way then. */
double machine_load_at(const struct machine_facts *m, const char *utc);

/* Cores that other programs kept busy during the run that was under way at `utc`; likewise NaN. */
double machine_others_at(const struct machine_facts *m, const char *utc);

/* The number, from 1, of the run that was under way at `utc`; 0 where no run of the list was. */
size_t machine_run_number(const struct machine_facts *m, const char *utc);

/* Workers that can run at once: the cores, or the quota where it is less; infinity where neither is
 * known. */
double machine_most_workers(const struct machine_facts *m);

/* The share of the busy time that the hypervisor gave to other machines, in the run that was under
 * way at `utc`; NaN where no run of the list was, or it is not known. */
double machine_stolen_at(const struct machine_facts *m, const char *utc);

#endif
