/* A network as a point measures it: what the options ask for, and the programs' parts that know of
 * it. The spaces of the programs are in networks/programs/. */
#ifndef MAXPOOL_NETWORK_RUN_H
#define MAXPOOL_NETWORK_RUN_H

#include "harness/ceilings/ceilings.h"
#include "harness/point/subject.h"
#include "harness/space/host.h"
#include "networks/forward.h"
#include "networks/point/classes.h"
#include "networks/point/output_files.h"

/* Images [first, first + count) of a batch. */
struct image_span {
    int64_t first, count;
};

/* The batch, and what of it is here. */
struct run_images {
    int64_t batch;          /* in all processes */
    struct image_span here; /* of them, in this one */
    bool vectors;           /* each is a row of a matrix, not planes */
    bool pictures;          /* they are of a file or folder of pictures */
};

/* The parameters as they were read or seeded: one array, which all methods and the oracle read, and
 * nobody but a training changes. Steps fold and pack them into memory of their own. */
struct run_weights {
    float *values;
    const char *source; /* "seeded", or the file's name */
    bool packed_alone;  /* they are read once, to be packed: neither an oracle nor another method
                           comes to them again, and each step's are given back then */
};

/* What was asked for of a run. */
struct run_settings {
    bool features; /* it ends before its classifier */
    bool trains;   /* a batch is a training step, backward and update too */
    bool clocked;  /* each layer is */
    bool traced;   /* each worker's share of the last execution is */
};

/* What results are printed with, and where to; of the root. */
struct run_report {
    struct ceilings ceilings; /* of --roof; none: not asked */
    struct outputs outputs;
    struct classes classes;
};

/* The network and its parameters, which all methods share. The operator of its operations is made
 * with it: network_row, whose functions find the run around it. */
struct network_run {
    struct operator_row row; /* first */
    struct network network;
    struct run_settings settings;
    struct run_images images;
    struct run_weights raw;
    struct run_report report;
    struct training
        *training; /* networks/point/training/training.h; NULL: it runs, and is not trained */
};

/* In place of a row of the operators' table; its methods are those of convolutions (--conv). */
extern const struct operator_row network_row;

extern const struct subject network_subject;

/* The run of a point. */
static inline struct network_run *network_run_of(const struct point *p)
{
    return p->subject;
}

/* The run of an operation whose operator was made with it. */
static inline const struct network_run *network_run_around(const struct operation *op)
{
    return (const struct network_run *)op->kind;
}

/* The part of a batch that is one process's, and that lies between those of its neighbours; parts
 * differ by one image at most, and the first ones are the larger. */
struct image_span network_span(int64_t batch, int rank, int ranks);

/* ---- the space's functions --------------------------------------------------------------------
 */

enum status network_open(const struct job *job, struct team team, struct instance **out,
                         struct resources *resources, struct failure *f);
enum status network_join(struct instance *first, const struct job *job, struct instance **out,
                         struct resources *resources, struct failure *f);
void network_poison(struct instance *instance);
enum status network_execute(struct instance *instance, struct phases *phases, struct failure *f);
enum status network_check_guards(struct instance *instance, struct failure *f);
enum status network_execute_batch(struct instance *instance, int64_t repeats, struct phases *phases,
                                  struct failure *f);
const float *network_map(const struct instance *instance, int64_t *first, int64_t *count);
void network_close(struct instance *instance);

/* Threads that compute in an instance, ours or a library's. */
int64_t network_workers(const struct instance *instance);

/* What runs in an instance. */
struct forward *network_forward(struct instance *instance);

#endif
