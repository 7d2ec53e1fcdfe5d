/* Parameters as they were read or seeded stand beside those that steps have packed: they are given
 * back once packed, and come again where a further method packs them, or the oracle reads them. */
#include "networks/parameters.h"
#include "networks/point/network_run.h"

enum status network_need_weights(struct network_run *run, struct failure *f)
{
    enum status status = STATUS_OK;
    if (!run->dropped)
        return STATUS_OK;
    if (run->seeded)
        parameters_seed(&run->network, run->seed, run->parameters);
    else
        status = parameters_read(&run->network, run->weights, run->parameters, f);
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
