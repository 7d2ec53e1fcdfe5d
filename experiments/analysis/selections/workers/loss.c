/* What several workers gain, and what is lost of their time, as roles of the speedup figure. */
#include "experiments/analysis/numbers.h"
#include "experiments/analysis/selections/crossover.h"
#include "experiments/analysis/selections/workers/workers.h"
#include "experiments/analysis/speedup/efficiency.h"
#include "experiments/analysis/speedup/scaling.h"
#include "harness/base/text/messages.h"

#include <math.h>
#include <string.h>

static const char superlinear[] = "superlinear", doubtful[] = "doubtful", explained[] = "explained",
                  partly[] = "partly", unexplained[] = "unexplained";

/* What is said of a mark. */
struct subject {
    const struct speedup_figure *figure;
    const struct speedup_mark *mark;
    const struct analysis *analysis;
    struct efficiency efficiency;
    struct bounded used, loss; /* shares of the workers' time, whatever the cause of the loss */
    struct bounded serial;     /* the share that would explain it (Karp-Flatt) */
};

/* 1 - share, 1 / number - 1: the ends swap. */
static struct bounded rest_of(struct bounded b)
{
    return (struct bounded){1.0 - b.value, 1.0 - b.upper, 1.0 - b.lower};
}

static struct bounded more_than(struct bounded b)
{
    return (struct bounded){1.0 / b.value - 1.0, 1.0 / b.upper - 1.0, 1.0 / b.lower - 1.0};
}

static struct interval ends_of(struct bounded b)
{
    return (struct interval){b.lower, b.upper};
}

static void name(struct selection *out, const char *role, struct bounded b)
{
    selection_value(out, role, b.value, ends_of(b), QUANTITY_NUMBER);
}

static struct subject subject_of(const struct speedup_figure *figure,
                                 const struct speedup_mark *mark, const struct analysis *a)
{
    const struct interval i = mark->interval;
    const double workers = mark->workers;
    struct subject s = {.figure = figure,
                        .mark = mark,
                        .analysis = a,
                        .efficiency = efficiency_of(figure, a, mark),
                        .used = {mark->speedup / workers, i.lower / workers, i.upper / workers}};
    s.loss = rest_of(s.used);
    s.serial = speedup_karp_flatt(mark);
    return s;
}

/* ---- what is lost, and where it went --------------------------------------------------------- */

/* An interval of the loss that contains 0 is no evidence that nothing is lost. A cause is named
 * only if it was measured. */
static const char *finding_of(const struct subject *s)
{
    const struct efficiency *e = &s->efficiency;
    if (isnan(s->mark->interval.lower))
        return "no_interval";
    if (s->mark->interval.upper < s->mark->base)
        return "slower";
    if (!(s->mark->interval.lower > s->mark->base))
        return "unseen";
    if (e->loss == LOSS_NEGATIVE || (e->doubtful && s->loss.upper < 0.0))
        return superlinear;
    if (!(s->loss.lower > 0.0))
        return "open";
    if (e->doubtful)
        return doubtful;
    return e->loss == LOSS_EXPLAINED ? explained : e->loss == LOSS_PARTLY ? partly : unexplained;
}

/* The factors that are seen to lose a part of at least 1 %, where none explains the whole. */
static void name_parts(const struct efficiency *e, struct selection *out)
{
    static const char *const roles[FACTOR_REST] = {"part_balance", "part_messages", "part_idle",
                                                   "part_frequency", "part_memory"};
    for (enum factor k = 0; k < FACTOR_REST; k++)
        if (factor_is_loss(e->factors[k]) && e->factors[k].value < 0.99)
            name(out, roles[k], rest_of(e->factors[k]));
}

/* What all workers together use more than the base, where that is seen, and what splits the rest:
 * more instructions, or each took longer. */
