/* The gain from workers and from instruction sets, and their cost. */
#include "experiments/analysis/selections/workers/workers.h"

#include "experiments/analysis/best/with_best.h"
#include "experiments/analysis/speedup/efficiency.h"
#include "experiments/samples/point.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"

#include <math.h>
#include <string.h>

typedef double value_function(const struct point *p); /* NaN: not among those that are compared */
typedef bool pair_function(const struct point *p, const struct point *q);

/* Lists usable points with a value, the largest first, of those that are `like` a point (NULL: of
 * all), and none that is the `same` as one that is listed. */
static void list_largest(const struct analysis *a, value_function *value, const struct point *like,
                         pair_function *is_like, pair_function *same, struct selection *out)
{
    while (out->listed_count < SELECTION_LISTED) {
        const struct point *best = NULL;
        for (size_t i = 0; i < a->point_count; i++) {
            const struct point *p = &a->points[i];
            bool known = !evidence_usable(p) || isnan(value(p)) ||
                         (like && (p->workers != like->workers || !is_like(p, like)));
            for (size_t j = 0; j < out->listed_count; j++)
                known = known || same(p, out->listed[j]);
            if (!known && (!best || evidence_is_larger(p, value(p), best, value(best))))
                best = p;
        }
        if (!best)
            return;
        selection_list(out, best);
    }
}

static const struct point *last_listed(const struct selection *s)
{
    return evidence_last(s->listed, s->listed_count);
}

static bool is_same(const struct point *p, const struct point *q)
{
    return p == q;
}

/* Of the points with a value and several workers, no more than cores, returns the one with the most
 * workers and then the largest image. */
static const struct point *find_most(const struct analysis *a,
                                     double (*value)(const struct point *p))
{
    const struct point *best = NULL;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (!evidence_usable(p) || !(p->workers > 1.0) || isnan(value(p)) || p->shares_cores)
            continue;
        if (!best || p->workers > best->workers ||
            (p->workers == best->workers && p->elements > best->elements))
            best = p;
    }
    return best;
}

/* ---- instruction sets ------------------------------------------------------------------------ */

static double gain_of_set(const struct point *p)
{
    const struct record *r = &p->samples->identity;
    const struct speedup *s = &p->speedup[BASELINE_ISA];
    const bool wider = r->isa_limit[0] && strcmp(r->isa_limit, "baseline") != 0;
    return evidence_usable(p) && wider && s->point >= 0 ? s->value[METRIC_COMPUTE] : (double)NAN;
}

static bool same_method(const struct point *p, const struct point *q)
{
    return strcmp(method_of(p), method_of(q)) == 0;
}

static void name_gain(const struct point *p, const char *role, struct selection *out)
{
    const struct speedup *s = &p->speedup[BASELINE_ISA];
    selection_number(out, role, p, s->value[METRIC_COMPUTE], s->interval[METRIC_COMPUTE]);
}

void isa_name_gains(const struct experiment *e, const struct language *l, struct selection *out)
{
    list_largest(&e->analysis, gain_of_set, NULL, NULL, same_method, out);
    (void)l;
    if (selection_lacks(out, !out->listed_count,
                        N_("no instruction set but the baseline was measured")))
        return;
    const struct point *most = out->listed[0], *least = last_listed(out);
    name_gain(most, "most", out);
    out->finding =
        most->speedup[BASELINE_ISA].interval[METRIC_COMPUTE].lower > 1.0 ? "faster" : "unseen";
    selection_plain(out, "inverse", 1.0 / gain_of_set(most));
    if (least != most)
        name_gain(least, "least", out);
}

/* ---- work that grows with the workers -------------------------------------------------------- */

static double weak_of(const struct point *p)
{
    return p->weak_efficiency;
}

static bool is_as_large(const struct point *p, const struct point *like)
{
    return p->elements == like->elements;
}

void workers_name_weak(const struct speedup_figure *figure, const struct experiment *e,
                       const struct language *l, struct selection *out)
{
    const struct point *like = find_most(&e->analysis, weak_of);
    (void)figure;
    (void)l;
    if (selection_lacks(out, !like,
                        N_("one worker and several, at most as many as cores, are needed")))
        return;
    list_largest(&e->analysis, weak_of, like, is_as_large, is_same, out);
    const struct point *most = out->listed[0], *least = last_listed(out);
    selection_number(out, "most", most, weak_of(most), most->weak_interval);
    selection_plain(out, "inverse", 1.0 / weak_of(most));
    if (least != most)
        selection_number(out, "least", least, weak_of(least), least->weak_interval);
}

/* ---- ranks and threads ----------------------------------------------------------------------- */

/* The listed point that takes longest, other than the best; like the best, timed by other rounds
 * than those that chose it. */
static struct choice slowest_other(const struct analysis *a, const struct selection *s,
                                   const struct point *best)
{
    const struct point *others[SELECTION_LISTED];
    size_t count = 0;
    for (size_t i = 0; i < s->listed_count; i++)
        if (s->listed[i] != best)
            others[count++] = s->listed[i];
    return choice_of_slowest(&a->samples, others, count);
}

