/* The speedup figure in words: the gain from several workers, what is lost, and Amdahl's law. */
#include "experiments/analysis/numbers.h"
#include "experiments/analysis/selections/crossover.h"
#include "experiments/analysis/selections/workers.h"
#include "experiments/analysis/speedup/efficiency.h"
#include "experiments/analysis/speedup/scaling.h"
#include "experiments/analysis/speedup/speedup_figure.h"
#include "experiments/report/claims/claims.h"
#include "experiments/report/claims/selected_charts.h"
#include "harness/base/text/messages.h"

#include <math.h>
#include <string.h>

static struct number bound_words(const struct law_line *line, const struct language *l)
{
    return number_bound(l, line->bound, line->bound_interval);
}

static struct interval reversed(struct interval i)
{
    return (struct interval){i.upper, i.lower};
}

/* The serial share that a speedup implies; it falls as the speedup grows. */
static double serial_share(const struct speedup_mark *mark, struct interval *interval)
{
    const struct interval i = reversed(mark->interval);
    *interval =
        (struct interval){speedup_karp_flatt(mark, i.lower), speedup_karp_flatt(mark, i.upper)};
    return speedup_karp_flatt(mark, mark->speedup);
}

/* The share of the workers' time that is lost, whatever the cause: 1 - efficiency. */
static double loss_share(const struct speedup_mark *mark, struct interval *interval)
{
    *interval = (struct interval){1.0 - mark->interval.upper / mark->workers,
                                  1.0 - mark->interval.lower / mark->workers};
    return 1.0 - mark->speedup / mark->workers;
}

/* True if the interval of the loss does not contain 0. If it does, that is no evidence that nothing
 * is lost. */
static bool shows_loss(const struct speedup_mark *mark)
{
    struct interval loss;
    loss_share(mark, &loss);
    return loss.lower > 0.0;
}

/* True if more workers are significantly faster than one, or than the base. */
static bool is_faster(const struct speedup_mark *mark)
{
    return mark->interval.lower > mark->base;
}

/* What the claim is about: a mark, its efficiency and the samples. */
struct subject {
    const struct speedup_figure *figure;
    const struct speedup_mark *mark;
    const struct analysis *analysis;
    struct efficiency efficiency;
};

/* The title's words for a loss with its cause. */
static const char *const lost_to[FACTORS] = {
    N_("%{share} of their time is lost: they wait for the slowest"),
    N_("%{share} of their time is lost in messages"),
    N_("%{share} of their time is lost: processors are idle"),
    N_("%{share} of their time is lost to a lower frequency"),
    N_("%{share} of their time is lost: the memory allows no more"),
    N_("%{share} of their time is lost")};

static void title_loss(struct claim *c, const struct subject *s, const struct language *l)
{
    struct interval i;
    const double loss = loss_share(s->mark, &i);
    const size_t length = strlen(c->title);
    const struct number share = number_answer_share(l, loss, i);
    if (shows_loss(s->mark))
        message_format(
            c->title + length, sizeof c->title - length, l,
            lost_to[s->efficiency.loss == LOSS_EXPLAINED ? s->efficiency.cause : FACTOR_REST],
            WITH({"share", share.text}));
    else if (s->efficiency.loss == LOSS_NEGATIVE)
        message_format(c->title + length, sizeof c->title - length, l,
                       "more than their number would give", NULL);
    else
        message_format(c->title + length, sizeof c->title - length, l,
                       "at most %{share} of their time is lost",
                       WITH({"share", number_percent(l, fmax(0.0, i.upper)).text}));
}

static void title_speedup(struct claim *c, const struct subject *s, const struct language *l)
{
    const struct speedup_mark *mark = s->mark;
    if (!is_faster(mark)) {
        claim_title(c, l, "%{method}: no speedup is seen with %{workers}",
                    WITH({"workers", words_workers(mark->point, l).text},
                         {"method", words_method(mark->point).text}));
        return;
    }
    claim_title(c, l, "%{method} is %{times} times as fast with %{workers}; ",
                WITH({"workers", words_workers(mark->point, l).text},
                     {"method", words_method(mark->point).text},
                     {"times", number_brief(l, mark->speedup, mark->interval).text}));
    title_loss(c, s, l);
}

