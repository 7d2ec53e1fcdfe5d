#include "harness/space/oversubscription.h"

#include <inttypes.h>
#include <stdio.h>

void record_oversubscription(struct resources *r, int64_t ranks, int64_t threads, int64_t cores)
{
    char workers[64];
    if (ranks == 0)
        snprintf(workers, sizeof workers, "%" PRId64 " threads", threads);
    else if (threads == 1)
        snprintf(workers, sizeof workers, "%" PRId64 " ranks", ranks);
    else
        snprintf(workers, sizeof workers, "%" PRId64 " rank%s of %" PRId64 " threads", ranks,
                 ranks == 1 ? "" : "s", threads);
    r->bind = "shared";
    snprintf(r->sharing, sizeof r->sharing, "%s share %" PRId64 " core%s%s", workers, cores,
             cores == 1 ? "" : "s", r->nodes > 1 ? " of one computer" : "");
}
