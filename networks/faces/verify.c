/* One oracle for all structures: embeddings from one run in which every layer is compared with its
 * definition, and the distances of these embeddings in double precision. */
#include "networks/faces/faces.h"

#include "harness/base/digest.h"
#include "harness/machine/memory.h"
#include "kernels/distances/distances.h"
#include "kernels/distances/oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double full_steps_max = 4e9; /* most multiply-adds of the oracle: some seconds */

enum { DRAWN = 4096, LEAST_DRAWN = 64, ROWS = 64, TRUSTED = 16 };

struct faces_verifier {
    const struct point *point;
    enum verify_mode mode;
    float *embeddings; /* the correct ones; NULL: not computed yet */
    struct expectation *row;
    uint64_t trusted[TRUSTED]; /* digests of correct distances; the oldest is overwritten */
    struct error_tally trusted_errors[TRUSTED];
    size_t trusted_count;
    struct error_tally tally; /* of the distances that were verified last */
};

/* ---- embeddings -------------------------------------------------------------------------------
 */

/* How much of each layer is verified in each batch. */
static struct verify_extent extent_of(const struct faces_verifier *j, int64_t batches)
{
    const int64_t drawn = DRAWN / batches;
    return (struct verify_extent){.full = j->mode == VERIFY_FULL,
                                  .drawn = drawn > LEAST_DRAWN ? drawn : LEAST_DRAWN,
                                  .seed = (uint64_t)j->point->options.seed};
}

static enum status verify_batches(struct faces_verifier *j, struct instance *in, struct failure *f)
{
    const struct faces_run *run = in->run;
    const int64_t n = run->images, d = faces_dimensions(run), batch = faces_together(run);
    const struct verify_extent how = extent_of(j, (n + batch - 1) / batch);
    enum status status = faces_open_network(in, batch, f);
    for (int64_t i = 0; status == STATUS_OK && i < n; i += batch) {
        const int64_t count = n - i < batch ? n - i : batch;
        status = faces_images(run, in->source, i, count, in->images, f);
        if (status == STATUS_OK)
            status = forward_verify(&in->forward, &how, f);
        if (status == STATUS_OK)
            memcpy(j->embeddings + i * d, in->forward.output, (size_t)(count * d) * sizeof(float));
    }
    faces_close_network(in);
    return status;
}

static enum status make_embeddings(struct faces_verifier *j, struct instance *in, struct failure *f)
{
    const size_t n = (size_t)in->run->images, d = (size_t)faces_dimensions(in->run);
    if (j->embeddings)
        return STATUS_OK;
    enum status status =
        memory_allocate((void **)&j->embeddings, memory_multiply(n * d, sizeof(float)),
                        "the oracle's embeddings", f);
    if (status == STATUS_OK)
        status = memory_allocate((void **)&j->row, memory_multiply(n, sizeof *j->row),
                                 "the oracle's distances", f);
    return status == STATUS_OK ? verify_batches(j, in, f) : status;
}

static enum status verify_embeddings(const struct faces_verifier *j, const struct instance *in,
                                     struct failure *f)
{
    const int64_t d = faces_dimensions(in->run);
    for (int64_t i = 0; i < in->run->images; i++)
        if (digest_range(in->embeddings + i * d, 0, d) != digest_range(j->embeddings + i * d, 0, d))
            return fail(f, STATUS_WRONG,
                        "the embedding of picture %lld differs from that of the network whose "
                        "layers are right",
                        (long long)i);
    return STATUS_OK;
}

/* ---- distances --------------------------------------------------------------------------------
 */

