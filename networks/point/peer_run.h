/* A whole network run by another library instead of the team. Each step is one layer of the
 * library; its output is copied to its place in the plan when it is verified. */
#ifndef MAXPOOL_NETWORK_PEER_RUN_H
#define MAXPOOL_NETWORK_PEER_RUN_H

#include "harness/space/network_peer.h"
#include "harness/space/space.h"
#include "networks/forward.h"

struct peer_run;

/* Plans the run, and lets the peer prepare it with the folded weights. What the caller set of
 * w->plan, input, clocked and traced stays. Call peer_run_close in the end, also after a failure;
 * forward_close closes the forward run. */
enum status peer_run_open(struct peer_run **out, struct forward *w, const struct network_peer *peer,
                          int64_t threads, const char **isa, struct failure *f);
void peer_run_close(struct peer_run *r); /* NULL is fine */

/* Runs one batch. */
enum status peer_run_batch(struct peer_run *r, struct forward *w, struct failure *f);

/* Overwrites all outputs that the library keeps. */
void peer_run_poison(const struct peer_run *r);

#endif
