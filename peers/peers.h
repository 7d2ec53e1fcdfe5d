/* The peers of the spaces with one address space, serial and OpenMP, and those of the GPU. */
#ifndef MAXPOOL_PEERS_H
#define MAXPOOL_PEERS_H

#include "harness/space/peer.h"

extern const struct peers host_peers, device_peers;

/* Loads the peer of a row that is available. Status 3 if its library does not load. */
enum status peer_load(const struct peer_row *row, const struct peer **out, struct failure *f);

/* Limits the library of a row to an instruction set, before its peer is loaded
 * (harness/space/peer.h has the failures). */
enum status peer_limit(const struct peer_row *row, enum isa widest, struct failure *f);

/* A module whose library can be limited has this function: tells the library to use no wider
 * instruction set, and returns whether the library says that it does not, nor a narrower one. */
bool peer_limit_isa(enum isa widest);

/* Peers are in modules, which are found by the names in their rows (peers/methods.c), not linked
 * and not declared elsewhere. oneMKL is not needed to build: its one library is opened at run time
 * (peers/mkl.c). Its product is in no module; its convolution is in one, because it uses threads.
 * mkl_missing returns NULL, or why the library cannot be opened. */
extern const struct peer peer_mkl;
const char *mkl_missing(void);

#endif
