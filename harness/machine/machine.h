/* What is known of this machine: from hwloc if the build has it, otherwise from /proc and control
 * groups. */
#ifndef MAXPOOL_MACHINE_H
#define MAXPOOL_MACHINE_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct machine {
    char host[256];
    char cpu[128];                /* model name; "unknown" */
    int64_t packages, cores, pus; /* of the whole machine; 0: unknown */
    int64_t numa_nodes;           /* 0: unknown */
    int64_t cache_bytes[4]; /* level 1 data .. 3 at index 1 .. 3, of one instance; 0: unknown */
    int64_t cache_count[4]; /* instances that this process may use; 0: unknown */
    int64_t allowed_pus;    /* hardware threads this process may run on */
    int64_t allowed_cores;  /* cores they belong to; equal to allowed_pus without hwloc */
    double quota_cores;     /* CPU quota of the control group in cores; 0: none */
    int64_t memory_bytes;
    double load;        /* mean runnable processes of the last minute; -1: unknown */
    const char *unseen; /* what could not be read and why; "" */
};

void machine_describe(struct machine *m);

/* One line: package, cores, caches, NUMA nodes, quota. */
void machine_line(const struct machine *m, char *buffer, size_t size);

/* Workers that can run at once: the allowed cores, or the quota if it is smaller (at least 1). */
int64_t machine_capacity(const struct machine *m);

/* Hardware threads that the process was given when it began, before a library narrowed them. */
int64_t machine_allowed_pus(void);

/* The least CPU quota of this process's control groups and their ancestors in cores; 0: none. */
double machine_quota_cores(void);

/* "inherited" if the launcher gave this process fewer hardware threads than the machine has, "none"
 * otherwise. */
const char *machine_binding(void);

/* Cores that a process may run on, one bit each, with the same numbers in all processes of a
 * computer. Without hwloc every hardware thread counts as a core. */
enum { MACHINE_CORES_MOST = 8192 };
struct core_set {
    uint64_t words[MACHINE_CORES_MOST / 64];
};

/* The cores that the process was given when it began. Cores with numbers beyond the set are left
 * out. The set is empty if the scheduler does not describe the computer. */
void machine_cores(struct core_set *cores);

/* The cores of the calling thread, as it is bound now. */
void machine_thread_cores(struct core_set *cores);

/* Whether processes of one computer may run on the same cores. On a simulated computer every
 * process has cores of its own. */
bool machine_shares_cores(void);

/* How workers are bound: each to a core, in hwloc's order, so that one socket is taken after the
 * other; or spread, so that each goes to the next socket. */
enum binding { BIND_NONE, BIND_CORE, BIND_SPREAD };
enum { BINDINGS = 3 };
extern const char *const binding_options[BINDINGS];

/* Binds the calling thread to the core of a worker (modulo their number) among the cores that the
 * process was given when it began. Status 3 without hwloc, 4 if the system refuses. */
enum status machine_bind_thread(int64_t worker, enum binding binding, struct failure *f);

/* The hardware threads of that core which the process was given, one bit each. Status as above. */
enum status machine_worker_pus(int64_t worker, enum binding binding, struct core_set *pus,
                               struct failure *f);

/* The core (its number in hwloc's order) of a worker on a machine that hwloc makes up from a text
 * such as "pack:2 core:4 pu:2"; -1 without hwloc, and for a text that is none. */
int64_t machine_core_of_text(const char *description, int64_t worker, enum binding binding);

#endif
