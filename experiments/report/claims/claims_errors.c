/* Time against accuracy: the errors and the times of results, for every operator and network
 * measured with one worker or one GPU. */
#include "experiments/analysis/numbers.h"
#include "experiments/analysis/selections/errors.h"
#include "experiments/report/claims/selected_charts.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"

#include <math.h>
#include <string.h>

static struct number error_text(const struct language *l, const struct point *p)
{
    return p->error_ulps > 0.0 ? number_about(l, p->error_ulps) : number_text("0");
}

/* "resnet18, 224 × 224", "conv 64 × 56 × 56, k = 3": of all precisions that are compared. */
static struct words subject_words(const struct point *p, const struct language *l)
{
    const struct words problem = words_any_math(p, l);
    if (identity_of(p)->network[0])
        return problem;
    return words_text("%s %s", identity_of(p)->operator_name, problem.text);
}

/* True if there is a row i of this role. */
static bool is_role(const struct selection *s, size_t i, const char *role)
{
    return i < s->count && selection_row_is(&s->rows[i], role);
}

/* `tie` is NULL, or a method of which no difference from the fastest is seen. */
static void say_fastest(const struct point *p, const struct point *tie, bool first,
                        const char *subject, const struct language *l, struct claim *c)
{
    if (first && tie)
        claim_title(c, l, "%{method} and %{other} of %{subject}: no difference of times is seen",
                    WITH({"method", words_precise(p).text}, {"other", words_precise(tie).text},
                         {"subject", subject}));
    else if (first)
        claim_title(c, l, "%{method} is the fastest of %{subject}, off by %{ulps} ulps",
                    WITH({"method", words_precise(p).text}, {"subject", subject},
                         {"ulps", error_text(l, p).text}));
    claim_say(c, l,
              tie ? N_("%{lead}%{problem}: no method is seen to take less time than %{method} "
                       "(%{time}, a root mean square error of %{ulps} ulps)")
                  : N_("%{lead}%{problem}: the fastest is %{method} (%{time}, a root mean square "
                       "error of %{ulps} ulps)"),
              WITH({"lead", first ? "" : " "}, {"problem", subject_words(p, l).text},
                   {"method", words_precise(p).text}, {"time", number_seconds(l, total_of(p)).text},
                   {"ulps", error_text(l, p).text}));
}

static void say_nearest(const struct point *p, const struct point *fastest,
                        const struct language *l, struct claim *c)
{
    if (p != fastest)
        claim_say(c, l, ", the nearest to what is right %{method} (%{time}, %{ulps})",
                  WITH({"method", words_precise(p).text},
                       {"time", number_seconds(l, total_of(p)).text},
                       {"ulps", error_text(l, p).text}));
    claim_add(c, ".");
}

/* The digits of an emulated GPU, a row at a time; `s` and `i` as in say_rows. */
static void say_emulated(const struct selection *s, size_t i, const char *subject,
                         const struct language *l, struct claim *c)
{
    const struct selection_row *row = &s->rows[i];
    const struct point *p = row->of.point;
    const bool first = !is_role(s, i - 1, "emulated"), last = !is_role(s, i + 1, "emulated");
    if (!c->title[0])
        claim_title(c, l, "%{method} of %{subject}, emulated: off by %{ulps} ulps",
                    WITH({"method", words_precise(p).text}, {"subject", subject},
                         {"ulps", error_text(l, p).text}));
    claim_say(c, l,
              first ? N_("%{lead}%{problem}, emulated, which has no times: %{method} is off by "
                         "%{ulps} ulps")
                    : N_(", %{method} by %{ulps}"),
              WITH({"lead", first && c->has_answer ? " " : ""},
                   {"problem", subject_words(p, l).text}, {"method", words_precise(p).text},
                   {"ulps", error_text(l, p).text}));
    claim_add(c, last ? "." : "");
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

/* Says what the rows `panel`, `tie` (if there is one), `fastest`, `nearest` and `emulated` are,
 * which follow each other. */
static void say_rows(const struct selection *s, const struct language *l, struct claim *c)
{
    const char *subject = NULL;
    const struct point *fastest = NULL, *tie = NULL;
    for (size_t i = 0; i < s->count; i++) {
        const struct selection_row *row = &s->rows[i];
        if (selection_row_is(row, "panel"))
            subject = row->label;
        if (selection_row_is(row, "nearest"))
            say_nearest(row->of.point, fastest, l, c);
        if (selection_row_is(row, "emulated"))
            say_emulated(s, i, subject, l, c);
        if (selection_row_is(row, "tie"))
            tie = row->of.point;
        if (!selection_row_is(row, "fastest"))
            continue;
        say_fastest(row->of.point, tie, !c->has_answer, subject, l, c);
        fastest = row->of.point;
        tie = NULL;
    }
    for (size_t i = 0; i < s->listed_count; i++)
        evidence_add(c->rows, &c->count, CLAIM_ROWS, s->listed[i]);
}

void claim_errors(const struct experiment *e, const struct language *l, struct claim *c)
{
    struct selection s = {.count = 0};
    select_errors(e, NULL, l, &s);
    if (s.lack || s.lacks_memory) {
        claim_refuse(c, l, s.lack ? s.lack : N_("not enough memory"));
    } else {
        say_rows(&s, l, c);
        claim_add(c, words_similar(&e->analysis, l).text);
        text_fit(c->plain, sizeof c->plain,
                 message(l, "An ulp is the step from one number to the next that float32 has. A "
                            "method that keeps fewer digits is no better for being faster."));
    }
    selection_release(&s);
}

/* ---- its chart ------------------------------------------------------------------------------- */

static const struct form form = {
    .name = "scatter",
    .panels = {LOG_PANEL(NULL, N_("error, ulps"), N_("total time"), "%.0s %cs")},
    .own_y = true,
};

const struct selected_chart errors_chart = {select_errors, NULL, &form, NULL};
