/* How the workers of a team divide the units of one region: rows, planes, images or blocks.
 *
 * Every worker has a share, a contiguous run of units, and shares differ by at most one unit: the
 * worker that first touched the memory of a share also computes it. A share is cut into pieces. A
 * worker takes the pieces of its own share from the front. Once it has none left, it takes the last
 * piece of the share with most pieces left. So a worker whose core is also used by another program
 * holds up the others by one piece, not by all the rest of its share, while undisturbed workers
 * compute their own shares in order.
 *
 * Units are the same whoever computes them: the results do not depend on who takes a piece. */
#ifndef MAXPOOL_SHARES_H
#define MAXPOOL_SHARES_H

#include "harness/base/failure.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The pieces of one share that nobody has taken: [first, end), as first * 2^32 + end, so that both
 * change together. Each share has its own cache line. */
struct pieces_left {
    _Alignas(64) _Atomic uint64_t range;
};

struct shares {
    int64_t workers;          /* that have a share, at most those of the team; these come first */
    int64_t pieces;           /* of each share */
    struct pieces_left *left; /* of each share; NULL: workers take pieces of their own share only */
};

/* Most pieces of a share. */
enum { SHARES_MOST_PIECES = 32 };

/* Allocates for teams of up to `workers` workers. Close in the end, also after a failure. */
enum status shares_open(struct shares *s, int64_t workers, struct failure *f);
void shares_close(struct shares *s);

/* Makes all pieces of `workers` shares available again. Call it before each region, while no worker
 * takes any. */
void shares_begin(struct shares *s, int64_t workers, int64_t pieces);

/* The number of pieces, 1 .. SHARES_MOST_PIECES, into which to cut shares of `units` units that
 * take `cost` together: pieces of at least least_units units and least_cost. */
int64_t shares_pieces(double units, double least_units, double cost, double least_cost);

/* One worker in a region. Begin with {.shares, .worker, .units}. */
struct taker {
    const struct shares *shares;
    int64_t worker;
    int64_t units;      /* of all shares together */
    int64_t taken;      /* pieces of its own share, if `left` is NULL */
    int64_t owner;      /* of the piece that it took last */
    int64_t first, end; /* the units of that piece */
};

/* Takes the next piece that has units, and sets owner, first and end. False if none is left. */
bool shares_take(struct taker *t);

/* Units [*first, *end) of part `part` of `parts` of `units` units. */
static inline void shares_part(int64_t units, int64_t parts, int64_t part, int64_t *first,
                               int64_t *end)
{
    *first = units / parts * part + (part < units % parts ? part : units % parts);
    *end = *first + units / parts + (part < units % parts);
}

#endif