/* Says in the title what speedups are counted from, if that is no single worker. */
static void title_base(struct claim *c, const struct speedup_mark *mark, const struct language *l)
{
    const size_t length = strlen(c->title);
    if (mark->base > 1.0)
        message_format(c->title + length, sizeof c->title - length, l, " (base: %{base} workers)",
                       WITH({"base", number_text("%.0f", mark->base).text}));
}

/* ---- what is lost, and where it went --------------------------------------------------------- */

/* What a factor alone makes of the workers' time, as a cause and as a part. */
static const char *const cause_words[FACTOR_REST] = {
    N_(" The workers wait for the slowest of them: that alone loses %{share}."),
    N_(" Messages and starting the ranks take %{share} more of the time than with the base."),
    N_(" The processors are idle for %{share} more of the workers' time than with the base: parts "
       "of the program are serial, or its work is uneven."),
    N_(" The processors run at a lower frequency: that alone loses %{share}."),
    N_(" The memory delivers no more to so many workers, as its measured bandwidth shows: that "
       "alone loses %{share}.")};
static const char *const part_words[FACTOR_REST] = {
    N_(" Waiting for the slowest worker is a loss of %{share}."),
    N_(" Messages are a loss of %{share}."), N_(" Idle processors are a loss of %{share}."),
    N_(" A lower frequency is a loss of %{share}."),
    N_(" The memory's bandwidth allows no loss below %{share}.")};

/* A factor that holds the larger part of a loss. */
static const char *const mostly_words[FACTOR_REST] = {
    N_(" Waiting for the slowest worker accounts for %{share} of that; the cause of the rest was "
       "not measured."),
    N_(" Messages account for %{share} of that; the cause of the rest was not measured."),
    N_(" Idle processors, by serial parts or uneven work, account for %{share} of that; the cause "
       "of the rest was not measured."),
    N_(" A lower frequency accounts for %{share} of that; the cause of the rest was not measured."),
    N_(" The memory's bandwidth accounts for %{share} of that; the cause of the rest was not "
       "measured.")};

static struct number factor_loss(const struct efficiency *e, enum factor k,
                                 const struct language *l)
{
    const struct bounded f = e->factors[k];
    return number_answer_share(l, 1.0 - f.value, (struct interval){1.0 - f.upper, 1.0 - f.lower});
}

/* The factors that are seen to lose a part of at least 1 %, where none explains the whole. */
static void describe_parts(struct claim *c, const struct efficiency *e, const struct language *l)
{
    for (enum factor k = 0; k < FACTOR_REST; k++)
        if (factor_is_loss(e->factors[k]) && e->factors[k].value < 0.99)
            claim_say(c, l, part_words[k], WITH({"share", factor_loss(e, k, l).text}));
}

/* What a program of another uses more than its base, where that is seen. */
static void describe_processor_time(struct claim *c, const struct efficiency *e,
                                    const struct language *l)
{
    const struct bounded more = e->processor_time;
    if (more.lower > 1.0)
        claim_say(c, l, " All workers together use %{share} more processor time than the base.",
                  WITH({"share",
                        number_answer_share(l, more.value - 1.0,
                                            (struct interval){more.lower - 1.0, more.upper - 1.0})
                            .text}));
}

/* What splits the rest, where that is seen: more instructions, or each took longer. */
static void describe_counted(struct claim *c, const struct efficiency *e, const struct language *l)
{
    const struct bounded more = e->instructions, rate = e->per_cycle;
    if (factor_is_loss(more))
        claim_say(c, l, " All workers together execute %{share} more instructions than the base.",
                  WITH({"share", number_answer_share(l, 1.0 / more.value - 1.0,
                                                     (struct interval){1.0 / more.upper - 1.0,
                                                                       1.0 / more.lower - 1.0})
                                     .text}));
    if (factor_is_loss(rate))
        claim_say(c, l,
                  e->factors[FACTOR_MEMORY].value < 1.0
                      ? N_(" Beyond what the memory explains, an instruction takes %{share} more "
                           "cycles than with the base.")
                      : N_(" An instruction takes %{share} more cycles than with the base."),
                  WITH({"share", number_answer_share(l, 1.0 / rate.value - 1.0,
                                                     (struct interval){1.0 / rate.upper - 1.0,
                                                                       1.0 / rate.lower - 1.0})
                                     .text}));
}

