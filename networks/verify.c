#include "networks/verify.h"

#include "harness/base/digest.h"
#include "networks/layers/dropout.h"

#include <math.h>

struct expectation verify_expectation(const struct verified_step *j, int64_t image, int64_t channel,
                                      int64_t row, int64_t col)
{
    const struct step *s = j->step;
    const int64_t at =
        ((image * s->out.channels + channel) * s->out.rows + row) * s->out.cols + col;
    struct expectation e = s->layer->kind->expect(j, image, channel, row, col);
    if (s->add && !s->layer->kind->finishes) {
        e.value += j->residual[at];
        e.bound += oracle_bound(1, fabs(e.value) + e.bound);
    }
    if (s->clamp)
        e.value = fmin(fmax(e.value, (double)s->clamp->kind->least), (double)s->clamp->kind->most);
    if (s->drop) {
        const double scale =
            dropout_keeps(s->draws, s->drop, image, at - image * tensor_elements(s->out))
                ? dropout_scale(s->drop)
                : 0.0;
        e.value *= scale;
        e.bound *= scale;
        e.bound += oracle_bound(1, fabs(e.value) + e.bound);
    }
    return e;
}

static enum status verify_output(const struct verified_step *j, int64_t at,
                                 struct error_tally *tally, struct failure *f)
{
    const struct step *s = j->step;
    const int64_t line = at / s->out.cols, plane = line / s->out.rows;
    const int64_t row = line % s->out.rows, col = at % s->out.cols;
    const int64_t image = plane / s->out.channels, channel = plane % s->out.channels;
    const struct expectation e = verify_expectation(j, image, channel, row, col);
    error_tally_add(tally, e, j->to[at]);
    if (oracle_accepts(e, j->to[at]))
        return STATUS_OK;
    return fail(f, STATUS_WRONG,
                "layer %s (%s) is wrong at image %lld, channel %lld, row %lld, column %lld: %.9g "
                "where %.9g, give or take %.3g, is right",
                s->layer->name, s->layer->kind->name, (long long)image, (long long)channel,
                (long long)row, (long long)col, (double)j->to[at], e.value, e.bound);
}

/* Whether all outputs are verified: they were asked for, or are no more than the drawn ones would
 * be. */
static bool verifies_all(const struct step *s, const struct verify_extent *how)
{
    return how->full || tensor_elements(s->out) * s->images <= 2 * s->images + how->drawn;
}

/* Index of the i-th output to verify: the first and last of each image, then drawn ones; all in
 * order if they are no more than that. */
static int64_t place_of(const struct step *s, const struct verify_extent *how, int64_t i)
{
    const int64_t elements = tensor_elements(s->out), all = elements * s->images;
    if (verifies_all(s, how))
        return i;
    if (i < 2 * s->images)
        return i / 2 * elements + (i % 2) * (elements - 1);
    const uint64_t drawn = digest_mix(digest_mix(how->seed + (uint64_t)s->output) + (uint64_t)i);
    return (int64_t)(drawn % (uint64_t)all);
}

enum status verify_share(const struct verified_step *j, const struct verify_extent *how,
                         int64_t worker, int64_t workers, struct error_tally *tally,
                         struct failure *f)
{
    const struct step *s = j->step;
    const int64_t all = tensor_elements(s->out) * s->images;
    const int64_t count = verifies_all(s, how) ? all : 2 * s->images + how->drawn;
    enum status status = STATUS_OK;
    for (int64_t i = worker; status == STATUS_OK && i < count; i += workers)
        status = verify_output(j, place_of(s, how, i), tally, f);
    return status;
}
