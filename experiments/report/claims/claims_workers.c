/* The gain from more workers, and its cost. */
#include "experiments/analysis/best/with_best.h"
#include "experiments/analysis/numbers.h"
#include "experiments/analysis/selections/columns.h"
#include "experiments/analysis/selections/fastest.h"
#include "experiments/common/text/messages.h"
#include "experiments/report/claims/claims.h"
#include "experiments/report/claims/selected_charts.h"
#include "experiments/samples/point.h"

#include <math.h>
#include <string.h>

static double share_of(const struct point *p)
{
    return p->transfer_share;
}

static bool is_as_large(const struct point *p, const struct point *like)
{
    return p->elements == like->elements;
}

/* Takes usable points with a value and the same number of workers as `like`, on an image that fits
 * it, the largest value first. */
static void take_largest(const struct analysis *a, double (*value)(const struct point *p),
                         bool (*fits)(const struct point *p, const struct point *like),
                         const struct point *like, struct claim *c)
{
    while (c->count < CLAIM_ROWS) {
        const struct point *best = NULL;
        for (size_t i = 0; i < a->point_count; i++) {
            const struct point *p = &a->points[i];
            bool known = !evidence_usable(p) || isnan(value(p)) || p->workers != like->workers ||
                         !fits(p, like);
            for (size_t j = 0; j < c->count; j++)
                known = known || c->rows[j] == p;
            if (!known && (!best || evidence_is_larger(p, value(p), best, value(best))))
                best = p;
        }
        if (!best)
            return;
        c->rows[c->count++] = best;
    }
}

/* Of the points with a value and several workers, no more than cores, returns the one with the most
 * workers and then the largest image. */
static const struct point *find_most(const struct experiment *e,
                                     double (*value)(const struct point *p))
{
    const struct point *best = NULL;
    for (size_t i = 0; i < e->analysis.point_count; i++) {
        const struct point *p = &e->analysis.points[i];
        if (!evidence_usable(p) || !(p->workers > 1.0) || isnan(value(p)) || p->shares_cores)
            continue;
        if (!best || p->workers > best->workers ||
            (p->workers == best->workers && p->elements > best->elements))
            best = p;
    }
    return best;
}

static void refuse_workers(struct claim *c, const struct language *l)
{
    claim_refuse(c, l, "one worker and several, at most as many as cores, are needed");
}

static double weak_of(const struct point *p)
{
    return p->weak_efficiency;
}

void claim_weak(const struct experiment *e, const struct language *l, struct claim *c)
{
    const struct point *like = find_most(e, weak_of);
    if (!like) {
        refuse_workers(c, l);
        return;
    }
    take_largest(&e->analysis, weak_of, is_as_large, like, c);
    const struct point *most = c->rows[0], *least = evidence_last(c->rows, c->count);
    claim_title(c, l, "Weak scaling: %{method} has an efficiency of %{share} with %{workers}",
                WITH({"workers", words_workers(most, l).text},
                     {"share", number_answer_share(l, weak_of(most), most->weak_interval).text},
                     {"method", words_method(most).text}));
    claim_say(
        c, l,
        "When the work grows with the workers, %{method} with %{workers} has an efficiency of "
        "%{share}%{doubt}",
        WITH({"workers", words_workers(most, l).text},
             {"share", number_answer_share(l, weak_of(most), most->weak_interval).text},
             {"method", words_method(most).text}, {"doubt", words_doubt(most, l).text}));
    if (least != most)
        claim_say(c, l, ", and %{method} with %{workers} of %{share}",
                  WITH({"share", number_answer_share(l, weak_of(least), least->weak_interval).text},
                       {"workers", words_workers(least, l).text},
                       {"method", words_method(least).text}));
    claim_add(c, ".");
    claim_plain(c, l,
                "Each worker has as much work as one had alone, so without any loss all would "
                "finish in the same time; %{method} takes about %{share} of that time.",
                WITH({"method", words_method(most).text},
                     {"share", number_percent(l, 1.0 / weak_of(most)).text}));
}

/* ---- compared with the serial baseline ------------------------------------------------------- */