static void describe_partly(struct claim *c, const struct efficiency *e, const struct language *l)
{
    const struct interval ends = {e->part.lower, fmin(1.0, e->part.upper)};
    claim_say(c, l, mostly_words[e->cause],
              WITH({"share", number_answer_share(l, e->part.value, ends).text}));
    describe_processor_time(c, e, l);
    describe_counted(c, e, l);
}

/* A cause is named only if it was measured and explains the loss: the serial fraction is what the
 * loss would mean if nothing else caused it. */
static void describe_unexplained(struct claim *c, const struct subject *s, const struct language *l)
{
    struct interval serial, lost;
    const struct speedup_mark *mark = s->mark;
    const double share = serial_share(mark, &serial), loss = loss_share(mark, &lost);
    const struct law_line line = {
        .bound = mark->base * amdahl_bound(1.0 - share),
        .bound_interval = {mark->base * amdahl_bound(1.0 - serial.upper),
                           mark->base * amdahl_bound(1.0 - serial.lower)}};
    claim_say(c, l,
              " The loss is %{loss} of the workers' time; its cause was not measured. A serial "
              "fraction of %{share} would explain it (Karp-Flatt); Amdahl's bound would then be "
              "%{bound}.",
              WITH({"loss", number_answer_share(l, loss, lost).text},
                   {"share", number_answer_share(l, share, serial).text},
                   {"bound", bound_words(&line, l).text}));
    describe_parts(c, &s->efficiency, l);
    describe_processor_time(c, &s->efficiency, l);
    describe_counted(c, &s->efficiency, l);
}

static void describe_superlinear(struct claim *c, const struct subject *s, const struct language *l)
{
    const char *cache = efficiency_cache(s->analysis, s->mark->point);
    claim_say(c, l, " The speedup is superlinear: its whole interval lies above %{workers}.",
              WITH({"workers", number_text("%.0f", s->mark->workers).text}));
    if (*cache && !s->efficiency.doubtful)
        claim_say(c, l, " Image and map fit the %{cache} of so many workers, and not that of one.",
                  WITH({"cache", cache}));
    else
        claim_say(c, l, " Why was not measured.", NULL);
}

/* What SUSPECT times show: a loss, and nothing about it. */
static void describe_doubtful(struct claim *c, const struct subject *s, const struct language *l)
{
    struct interval lost;
    const double loss = loss_share(s->mark, &lost);
    claim_say(c, l,
              " By these times, which are %{doubt}, the loss is %{loss} of the workers' time; "
              "nothing follows about its cause.",
              WITH({"doubt", trust_word(TRUST_SUSPECT, l)},
                   {"loss", number_answer_share(l, loss, lost).text}));
}

static void describe_loss(struct claim *c, const struct subject *s, const struct language *l)
{
    const struct efficiency *e = &s->efficiency;
    struct interval serial, lost;
    serial_share(s->mark, &serial);
    const double loss = loss_share(s->mark, &lost);
    if (!is_faster(s->mark)) {
        claim_say(c, l, " No speedup is seen: the interval contains 1 or lies below it.", NULL);
    } else if (e->loss == LOSS_NEGATIVE || (e->doubtful && lost.upper < 0.0)) {
        describe_superlinear(c, s, l);
    } else if (!shows_loss(s->mark)) {
        claim_say(c, l,
                  " The loss is between nothing and %{loss} of the workers' time (Karp-Flatt: a "
                  "serial fraction of at most %{share}).",
                  WITH({"loss", number_percent(l, fmax(0.0, lost.upper)).text},
                       {"share", number_percent(l, fmax(0.0, serial.upper)).text}));
    } else if (e->doubtful) {
        describe_doubtful(c, s, l);
    } else if (e->loss == LOSS_EXPLAINED || e->loss == LOSS_PARTLY) {
        claim_say(c, l, " The loss is %{loss} of the workers' time.",
                  WITH({"loss", number_answer_share(l, loss, lost).text}));
        if (e->loss == LOSS_PARTLY)
            describe_partly(c, e, l);
        else
            claim_say(c, l, cause_words[e->cause],
                      WITH({"share", factor_loss(e, e->cause, l).text}));
    } else {
        describe_unexplained(c, s, l);
    }
    if (s->mark->point->transfer_share > 0.01)
        claim_say(c, l, " Messages take %{share} of the total.",
                  WITH({"share", number_percent(l, s->mark->point->transfer_share).text}));
}

