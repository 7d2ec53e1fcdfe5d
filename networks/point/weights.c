/* Parameters as they were read or seeded stand beside those that steps have packed: they are given
 * back once packed, and come again where a further method packs them, or the oracle reads them. */
#include "harness/base/digest.h"
#include "networks/parameters.h"
#include "networks/point/network_run.h"

/* Methods and oracle must have the same numbers: otherwise a right result would be called wrong. */
static enum status read_again(struct network_run *run, struct failure *f)
{
    const enum status status = parameters_read(&run->network, run->weights, run->parameters, f);
    if (status != STATUS_OK ||
        digest_range(run->parameters, 0, run->network.floats) == run->read_hash)
        return status;
    return fail(f, STATUS_USAGE, "--weights %s: the file has changed since it was first read",
                run->weights);
}

enum status network_need_weights(struct network_run *run, struct failure *f)
{
    enum status status = STATUS_OK;
    if (!run->dropped)
        return STATUS_OK;
    if (run->seeded)
        parameters_seed(&run->network, run->seed, run->parameters);
    else
        status = read_again(run, f);
    run->dropped = status != STATUS_OK;
    return status;
}

void network_drop_weights(struct network_run *run, const struct plan *plan)
{
    if (!run->again)
        return;
    plan_drop_weights(plan);
    run->dropped = true;
}
