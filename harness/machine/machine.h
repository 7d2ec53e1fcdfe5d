/* What this machine is, as far as it can be seen: hwloc where the build has it, /proc and control
 * groups otherwise. */
#ifndef MAXPOOL_MACHINE_H
#define MAXPOOL_MACHINE_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct machine {
    char host[256];
    char cpu[128];                /* model name; "unknown" */
    int64_t packages, cores, pus; /* of the whole machine; 0: could not be seen */
    int64_t numa_nodes;           /* 0: could not be seen */
    int64_t cache_bytes[4]; /* level 1 data .. 3 at index 1 .. 3, of one instance; 0: unseen */
    int64_t allowed_pus;    /* hardware threads this process may run on */
    int64_t allowed_cores;  /* cores they belong to; without hwloc equal to allowed_pus */
    double quota_cores;     /* the control group's CPU quota in cores; 0: none */
    int64_t memory_bytes;
    double load;        /* mean runnable processes of the last minute; -1: unseen */
    const char *unseen; /* what could not be seen and why; "" */
};

void machine_describe(struct machine *m);

/* One line: package, cores, caches, NUMA nodes, quota. */
void machine_line(const struct machine *m, char *buffer, size_t size);

/* Workers that can run at once: allowed cores, or the quota where it is less (at least 1). */
int64_t machine_capacity(const struct machine *m);

/* Hardware threads that the calling process may run on. */
int64_t machine_allowed_pus(void);

/* "inherited" where the launcher left this process fewer hardware threads than the machine has,
 * "none" otherwise. */
const char *machine_binding(void);

/* Cores that a process may run on, one bit each, numbered alike in all processes of a computer.
 * Without hwloc every hardware thread is taken for a core. */
enum { MACHINE_CORES_MOST = 8192 };
struct core_set {
    uint64_t words[MACHINE_CORES_MOST / 64];
};

/* The cores of the calling process, as it is bound now. A computer with more cores than the set can
 * hold gives an empty one. */
void machine_cores(struct core_set *cores);

/* Whether processes of one computer may come to run on the same cores. Those of a simulated one
 * have cores that are nobody else's. */
bool machine_shares_cores(void);

/* Binds the calling thread to the worker-th core that the process could use when it began, the
 * cores counted round. Status 3 without hwloc, 4 where the system refuses. */
enum status machine_bind_thread(int64_t worker, struct failure *f);

#endif
