/* More workers than cores: what is recorded and reported about it. */
#ifndef MAXPOOL_OVERSUBSCRIPTION_H
#define MAXPOOL_OVERSUBSCRIPTION_H

#include "harness/machine/crowd.h"
#include "harness/space/host.h"

/* Records that `ranks` ranks (0: the program has none) of `threads` threads each share `cores`
 * cores of one computer: r->bind becomes "shared", r->sharing "16 ranks share 2 cores", "2 ranks of
 * 4 threads share 2 cores" or "5 threads share 1 core". */
void record_oversubscription(struct resources *r, int64_t ranks, int64_t threads, int64_t cores);

/* Reads on which cores every thread of the team may run now, however it was bound. *all: the cores
 * of all threads together; *most: the most crowded of them, with threads as ranks of one worker.
 * Status 4 if memory is lacking. */
enum status team_crowd(struct team team, struct core_set *all, struct crowd *most,
                       struct failure *f);

#endif
