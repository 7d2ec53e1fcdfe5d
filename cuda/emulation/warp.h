/* What the lanes of a warp do together: barriers, votes, shuffles and products of matrices. The
 * functions that kernels call are in intrinsics.h. */
#ifndef CUDA_EMULATION_WARP_H
#define CUDA_EMULATION_WARP_H

#include <stdint.h>

enum WarpKind {
    WARP_SYNC,
    WARP_BALLOT,
    WARP_SHUFFLE,      /* from lane `argument` of the segment */
    WARP_SHUFFLE_UP,   /* from `argument` lanes below */
    WARP_SHUFFLE_DOWN, /* from `argument` lanes above */
    WARP_SHUFFLE_XOR,
    WARP_MATRIX /* `value`: address of the lane's fragments (matrix.h); `argument`: which product */
};

/* What a lane gives, and the result. */
struct WarpLane {
    WarpKind kind;
    unsigned mask; /* lanes that take part */
    uint64_t value;
    int argument, width;
    unsigned number; /* of the lane; set when it arrives */
    uint64_t result;
};

/* Waits until all lanes of the mask have come; returns the lane with its result. `instruction` is
 * the caller's, for messages. */
WarpLane warp_meet(const WarpLane &given, const void *instruction);

#endif
