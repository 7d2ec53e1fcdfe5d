/* Which method is the fastest, and how much it gained. */
#include "experiments/analysis/numbers.h"
#include "experiments/common/text/messages.h"
#include "experiments/report/claims/claims.h"
#include "experiments/samples/point.h"

#include <math.h>
#include <string.h>

/* "17.6 [17.1, 18.0] times as fast as literal", if a baseline was measured. */
static void say_gain(const struct fastest *f, const struct language *l, struct claim *c)
{
    if (f->base)
        claim_say(c, l, ", %{times} times as fast as %{method}",
                  WITH({"times", number_answer(l, f->gain.value, f->gain.interval).text},
                       {"method", method_of(f->base)}));
}

/* `out`: a faster method that is left out as doubtful, or NULL. */
static void title_gain(const struct fastest *f, const struct point *out, const struct language *l,
                       struct claim *c)
{
    const struct point *p = f->point;
    if (!f->base)
        claim_title(
            c, l,
            p->trust >= TRUST_SUSPECT ? N_("%{method} takes %{time}; all measurements are SUSPECT")
            : out ? N_("%{method} takes %{time}; times of faster methods are SUSPECT")
                  : N_("%{method} is the fastest: %{time}"),
            WITH({"method", method_of(p)}, {"time", number_seconds(l, f->total.value).text}));
    else
        claim_title(c, l, "%{method} is %{times} times as fast as %{base}",
                    WITH({"method", method_of(p)},
                         {"times", number_brief(l, f->gain.value, f->gain.interval).text},
                         {"base", method_of(f->base)}));
}

/* Names a faster method that is left out as doubtful. */
static void say_left_out(const struct point *out, const struct language *l, struct claim *c)
{
    if (out)
        claim_say(c, l, "; %{left_out}", WITH({"left_out", words_left_out(out, l).text}));
}

static void explain_methods(const struct analysis *a, const struct wanted *w,
                            const struct fastest *f, const struct point *out,
                            const struct language *l, struct claim *c)
{
    const struct point *best = f->point, *tie = evidence_tie(a, w, best, NULL);
    if (!f->base && out)
        claim_plain(c, l, "Faster methods were measured too, but their times are doubtful.", NULL);
    else if (!f->base)
        claim_plain(
            c, l,
            "%{method} needs the least time of all methods that were measured with one worker.",
            WITH({"method", method_of(best)}));
    else
        claim_plain_minute(c, l, method_of(f->base), method_of(best), f->gain.value);
    if (tie)
        claim_plain(c, l, " The samples do not show which of %{method} and %{tie} is faster.",
                    WITH({"method", method_of(best)}, {"tie", method_of(tie)}));
}

/* Adds other results for the same problem: several workers, and the maximum without the product. */
static void say_further(const struct analysis *a, const struct point *best,
                        const struct language *l, struct claim *c)
{
    struct wanted w = {.problem = best, .several_workers = true};
    w.work = best->product ? WORK_PRODUCT : WORK_MAXIMUM;
    const struct fastest many = evidence_choice(a, &w);
    if (many.point)
        claim_say(c, l, "; %{workers} take %{time} with %{method}%{doubt}",
                  WITH({"workers", words_workers(many.point, l).text},
                       {"time", number_answer_seconds(l, &many.total).text},
                       {"method", method_of(many.point)},
                       {"doubt", words_doubt(many.point, l).text}));
    w = (struct wanted){.problem = best, .one_worker = true, .work = WORK_MAXIMUM};
    const struct fastest maximum =
        best->product ? evidence_choice(a, &w) : (struct fastest){.point = NULL};
    if (maximum.point)
        claim_say(c, l, "; the maximum alone, by %{method}, takes %{time}%{doubt}",
                  WITH({"method", method_of(maximum.point)},
                       {"time", number_answer_seconds(l, &maximum.total).text},
                       {"doubt", words_doubt(maximum.point, l).text}));
}

static bool is_serial(const struct point *p)
{
    return point_is_alone(&p->samples->identity);
}

void claim_methods(const struct experiment *e, const struct language *l, struct claim *c)
{
    const struct analysis *a = &e->analysis;
    struct wanted w = {.one_worker = true, .also = is_serial};
    w.problem = evidence_problem(a, &w);
    w.work = WORK_PRODUCT;
    w.work = w.problem && evidence_fastest(a, &w) ? WORK_PRODUCT : WORK_ANY;
    const struct fastest f = w.problem ? evidence_choice(a, &w) : (struct fastest){.point = NULL};
    const struct point *best = f.point;
    if (!best) {
        claim_refuse(c, l, "no serial method was measured");
        return;
    }
    claim_say(c, l, "%{problem}: with one worker %{method} takes %{time}%{doubt}",
              WITH({"problem", words_problem(best, l).text}, {"method", method_of(best)},
                   {"time", number_answer_seconds(l, &f.total).text},
                   {"doubt", words_doubt(best, l).text}));
    say_gain(&f, l, c);
    claim_say_tie(c, l, a, &w, best);
    const struct point *out = evidence_left_out(a, &w, best);
    say_left_out(out, l, c);
    say_further(a, best, l, c);
    claim_add(c, ".");
    explain_methods(a, &w, &f, out, l, c);
    title_gain(&f, out, l, c);
    w.work = WORK_ANY;
    c->count = evidence_sorted(a, &w, c->rows, CLAIM_ROWS);
}

