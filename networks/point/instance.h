/* The part of a network's batch that one process computes: its images and its forward run. */
#ifndef MAXPOOL_NETWORK_INSTANCE_H
#define MAXPOOL_NETWORK_INSTANCE_H

#include "kernels/error_tally.h"
#include "networks/point/network_run.h"
#include "networks/point/peer_run.h"

/* When the last execution began, had its images, had its outputs, and had handed them over. */
struct moments {
    double began, here, computed, collected;
    bool messages; /* images and outputs were sent between processes */
};

/* Where images are allocated, with guards; statuses as of guarded_allocate(). */
struct image_memory {
    enum status (*allocate)(struct guarded *block, size_t bytes, const char *what,
                            struct failure *f);
    void (*release)(struct guarded *block);
};

struct device_state; /* cuda/network/space.c */

struct instance {
    const struct network_run *run;
    struct forward forward; /* not open if this process has no image */
    struct peer_run *peer;  /* the library that runs it; NULL: this suite does */
    struct team team;       /* of the space; instances that join use it too */
    float *images;          /* its own; NULL: it uses those of the first method's instance */
    struct guarded own;     /* memory of its own images */
    const struct image_memory *memory; /* of them; NULL: ordinary memory */
    struct guarded *block;             /* `own`, or that of the first method's instance */
    struct moments moments;
    struct error_tally *errors;  /* of each step's outputs, verified last; NULL: none were */
    struct device_state *device; /* the device that runs it; NULL: the team does */
    void *space_state;           /* what a space adds: other processes */
    /* Collective, outside of the timing: checks that what the processes sent each other has
     * arrived, STATUS_WRONG if not. NULL: nothing is sent. */
    enum status (*arrived)(struct instance *in, struct failure *f);
};

/* Makes an empty instance of the run; status 4 if memory is lacking. */
enum status instance_make(const struct network_run *run, struct instance **out, struct failure *f);

/* Allocates the images `span` of the batch, and reads them if `source` is given. The forward run
 * begins with the process's first own image. */
enum status instance_images(struct instance *in, struct image_span span, struct source *source,
                            struct resources *resources, struct failure *f);

/* The root mean square error, in ulps, of a step's outputs that were verified last; NaN if none
 * were. */
double instance_step_ulps(const struct instance *in, int step);

/* Opens the forward run for the images of this process, by the operation's method or the job's
 * peer. */
enum status instance_forward(struct instance *in, const struct job *job, struct team team,
                             struct resources *resources, struct failure *f);

#endif
