/* The table of peers, by operator: what is known of them without their libraries. */
#ifndef MAXPOOL_PEER_METHODS_H
#define MAXPOOL_PEER_METHODS_H

#include "kernels/methods.h"

/* Rows as in the method tables, but for `run`: harness/space/peer.h tells who runs them.
 * `unavailable` tells what this build was made without. A row without a name ends each. */
extern const struct maxpool_method peer_maxpool_methods[];
extern const struct matmul_method peer_matmul_methods[];

/* Those of the GPU. */
extern const struct maxpool_method device_peer_maxpool_methods[];
extern const struct matmul_method device_peer_matmul_methods[];

/* The row of that name, of either, or NULL. */
const struct maxpool_method *peer_maxpool_find(const char *name);
const struct matmul_method *peer_matmul_find(const char *name);

#endif
