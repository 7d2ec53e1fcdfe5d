#include "experiments/report/reproduction/verdicts.h"

#include "experiments/report/reproduction/reproduction.h"
#include "harness/base/text/messages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const verdict_names[VERDICTS] = {N_("agrees"), N_("disagrees"), N_("undecided"),
                                             N_("not comparable"), N_("needs a GPU")};

struct deciding {
    struct verdicts *out;
    const char *folder;
    const struct report_data *const *sources;
    size_t source_count;
    const struct language *language;
    struct failure *failure;
};

/* ---- rules ----------------------------------------------------------------------------------- */

enum verdict verdict_of(const struct published_claim *c, double value, struct interval interval)
{
    if (!isfinite(value) || isnan(interval.lower) || isnan(interval.upper))
        return VERDICT_UNDECIDED;
    const double lower = fmin(interval.lower, value), upper = fmax(interval.upper, value);
    const bool closed = c->expectation == EXPECT_RANGE; /* its ends agree; 1 is not above 1 */
    if (closed ? lower >= c->low && upper <= c->high : lower > c->low && upper < c->high)
        return VERDICT_AGREES;
    if (closed ? upper < c->low || lower > c->high : upper <= c->low || lower >= c->high)
        return VERDICT_DISAGREES;
    return VERDICT_UNDECIDED;
}

bool digits_match(const char *digits, double number)
{
    char *end;
    const double printed = strtod(digits, &end);
    const char *point = strchr(digits, '.');
    const double unit = pow(10.0, point ? -(double)strlen(point + 1) : 0.0), near = 1e-9 * unit;
    if (end == digits || *end || !isfinite(number))
        return false;
    const double above = number - printed;
    return above > -0.5 * unit - near && above < unit - near;
}

/* ---- one claim ------------------------------------------------------------------------------- */

static enum status decide_answer(const struct deciding *in, struct claim_row *j)
{
    struct failure why = {0};
    const struct published_claim *c = j->claim;
    if (answer_make(&j->answer, c->cells[CLAIM_ANSWER_OF], &why) != STATUS_OK)
        return published_claim_refuse(in->folder, c, CLAIM_ANSWER_OF, why.message, in->failure);
    const bool equal = j->answer.text[0] ? strcmp(j->answer.text, c->equal) == 0
                                         : digits_match(c->equal, j->answer.number);
    j->verdict = equal ? VERDICT_AGREES : VERDICT_DISAGREES;
    return STATUS_OK;
}

static enum status decide_measure(const struct deciding *in, struct claim_row *j)
{
    const struct published_claim *c = j->claim;
    bool in_point;
    const char *why =
        measure_read_texts(&j->measure, c->cells[CLAIM_POINT], c->cells[CLAIM_MEASURE], &in_point);
    if (why)
        return published_claim_refuse(in->folder, c, in_point ? CLAIM_POINT : CLAIM_MEASURE, why,
                                      in->failure);
    for (size_t i = 0; i < in->source_count && !j->source; i++)
        j->experiment = measure_take_first(&j->taken, &j->measure, c->cells[CLAIM_EXPERIMENTS],
                                           in->sources[i], in->language),
        j->source = j->experiment ? in->sources[i] : NULL;
    if (!j->taken.found)
        j->verdict = measure_needs_device(&j->measure) ? VERDICT_NEEDS_GPU : VERDICT_UNDECIDED;
    else if (j->taken.trusted && j->taken.trust >= TRUST_SUSPECT)
        j->verdict = VERDICT_UNDECIDED;
    else
        j->verdict = verdict_of(c, j->taken.value, j->taken.interval);
    return STATUS_OK;
}

static enum status decide(const struct deciding *in, size_t i)
{
    struct claim_row *j = &in->out->all[i];
    enum status status = STATUS_OK;
    *j = (struct claim_row){.claim = &in->out->claims.all[i],
                            .verdict = VERDICT_UNDECIDED,
                            .taken.value = NAN,
                            .answer.number = NAN};
    char *const *cells = j->claim->cells;
    if (*cells[CLAIM_ANSWER_OF])
        status = decide_answer(in, j);
    else if (*cells[CLAIM_MEASURE])
        status = decide_measure(in, j);
    if (*cells[CLAIM_PROTOCOL])
        j->verdict = VERDICT_NOT_COMPARABLE;
    in->out->of[j->claim->source][j->verdict]++;
    return status;
}

enum status verdicts_make(struct verdicts *out, const char *folder,
                          const struct report_data *const *sources, size_t count,
                          const struct language *l, struct failure *f)
{
    const struct deciding in = {out, folder, sources, count, l, f};
    *out = (struct verdicts){.count = 0};
    enum status status = published_claims_read(&out->claims, folder, f);
    if (status != STATUS_OK)
        return status;
    out->all = calloc(out->claims.count + 1, sizeof *out->all);
    if (!out->all)
        status = fail(f, STATUS_RESOURCE, "not enough memory");
    for (; status == STATUS_OK && out->count < out->claims.count; out->count++)
        status = decide(&in, out->count);
    if (status != STATUS_OK)
        verdicts_release(out);
    return status;
}

void verdicts_release(struct verdicts *v)
{
    free(v->all);
    published_claims_release(&v->claims);
    *v = (struct verdicts){.count = 0};
}