void workers_name_hybrid(const struct experiment *e, const struct language *l,
                         struct selection *out)
{
    const struct analysis *a = &e->analysis;
    struct wanted w = {.several_workers = true};
    w.problem = evidence_problem(a, &w);
    const struct point *first = w.problem ? evidence_fastest(a, &w) : NULL;
    w.method = first ? method_of(first) : NULL;
    out->listed_count = first ? evidence_sorted(a, &w, out->listed, SELECTION_LISTED) : 0;
    (void)l;
    if (out->listed_count < 2) {
        out->lack = N_("only one division of the cores was measured");
        out->listed_count = 0;
        return;
    }
    const struct fastest f = evidence_choice(a, &w);
    const struct choice slow = slowest_other(a, out, f.point);
    const struct comparison_of_points t =
        compare_choices(&a->samples, &slow, &f.choice, METRIC_TOTAL);
    /* a doubtful point may be faster */
    const bool alone = t.interval.lower > 1.0 && !evidence_tie(a, &w, f.point, NULL);
    out->finding = alone ? "alone" : "same";
    selection_time(out, "best", &f.choice, &f.total);
    selection_point(out, "other", slow.point, NAN);
    selection_ratio(out, "worst", &slow, &f.choice, &t, QUANTITY_TOTAL_RATIO);
}

/* ---- one rank -------------------------------------------------------------------------------- */

static bool is_mpi(const struct point *p)
{
    return point_has_ranks(&p->samples->identity);
}

/* How much slower it is than the best serial method of its kind, as a share of that time. */
static struct interval slower(const struct point *p)
{
    const struct speedup *s = &p->speedup[BASELINE_BEST];
    return (struct interval){1.0 / s->interval[METRIC_TOTAL].upper - 1.0,
                             1.0 / s->interval[METRIC_TOTAL].lower - 1.0};
}

static double overhead_of(const struct point *p)
{
    const struct speedup *s = &p->speedup[BASELINE_BEST];
    return is_mpi(p) && p->workers == 1.0 && s->point >= 0 ? 1.0 / s->value[METRIC_TOTAL] - 1.0
                                                           : (double)NAN;
}

/* The number of significant differences, decided for all comparisons of the sentence together by
 * Holm's procedure at 5 %; one without a p-value is decided by its interval. */
static size_t count_seen(const struct selection *s)
{
    const double level = 0.05;
    double p_values[SELECTION_LISTED];
    size_t seen = 0;
    for (size_t i = 0; i < s->listed_count; i++)
        p_values[i] = s->listed[i]->speedup[BASELINE_BEST].p_value;
    if (adjust_p_values(p_values, s->listed_count) != 0)
        return 0;
    for (size_t i = 0; i < s->listed_count; i++) {
        const struct interval between = slower(s->listed[i]);
        const bool apart = between.lower > 0.0 || between.upper < 0.0;
        seen += apart && (isnan(p_values[i]) || p_values[i] <= level);
    }
    return seen;
}

void workers_name_overhead(const struct experiment *e, const struct language *l,
                           struct selection *out)
{
    list_largest(&e->analysis, overhead_of, NULL, NULL, is_same, out);
    (void)l;
    if (selection_lacks(out, !out->listed_count,
                        N_("no MPI program with one rank was measured together with "
                           "the serial program")))
        return;
    const struct point *most = out->listed[0], *least = last_listed(out);
    const size_t seen = count_seen(out);
    selection_number(out, "most", most, overhead_of(most), slower(most));
    if (most != least)
        selection_number(out, "least", least, overhead_of(least), slower(least));
    selection_count(out, "count", (double)out->listed_count);
    selection_count(out, "seen", (double)seen);
    out->finding = seen ? "seen" : "unseen";
}

/* ---- messages -------------------------------------------------------------------------------- */

