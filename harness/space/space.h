/* A space decides who computes which outputs. One vtable, one file per space; the point program
 * drives any of them through it. */
#ifndef MAXPOOL_SPACE_H
#define MAXPOOL_SPACE_H

#include "harness/machine/processes.h"
#include "harness/records/table.h"
#include "harness/space/computing.h"
#include "harness/space/offload.h"

#include <math.h>
#include <stdio.h>

/* How several processes come by the image: each makes its own part, or the root sends each its
 * part and gathers the map. */
enum distribution { DISTRIBUTE_GENERATE, DISTRIBUTE_SCATTER };

/* What a space is asked to set up. */
struct job {
    const struct operation *operation;
    /* What computes in its method's place: a library, and of a simulated launch the time alone that
     * passes. NULL: the method does. */
    const struct peer *peer;
    const struct simulated *simulated;
    void *subject; /* of a program with a subject (harness/point/subject.h): what it measures */
    struct source *source; /* under DISTRIBUTE_SCATTER the root's alone may be read */
    int64_t threads;       /* wanted; 0: the space's own default */
    bool bind_core;        /* --bind core */
    enum distribution distribution;
    const char *per_rank;         /* file for the raw times of each process; NULL: none */
    struct device_options device; /* of a GPU program */
    double min_cost; /* least arithmetic operations worth a worker; SPACE_MIN_COST unless testing */
};

/* Below some ten microseconds of work another worker costs more than it brings. */
#define SPACE_MIN_COST 16384.0

/* Seconds of one execution by phase, which harness/records/columns.inc declares; NaN where a phase
 * does not exist. distribute, compute, collect and total always do. Under MPI each is the maximum
 * over ranks. imbalance_s is the maximum less the mean of the workers' compute seconds; a GPU's
 * allocate_s is what allocating and freeing there takes within the sample, its device_ phases are
 * by its own events, of which waiting and launching on the host are no part. exchange_s of a
 * training step is what other work does not hide. */
struct phases {
#define PHASE(constant, field, ...) double field;
#include "harness/records/columns.inc"
    int64_t clock_mhz; /* of the device while it computed; RECORD_NO_INT: unknown */
    double power_w;    /* that it drew then; RECORD_NO_REAL: unknown */
    char throttle[64]; /* why its clock is throttled, words separated by "+"; "": unknown */
};

/* Phases of which none exists. */
static inline struct phases phases_none(void)
{
    return (struct phases){
#define PHASE(constant, field, ...) .field = NAN,
#include "harness/records/columns.inc"
        .clock_mhz = RECORD_NO_INT, .power_w = RECORD_NO_REAL};
}

/* What was set up, for the record and the summary. */
struct resources {
    int64_t ranks, threads, nodes; /* RECORD_NO_INT where they do not apply */
    const char *isa;               /* widest instruction set used by the method; a peer's own name
                                      of the code it chose */
    const char *bind;              /* core, none, inherited, shared (by too many workers) */
    const char *pages;             /* huge, ordinary, advised (memory_pages()); NULL: unknown */
    const char *launch;            /* plain, mpirun, srun */
    const char *distribution;      /* generate, scatter; NULL where there is one process */
    double setup_s;                /* allocation, first touch and filling */
    struct image_facts facts;      /* of the image, as filled */
    int64_t scratch_bytes;         /* over all workers */
    struct partition partition;    /* how the map was partitioned */
    char sharing[160];             /* "16 ranks share 2 cores"; "": no core has two workers */
    /* Of a GPU; NULL and 0 elsewhere. */
    const char *device;         /* its name */
    const char *device_summary; /* a few words for a reader, lines separated by a newline */
    int64_t chunks;             /* in which image and map go through it */
};

/* What a space can report beyond the summary. */
enum space_topic { SPACE_KERNEL_FACTS, SPACE_INDICES };

/* A set-up execution; each space has its own. */
struct instance;

struct space {
    const char *name;                  /* serial, omp, mpi, cuda */
    enum space_kind kind;              /* of the methods it runs */
    bool has_threads;                  /* takes --threads */
    const struct processes *processes; /* NULL: one process */

    /* Allocates (after checking that memory suffices), places and fills the image. */
    enum status (*open)(const struct job *job, struct instance **out, struct resources *resources,
                        struct failure *f);
    /* Another method beside one that was opened: with a partition and scratch of its own, and the
     * image, the map and the workers of `first`, which is closed after it. The jobs differ in
     * operation and peer alone. `resources` are those of `first` and become its own; setup_s is
     * what joining took. */
    enum status (*join)(struct instance *first, const struct job *job, struct instance **out,
                        struct resources *resources, struct failure *f);
    /* Overwrites the whole map with a NaN pattern, each part by the worker that computes it. */
    void (*poison)(struct instance *instance);
    /* One execution, timed. */
    enum status (*execute)(struct instance *instance, struct phases *phases, struct failure *f);
    /* Several, one right after the other, clocked as one: the phases are means over them. NULL: an
     * execution is never too short for the clock. */
    enum status (*execute_batch)(struct instance *instance, int64_t repeats, struct phases *phases,
                                 struct failure *f);
    /* After an execution: STATUS_WRONG, with the place, where something was written beside the
     * blocks that this process holds (harness/space/guards.h), which are then as new. NULL: there
     * are no guards. */
    enum status (*check_guards)(struct instance *instance, struct failure *f);
    /* Collective: writes what each process took in the last execution, where that was asked for;
     * NULL: cannot be asked. */
    enum status (*note)(struct instance *instance, struct failure *f);
    /* The part of the map this process holds and answers for: outputs [*first, *first + *count) in
     * linear order. */
    const float *(*map)(const struct instance *instance, int64_t *first, int64_t *count);
    /* Collective: the whole map, in the root. NULL: map() has it. */
    enum status (*gather)(struct instance *instance, const float **map, struct failure *f);
    void (*close)(struct instance *instance); /* NULL is fine */
    /* Can it run on this machine at all? NULL: always. */
    enum status (*available)(struct failure *f);
    /* Reports on a topic after the last sample; NULL: has none. */
    enum status (*describe)(struct instance *instance, enum space_topic topic, FILE *out,
                            struct failure *f);
};

#endif
