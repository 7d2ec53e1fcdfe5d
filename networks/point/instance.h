/* The part of a network's batch that one process holds: its images, and what computes them. */
#ifndef MAXPOOL_NETWORK_INSTANCE_H
#define MAXPOOL_NETWORK_INSTANCE_H

#include "kernels/error_tally.h"
#include "networks/point/network_run.h"
#include "networks/point/peer_run.h"

/* When the last execution began, had its images, had its outputs, and had handed them in. */
struct moments {
    double began, here, computed, collected;
    bool messages; /* images and outputs were sent */
};

struct instance {
    const struct network_run *run;
    struct forward forward; /* nothing of it is open where no image is here */
    struct peer_run *peer;  /* the library that runs it; NULL: we do */
    struct team team;       /* of the space, which methods that join use too */
    float *images;          /* its own; NULL: those of the first method's instance */
    struct guarded own;     /* where its own lie */
    struct guarded *block;  /* that, or the first's */
    struct moments moments;
    struct error_tally *errors; /* of each layer's step, verified last; NULL: none was */
    void *space_state;          /* what a space has beside: other processes, a device */
    /* Collective, outside of the clock: whether what the processes sent each other has arrived,
     * STATUS_WRONG where not. NULL: nothing is sent. */
    enum status (*arrived)(struct instance *in, struct failure *f);
};

/* An instance of the run, empty; status 4 where there is no memory. */
enum status instance_make(const struct network_run *run, struct instance **out, struct failure *f);

/* Memory for these images of the batch, which the forward run is to read from the first of the
 * process's own on; read from the source where it is given. */
enum status instance_images(struct instance *in, struct image_span span, struct source *source,
                            struct resources *resources, struct failure *f);

/* The root mean square error, in ulps, of a step's outputs as they were verified last; NaN: they
 * were not. */
double instance_step_ulps(const struct instance *in, int step);

/* The plan for the images of this process, by the operation's method or the job's peer. */
enum status instance_forward(struct instance *in, const struct job *job, struct team team,
                             struct resources *resources, struct failure *f);

#endif
