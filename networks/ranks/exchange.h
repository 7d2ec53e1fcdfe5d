/* The messages of a batch between ranks: images from the root, and outputs to it. */
#ifndef MAXPOOL_NETWORK_EXCHANGE_H
#define MAXPOOL_NETWORK_EXCHANGE_H

#include "mpi/messages.h"
#include "networks/point/instance.h"

/* The exchange of one instance. */
struct exchange {
    bool scatters; /* images are sent, and outputs gathered, within each sample */
    float *images; /* on the root: the images of the whole batch, if it sends them */
    float *whole;  /* on the root: the outputs of the whole batch; NULL: not gathered yet */
    struct messages messages;
};

/* Allocates the messages and, on the root of a scattered batch, memory for all outputs. Not
 * collective. */
enum status exchange_open(struct exchange *e, const struct network_run *run, struct failure *f);
void exchange_close(struct exchange *e);

/* Allocates memory for the outputs of the whole batch on the root, unless it has it. Not
 * collective. */
enum status exchange_allocate_outputs(struct exchange *e, const struct network_run *run,
                                      struct failure *f);

/* Sends each rank its images from the root; the other ranks receive them in `own`. */
void exchange_scatter(struct exchange *e, const struct network_run *run, float *own);

/* Gathers each rank's outputs in e->whole of the root. */
void exchange_collect(struct exchange *e, const struct network_run *run, const float *own);

/* Collective: true if the parts that the ranks hold together have the same hash as the whole that
 * the root holds; an image has `elements` floats. */
bool exchange_matches(const struct network_run *run, const float *own, const float *whole,
                      int64_t elements);

#endif
