#include "harness/base/digest.h"
#include "harness/point/verify/verifier.h"

#include <stdlib.h>

static const double full_steps_max = 4e9; /* oracle steps of a few nanoseconds: about ten seconds */

/* ---- full verification ----------------------------------------------------------------------- */

static bool add_digests(void *context, int64_t index, int64_t count,
                        const struct expectation *expected)
{
    uint64_t *digest = context;
    for (int64_t i = 0; i < count; i++)
        *digest += digest_value(index + i, (float)expected[i].value);
    return true;
}

struct comparison {
    struct verifier *v;
    const float *map;
    struct failure *failure;
    bool wrong;
};

const struct wrong_output *verifier_wrong(const struct verifier *v)
{
    return v->found_wrong ? &v->wrong : NULL;
}

static bool compare_values(void *context, int64_t index, int64_t count,
                           const struct expectation *expected)
{
    struct comparison *c = context;
    const float *found = c->map + (index - c->v->first);
    for (int64_t i = 0; i < count; i++) {
        error_tally_add(&c->v->tally, expected[i], found[i]);
        if (!oracle_accepts(expected[i], found[i])) {
            report_wrong(c->v, index + i, expected[i], found[i], c->failure);
            c->wrong = true;
            return false;
        }
    }
    return true;
}

/* Compares every output with the oracle. */
static enum status compare_in_full(struct verifier *v, const float *map, struct failure *f)
{
    struct comparison c = {.v = v, .map = map, .failure = f};
    v->tally = error_tally_exact(0);
    const enum status status = expect_walk(v, v->first, v->count, compare_values, &c, f);
    return c.wrong ? STATUS_WRONG : status;
}

/* Exact results: the hashes must be equal; if not, the comparison finds the place. */
static enum status verify_exact(struct verifier *v, const float *map, struct failure *f)
{
    v->tally = error_tally_exact(v->count);
    if (digest_range(map, v->first, v->count) == v->digest)
        return STATUS_OK;
    const enum status status = compare_in_full(v, map, f);
    return status != STATUS_OK ? status
                               : fail(f, STATUS_WRONG, "the map's hash differs from the oracle's");
}

/* True if the map was compared before; its errors are then in v->tally. */
static bool is_trusted(struct verifier *v, uint64_t digest)
{
    for (size_t i = 0; i < v->trusted_count && i < TRUSTED; i++)
        if (v->trusted[i] == digest) {
            v->tally = v->trusted_errors[i];
            return true;
        }
    return false;
}

/* Bounded results: a map whose hash is trusted was compared before. */
static enum status verify_bounded(struct verifier *v, const float *map, struct failure *f)
{
    const uint64_t digest = digest_range(map, v->first, v->count);
    if (is_trusted(v, digest))
        return STATUS_OK;
    const enum status status = compare_in_full(v, map, f);
    if (status == STATUS_OK) {
        v->trusted_errors[v->trusted_count % TRUSTED] = v->tally;
        v->trusted[v->trusted_count++ % TRUSTED] = digest;
    }
    return status;
}

/* ---- the verifier ---------------------------------------------------------------------------- */

/* Steps of the oracle over the whole scope: reads of the image and multiplications. */
static double full_steps(const struct verifier *v)
{
    return (double)v->count * v->op->kind->steps(v->op);
}

/* Refuses sums that float32 cannot hold: otherwise inf and NaN would be correct results. */
static enum status check_range(const struct operation *op, const struct image_facts *facts,
                               struct failure *f)
{
    if (op->kind->largest(op, facts->max_abs) <= 3.4e38)
        return STATUS_OK;
    return fail(f, STATUS_USAGE,
                "sums of %lld products up to %.3g x %.3g do not fit float32: scale the image or "
                "the filter",
                (long long)operation_terms(op), facts->max_abs, operation_right(op)->max_abs);
}

static enum status prepare(struct verifier *v, const struct verify_scope *scope, uint64_t seed,
                           struct failure *f)
{
    if (v->mode == VERIFY_FULL && full_steps(v) > full_steps_max) {
        v->mode = VERIFY_SAMPLED;
        v->downgraded = true;
    }
    if (v->mode == VERIFY_SAMPLED)
        return sampled_outputs_make(v, scope, seed, f);
    if (v->mode == VERIFY_FULL && v->exact)
        return expect_walk(v, v->first, v->count, add_digests, &v->digest, f);
    return STATUS_OK;
}

enum status verifier_make(struct verifier **out, const struct operation *op, struct source *source,
                          const struct image_facts *facts, const struct verify_scope *scope,
                          enum verify_mode mode, uint64_t seed, struct failure *f)
{
    *out = NULL;
    enum status status = check_range(op, facts, f);
    if (status != STATUS_OK)
        return status;
    struct verifier *v = calloc(1, sizeof *v);
    if (!v)
        return fail(f, STATUS_RESOURCE, "no memory for the verifier");
    v->op = op;
    v->source = source;
    v->first = scope->first;
    v->count = scope->count;
    v->mode = scope->count > 0 ? mode : VERIFY_NONE;
    v->exact = op->kind->is_exact(op, facts->integers, facts->max_abs);
    status = prepare(v, scope, seed, f);
    if (status != STATUS_OK) {
        verifier_free(v);
        return status;
    }
    *out = v;
    return STATUS_OK;
}

enum status verifier_external(struct verifier **out, const struct external_verifier *external,
                              void *context, bool downgraded, struct failure *f)
{
    struct verifier *v = calloc(1, sizeof *v);
    *out = v;
    if (!v)
        return fail(f, STATUS_RESOURCE, "no memory for the verifier");
    v->external = external;
    v->context = context;
    v->downgraded = downgraded;
    return STATUS_OK;
}

void verifier_free(struct verifier *v)
{
    if (!v)
        return;
    if (v->external)
        v->external->release(v->context);
    free(v->sampled);
    free(v);
}

bool verifier_downgraded(const struct verifier *v)
{
    return v->downgraded;
}

const char *verifier_verdict(const struct verifier *v)
{
    if (v->external)
        return v->external->verdict(v->context);
    switch (v->mode) {
    case VERIFY_FULL:
        return v->exact ? "exact" : "bound";
    case VERIFY_SAMPLED:
        return v->exact ? "sampled_exact" : "sampled_bound";
    case VERIFY_NONE:
        break;
    }
    return "none";
}

struct verdict_errors verifier_errors(const struct verifier *v)
{
    if (v->external)
        return v->external->errors ? v->external->errors(v->context) : (struct verdict_errors){0};
    return (struct verdict_errors){.layers = &v->tally, .count = 1};
}

const char *verifier_layer(const struct verifier *v, int layer)
{
    const struct verdict_errors errors = verifier_errors(v);
    return errors.layer_name && layer >= 0 ? errors.layer_name(v->context, layer) : "";
}

enum status verifier_check(struct verifier *v, const float *map, struct failure *f)
{
    v->found_wrong = false;
    if (v->external)
        return v->external->verify(v->context, map, f);
    if (v->mode == VERIFY_NONE)
        return STATUS_OK;
    if (v->mode == VERIFY_SAMPLED)
        return sampled_outputs_check(v, map, f);
    return v->exact ? verify_exact(v, map, f) : verify_bounded(v, map, f);
}

enum status verifier_check_last(struct verifier *v, const float *map, struct failure *f)
{
    if (v->external || v->mode != VERIFY_FULL || v->exact)
        return STATUS_OK;
    return compare_in_full(v, map, f);
}
