/* Convolution as programs without a library for it do it (Caffe's way): all windows of an image
 * stored as columns of a matrix, and a library's product of the filters times it, group by group.
 * The image is N x C x H x W and the map N x K x OH x OW, as its user has them: ours is brought
 * into that order before any time is taken, and the result from it after. */
#ifndef MAXPOOL_PEERS_IM2COL_H
#define MAXPOOL_PEERS_IM2COL_H

#include "harness/space/peer.h"

/* A library's matrix product in float32, which counts in 32 bits. */
struct im2col_library {
    /* Readies it for that many threads and writes its name and version. */
    enum status (*open)(int64_t threads, char *name, size_t size, struct failure *f);
    /* C = A B, or C += A B; row by row, A rows x terms, B terms x cols. */
    void (*multiply)(const float *a, const float *b, float *c, int rows, int cols, int terms,
                     bool add);
};

/* Whether the operation's windows can be counted in 32 bits. */
bool im2col_fits(const struct operation *op);

/* The functions of a struct peer; `prepare` for the library. */
enum status im2col_prepare(const struct peer_job *job, const struct im2col_library *library,
                           struct peer_state **out, const char **isa, struct failure *f);
enum status im2col_execute(struct peer_state *s, struct failure *f);
enum status im2col_deliver(struct peer_state *s, struct failure *f);
void im2col_release(struct peer_state *s);

#endif
