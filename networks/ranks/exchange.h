/* The messages between ranks for a batch: images from the root, and outputs to it. */
#ifndef MAXPOOL_NETWORK_EXCHANGE_H
#define MAXPOOL_NETWORK_EXCHANGE_H

#include "mpi/messages.h"
#include "networks/point/instance.h"

/* Of one instance. */
struct exchange {
    bool scatters; /* images are sent, and outputs gathered, within each sample */
    float *images; /* in the root: those of the whole batch, where they are sent */
    float *whole;  /* in the root: the outputs of the whole batch; NULL: not gathered yet */
    struct messages messages;
};

/* Room for the messages, and in the root of a scattered batch for all outputs. Of this rank alone.
 */
enum status exchange_open(struct exchange *e, const struct network_run *run, struct failure *f);
void exchange_close(struct exchange *e);

/* Memory for the outputs of the whole batch, in the root, where it has none. Of this rank alone. */
enum status exchange_make_room(struct exchange *e, const struct network_run *run,
                               struct failure *f);

/* Each rank's images from the root: into `own`, where a rank that is not the root has them. */
void exchange_scatter(struct exchange *e, const struct network_run *run, float *own);

/* Each rank's outputs into e->whole of the root. */
void exchange_collect(struct exchange *e, const struct network_run *run, const float *own);

/* Collective: whether the parts that the ranks hold have the same hash together as the whole that
 * the root holds; `elements` floats are an image's. */
bool exchange_matches(const struct network_run *run, const float *own, const float *whole,
                      int64_t elements);

#endif
