/* The speedup figure in words: the gain from several workers, what is lost, and Amdahl's law. */
#include "experiments/analysis/numbers.h"
#include "experiments/analysis/speedup/scaling.h"
#include "experiments/analysis/speedup/speedup_figure.h"
#include "experiments/common/text/messages.h"
#include "experiments/report/claims/claims.h"

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

static void title_speedup(struct claim *c, const struct speedup_mark *mark,
                          const struct language *l)
{
    struct interval i;
    const double loss = loss_share(mark, &i);
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
    const size_t length = strlen(c->title);
    if (shows_loss(mark))
        message_format(c->title + length, sizeof c->title - length, l,
                       "%{share} of their time is lost",
                       WITH({"share", number_answer_share(l, loss, i).text}));
    else
        message_format(c->title + length, sizeof c->title - length, l,
                       "at most %{share} of their time is lost",
                       WITH({"share", number_percent(l, fmax(0.0, i.upper)).text}));
}

/* Says in the title what speedups are counted from, if that is no single worker. */
static void title_base(struct claim *c, const struct speedup_mark *mark, const struct language *l)
{
    const size_t length = strlen(c->title);
    if (mark->base > 1.0)
        message_format(c->title + length, sizeof c->title - length, l, " (base: %{base} workers)",
                       WITH({"base", number_text("%.0f", mark->base).text}));
}

/* Adds what is lost, and messages if they take a share. A cause is named only if it was measured:
 * the serial fraction is what the loss would mean if nothing else caused it. */
static void describe_loss(struct claim *c, const struct speedup_mark *mark,
                          const struct language *l)
{
    struct interval serial, lost;
    const double share = serial_share(mark, &serial), loss = loss_share(mark, &lost);
    const double moved = mark->point->transfer_share;
    if (!is_faster(mark)) {
        claim_say(c, l, " No speedup is seen: the interval contains 1 or lies below it.", NULL);
    } else if (!shows_loss(mark)) {
        claim_say(c, l,
                  " The loss is between nothing and %{loss} of the workers' time (Karp-Flatt: a "
                  "serial fraction of at most %{share}).",
                  WITH({"loss", number_percent(l, fmax(0.0, lost.upper)).text},
                       {"share", number_percent(l, fmax(0.0, serial.upper)).text}));
    } else {
        const struct law_line line = {
            .bound = mark->base * amdahl_bound(1.0 - share),
            .bound_interval = {mark->base * amdahl_bound(1.0 - serial.upper),
                               mark->base * amdahl_bound(1.0 - serial.lower)}};
        claim_say(
            c, l,
            " The loss is %{loss} of the workers' time; its cause was not measured. A serial "
            "fraction of %{share} would explain it (Karp-Flatt); Amdahl's bound would then be "
            "%{bound}.",
            WITH({"loss", number_answer_share(l, loss, lost).text},
                 {"share", number_answer_share(l, share, serial).text},
                 {"bound", bound_words(&line, l).text}));
    }
    if (moved > 0.01)
        claim_say(c, l, " Messages take %{share} of the total.",
                  WITH({"share", number_percent(l, moved).text}));
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

static void explain_several(struct claim *c, const struct speedup_mark *mark,
                            const struct language *l)
{
    if (mark->base > 1.0)
        claim_plain(c, l, "%{workers} need about %{share} of the time that %{base} need.",
                    WITH({"workers", words_workers(mark->point, l).text},
                         {"share", number_percent(l, mark->base / mark->speedup).text},
                         {"base", number_text("%.0f", mark->base).text}));
    else
        claim_plain(c, l, "%{workers} need about %{share} of the time that one needs alone.",
                    WITH({"workers", words_workers(mark->point, l).text},
                         {"share", number_percent(l, 1.0 / mark->speedup).text}));
    if (!is_faster(mark))
        claim_plain(c, l, " The difference may be due to chance, or they are slower.", NULL);
    else if (!shows_loss(mark))
        claim_plain(c, l,
                    " These times do not show whether the workers lose time; more of them may "
                    "bring more.",
                    NULL);
    else
        claim_plain(c, l,
                    " The workers lose a part of their time: in serial parts, by waiting, or "
                    "because they share memory. These times do not show which.",
                    NULL);
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
    claim_say(c, l,
              "With %{workers}, %{method} is %{times} times as fast as with one worker of the same "
              "program (total time, %{problem}): an efficiency of %{share}.",
              WITH({"workers", words_workers(mark->point, l).text},
                   {"method", words_method(mark->point).text},
                   {"times", number_answer(l, mark->speedup, mark->interval).text},
                   {"problem", words_problem(mark->point, l).text},
                   {"share", number_percent(l, mark->speedup / mark->workers).text}));
}

static void describe_several(struct claim *c, const struct speedup_figure *figure,
                             const struct speedup_mark *mark, const struct language *l)
{
    const bool of_one = mark->base == 1.0;
    title_speedup(c, mark, l);
    title_base(c, mark, l);
    (of_one ? describe_over_one : describe_over_base)(c, mark, l);
    describe_loss(c, mark, l);
    explain_several(c, mark, l);
    c->against = AGAINST_ONE_WORKER;
    if (of_one) /* the rows' last column is the speedup over one worker */
        take_rows(figure, c);
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
        describe_several(c, &figure, mark, l);
    else
        describe_one(c, &figure, l);
    describe_product(c, &figure, mark, l);
    claim_say_product_alone(c, &e->analysis, &figure, l);
    describe_fit(c, &figure, l);
    speedup_figure_release(&figure);
}
