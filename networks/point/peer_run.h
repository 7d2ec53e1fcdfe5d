/* A whole network by another library, instead of the team that runs its steps: each step is
 * one layer of the library's, whose output is brought to where the plan has it when it is to be
 * verified.
 */
#ifndef MAXPOOL_NETWORK_PEER_RUN_H
#define MAXPOOL_NETWORK_PEER_RUN_H

#include "harness/space/network_peer.h"
#include "harness/space/space.h"
#include "networks/forward.h"

struct peer_run;

/* Plans the run, and has the peer prepare it with the folded weights. What the caller set of
 * w->plan, input, clocked and traced stays. Closed by peer_run_close, also after a failure; the
 * forward run by its own. */
enum status peer_run_open(struct peer_run **out, struct forward *w, const struct network_peer *peer,
                          int64_t threads, const char **isa, struct failure *f);
void peer_run_close(struct peer_run *r); /* NULL is fine */

/* One batch. */
enum status peer_run_batch(struct peer_run *r, struct forward *w, struct failure *f);

/* Overwrites all outputs that the library keeps. */
void peer_run_poison(const struct peer_run *r);

#endif