static void name_used_more(const struct efficiency *e, struct selection *out)
{
    const struct bounded time = e->processor_time;
    if (time.lower > 1.0)
        name(out, "processor_time",
             (struct bounded){time.value - 1.0, time.lower - 1.0, time.upper - 1.0});
    if (factor_is_loss(e->instructions))
        name(out, "instructions", more_than(e->instructions));
    if (factor_is_loss(e->per_cycle))
        name(out, e->factors[FACTOR_MEMORY].value < 1.0 ? "cycles_beyond_memory" : "cycles",
             more_than(e->per_cycle));
}

/* The cause's share of the workers' time; of a part, its share of the loss. */
static void name_cause(const struct efficiency *e, bool whole, struct selection *out)
{
    name(out, factor_names[e->cause],
         whole ? rest_of(e->factors[e->cause])
               : (struct bounded){e->part.value, e->part.lower, fmin(1.0, e->part.upper)});
}

static void name_superlinear(const struct subject *s, struct selection *out)
{
    const char *cache = efficiency_cache(s->analysis, s->mark->point);
    selection_count(out, "workers", s->mark->workers);
    if (*cache && !s->efficiency.doubtful)
        selection_label(out, "cache", cache);
    else
        selection_name(out, "no_cache");
}

/* What a serial fraction would allow. */
static void name_bound(const struct subject *s, struct selection *out)
{
    const struct bounded parallel = rest_of(s->serial);
    const double base = s->mark->base;
    name(out, "serial_bound",
         (struct bounded){base * amdahl_bound(parallel.value), base * amdahl_bound(parallel.lower),
                          base * amdahl_bound(parallel.upper)});
}

static void name_loss(const struct subject *s, const struct language *l, struct selection *out)
{
    const struct efficiency *e = &s->efficiency;
    const struct point *p = s->mark->point;
    out->finding = finding_of(s);
    out->doubtful = e->doubtful;
    out->no_interval = isnan(s->mark->interval.lower);
    selection_number(out, "several", p, s->mark->speedup, s->mark->interval);
    name(out, "used", s->used);
    name(out, "loss", s->loss);
    name(out, "serial", s->serial);
    if (out->finding == doubtful)
        selection_label(out, "suspect", trust_word(TRUST_SUSPECT, l));
    if (out->finding == superlinear)
        name_superlinear(s, out);
    if (out->finding == explained || out->finding == partly)
        name_cause(e, out->finding == explained, out);
    if (out->finding == unexplained) {
        name_bound(s, out);
        name_parts(e, out);
    }
    if (out->finding == unexplained || out->finding == partly)
        name_used_more(e, out);
    if (p->transfer_share > 0.01)
        selection_plain(out, "moved", p->transfer_share);
}

/* Takes the measured speedups, the most workers first. */
static void list_marks(const struct speedup_figure *figure, struct selection *out)
{
    double most = INFINITY;
    while (most > 1.0 && out->listed_count < SELECTION_LISTED) {
        double next = 1.0;
        for (size_t i = 0; i < figure->count; i++) {
            const struct speedup_mark *mark = &figure->marks[i];
            if (!speedup_mark_counts(mark))
                continue;
            if (mark->workers == most)
                selection_list(out, mark->point);
            else if (mark->workers < most)
                next = fmax(next, mark->workers);
        }
        most = next;
    }
}

/* ---- besides --------------------------------------------------------------------------------- */

/* That a program can scale well because it is slow: one worker against the best serial method, and
 * the share of the machine's limit that all reach. */
static void name_rate(const struct subject *s, struct selection *out)
{
    const struct bounded serial = speedup_over_serial(s->figure, s->mark),
                         share = speedup_limit_share(s->analysis, s->mark->point);
    if (serial.lower > 1.0)
        name(out, "over_serial", serial);
    if (share.value > 0.0 && !isnan(share.lower))
        name(out, "limit", share);
}

/* True for the same workers and method as the mark's, on a square image of any size. */
static bool is_other_size(const struct point *p, const struct speedup_mark *mark)
{
    const struct record *r = &p->samples->identity, *s = mark->record;
    return p->speedup[BASELINE_ONE].point >= 0 && p->trust < TRUST_SUSPECT && !p->peer &&
           isfinite(p->size) && r->ranks == s->ranks && r->threads == s->threads &&
           speedup_same_series(r, s) && strcmp(r->platform, s->platform) == 0 &&
           strcmp(r->isa_limit, s->isa_limit) == 0 && strcmp(r->bind, s->bind) == 0 &&
           strcmp(r->pages_asked, s->pages_asked) == 0 && analysis_same_parameters(p, mark->point);
}

