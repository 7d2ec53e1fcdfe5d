#include "harness/space/oversubscription.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void record_oversubscription(struct resources *r, int64_t ranks, int64_t threads, int64_t cores)
{
    char workers[64];
    if (ranks == 0)
        snprintf(workers, sizeof workers, "%" PRId64 " threads", threads);
    else if (threads == 1)
        snprintf(workers, sizeof workers, "%" PRId64 " ranks", ranks);
    else if (ranks == 1)
        snprintf(workers, sizeof workers, "1 rank of %" PRId64 " threads", threads);
    else
        snprintf(workers, sizeof workers, "%" PRId64 " ranks of %" PRId64 " threads", ranks,
                 threads);
    r->bind = "shared";
    const char *where = r->nodes > 1 ? " of one computer" : "";
    if (cores == 1)
        snprintf(r->sharing, sizeof r->sharing, "%s share 1 core%s", workers, where);
    else
        snprintf(r->sharing, sizeof r->sharing, "%s share %" PRId64 " cores%s", workers, cores,
                 where);
}

static void read_cores(int64_t worker, void *context)
{
    struct core_set *sets = context;
    machine_thread_cores(&sets[worker]);
}

enum status team_crowd(struct team team, struct core_set *all, struct crowd *most,
                       struct failure *f)
{
    struct core_set *sets = malloc((size_t)team.workers * sizeof *sets);
    if (!sets)
        return fail(f, STATUS_RESOURCE, "no memory for the cores of %" PRId64 " threads",
                    team.workers);
    team.run(team.workers, read_cores, sets);
    *all = core_set_all(sets, team.workers);
    *most = binding_most_crowded(sets, team.workers, 1);
    free(sets);
    return STATUS_OK;
}
