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

struct peer_state {
    const struct operation *operation;
    const struct im2col_library *library;
    float *image, *windows, *map; /* plane by plane; C/G k k x OH OW; plane by plane */
    float *to;                    /* the map in our layout */
    char name[96];                /* "OpenBLAS 0.3.21 Cooperlake" */
};

/* The functions of a struct peer whose `way` is the library; and all of it but `refuses`, by a
 * macro, because only a macro can be an initializer. */
enum status im2col_prepare(const struct peer_job *job, struct peer_state *s, const char **isa,
                           struct failure *f);
enum status im2col_execute(struct peer_state *s, struct failure *f);
enum status im2col_deliver(struct peer_state *s, struct failure *f);
void im2col_release(struct peer_state *s);
#define IM2COL_PEER(library)                                                                       \
    .state_bytes = sizeof(struct peer_state), .prepare = im2col_prepare,                           \
    .execute = im2col_execute, .deliver = im2col_deliver, .release = im2col_release,               \
    .way = (library)

#endif
