/* The facts of R/environment.json about the machine that the samples come from. */
#ifndef MAXPOOL_MACHINE_FACTS_H
#define MAXPOOL_MACHINE_FACTS_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>

/* One `study run` and the conditions at its start. Its times sort as texts. */
struct machine_run {
    char begin_utc[32], end_utc[32]; /* end "": still running, or killed */
    double load;                     /* cores that others kept busy just before it; NaN: unknown */
    double stolen; /* share of the busy time that the hypervisor gave to others; NaN: unknown */
    double others; /* cores that other programs kept busy while it ran; NaN: unknown */
};

/* NaN, 0 or "" if not known. */
struct machine_facts {
    bool known; /* environment.json exists */
    char host[256];
    char cpu[128];
    double cores;       /* available to the programs */
    double quota_cores; /* of the control group; NaN: none */
    double memory_bytes;
    double load;              /* cores that other programs kept busy just before the last run */
    struct machine_run *runs; /* in the order of the file; NULL if it has no such list */
    size_t run_count;
    double clock_resolution_s;
    char governor[64];
    double frequency_least_mhz, frequency_most_mhz; /* range that the processor may choose from */
    char os[128], kernel[128];
    char compiler[128], flags[256];
    char commit[64];
    char mpi[128];
    char gpu[128];
    char time_utc[32];
};

/* A missing or empty file leaves all facts unknown and is no failure. Status 2 if it is not JSON, 3
 * if this build cannot read JSON (no cJSON). */
enum status machine_facts_read(struct machine_facts *m, const char *path, struct failure *f);
void machine_facts_release(struct machine_facts *m);

/* Cores that other programs kept busy before the run that was under way at `utc`. If the file has
 * no list of runs: before the last run. NaN if no run of the list was under way then. */
double machine_load_at(const struct machine_facts *m, const char *utc);

/* Cores that other programs kept busy during the run that was under way at `utc`; NaN if no run of
 * the list was, or it is unknown. */
double machine_others_at(const struct machine_facts *m, const char *utc);

/* Number of the run that was under way at `utc`, from 1; 0 if no run of the list was. */
size_t machine_run_number(const struct machine_facts *m, const char *utc);

/* Workers that can run at once: the cores, or the quota if it is less; infinity if both are
 * unknown. */
double machine_most_workers(const struct machine_facts *m);

/* Share of the busy time that the hypervisor gave to other machines during the run that was under
 * way at `utc`; NaN if no run of the list was, or it is unknown. */
double machine_stolen_at(const struct machine_facts *m, const char *utc);

#endif
