/* Runs the methods of a space over the grid of edge cases and compares the maps with the
 * oracles. */
#ifndef MAXPOOL_TEST_SPACE_CHECK_H
#define MAXPOOL_TEST_SPACE_CHECK_H

#include "harness/space/peer.h"
#include "harness/space/space.h"
#include "tests/support/cases.h"

/* Returns the failures (printed) of one method over one case, executed twice. `like` has all of the
 * job except the operands. */
int64_t check_pooling(const struct space *space, const struct job *like, const struct method *m,
                      const struct pool_case *c, bool identity);
int64_t check_product(const struct space *space, const struct job *like, const struct method *m,
                      const struct product_case *c);

/* A method that rounds its operands rounds them to tf32 there, and here to bf16. */
int64_t check_rounded_product(const struct space *space, const struct job *like,
                              const struct method *m, const struct product_case *c);

int64_t check_rounded_conv(const struct space *space, const struct job *like,
                           const struct method *m, const struct conv_case *c);

/* The same for a convolution and for distances; cases that the method refuses pass. */
int64_t check_conv(const struct space *space, const struct job *like, const struct method *m,
                   const struct conv_case *c);
int64_t check_distances(const struct space *space, const struct job *like, const struct method *m,
                        const struct points_case *c);

/* The same for a GPU peer instead of the method's own function; -1 if the peer refuses. */
int64_t check_pooling_by(const struct space *space, const struct job *like, const struct method *m,
                         const struct peer *peer, const struct pool_case *c, bool identity);
int64_t check_product_by(const struct space *space, const struct job *like, const struct method *m,
                         const struct peer *peer, const struct product_case *c);
int64_t check_conv_by(const struct space *space, const struct job *like, const struct method *m,
                      const struct peer *peer, const struct conv_case *c);

/* The same for a convolution or for one of its gradients. */
int64_t check_conv_kind_by(const struct space *space, const struct job *like,
                           const struct operator_row *kind, const struct method *m,
                           const struct peer *peer, const struct conv_case *c);

/* How much of the grids a space runs. One method of each kind, with a product and without, stands
 * for it where only the distribution is tested. With MAXPOOL_LONG in the environment it is always
 * every case by every method. */
enum grid_extent {
    GRID_EVERY_CASE,   /* by every method */
    GRID_EVERY_METHOD, /* one of each kind runs every case, the others a third, other ones each */
    GRID_BRIEF,        /* every case by one method of each kind */
    GRID_SPARSE        /* a third of the cases by one method of each kind */
};

/* Returns the failures (printed) of the host methods over the grids, with `threads` threads. Every
 * worker is used, however small the work. */
int64_t check_space(const struct space *space, int64_t threads, enum grid_extent extent);

/* Returns the failures (printed) of the verifier over the same grids. It must accept what the space
 * computed, in full and sampled mode, and refuse the map if one of the verified outputs is
 * changed. */
int64_t check_verdicts(const struct space *space, int64_t threads, enum grid_extent extent);

/* Returns the peer of a row, or NULL; find_peer: the peer of an operator and name. */
const struct peer *peer_of(const struct peers *peers, const struct peer_row *row);
const struct peer *find_peer(const struct peers *peers, const struct operator_row *kind,
                             const char *name);

/* check_space and check_verdicts for the available peers, over the cases that each of them does not
 * refuse. */
int64_t check_peers(const struct space *space, int64_t threads, const struct peers *peers);
int64_t check_peer_verdicts(const struct space *space, int64_t threads, const struct peers *peers);

/* check_peers for one peer of max pooling, as the row `m`; *cases are those not refused. */
int64_t check_one_peer(const struct space *space, int64_t threads, const struct method *m,
                       const struct peer *peer, int64_t *cases);

#endif
