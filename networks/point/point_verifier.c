#include "networks/point/point_verifier.h"

#include "harness/base/digest.h"
#include "networks/point/instance.h"
#include "networks/point/training/training.h"
#include "networks/reference.h"

#include <stdlib.h>
#include <string.h>

static const double full_steps_max = 4e9; /* most multiply-adds of the oracle: some seconds */

enum { DRAWN = 4096, TRUSTED = 64 };

/* The errors of outputs, step by step and of the network as a whole. */
struct network_errors {
    uint64_t digest; /* of the outputs */
    struct error_tally *steps, outputs;
};

struct network_verifier {
    const struct point *point;
    enum verify_mode mode;
    struct verify_extent how;
    struct network_errors trusted[TRUSTED]; /* the oldest is overwritten */
    size_t trusted_count;
    struct network_errors none;        /* for a process without images */
    const struct network_errors *last; /* of the outputs that were verified last */
    int layers;                        /* of the network: at least as many as its steps */
    double *reference; /* outputs of the first image without rounding; NULL: not computed */
};

static bool is_trusted(struct network_verifier *j, uint64_t digest)
{
    for (size_t i = 0; i < j->trusted_count && i < TRUSTED; i++)
        if (j->trusted[i].digest == digest) {
            j->last = &j->trusted[i];
            return true;
        }
    return false;
}

/* Allocates the errors of outputs that were not verified before; NULL if memory is lacking. */
static struct network_errors *errors_begin(const struct network_verifier *j,
                                           struct network_errors *e)
{
    free(e->steps);
    *e = (struct network_errors){.steps = calloc((size_t)j->layers, sizeof *e->steps)};
    return e->steps ? e : NULL;
}

/* Compares the outputs of the first image with those of all layers in double precision. */
static enum status compare_outputs(struct network_verifier *j, struct forward *w, const float *map,
                                   struct error_tally *out, struct failure *f)
{
    enum status status = STATUS_OK;
    if (network_multiply_adds(w->plan.network) > reference_most_multiply_adds)
        return STATUS_OK;
    if (!j->reference)
        status = reference_outputs(w, &j->reference, f);
    for (int64_t i = 0; status == STATUS_OK && i < tensor_elements(network_output(w->plan.network));
         i++)
        error_tally_add(out, (struct expectation){j->reference[i], INFINITY}, map[i]);
    return status;
}

/* Copies the errors of correct outputs to the instance, for tables and rows of layers. */
static enum status report_errors(const struct network_verifier *j, struct instance *in,
                                 struct failure *f)
{
    const size_t bytes = (size_t)j->layers * sizeof *in->errors;
    if (!in->errors)
        in->errors = malloc(bytes);
    if (!in->errors)
        return fail(f, STATUS_RESOURCE, "no memory for the errors of layers");
    memcpy(in->errors, j->last->steps, bytes);
    return STATUS_OK;
}

/* Verifies that the layers are correct for the images of this process, and that `map` holds their
 * outputs. */
static enum status verify_layers(struct network_verifier *j, struct forward *w, const float *map,
                                 struct failure *f)
{
    const int64_t count = forward_outputs(w);
    const uint64_t digest = digest_range(map, 0, count);
    if (count == 0 || is_trusted(j, digest))
        return STATUS_OK;
    struct network_errors *errors = errors_begin(j, &j->trusted[j->trusted_count % TRUSTED]);
    if (!errors)
        return fail(f, STATUS_RESOURCE, "no memory for the errors of layers");
    j->how.errors = errors->steps;
    enum status status = forward_verify(w, &j->how, f);
    if (status == STATUS_OK)
        status = compare_outputs(j, w, map, &errors->outputs, f);
    if (status != STATUS_OK)
        return status;
    if (digest_range(map, 0, count) != digest)
        return fail(f, STATUS_WRONG,
                    "network %s: the outputs differ from those of the same batch "
                    "once more, whose layers are right",
                    w->plan.network->name);
    errors->digest = digest;
    j->trusted_count++;
    j->last = errors;
    return STATUS_OK;
}

/* Checks what was sent before the layers run again. */
static enum status verify_outputs(void *context, const float *map, struct failure *f)
{
    struct network_verifier *j = context;
    struct instance *in = j->point->computed->instance;
    if (j->mode == VERIFY_NONE)
        return STATUS_OK;
    enum status status = in->arrived ? in->arrived(in, f) : STATUS_OK;
    if (status == STATUS_OK)
        status = verify_layers(j, &in->forward, map, f);
    return status == STATUS_OK ? report_errors(j, in, f) : status;
}

static const char *verdict(const void *context)
{
    const struct network_verifier *j = context;
    return j->mode == VERIFY_NONE ? "none" : j->mode == VERIFY_SAMPLED ? "sampled_bound" : "bound";
}

static const char *layer_name(const void *context, int step)
{
    const struct network_verifier *j = context;
    const struct training *t = network_run_of(j->point)->training;
    const struct plan *p =
        t ? &t->trainer.forward.plan : &j->point->computed->instance->forward.plan;
    const int place = t && p->count > 0 ? step % p->count : step;
    return place < p->count ? p->steps[place].layer->name : "";
}

static struct verdict_errors errors_of(const void *context)
{
    const struct network_verifier *j = context;
    const struct training *t = network_run_of(j->point)->training;
    if (j->mode == VERIFY_NONE || (t && !t->errors))
        return (struct verdict_errors){0};
    if (t)
        return (struct verdict_errors){t->errors, t->error_count, NULL, layer_name};
    return (struct verdict_errors){j->last->steps, j->layers, &j->last->outputs, layer_name};
}

static void release(void *context)
{
    struct network_verifier *j = context;
    for (size_t i = 0; i < TRUSTED; i++)
        free(j->trusted[i].steps);
    free(j->none.steps);
    free(j->reference);
    free(j);
}

enum status network_verifier_make(struct point *p, struct verifier **out, struct failure *f)
{
    static const struct external_verifier external = {verify_outputs, verdict, release, errors_of};
    const struct network_run *run = network_run_of(p);
    const double steps = network_multiply_adds(&run->network) * (double)run->images.batch;
    enum verify_mode mode = (enum verify_mode)p->options.verify;
    const bool downgraded = mode == VERIFY_FULL && steps > full_steps_max;
    struct network_verifier *j = calloc(1, sizeof *j);
    if (!j)
        return fail(f, STATUS_RESOURCE, "no memory for the verification");
    mode = downgraded ? VERIFY_SAMPLED : mode;
    *j = (struct network_verifier){
        .point = p,
        .mode = mode,
        .layers = run->network.count,
        .how = {.full = mode == VERIFY_FULL, .drawn = DRAWN, .seed = (uint64_t)p->options.seed}};
    j->last = errors_begin(j, &j->none);
    const enum status status = j->last ? verifier_external(out, &external, j, downgraded, f)
                                       : fail(f, STATUS_RESOURCE, "no memory for the errors");
    if (status != STATUS_OK)
        release(j);
    return status;
}
