/* Time against accuracy: the errors and the times of results, for every operator and network
 * measured with one worker. */
#include "experiments/analysis/numbers.h"
#include "experiments/report/claims/claims.h"
#include "harness/base/text/messages.h"

#include <math.h>
#include <string.h>

enum { MOST_SUBJECTS = 4 }; /* that get a sentence */

/* The subject of a sentence: the network, or the operator. */
static const char *subject_of(const struct point *p)
{
    const struct record *r = &p->samples->identity;
    return r->network[0] ? r->network : r->operator_name;
}

static bool has_error(const struct point *p)
{
    return !isnan(p->error_ulps);
}

static bool is_shown(const struct point *p)
{
    const struct wanted w = {.one_worker = true, .peers = true, .also = has_error};
    return evidence_fits(p, &w);
}

/* True if some method rounds in the problem of p: if all results are exact, they do not distinguish
 * methods. */
static bool is_rounded(const struct analysis *a, const struct point *p)
{
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *q = &a->points[i];
        if (is_shown(q) && q->error_ulps > 0.0 && analysis_same_problem(p, q))
            return true;
    }
    return false;
}

/* A point of the subject's problem that most methods solved; NULL: none rounds. */
static const struct point *problem_of(const struct analysis *a, const char *subject)
{
    const struct point *best = NULL;
    size_t most = 0;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        size_t count = 0;
        if (!is_shown(p) || strcmp(subject_of(p), subject) != 0)
            continue;
        for (size_t j = 0; j < a->point_count; j++)
            count += is_shown(&a->points[j]) && analysis_same_problem(p, &a->points[j]);
        if (count > most && is_rounded(a, p)) {
            most = count;
            best = p;
        }
    }
    return best;
}

/* The point of the problem with the least time, or the least error, of equal errors the faster. */
static const struct point *least_of(const struct analysis *a, const struct point *problem,
                                    bool error)
{
    const struct point *best = NULL;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (!is_shown(p) || !analysis_same_problem(p, problem))
            continue;
        const bool less = best && error && p->error_ulps != best->error_ulps
                              ? p->error_ulps < best->error_ulps
                              : !best || point_stands_before(p, best);
        best = less ? p : best;
    }
    return best;
}

static struct number error_text(const struct language *l, const struct point *p)
{
    return p->error_ulps > 0.0 ? number_about(l, p->error_ulps) : number_text("0");
}

/* "resnet18, 224 × 224", "conv 64 × 56 × 56, k = 3" */
static struct words subject_words(const struct point *p, const struct language *l)
{
    const struct words problem = words_problem(p, l);
    struct words w;
    if (p->samples->identity.network[0])
        return problem;
    snprintf(w.text, sizeof w.text, "%.40s %.270s", subject_of(p), problem.text);
    return w;
}

static void say_subject(const struct analysis *a, const struct point *problem,
                        const struct language *l, struct claim *c)
{
    const struct point *fastest = least_of(a, problem, false);
    const struct point *nearest = least_of(a, problem, true);
    const struct wanted rivals = {
        .problem = problem, .one_worker = true, .peers = true, .also = has_error};
    const struct point *tie = evidence_tie(a, &rivals, fastest, NULL);
    if (c->count == 0 && tie)
        claim_title(c, l, "%{method} and %{other} of %{subject}: no difference of times is seen",
                    WITH({"method", method_of(fastest)}, {"other", method_of(tie)},
                         {"subject", subject_of(problem)}));
    else if (c->count == 0)
        claim_title(c, l, "%{method} is the fastest of %{subject}, off by %{ulps} ulps",
                    WITH({"method", method_of(fastest)}, {"subject", subject_of(problem)},
                         {"ulps", error_text(l, fastest).text}));
    claim_say(c, l,
              tie ? N_("%{lead}%{problem}: no method is seen to take less time than %{method} "
                       "(%{time}, a root mean square error of %{ulps} ulps)")
                  : N_("%{lead}%{problem}: the fastest is %{method} (%{time}, a root mean square "
                       "error of %{ulps} ulps)"),
              WITH({"lead", c->count ? " " : ""}, {"problem", subject_words(fastest, l).text},
                   {"method", method_of(fastest)},
                   {"time", number_seconds(l, total_of(fastest)).text},
                   {"ulps", error_text(l, fastest).text}));
    evidence_add(c->rows, &c->count, CLAIM_ROWS, fastest);
    if (nearest != fastest)
        claim_say(c, l, ", the nearest to what is right %{method} (%{time}, %{ulps})",
                  WITH({"method", method_of(nearest)},
                       {"time", number_seconds(l, total_of(nearest)).text},
                       {"ulps", error_text(l, nearest).text}));
    evidence_add(c->rows, &c->count, CLAIM_ROWS, nearest);
    claim_add(c, ".");
}

/* Finds two rows of one problem whose errors are not similar: those with the least and the largest
 * error of the problem; false if there are none. */
static bool find_dissimilar(const struct claim *c, const struct point **least,
                            const struct point **most)
{
    for (size_t i = 0; i < c->count; i++) {
        *least = *most = c->rows[i];
        for (size_t j = 0; j < c->count; j++) {
            const struct point *p = c->rows[j];
            if (isnan(p->error_ulps) || !analysis_same_problem(c->rows[i], p))
                continue;
            *least = !((*least)->error_ulps <= p->error_ulps) ? p : *least;
            *most = !((*most)->error_ulps >= p->error_ulps) ? p : *most;
        }
        if (!point_errors_similar(*least, *most))
            return true;
    }
    return false;
}

void claim_say_dissimilar(struct claim *c, const struct language *l)
{
    const struct point *least, *most;
    if (!c->has_answer || !find_dissimilar(c, &least, &most))
        return;
    claim_say(c, l, " Not all errors are similar: %{ulps} ulps of %{method}, %{more} of %{other}.",
              WITH({"ulps", error_text(l, least).text}, {"method", method_of(least)},
                   {"more", error_text(l, most).text}, {"other", method_of(most)}));
}

void claim_errors(const struct experiment *e, const struct language *l, struct claim *c)
{
    const struct analysis *a = &e->analysis;
    const char *shown[MOST_SUBJECTS], *without[MOST_SUBJECTS]; /* without a problem that rounds */
    size_t count = 0, without_count = 0;
    bool exact = false;
    for (size_t i = 0; i < a->point_count && count < MOST_SUBJECTS; i++) {
        const struct point *p = &a->points[i];
        bool known = !is_shown(p);
        for (size_t j = 0; j < count; j++)
            known = known || strcmp(shown[j], subject_of(p)) == 0;
        for (size_t j = 0; j < without_count; j++)
            known = known || strcmp(without[j], subject_of(p)) == 0;
        const struct point *problem = known ? NULL : problem_of(a, subject_of(p));
        exact = exact || (!known && !problem);
        if (!known && !problem && without_count < MOST_SUBJECTS)
            without[without_count++] = subject_of(p);
        if (!problem)
            continue;
        shown[count++] = subject_of(p);
        say_subject(a, problem, l, c);
    }
    if (count == 0) {
        claim_refuse(c, l, exact ? N_("all results are exact") : N_("no sample records errors"));
        return;
    }
    claim_add(c, words_similar(a, l).text);
    claim_plain(c, l,
                "An ulp is the step from one number to the next that float32 has. A method that "
                "keeps fewer digits is no better for being faster.",
                NULL);
}
