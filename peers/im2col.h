/* Convolution by im2col, as in programs without a convolution library (Caffe): all windows of an
 * image are stored as the columns of a matrix, and a library multiplies the filters by it, group by
 * group. The image is N x C x H x W and the map N x K x OH x OW, the layout of the library's users:
 * our image is converted to it before any time is measured, and the result is converted back
 * after. */
#ifndef MAXPOOL_PEERS_IM2COL_H
#define MAXPOOL_PEERS_IM2COL_H

#include "harness/space/peer.h"

/* A library's matrix product in float32, with 32-bit sizes. */
struct im2col_library {
    /* Prepares it for `threads` threads and writes its name and version. */
    enum status (*open)(int64_t threads, char *name, size_t size, struct failure *f);
    /* C = A B, or C += A B if `add`; row-major, A rows x terms, B terms x cols. */
    void (*multiply)(const float *a, const float *b, float *c, int rows, int cols, int terms,
                     bool add);
};

/* True if the operation's windows can be counted in 32 bits. */
bool im2col_fits(const struct operation *op);

/* The functions of a struct peer; `prepare` also takes the library. */
enum status im2col_prepare(const struct peer_job *job, const struct im2col_library *library,
                           struct peer_state **out, const char **isa, struct failure *f);
enum status im2col_execute(struct peer_state *s, struct failure *f);
enum status im2col_deliver(struct peer_state *s, struct failure *f);
void im2col_release(struct peer_state *s);

#endif