/* The places are the roles of fastest.h. */
static const struct template space_sentences = {
    .title = {{N_("%{fastest.method} with %{fastest.workers}: %{gain.brief} times as fast as "
                  "serial %{base.method}"),
               NULL, NULL}},
    .answer =
        {
            {N_("Of %{methods} at %{fastest}, the fastest is %{fastest.method} with "
                "%{fastest.workers}: %{fastest.y}%{fastest.doubt}, in total time %{gain.y} times "
                "as fast as serial %{base.method} (%{base.y})"),
             NULL, NULL},
            {"; %{left_out}", NULL, NULL},
            {".", NULL, NULL},
            {N_(" Per worker it is %{each.y} times as fast as serial %{base.method}."), NULL, NULL},
        },
    .plain = {{N_("Where serial %{base.method} takes one minute, %{fastest.method} with "
                  "%{fastest.workers} takes about %{minute.about}."),
               NULL, NULL}},
};
static const struct columns all_spaces = {
    .panels = {{"named_total", "named_total", "named_total !status=INVALID elements~",
                "[*operator?%{operator} ]%{space} %{method}[distribution? "
                "%{distribution}][offload? %{offload}]",
                false}},
    .mark = COLUMNS_WORKERS,
    .order = "place",
    .name_roles = fastest_name_space,
};
static const struct form spaces_form = {
    .name = "dots",
    .panels = {{NULL, N_("times as fast as the serial baseline (total time)"), NULL, "%g", AXIS_LOG,
                AXIS_LOG, .level = 1.0}},
};
const struct selected_chart spaces_chart = {select_columns, &all_spaces, &spaces_form,
                                            &space_sentences};

static const struct template distribution_sentences = {
    .title =
        {
            {N_("%{slow} takes %{times.brief} times as long as %{fast}"), "differs", NULL},
            {N_("%{slow} and %{fast}: no difference is seen"), NULL, NULL},
        },
    .answer = {{N_("At %{time} with %{time.workers}, %{slow} takes in total %{times.y} times as "
                   "long as %{fast} (%{time.method}, %{time.y}%{time.doubt})."),
                NULL, NULL}},
    .plain = {{N_("With generate, every rank makes its own part of the image; with scatter, one "
                  "rank has the whole image and sends the others their parts."),
               NULL, NULL}},
};
static const struct columns distribution = {
    .panels = {{"size", "total_s", "distribution", "%{method} %{distribution} r=%{ranks}", false}},
    .dashed = "distribution=scatter",
    .name_roles = versus_name_distribution,
};
static const struct form distribution_form = {
    .name = "lines",
    .panels = {{NULL, N_("n, rows and columns"), N_("total time"), "%.0s %cs", AXIS_LOG, AXIS_LOG,
                0.0, NULL, NULL}},
};
const struct selected_chart distribution_chart = {select_columns, &distribution, &distribution_form,
                                                  &distribution_sentences};

/* ---- ranks and threads ----------------------------------------------------------------------- */

static bool is_mpi(const struct point *p)
{
    return point_has_ranks(&p->samples->identity);
}

static bool is_single_rank(const struct point *p)
{
    return is_mpi(p) && p->workers == 1.0;
}

/* The row of a claim that takes longest, other than the best; like the best, timed by other rounds
 * than those that chose it. */
static struct choice slowest_other(const struct analysis *a, const struct claim *c,
                                   const struct point *best)
{
    const struct point *others[CLAIM_ROWS];
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++)
        if (c->rows[i] != best)
            others[count++] = c->rows[i];
    return choice_of_slowest(&a->samples, others, count);
}