/* That a program can scale well because it is slow: one worker against the best serial method, and
 * the share of the machine's limit that all reach. */
static void describe_rate(struct claim *c, const struct subject *s, const struct language *l)
{
    const struct bounded serial = speedup_over_serial(s->figure, s->mark);
    const struct bounded share = speedup_limit_share(s->analysis, s->mark->point);
    if (serial.lower > 1.0)
        claim_say(c, l,
                  " One worker takes %{times} times as long as the best serial method: a speedup "
                  "below that gains nothing over it.",
                  WITH({"times", number_answer(l, serial.value,
                                               (struct interval){serial.lower, serial.upper})
                                     .text}));
    if (share.value > 0.0 && !isnan(share.lower))
        claim_say(c, l, " All workers reach %{share} of this machine's limit.",
                  WITH({"share", number_answer_share(l, share.value,
                                                     (struct interval){share.lower, share.upper})
                                     .text}));
}

static void describe_product(struct claim *c, const struct speedup_figure *figure,
                             const struct speedup_mark *mark, const struct language *l)
{
    const struct law_line *line = &figure->laws[LAW_PRODUCT];
    if (!line->drawn)
        return;
    claim_say(c, l,
              " In serial %{method}, the product takes the fraction f = %{share} of the compute "
              "time; if only the product ran in parallel, Amdahl's bound would be %{bound}",
              WITH({"share", number_justified(l, line->share, line->interval).text},
                   {"method", method_of(figure->product)}, {"bound", bound_words(line, l).text}));
    if (mark && speedup_exceeds_product(figure, mark))
        claim_say(
            c, l,
            "; the workers also share the other stages, so the measured speedup exceeds that law",
            NULL);
    claim_add(c, ".");
}

static void describe_fit(struct claim *c, const struct speedup_figure *figure,
                         const struct language *l)
{
    const struct law_line *line = &figure->laws[LAW_FITTED];
    if (line->drawn)
        claim_say(c, l,
                  " Amdahl's law fitted to %{counts} worker counts: f = %{share}, bound %{bound}.",
                  WITH({"counts",
                        number_text("%zu", figure->fitted->fits[METRIC_TOTAL][0].distinct).text},
                       {"share", number_justified(l, line->share, line->interval).text},
                       {"bound", bound_words(line, l).text}));
    else
        claim_say_plural(c, l,
                         " Amdahl's law is not fitted: that needs three worker counts up to the "
                         "number of cores, and there is %{counts}.",
                         " Amdahl's law is not fitted: that needs three worker counts up to the "
                         "number of cores, and there are %{counts}.",
                         (int64_t)figure->counts,
                         WITH({"counts", number_text("%zu", figure->counts).text}));
}

/* Takes the measured speedups, the most workers first. */
static void take_rows(const struct speedup_figure *figure, struct claim *c)
{
    double most = INFINITY;
    while (most > 1.0 && c->count < CLAIM_ROWS) {
        double next = 1.0;
        for (size_t i = 0; i < figure->count; i++) {
            const struct speedup_mark *mark = &figure->marks[i];
            if (!speedup_mark_counts(mark))
                continue;
            if (mark->workers == most)
                evidence_add(c->rows, &c->count, CLAIM_ROWS, mark->point);
            else if (mark->workers < most)
                next = fmax(next, mark->workers);
        }
        most = next;
    }
}

static const char *const plain_causes[FACTOR_REST] = {
    N_(" The others wait for the slowest worker."), N_(" A part of their time goes into messages."),
    N_(" Their processors are idle for a part of the time."),
    N_(" Their processors run more slowly when all of them work."),
    N_(" They share one memory, which delivers no more.")};

/* A share in plain words: "about 48 %", "between 42 and 70 %". */
static struct number rough_share(const struct language *l, double share, struct interval interval)
{
    const struct interval percent = {100.0 * interval.lower, 100.0 * interval.upper};
    return number_text("%s %%", number_roughly(l, 100.0 * share, percent).text);
}

/* The time of the mark's workers as a share of that of its base. */
static struct number time_share(const struct speedup_mark *mark, const struct language *l)
{
    const struct interval share = {mark->base / mark->interval.upper,
                                   mark->base / mark->interval.lower};
    return rough_share(l, mark->base / mark->speedup, share);
}

