/* The peers of the spaces of one address space, serial and OpenMP, and those of the GPU. */
#ifndef MAXPOOL_PEERS_H
#define MAXPOOL_PEERS_H

#include "harness/space/peer.h"

extern const struct peers host_peers, device_peers;

/* A peer of a row that is not unavailable. Status 3 where its library does not load. */
enum status peer_load(const struct peer_row *row, const struct peer **out, struct failure *f);

/* Peers lie in modules, found by the names that their rows give (peers/methods.c), not linked, and
 * declared nowhere else. oneMKL needs nothing to be built: its one library is opened where the
 * program runs (peers/mkl.c). NULL, or why it cannot be. Its product is in no module; its
 * convolution is, for its threads. */
extern const struct peer peer_mkl;
const char *mkl_missing(void);

#endif