static enum status verify_row(struct faces_verifier *j, const struct instance *in, int64_t i,
                              const float *distances, struct failure *f)
{
    const int64_t n = in->run->images, d = faces_dimensions(in->run);
    const struct view points = {.data = j->embeddings, .row_stride = d, .rows = n};
    oracle_distances(j->embeddings + i * d, &points, d, distances_relative_bound(d), 0, n, j->row);
    for (int64_t k = 0; k < n; k++) {
        const double found = (double)distances[i * n + k];
        const double right = i == k ? 0.0 : j->row[k].value;
        const double bound = i == k ? 0.0 : j->row[k].bound;
        error_tally_add(&j->tally, (struct expectation){right, bound}, distances[i * n + k]);
        if (!(fabs(found - right) <= bound))
            return fail(f, STATUS_WRONG,
                        "the distance of pictures %lld and %lld is %.9g, and should be %.9g, "
                        "give or take %.3g",
                        (long long)i, (long long)k, found, right, bound);
    }
    return STATUS_OK;
}

/* Verifies all rows, or ROWS of them, evenly spaced from the first to the last. */
static enum status verify_rows(struct faces_verifier *j, const struct instance *in,
                               const float *distances, struct failure *f)
{
    const int64_t n = in->run->images;
    const int64_t rows = j->mode == VERIFY_FULL || n < ROWS ? n : ROWS;
    enum status status = STATUS_OK;
    j->tally = error_tally_exact(0);
    for (int64_t i = 0; status == STATUS_OK && i < rows; i++)
        status = verify_row(j, in, rows > 1 ? i * (n - 1) / (rows - 1) : 0, distances, f);
    return status;
}

static bool is_trusted(struct faces_verifier *j, uint64_t digest)
{
    for (size_t i = 0; i < j->trusted_count && i < TRUSTED; i++)
        if (j->trusted[i] == digest) {
            j->tally = j->trusted_errors[i];
            return true;
        }
    return false;
}

static enum status verify_distances(void *context, const float *distances, struct failure *f)
{
    struct faces_verifier *j = context;
    struct instance *in = j->point->computed->instance;
    if (j->mode == VERIFY_NONE)
        return STATUS_OK;
    const uint64_t digest = digest_range(distances, 0, in->run->images * in->run->images);
    enum status status = make_embeddings(j, in, f);
    if (status == STATUS_OK)
        status = verify_embeddings(j, in, f);
    if (status != STATUS_OK || is_trusted(j, digest))
        return status;
    status = verify_rows(j, in, distances, f);
    if (status == STATUS_OK) {
        j->trusted_errors[j->trusted_count % TRUSTED] = j->tally;
        j->trusted[j->trusted_count++ % TRUSTED] = digest;
    }
    return status;
}

/* ---- the verifier --------------------------------------------------------------------------
 */

static const char *verdict(const void *context)
{
    const struct faces_verifier *j = context;
    return j->mode == VERIFY_NONE ? "none" : j->mode == VERIFY_SAMPLED ? "sampled_bound" : "bound";
}

static struct verdict_errors errors_of(const void *context)
{
    const struct faces_verifier *j = context;
    return (struct verdict_errors){.layers = &j->tally, .count = 1};
}

static void release(void *context)
{
    struct faces_verifier *j = context;
    free(j->embeddings);
    free(j->row);
    free(j);
}

enum status faces_verifier_make(struct point *p, struct verifier **out, struct failure *f)
{
    static const struct external_verifier external = {verify_distances, verdict, release,
                                                      errors_of};
    const struct faces_run *run = faces_run_of(p);
    const double n = (double)run->images;
    const double steps =
        n * network_multiply_adds(&run->network) + n * n * (double)faces_dimensions(run);
    const enum verify_mode asked = (enum verify_mode)p->options.verify;
    const bool downgraded = asked == VERIFY_FULL && steps > full_steps_max;
    struct faces_verifier *j = calloc(1, sizeof *j);
    if (!j)
        return fail(f, STATUS_RESOURCE, "no memory for the verification");
    j->point = p;
    j->mode = downgraded ? VERIFY_SAMPLED : asked;
    const enum status status = verifier_external(out, &external, j, downgraded, f);
    if (status != STATUS_OK)
        release(j);
    return status;
}