static void explain_several(struct claim *c, const struct subject *s, const struct language *l)
{
    const struct speedup_mark *mark = s->mark;
    if (mark->base > 1.0)
        claim_plain(c, l, "%{workers} need %{share} of the time that %{base} need.",
                    WITH({"workers", words_workers(mark->point, l).text},
                         {"share", time_share(mark, l).text},
                         {"base", number_text("%.0f", mark->base).text}));
    else
        claim_plain(c, l, "%{workers} need %{share} of the time that one needs alone.",
                    WITH({"workers", words_workers(mark->point, l).text},
                         {"share", time_share(mark, l).text}));
    if (!is_faster(mark))
        claim_plain(c, l, " The difference may be chance, or they are slower.", NULL);
    else if (!shows_loss(mark))
        claim_plain(c, l,
                    " These times do not show whether the workers lose time; more of them may "
                    "bring more.",
                    NULL);
    else if (s->efficiency.loss == LOSS_EXPLAINED || s->efficiency.loss == LOSS_PARTLY)
        claim_plain(c, l, plain_causes[s->efficiency.cause], NULL);
    else
        claim_plain(c, l, " The workers lose a part of their time; these times do not show where.",
                    NULL);
    if (shows_loss(mark) && is_faster(mark) && s->efficiency.loss == LOSS_PARTLY)
        claim_plain(c, l, " That is the larger part of what they lose, and not all.", NULL);
}

/* The gain over the base, of which nothing says how fast it is. */
static void describe_over_base(struct claim *c, const struct speedup_mark *mark,
                               const struct language *l)
{
    const struct interval i = {mark->interval.lower / mark->base,
                               mark->interval.upper / mark->base};
    claim_say(c, l,
              "With %{workers}, %{method} is %{times} times as fast as with %{base} workers of the "
              "same program (total time, %{problem}). These %{base} count as %{base} times as fast "
              "as one, which was not measured: the speedup is then %{speedup}, and the efficiency "
              "%{share}. Serial fractions are of the time of %{base} workers.",
              WITH({"workers", words_workers(mark->point, l).text},
                   {"method", words_method(mark->point).text},
                   {"times", number_answer(l, mark->speedup / mark->base, i).text},
                   {"base", number_text("%.0f", mark->base).text},
                   {"problem", words_problem(mark->point, l).text},
                   {"speedup", number_answer(l, mark->speedup, mark->interval).text},
                   {"share", number_percent(l, mark->speedup / mark->workers).text}));
}

static void describe_over_one(struct claim *c, const struct speedup_mark *mark,
                              const struct language *l)
{
    const struct interval share = {mark->interval.lower / mark->workers,
                                   mark->interval.upper / mark->workers};
    claim_say(c, l,
              "With %{workers}, %{method} is %{times} times as fast as with one worker of the same "
              "program (total time, %{problem}): an efficiency of %{share}.",
              WITH({"workers", words_workers(mark->point, l).text},
                   {"method", words_method(mark->point).text},
                   {"times", number_answer(l, mark->speedup, mark->interval).text},
                   {"problem", words_problem(mark->point, l).text},
                   {"share", number_answer_share(l, mark->speedup / mark->workers, share).text}));
}

/* ---- from which size several workers pay ----------------------------------------------------- */

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

static struct number size_at(const struct crossover *sizes, size_t i)
{
    return number_text("%.0f", sizes->pairs[i].parameters);
}

/* Says from which n on the workers take less time than one, among the sizes that were measured. */
static void describe_sizes(struct claim *c, const struct subject *s, const struct language *l)
{
    struct crossover sizes = find_sizes(s);
    if (sizes.known >= 2 && !sizes.lacks_memory && sizes.second < sizes.count)
        claim_say(c, l,
                  " Of the sizes measured, so many workers take less time than one from "
                  "n = %{size} on.",
                  WITH({"size", size_at(&sizes, sizes.second).text}));
    if (sizes.known >= 2 && !sizes.lacks_memory && sizes.first > 0)
        claim_say(c, l, " Up to n = %{size} they take more.",
                  WITH({"size", size_at(&sizes, sizes.first - 1).text}));
    crossover_release(&sizes);
}

