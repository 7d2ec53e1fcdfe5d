/* A network that a point measures: the requests of the options, and the functions that programs
 * need. The spaces of the programs are in networks/programs/. */
#ifndef MAXPOOL_NETWORK_RUN_H
#define MAXPOOL_NETWORK_RUN_H

#include "harness/limits/ceilings.h"
#include "harness/point/subject.h"
#include "harness/space/host.h"
#include "networks/forward.h"
#include "networks/point/classes.h"
#include "networks/point/output_files.h"

/* Images [first, first + count) of a batch. */
struct image_span {
    int64_t first, count;
};

/* The batch, and this process's part of it. */
struct run_images {
    int64_t batch;          /* images in all processes */
    struct image_span here; /* those in this process */
    bool vectors;           /* each image is a row of a matrix, not planes */
    bool pictures;          /* from a file or folder of pictures */
};

/* The parameters as they were read or seeded: one array, which all methods and the oracle read, and
 * only a training changes. Steps fold and pack them into separate memory. */
struct run_weights {
    float *values;
    const char *source; /* "seeded", or the file's name */
    int64_t rounded;    /* values of the file that were rounded to float32 */
    bool packed_alone;  /* read only once, to be packed: neither an oracle nor another method reads
                           them again, so that each step gives its weights back */
};

/* What is requested of a run. */
struct run_settings {
    bool features; /* the network ends before its classifier */
    bool trains;   /* a batch is a training step, backward and update too */
    bool clocked;  /* each step is timed */
    bool traced;   /* each worker's share of the last execution is traced */
};

/* What the root prints results with, and the files it writes. */
struct run_report {
    struct ceilings ceilings; /* of --roof; empty: not requested */
    struct outputs outputs;
    struct classes classes;
};

/* The network and its parameters, which all methods share. Operations get their operator from it:
 * network_row, whose functions find the run around it. */
struct network_run {
    struct operator_row row; /* must be first */
    struct network network;
    struct run_settings settings;
    struct run_images images;
    struct run_weights raw;
    struct run_report report;
    struct training
        *training; /* networks/point/training/training.h; NULL: it runs, and is not trained */
};

/* Used instead of a row of the operators' table; its methods are those of convolutions (--conv). */
extern const struct operator_row network_row;

extern const struct subject network_subject;

/* The run of a point. */
static inline struct network_run *network_run_of(const struct point *p)
{
    return p->subject;
}

/* The run that contains the row of this operation's operator. */
static inline const struct network_run *network_run_around(const struct operation *op)
{
    return (const struct network_run *)op->kind;
}

/* The contiguous part of a batch that a process computes; parts differ by at most one image, and
 * the first ones are larger. */
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
void network_hold(struct instance *instance, void (*body)(void *context), void *context);
const float *network_map(const struct instance *instance, int64_t *first, int64_t *count);
void network_close(struct instance *instance);

/* Threads that compute in an instance, this suite's or a library's. */
int64_t network_workers(const struct instance *instance);

/* The forward run of an instance; in a training that of the trainer. */
struct forward *network_forward(struct instance *instance);

#endif
