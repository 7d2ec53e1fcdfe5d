#include "networks/point/point_verifier.h"

#include "harness/base/digest.h"
#include "networks/point/instance.h"

#include <stdlib.h>

static const double full_steps_max = 4e9; /* multiply-adds of the oracle: some seconds */

enum { DRAWN = 4096, TRUSTED = 64 };

struct network_judge {
    const struct point *point;
    enum verify_mode mode;
    struct judgement how;
    uint64_t trusted[TRUSTED]; /* hashes of outputs; the oldest makes room */
    size_t trusted_count;
};

static bool is_trusted(const struct network_judge *j, uint64_t digest)
{
    for (size_t i = 0; i < j->trusted_count && i < TRUSTED; i++)
        if (j->trusted[i] == digest)
            return true;
    return false;
}

/* Whether the layers of the images here are right, and these their outputs. */
static enum status judge_layers(struct network_judge *j, struct forward *w, const float *map,
                                struct failure *f)
{
    const int64_t count = forward_outputs(w);
    const uint64_t digest = digest_range(map, 0, count);
    if (count == 0 || is_trusted(j, digest))
        return STATUS_OK;
    const enum status status = forward_judge(w, &j->how, f);
    if (status != STATUS_OK)
        return status;
    if (digest_range(map, 0, count) != digest)
        return fail(f, STATUS_WRONG,
                    "network %s: the outputs differ from those of the same batch "
                    "once more, whose layers are right",
                    w->plan.network->name);
    j->trusted[j->trusted_count++ % TRUSTED] = digest;
    return STATUS_OK;
}

/* What was sent is looked at before the layers run once more. */
static enum status judge_outputs(void *context, const float *map, struct failure *f)
{
    struct network_judge *j = context;
    struct instance *in = j->point->computed->instance;
    if (j->mode == VERIFY_NONE)
        return STATUS_OK;
    const enum status arrived = in->arrived ? in->arrived(in, f) : STATUS_OK;
    return arrived == STATUS_OK ? judge_layers(j, &in->forward, map, f) : arrived;
}

static const char *verdict(const void *context)
{
    const struct network_judge *j = context;
    return j->mode == VERIFY_NONE ? "none" : j->mode == VERIFY_SAMPLED ? "sampled_bound" : "bound";
}

enum status network_judge_make(struct point *p, struct verifier **out, struct failure *f)
{
    static const struct judge judge = {judge_outputs, verdict, free};
    const struct network_run *run = network_run_of(&p->operation);
    const double steps = network_multiply_adds(&run->network) * (double)run->images.batch;
    enum verify_mode mode = (enum verify_mode)p->options.verify;
    const bool downgraded = mode == VERIFY_FULL && steps > full_steps_max;
    struct network_judge *j = calloc(1, sizeof *j);
    if (!j)
        return fail(f, STATUS_RESOURCE, "no memory for the verification");
    mode = downgraded ? VERIFY_SAMPLED : mode;
    *j = (struct network_judge){
        .point = p,
        .mode = mode,
        .how = {.full = mode == VERIFY_FULL, .drawn = DRAWN, .seed = (uint64_t)p->options.seed}};
    const enum status status = verifier_of(out, &judge, j, downgraded, f);
    if (status != STATUS_OK)
        free(j);
    return status;
}