void claim_hybrid(const struct experiment *e, const struct language *l, struct claim *c)
{
    const struct analysis *a = &e->analysis;
    struct wanted w = {.several_workers = true};
    w.problem = evidence_problem(a, &w);
    const struct point *first = w.problem ? evidence_fastest(a, &w) : NULL;
    w.method = first ? method_of(first) : NULL;
    const struct fastest f = first ? evidence_choice(a, &w) : (struct fastest){.point = NULL};
    c->count = first ? evidence_sorted(a, &w, c->rows, CLAIM_ROWS) : 0;
    if (c->count < 2) {
        claim_refuse(c, l, "only one division of the cores was measured");
        c->count = 0;
        return;
    }
    const struct choice slow = slowest_other(a, c, f.point);
    const struct point *best = f.point, *worst = slow.point;
    const struct comparison_of_points t =
        compare_choices(&a->samples, &slow, &f.choice, METRIC_TOTAL);
    /* a doubtful point may be faster */
    const bool alone = t.interval.lower > 1.0 && !evidence_tie(a, &w, best, NULL);
    if (alone)
        claim_title(c, l, "%{workers} are the fastest with %{method}",
                    WITH({"workers", words_workers(best, l).text}, {"method", method_of(best)}));
    else
        claim_title(c, l, "%{method}: no division of the cores is seen to be faster",
                    WITH({"method", method_of(best)}));
    claim_say(
        c, l,
        "At %{problem}, %{workers} take %{time} with %{method}%{doubt}; %{slow_workers} take "
        "%{times} times as long%{slow_doubt}.",
        WITH({"problem", words_problem(best, l).text}, {"workers", words_workers(best, l).text},
             {"time", number_answer_seconds(l, &f.total).text}, {"method", words_method(best).text},
             {"doubt", words_doubt(best, l).text}, {"slow_workers", words_workers(worst, l).text},
             {"times", number_answer(l, t.value, t.interval).text},
             {"slow_doubt", words_doubt(worst, l).text}));
    claim_plain(c, l,
                alone
                    ? N_("The same cores work in all of these cases; dividing them into processes "
                         "or threads changes the time.")
                    : N_("The same cores work in all of these cases; no difference is seen between "
                         "processes and threads."),
                NULL);
}

/* How much slower it is than the best serial method of its kind, as a share of that time. */
static struct interval slower(const struct point *p, double *value)
{
    const struct speedup *s = &p->speedup[BASELINE_BEST];
    *value = 1.0 / s->value[METRIC_TOTAL] - 1.0;
    return (struct interval){1.0 / s->interval[METRIC_TOTAL].upper - 1.0,
                             1.0 / s->interval[METRIC_TOTAL].lower - 1.0};
}

static double overhead_of(const struct point *p)
{
    double more;
    slower(p, &more);
    return more;
}

static bool has_best(const struct point *p)
{
    return is_single_rank(p) && p->speedup[BASELINE_BEST].point >= 0;
}

/* Takes the points of one rank that can be compared with a serial program, the largest overhead
 * first. */
static void take_single_ranks(const struct analysis *a, struct claim *c)
{
    while (c->count < CLAIM_ROWS) {
        const struct point *best = NULL;
        for (size_t i = 0; i < a->point_count; i++) {
            const struct point *p = &a->points[i];
            bool known = !evidence_usable(p) || !has_best(p);
            for (size_t j = 0; j < c->count; j++)
                known = known || c->rows[j] == p;
            if (!known && (!best || evidence_is_larger(p, overhead_of(p), best, overhead_of(best))))
                best = p;
        }
        if (!best)
            return;
        c->rows[c->count++] = best;
    }
}

/* The number of significant differences, decided for all comparisons of the sentence together by
 * Holm's procedure at 5 %; one without a p-value is decided by its interval. */
static size_t count_seen(const struct claim *c)
{
    const double level = 0.05;
    double p_values[CLAIM_ROWS], more;
    size_t seen = 0;
    for (size_t i = 0; i < c->count; i++)
        p_values[i] = c->rows[i]->speedup[BASELINE_BEST].p_value;
    if (adjust_p_values(p_values, c->count) != 0)
        return 0;
    for (size_t i = 0; i < c->count; i++) {
        const struct interval between = slower(c->rows[i], &more);
        const bool apart = between.lower > 0.0 || between.upper < 0.0;
        seen += apart && (isnan(p_values[i]) || p_values[i] <= level);
    }
    return seen;
}

/* " 14 % longer [2.1 %, 20 %] with fused (n = 64, k = 2)" */
static void say_overhead(const struct point *p, const struct language *l, struct claim *c)
{
    double more;
    const struct interval between = slower(p, &more);
    claim_say(c, l, " %{more} [%{lower}, %{upper}] with %{method} (%{problem})%{doubt}",
              WITH({"more", number_percent(l, more).text},
                   {"lower", number_percent(l, between.lower).text},
                   {"upper", number_percent(l, between.upper).text}, {"method", method_of(p)},
                   {"problem", words_problem(p, l).text}, {"doubt", words_doubt(p, l).text}));
}

