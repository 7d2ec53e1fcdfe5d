/* A space decides who computes which outputs. One vtable, one file per space; the point program
 * drives any of them through it. */
#ifndef MAXPOOL_SPACE_H
#define MAXPOOL_SPACE_H

#include "harness/operation.h"
#include "harness/processes.h"

/* How several processes come by the image: each makes its own part, or the root sends each its
 * part and gathers the map. */
enum distribution { DISTRIBUTE_GENERATE, DISTRIBUTE_SCATTER };

/* What a space is asked to set up. */
struct job {
    const struct operation *operation;
    struct source *source; /* under DISTRIBUTE_SCATTER the root's alone may be read */
    int64_t threads;       /* wanted; 0: the space's own default */
    bool bind_core;        /* --bind core */
    enum distribution distribution;
    const char *per_rank; /* file for the raw times of each process; NULL: none */
    double min_cost; /* least arithmetic operations worth a worker; SPACE_MIN_COST unless testing */
};

/* Below some ten microseconds of work another worker costs more than it brings. */
#define SPACE_MIN_COST 16384.0

/* Seconds of one execution by phase; NaN where a phase does not exist. distribute, compute, collect
 * and total always do. Under MPI each is the maximum over ranks. */
struct phases {
    double first_launch_s, distribute_s, compute_s, product_s, collect_s, total_s;
    double imbalance_s; /* maximum - mean of the workers' compute seconds */
    double start_error_s;
};

/* What was set up, for the record and the summary. */
struct resources {
    int64_t ranks, threads, nodes; /* RECORD_NO_INT where they do not apply */
    const char *isa;               /* widest instruction set used by the method; a peer's own name
                                      of the code it chose */
    const char *bind;              /* core, none, inherited, shared (by too many workers) */
    const char *launch;            /* plain, mpirun, srun */
    const char *distribution;      /* generate, scatter; NULL where there is one process */
    double setup_s;                /* allocation, first touch and filling */
    struct image_facts facts;      /* of the image, as filled */
    int64_t scratch_bytes;         /* over all workers */
    struct deal deal;              /* how the map was dealt */
    char warning[256];             /* what taints the times, in one line; "": nothing seen */
};

/* A set-up execution; each space has its own. */
struct instance;

struct space {
    const char *name;                  /* serial, omp, mpi, cuda */
    bool has_threads;                  /* takes --threads */
    const struct processes *processes; /* NULL: one process */

    /* Allocates (after checking that memory suffices), places and fills the image. */
    enum status (*open)(const struct job *job, struct instance **out, struct resources *resources,
                        struct failure *f);
    /* Overwrites the whole map with a NaN pattern, each part by the worker that computes it. */
    void (*poison)(struct instance *instance);
    /* One execution, timed. */
    enum status (*execute)(struct instance *instance, struct phases *phases, struct failure *f);
    /* The part of the map this process holds and answers for: outputs [*first, *first + *count) in
     * linear order. */
    const float *(*map)(const struct instance *instance, int64_t *first, int64_t *count);
    /* Collective: the whole map, in the root. NULL: map() has it. */
    enum status (*gather)(struct instance *instance, const float **map, struct failure *f);
    void (*close)(struct instance *instance); /* NULL is fine */
};

#endif
