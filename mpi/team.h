/* The workers of the ranks: each rank has a team of its own. Also the setup that every program of
 * several processes needs. */
#ifndef MAXPOOL_TEAM_H
#define MAXPOOL_TEAM_H

#include "harness/space/host.h"

/* The team that a job asks for, of this rank alone, bound as it asks; and how it is bound. */
enum status team_open(const struct job *job, struct team *team, struct resources *resources,
                      struct failure *f);

/* Collective: ranks, threads, computers, launch and distribution; and whether workers share
 * cores on some computer. */
void team_describe(const struct job *job, struct team team, struct resources *resources);

/* Collective: the facts of what all ranks saw together. */
void team_merge_facts(struct image_facts *facts);

#endif