void claim_overhead(const struct experiment *e, const struct language *l, struct claim *c)
{
    take_single_ranks(&e->analysis, c);
    if (c->count == 0) {
        claim_refuse(c, l,
                     "no MPI program with one rank was measured together with the serial program");
        return;
    }
    const struct point *most = c->rows[0], *least = evidence_last(c->rows, c->count);
    const size_t seen = count_seen(c);
    if (seen == 0)
        claim_title(c, l, "One rank and the serial program: no difference is seen", NULL);
    else
        claim_title(c, l, "One rank takes up to %{more} longer than the serial program",
                    WITH({"more", number_percent(l, overhead_of(most)).text}));
    claim_say(c, l,
              "Compared with the total time of the best serial method of the same work, one rank "
              "adds",
              NULL);
    if (most != least) {
        claim_say(c, l, " from", NULL);
        say_overhead(least, l, c);
        claim_say(c, l, " to", NULL);
    }
    say_overhead(most, l, c);
    claim_say(c, l, "; a difference is seen in %{seen} of %{count} comparisons.",
              WITH({"count", number_text("%zu", c->count).text},
                   {"seen", number_text("%zu", seen).text}));
    claim_plain(c, l,
                seen ? N_("The MPI program pays this price even when it runs with one process.")
                     : N_("No difference is seen between the serial program and the MPI program "
                          "with one process."),
                NULL);
}

/* True for a point of several ranks that clocked its messages, with the same workers and image size
 * as `like`. */
static bool has_messages(const struct point *p, const struct point *like)
{
    return evidence_usable(p) && is_mpi(p) && !isnan(share_of(p)) && !p->shares_cores &&
           p->workers == like->workers && is_as_large(p, like);
}

/* Of the points with the most ranks and the largest image, returns one of the problem that most
 * methods and distributions solved; NULL: no messages were clocked. */
static const struct point *find_messages(const struct experiment *e)
{
    const struct analysis *a = &e->analysis;
    const struct point *like = find_most(e, share_of), *best = NULL;
    size_t most = 0;
    for (size_t i = 0; like && i < a->point_count; i++) {
        size_t count = 0;
        for (size_t j = 0; has_messages(&a->points[i], like) && j < a->point_count; j++)
            count += has_messages(&a->points[j], like) &&
                     analysis_same_problem(&a->points[i], &a->points[j]);
        if (count > most) {
            best = &a->points[i];
            most = count;
        }
    }
    return best;
}

static void explain_messages(const struct point *most, const struct language *l, struct claim *c)
{
    claim_plain(c, l,
                "Sending and receiving data, instead of computing, takes up to about %{time} of "
                "each minute.",
                WITH({"time", number_about_seconds(l, 60.0 * share_of(most)).text}));
}

/* For a single measured method. */
static void describe_messages_of(const struct point *p, const struct language *l, struct claim *c)
{
    const struct number share = number_percent(l, share_of(p));
    claim_title(c, l, "Messages take %{share} of the total time", WITH({"share", share.text}));
    claim_say(c, l,
              "At %{problem}, messages between %{workers} take %{share} of the total time "
              "(%{method} %{distribution}).",
              WITH({"problem", words_problem(p, l).text}, {"workers", words_workers(p, l).text},
                   {"share", share.text}, {"method", method_of(p)},
                   {"distribution", p->samples->identity.distribution}));
    explain_messages(p, l, c);
}

void claim_messages(const struct experiment *e, const struct language *l, struct claim *c)
{
    const struct point *like = find_messages(e);
    if (!like) {
        claim_refuse(c, l, "no program of several ranks was measured");
        return;
    }
    take_largest(&e->analysis, share_of, analysis_same_problem, like, c);
    if (c->count == 1) {
        describe_messages_of(like, l, c);
        return;
    }
    const struct point *most = c->rows[0], *least = evidence_last(c->rows, c->count);
    claim_title(c, l, "Messages take %{least} to %{most} of the total time",
                WITH({"least", number_percent(l, share_of(least)).text},
                     {"most", number_percent(l, share_of(most)).text}));
    claim_say(
        c, l,
        "At %{problem}, messages between %{workers} take from %{least} (%{least_method} "
        "%{least_distribution}) to %{most} (%{most_method} %{most_distribution}) of the total "
        "time.",
        WITH({"problem", words_problem(most, l).text}, {"workers", words_workers(most, l).text},
             {"least", number_percent(l, share_of(least)).text}, {"least_method", method_of(least)},
             {"least_distribution", least->samples->identity.distribution},
             {"most", number_percent(l, share_of(most)).text}, {"most_method", method_of(most)},
             {"most_distribution", most->samples->identity.distribution}));
    explain_messages(most, l, c);
}
