/* The workers of the ranks: each rank has its own team. Also the setup that every program of
 * several processes needs. */
#ifndef MAXPOOL_TEAM_H
#define MAXPOOL_TEAM_H

#include "harness/space/host.h"

/* Opens this rank's team as the job requests, binds it as requested, and records how it is
 * bound. */
enum status team_open(const struct job *job, struct team *team, struct resources *resources,
                      struct failure *f);

/* Collective: records ranks, threads, computers, launch and distribution, and whether workers share
 * cores on some computer. */
void team_describe(const struct job *job, struct team team, struct resources *resources);

/* Collective: merges the facts of the image parts that the ranks read. */
void team_merge_facts(struct image_facts *facts);

#endif
