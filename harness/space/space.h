/* A space decides who computes which outputs. It is one vtable in one file; the point program uses
 * every space through it. */
#ifndef MAXPOOL_SPACE_H
#define MAXPOOL_SPACE_H

#include "harness/machine/machine.h"
#include "harness/machine/processes.h"
#include "harness/records/table.h"
#include "harness/space/batches.h"
#include "harness/space/computing.h"
#include "harness/space/offload.h"

#include <math.h>
#include <stdio.h>

/* How several processes obtain the image: each generates its own part, or the root sends each its
 * part and gathers the map. */
enum distribution { DISTRIBUTE_GENERATE, DISTRIBUTE_SCATTER };

/* Lines of image and map that the caller of a space holds, counted through all planes: the space
 * computes these lines of the map and allocates and fills neither. The GPU space takes them; those
 * with one shared memory take all lines. */
struct held {
    float *image, *map; /* NULL: nothing is held */
    int64_t image_first, image_end;
    int64_t map_first, map_count;
    /* The first lines of the map, whose windows end before image line own_end: computed while the
     * image lines from there on are still on their way. */
    int64_t interior, own_end;
};

/* What a space must set up. */
struct job {
    const struct operation *operation;
    /* What computes instead of the operation's method: a library or, in a simulated launch, the
     * passing of time alone. NULL: the method computes. */
    const struct peer *peer;
    const struct simulated *simulated;
    void *subject;         /* what a program with a subject (harness/point/subject.h) measures */
    struct source *source; /* under DISTRIBUTE_SCATTER only the root's may be read */
    int64_t threads;       /* requested; 0: the space's default */
    enum binding bind;     /* --bind */
    enum distribution distribution;
    /* PARALLEL_PRODUCT: the method works in stages; processes take DISTRIBUTE_SCATTER */
    enum parallel_part parallel;
    const char *per_rank;         /* file for the raw times of each process; NULL: none */
    struct device_options device; /* of a GPU program */
    struct held held;             /* otherwise all lines, in memory of the space's own */
    double min_cost; /* least arithmetic operations per worker; SPACE_MIN_COST except in tests */
};

/* Below about ten microseconds of work, another worker costs more than it saves. */
#define SPACE_MIN_COST 16384.0

/* Seconds of one execution by phase (declared in harness/records/columns.inc); NaN if a phase does
 * not exist. distribute, compute, collect and total always exist. Under MPI each is the maximum
 * over ranks. imbalance_s is the maximum of the workers' compute seconds minus their mean. For a
 * GPU, allocate_s is the time of allocating and freeing there within the sample, and its device_
 * phases are measured by its own events, which exclude waiting and launching on the host.
 * exchange_s of a training step is the exposed communication time. */
struct phases {
#define PHASE(constant, field, ...) double field;
#include "harness/records/columns.inc"
    int64_t clock_mhz;     /* clock of the device while it computed; RECORD_NO_INT: unknown */
    double power_w;        /* power that it drew then; RECORD_NO_REAL: unknown */
    char throttle[96];     /* why its clock is throttled, words separated by "+"; "": unknown */
    int64_t throttle_rank; /* among ranks, the first one whose device is; otherwise RECORD_NO_INT */
};

/* Phases none of which exists. */
static inline struct phases phases_none(void)
{
    return (struct phases){
#define PHASE(constant, field, ...) .field = NAN,
#include "harness/records/columns.inc"
        .clock_mhz = RECORD_NO_INT, .power_w = RECORD_NO_REAL, .throttle_rank = RECORD_NO_INT};
}

/* What was set up, for the record and the summary. */
struct resources {
    int64_t ranks, threads, nodes; /* RECORD_NO_INT if they do not apply */
    const char *isa;    /* widest instruction set used by the method; for a peer its own name of the
                           code it chose */
    const char *bind;   /* core, openmp, none, inherited, shared (more workers than cores) */
    const char *pages;  /* huge, ordinary, advised (memory_pages()); NULL: unknown */
    const char *launch; /* plain, mpirun, srun */
    const char *distribution;   /* generate, scatter; NULL: one process */
    double setup_s;             /* allocation, first touch and filling */
    struct image_facts facts;   /* of the image, as filled */
    int64_t scratch_bytes;      /* over all workers */
    struct partition partition; /* how the map was partitioned */
    char sharing[160];          /* "16 ranks share 2 cores"; "": no core has two workers */
    /* For a GPU; NULL and 0 otherwise. */
    const char *device;         /* its name */
    const char *device_summary; /* a few words for the summary, lines separated by newlines */
    int64_t chunks;             /* chunks into which image and map are divided */
};

/* What a space can report beyond the summary. */
enum space_topic { SPACE_KERNEL_FACTS, SPACE_INDICES, SPACE_COUNTS };

/* What a space has set up for a job; each space has its own struct. */
struct instance;

struct space {
    const char *name;                  /* serial, omp, mpi, cuda */
    enum space_kind kind;              /* of the methods that it runs */
    bool has_threads;                  /* takes --threads */
    const struct processes *processes; /* NULL: one process */

    /* Allocates (after checking that memory suffices), places and fills the image. */
    enum status (*open)(const struct job *job, struct instance **out, struct resources *resources,
                        struct failure *f);
    /* Adds another method to an opened one: with its own partition and scratch, and the image, map
     * and workers of `first`, which must be closed after it. If its processes must have other parts
     * of the map, it fills an image of its own, from the source of `first`. The jobs differ only in
     * operation and peer. `resources` are passed in as those of `first` and are updated to this
     * method's; setup_s is the time of joining. */
    enum status (*join)(struct instance *first, const struct job *job, struct instance **out,
                        struct resources *resources, struct failure *f);
    /* Overwrites the whole map with a NaN pattern, each part by the worker that computes it. */
    void (*poison)(struct instance *instance);
    /* Runs and times one execution. */
    enum status (*execute)(struct instance *instance, struct phases *phases, struct failure *f);
    /* Runs several executions back to back, timed as one: the phases are means over them. NULL: no
     * execution is too short for the clock. */
    enum status (*execute_batch)(struct instance *instance, int64_t repeats, struct phases *phases,
                                 struct failure *f);
    /* Calls body(context) in the caller. Between the executions that it makes, the workers of the
     * instance, and of those that joined it, wait for the next one (struct holding); no library may
     * use threads of its own meanwhile. NULL: there is nothing to hold. */
    void (*hold)(struct instance *instance, void (*body)(void *context), void *context);
    /* After an execution: STATUS_WRONG, with the position, if something was written outside the
     * blocks that this process holds (harness/space/guards.h); restores the guards. NULL: there are
     * no guards. */
    enum status (*check_guards)(struct instance *instance, struct failure *f);
    /* Collective: writes the times of each process in the last execution, if requested; NULL: not
     * supported. */
    enum status (*note)(struct instance *instance, struct failure *f);
    /* Returns the part of the map that this process holds and is responsible for: outputs [*first,
     * *first + *count) in linear order. */
    const float *(*map)(const struct instance *instance, int64_t *first, int64_t *count);
    /* Collective: returns the whole map in the root. NULL: map() returns all of it. */
    enum status (*gather)(struct instance *instance, const float **map, struct failure *f);
    void (*close)(struct instance *instance); /* NULL is fine */
    /* Checks whether the space can run on this machine. NULL: always. */
    enum status (*available)(struct failure *f);
    /* Reports on a topic after the last sample; NULL: has no topics. */
    enum status (*describe)(struct instance *instance, enum space_topic topic, FILE *out,
                            struct failure *f);
};

#endif