/* ---- instruction sets ------------------------------------------------------------------------ */

static double gain_of_set(const struct point *p)
{
    const struct record *r = &p->samples->identity;
    const struct speedup *s = &p->speedup[BASELINE_ISA];
    const bool wider = r->isa_limit[0] && strcmp(r->isa_limit, "baseline") != 0;
    return evidence_usable(p) && wider && s->point >= 0 ? s->value[METRIC_COMPUTE] : (double)NAN;
}

/* Takes the points with the largest gains from wider instruction sets, each method once, largest
 * first. */
static void take_gains(const struct analysis *a, struct claim *c)
{
    while (c->count < CLAIM_ROWS) {
        const struct point *best = NULL;
        for (size_t i = 0; i < a->point_count; i++) {
            const struct point *p = &a->points[i];
            bool known = isnan(gain_of_set(p));
            for (size_t j = 0; j < c->count; j++)
                known = known || strcmp(method_of(c->rows[j]), method_of(p)) == 0;
            if (!known && (!best || evidence_is_larger(p, gain_of_set(p), best, gain_of_set(best))))
                best = p;
        }
        if (!best)
            return;
        c->rows[c->count++] = best;
    }
}

void claim_isa(const struct experiment *e, const struct language *l, struct claim *c)
{
    take_gains(&e->analysis, c);
    if (c->count == 0) {
        claim_refuse(c, l, "no instruction set but the baseline was measured");
        return;
    }
    const struct point *most = c->rows[0], *least = evidence_last(c->rows, c->count);
    const struct speedup *s = &most->speedup[BASELINE_ISA];
    claim_title(
        c, l, "%{isa} makes %{method} %{times} times as fast",
        WITH({"isa", most->samples->identity.isa_limit}, {"method", method_of(most)},
             {"times",
              number_brief(l, s->value[METRIC_COMPUTE], s->interval[METRIC_COMPUTE]).text}));
    claim_say(c, l,
              "%{isa} makes %{method} %{times} times as fast as the baseline instruction set "
              "(%{problem})",
              WITH({"isa", most->samples->identity.isa_limit}, {"method", method_of(most)},
                   {"times",
                    number_answer(l, s->value[METRIC_COMPUTE], s->interval[METRIC_COMPUTE]).text},
                   {"problem", words_problem(most, l).text}));
    if (least != most)
        claim_say(
            c, l, ", and %{method} at most %{times} times",
            WITH({"method", method_of(least)},
                 {"times", number_answer(l, gain_of_set(least),
                                         least->speedup[BASELINE_ISA].interval[METRIC_COMPUTE])
                               .text}));
    claim_add(c, words_doubt(most, l).text);
    claim_add(c, ".");
    claim_plain(
        c, l,
        "One instruction of %{isa} works on more values at once; %{method} takes about %{share} of "
        "the time that it takes with the baseline instruction set.",
        WITH({"isa", most->samples->identity.isa_limit}, {"method", method_of(most)},
             {"share", number_percent(l, 1.0 / s->value[METRIC_COMPUTE]).text}));
}

/* ---- epilogues ------------------------------------------------------------------------------- */

static bool is_in_store(const struct point *p)
{
    return is_serial(p) && strcmp(p->samples->identity.epilogue, "store") == 0;
}

static bool is_in_pass(const struct point *p)
{
    return is_serial(p) && strcmp(p->samples->identity.epilogue, "pass") == 0;
}

/* The same method and problem, its epilogue applied as outputs are stored. */
static const struct point *in_store(const struct point *pass, const void *analysis)
{
    const struct wanted w = {
        .one_worker = true, .also = is_in_store, .problem = pass, .method = method_of(pass)};
    return evidence_fastest(analysis, &w);
}

/* Compares the fastest method that applies its epilogue in a separate pass with the same method
 * applying it as outputs are stored. */
void claim_epilogue(const struct experiment *e, const struct language *l, struct claim *c)
{
    const struct analysis *a = &e->analysis;
    const struct wanted w = {.one_worker = true, .also = is_in_pass};
    const struct choice in_pass = evidence_choice(a, &w).choice,
                        stored = choice_of_companions(&in_pass, in_store, a);
    const struct point *pass = in_pass.point, *store = stored.point;
    if (!store) {
        claim_refuse(c, l, "one method measured both ways is needed");
        return;
    }
    const struct comparison_of_points t =
        compare_choices(&a->samples, &stored, &in_pass, METRIC_COMPUTE);
    claim_title(
        c, l,
        "Applied as outputs are stored, %{method} takes %{share} of the time of a separate pass",
        WITH({"method", method_of(store)}, {"share", number_percent(l, t.value).text}));
    claim_say(
        c, l,
        "%{method} takes %{share} of the time when factor, bias, residual and clamp are applied as "
        "outputs are stored instead of in a separate pass (%{problem}%{doubt}).",
        WITH({"method", method_of(store)},
             {"share", number_answer_share(l, t.value, t.interval).text},
             {"problem", words_problem(store, l).text}, {"doubt", words_doubt(store, l).text}));
    claim_plain(c, l,
                "Finishing an output while the processor still holds it saves writing and reading "
                "it once more; it takes about %{share} of the time.",
                WITH({"share", number_percent(l, t.value).text}));
    evidence_add(c->rows, &c->count, CLAIM_ROWS, store);
    evidence_add(c->rows, &c->count, CLAIM_ROWS, pass);
}