/* Pairs of one worker and of the mark's, size by size. */
static struct crossover find_sizes(const struct subject *s)
{
    const struct analysis *a = s->analysis;
    struct crossover sizes = {.pairs = NULL};
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (!is_other_size(p, s->mark))
            continue;
        const struct point *one = &a->points[p->speedup[BASELINE_ONE].point];
        const struct choice first = choice_given(one), second = choice_given(p);
        if (one->trust < TRUST_SUSPECT)
            crossover_add(&sizes, &a->samples, p->size, &first, &second);
    }
    crossover_find(&sizes);
    return sizes;
}

/* From which n on the workers take less time than one, and up to which they take more. */
static void name_sizes(const struct subject *s, struct selection *out)
{
    struct crossover sizes = find_sizes(s);
    if (sizes.known >= 2 && !sizes.lacks_memory && sizes.second < sizes.count)
        selection_count(out, "pays", sizes.pairs[sizes.second].parameters);
    if (sizes.known >= 2 && !sizes.lacks_memory && sizes.first > 0)
        selection_count(out, "costs", sizes.pairs[sizes.first - 1].parameters);
    crossover_release(&sizes);
}

/* The gain over the base, and the time of several workers as a share of the base's. */
static void name_gain(const struct subject *s, const struct language *l, struct selection *out)
{
    const struct speedup_mark *mark = s->mark;
    const struct interval i = mark->interval;
    const double base = mark->base;
    const struct speedup *over =
        base > 1.0 ? &mark->point->over_base : &mark->point->speedup[BASELINE_ONE];
    const struct choice of = choice_given(&s->analysis->points[over->point]),
                        against = choice_given(mark->point);
    struct words words = {""};
    if (base > 1.0) {
        selection_count(out, "base", base);
        message_format(words.text, sizeof words.text, l, " (base: %{base} workers)",
                       WITH({"base", number_text("%.0f", base).text}));
    }
    selection_label(out, "from", words.text);
    selection_ratio(out, base > 1.0 ? "over_base" : "gain", &of, &against,
                    &(struct comparison_of_points){.value = mark->speedup / base,
                                                   .interval = {i.lower / base, i.upper / base}},
                    QUANTITY_TOTAL_RATIO);
    name(out, "time", (struct bounded){base / mark->speedup, base / i.upper, base / i.lower});
}

void speedup_name_gain(const struct speedup_figure *figure, const struct experiment *e,
                       const struct language *l, struct selection *out)
{
    const struct speedup_mark *mark = speedup_figure_leading(figure);
    out->lack =
        figure->count ? NULL : N_("no program was measured both with one worker and with several");
    out->finding = "one";
    if (out->lack)
        return;
    if (mark) {
        const struct subject s = subject_of(figure, mark, &e->analysis);
        name_loss(&s, l, out);
        name_gain(&s, l, out);
        name_rate(&s, out);
        if (mark->base == 1.0 && !figure->weak)
            name_sizes(&s, out);
        if (mark->base == 1.0) /* the table's last column is the speedup over one worker */
            list_marks(figure, out);
    }
    laws_name(figure, mark, &e->analysis, out);
}

void speedup_name_loss(const struct speedup_figure *figure, const struct experiment *e,
                       const struct language *l, struct selection *out)
{
    const struct speedup_mark *mark = speedup_figure_leading(figure);
    if (selection_lacks(out, !mark, N_("no efficiency was measured with several workers")))
        return;
    const struct subject s = subject_of(figure, mark, &e->analysis);
    name_loss(&s, l, out);
    if (s.efficiency.counters == COUNTERS_FORBIDDEN)
        selection_name(out, "not_counted");
    list_marks(figure, out);
}
