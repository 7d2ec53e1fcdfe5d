#include "harness/space/computing.h"

#include "harness/space/peer.h"
#include "harness/space/simulated.h"
#include "harness/space/space.h"

static void portion_by_method(const struct computing *c, const struct portion *portion,
                              double *product_s)
{
    operation_run(c->operation, portion, product_s);
}

static struct computing by_method(const struct operation *op)
{
    return (struct computing){.operation = op,
                              .portion = portion_by_method,
                              .by_method = true,
                              .staged = op->method->staged};
}

void computing_stage(const struct computing *c, const struct portion *portion, enum stage stage)
{
    if (c->simulated)
        simulated_stage(c, portion, stage);
    c->operation->kind->run(c->operation, portion, stage);
}

struct computing computing_of(const struct job *job)
{
    if (job->peer)
        return computing_by_peer(job->operation, job->peer, NULL);
    return job->simulated ? computing_simulated(job->operation, job->simulated)
                          : by_method(job->operation);
}