static double share_of(const struct point *p)
{
    return p->transfer_share;
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
static const struct point *find_messages(const struct analysis *a)
{
    const struct point *like = find_most(a, share_of), *best = NULL;
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

void workers_name_messages(const struct experiment *e, const struct language *l,
                           struct selection *out)
{
    const struct point *like = find_messages(&e->analysis);
    (void)l;
    if (selection_lacks(out, !like, N_("no program of several ranks was measured")))
        return;
    list_largest(&e->analysis, share_of, like, analysis_same_problem, is_same, out);
    const struct point *most = out->listed[0], *least = last_listed(out);
    const bool one = out->listed_count == 1;
    selection_number(out, one ? "only" : "most", most, share_of(most), no_interval);
    if (!one)
        selection_number(out, "least", least, share_of(least), no_interval);
    selection_value(out, "minute", 60.0 * share_of(most), no_interval, QUANTITY_TOTAL);
}

/* The same method, ranks and problem with the other distribution. */
static const struct point *other_way(const struct analysis *a, const struct point *p)
{
    const struct record *r = &p->samples->identity;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct record *o = &a->points[i].samples->identity;
        if (evidence_usable(&a->points[i]) && analysis_same_problem(p, &a->points[i]) &&
            strcmp(r->method, o->method) == 0 && r->ranks == o->ranks && r->threads == o->threads &&
            strcmp(r->distribution, o->distribution) != 0)
            return &a->points[i];
    }
    return NULL;
}

void workers_name_distribution(const struct experiment *e, const struct language *l,
                               struct selection *out)
{
    const struct analysis *a = &e->analysis;
    const struct point *own = find_most(a, share_of), *other = own ? other_way(a, own) : NULL;
    (void)l;
    if (selection_lacks(out, !other, N_("only one way to distribute the image was measured")))
        return;
    const bool swapped = total_of(other) < total_of(own);
    const struct choice fast = choice_given(swapped ? other : own),
                        slow = choice_given(swapped ? own : other);
    versus_name(a, &slow, slow.point->samples->identity.distribution, &fast,
                fast.point->samples->identity.distribution, &fast.point->seconds[METRIC_TOTAL],
                out);
}

/* ---- where the efficiency went --------------------------------------------------------------- */

static const double least_share = 0.002; /* shorter parts are left out */

/* The part of a loss that a factor explains: -ln of it; 0 if it is no loss. */
static double part_of(double factor)
{
    return factor > 0.0 && factor < 1.0 ? -log(factor) : 0.0;
}

static struct words label_of(const struct speedup_mark *mark, const struct efficiency *f,
                             const struct language *l)
{
    const bool doubtful = mark->point->trust == TRUST_SUSPECT || f->loss == LOSS_DOUBTFUL;
    return words_text("%s, %.0f %s%s%s%s", worker_method(mark->record, l).text, mark->workers,
                      message(l, worker_kind_words[worker_kind_of(mark->record)]),
                      doubtful ? " (" : "", doubtful ? trust_word(TRUST_SUSPECT, l) : "",
                      doubtful ? ")" : "");
}

/* The losses of a bar, in its order: the factors, then what splits their rest. */
enum { MORE_INSTRUCTIONS = FACTOR_REST, EACH_LONGER, NOT_MEASURED, BAR_PARTS };

static struct bounded loss_at(const struct efficiency *f, size_t i)
{
    return i < FACTOR_REST          ? f->factors[i]
           : i == MORE_INSTRUCTIONS ? f->instructions
                                    : f->per_cycle;
}

static void draw_bar(const struct speedup_mark *mark, const struct efficiency *f,
                     const struct language *l, struct selection *out)
{
    static const struct {
        const char *name;
        unsigned colour;
    } parts[BAR_PARTS] = {[FACTOR_BALANCE] = {N_("waiting for the slowest"), 0xE69F00},
                          [FACTOR_MESSAGES] = {N_("messages"), 0xCC79A7},
                          [FACTOR_IDLE] = {N_("idle processors"), 0x56B4E9},
                          [FACTOR_FREQUENCY] = {N_("lower frequency"), 0x999933},
                          [FACTOR_MEMORY] = {N_("memory's bandwidth"), 0xD55E00},
                          [MORE_INSTRUCTIONS] = {N_("more instructions"), 0x0072B2},
                          [EACH_LONGER] = {N_("instructions take longer"), 0xF0E442},
                          [NOT_MEASURED] = {N_("loss, cause not measured"), 0xBBBBBB}};
    const struct words label = label_of(mark, f, l);
    const double used = fmin(1.0, f->total.value), whole = part_of(f->total.value);
    double explained = 0.0, rest = 1.0 - used;
    for (size_t i = 0; i < NOT_MEASURED && f->loss != LOSS_DOUBTFUL && f->loss != LOSS_NOT_SEEN;
         i++)
        explained += part_of(loss_at(f, i).value);
    selection_part(out, mark->point, 0, message(l, "efficiency"), 0x009E73, label.text, used)
        ->ends = (struct interval){f->total.lower, f->total.upper};
    for (size_t i = 0; i < BAR_PARTS; i++) {
        const double share =
            i == NOT_MEASURED ? rest
            : explained > 0.0 ? (1.0 - used) * part_of(loss_at(f, i).value) / fmax(whole, explained)
                              : 0.0; /* factors that together exceed the loss share it */
        if (i != NOT_MEASURED)
            rest -= share;
        if (share > least_share)
            selection_part(out, mark->point, i + 1, message(l, parts[i].name), parts[i].colour,
                           label.text, share);
    }
}

void efficiency_draw(const struct experiment *e, const struct language *l, struct selection *out)
{
    struct speedup_figure figure;
    struct failure why = {0};
    if (speedup_figure_make(&figure, &e->analysis, &e->forecasts, e->request.machine, false,
                            &why) != STATUS_OK) {
        out->lacks_memory = true;
        return;
    }
    for (size_t i = 0; i < figure.count; i++) {
        const struct speedup_mark *mark = &figure.marks[i];
        if (!speedup_mark_counts(mark) || !(mark->workers > figure.base))
            continue;
        const struct efficiency f = efficiency_of(&figure, &e->analysis, mark);
        if (isfinite(f.total.value))
            draw_bar(mark, &f, l, out);
    }
    speedup_name_loss(&figure, e, l, out);
    speedup_figure_release(&figure);
}
