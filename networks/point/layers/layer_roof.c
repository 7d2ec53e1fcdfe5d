#include "networks/point/layers/layer_roof.h"

#include "networks/point/layers/layer_facts.h"

#include <limits.h>
#include <math.h>
#include <unistd.h>

enum status layer_roof_read(struct ceilings *out, const char *path, struct failure *f)
{
    char host[HOST_NAME_MAX + 1] = "";
    struct ceilings all;
    *out = (struct ceilings){0};
    enum status status = ceilings_read(&all, path, f);
    if (status != STATUS_OK)
        return status;
    gethostname(host, sizeof host - 1);
    status = ceilings_of_host(out, &all, host, f);
    ceilings_release(&all);
    if (status == STATUS_OK && out->count == 0)
        return fail(f, STATUS_USAGE,
                    "--roof %s: it has no ceilings of %s (study roofline measures them)", path,
                    host);
    return status;
}

struct layer_roofs layer_roofs_of(const struct point *p, size_t contender)
{
    return (struct layer_roofs){&network_run_of(p)->report.ceilings,
                                (double)network_workers(p->contenders[contender].instance)};
}

double layer_roof_s(const struct layer_roofs *r, const struct forward *w, int step)
{
    const struct layer_facts facts = layer_facts_of(&w->plan.steps[step]);
    const struct need need = {.bytes_read = facts.bytes - facts.bytes_written,
                              .bytes_written = facts.bytes_written,
                              .least = {.multiply_adds = facts.least_multiply_adds},
                              .per_output = {.multiply_adds = facts.multiply_adds}};
    return w->device_step ? (double)NAN
                          : roof_of(r->ceilings, &need, r->workers, isa_name(w->plan.isa)).seconds;
}