static void describe_several(struct claim *c, const struct subject *s, const struct language *l)
{
    const bool of_one = s->mark->base == 1.0;
    title_speedup(c, s, l);
    title_base(c, s->mark, l);
    (of_one ? describe_over_one : describe_over_base)(c, s->mark, l);
    describe_loss(c, s, l);
    describe_rate(c, s, l);
    if (of_one && !s->figure->weak)
        describe_sizes(c, s, l);
    explain_several(c, s, l);
    c->doubtful = s->efficiency.doubtful;
    c->against = AGAINST_ONE_WORKER;
    if (of_one) /* the rows' last column is the speedup over one worker */
        take_rows(s->figure, c);
}

/* With one worker only, the law still shows the bound. */
static void describe_one(struct claim *c, const struct speedup_figure *figure,
                         const struct language *l)
{
    const struct law_line *line = &figure->laws[LAW_PRODUCT];
    if (line->drawn)
        claim_title(c, l, "Only one worker was measured; Amdahl's bound is %{bound}",
                    WITH({"bound", bound_words(line, l).text}));
    else
        claim_title(c, l, "Only one worker was measured", NULL);
    claim_say(c, l, "Only one worker was measured, so there is no speedup yet.", NULL);
    claim_plain(c, l, "A speedup compares several workers with one: measure two workers or more.",
                NULL);
}

void claim_speedup(const struct experiment *e, const struct language *l, struct claim *c)
{
    struct speedup_figure figure;
    struct failure why = {0};
    if (speedup_figure_make(&figure, &e->analysis, &e->forecasts, e->request.machine, false,
                            &why) != STATUS_OK ||
        figure.count == 0) {
        claim_refuse(c, l, "no program was measured both with one worker and with several");
        return;
    }
    const struct speedup_mark *mark = speedup_figure_leading(&figure);
    if (mark)
        describe_several(c,
                         &(struct subject){&figure, mark, &e->analysis,
                                           efficiency_of(&figure, &e->analysis, mark)},
                         l);
    else
        describe_one(c, &figure, l);
    describe_product(c, &figure, mark, l);
    claim_say_product_alone(c, &e->analysis, &figure, l);
    describe_fit(c, &figure, l);
    speedup_figure_release(&figure);
}

/* ---- where the efficiency went --------------------------------------------------------------- */

/* Its factors in a chart of their own, below the figure. */
void claim_efficiency(const struct experiment *e, const struct language *l, struct claim *c)
{
    struct speedup_figure figure;
    struct failure why = {0};
    if (speedup_figure_make(&figure, &e->analysis, &e->forecasts, e->request.machine, false,
                            &why) != STATUS_OK) {
        claim_refuse(c, l, "not enough memory");
        return;
    }
    const struct speedup_mark *mark = speedup_figure_leading(&figure);
    if (!mark) {
        claim_refuse(c, l, "no efficiency was measured with several workers");
        speedup_figure_release(&figure);
        return;
    }
    const struct subject s = {&figure, mark, &e->analysis,
                              efficiency_of(&figure, &e->analysis, mark)};
    c->doubtful = s.efficiency.doubtful;
    claim_title(c, l, "%{method} with %{workers}: where the efficiency went",
                WITH({"method", words_method(mark->point).text},
                     {"workers", words_workers(mark->point, l).text}));
    claim_say(
        c, l, "Of the time of %{workers}, %{method} uses %{share}.",
        WITH({"workers", words_workers(mark->point, l).text},
             {"method", words_method(mark->point).text},
             {"share", number_answer_share(l, mark->speedup / mark->workers,
                                           (struct interval){mark->interval.lower / mark->workers,
                                                             mark->interval.upper / mark->workers})
                           .text}));
    describe_loss(c, &s, l);
    if (s.efficiency.counters == COUNTERS_FORBIDDEN)
        claim_say(c, l,
                  " Instructions were not counted: an administrator must allow it by 'sysctl "
                  "kernel.perf_event_paranoid=2'.",
                  NULL);
    take_rows(&figure, c);
    speedup_figure_release(&figure);
}

/* The sentences are those of a claim_function. */
static const struct speedup_parameters strong = {.weak = false};
static const struct form speedup_form = {
    .name = "speedup",
    .panels = {{NULL, NULL, N_("speedup"), "%g", AXIS_LOG, AXIS_LINEAR, .level = 0.0}},
};
const struct selected_chart speedup_chart = {select_speedup, &strong, &speedup_form, NULL};
