#include "experiments/commands/speedup_table.h"
#include "harness/base/text/messages.h"

#include "experiments/analysis/numbers.h"
#include "experiments/analysis/selections/evidence.h"
#include "experiments/analysis/selections/workers/workers.h"
#include "experiments/analysis/speedup/efficiency.h"
#include "experiments/analysis/speedup/scaling.h"
#include "experiments/common/output.h"
#include "experiments/common/text/wrap.h"
#include "experiments/report/page/format.h"
#include "experiments/report/report.h"
#include "experiments/samples/point.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/language.h"
#include "harness/base/text/screen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 7 };
static const int widths[COLUMNS] = {12, 22, 22, 19, 16, 16, 19};

/* Prints one line: the first two columns left-aligned, numbers right-aligned. The first column has
 * `first` letters. */
static void print_cells(const char *const cells[COLUMNS], int first)
{
    for (int i = 0; i < COLUMNS; i++) {
        if (i < 2)
            screen_left(stdout, cells[i], i == 0 ? first : widths[i]);
        else
            screen_right(stdout, cells[i], widths[i]);
    }
    putchar('\n');
}

/* The speedup, in brackets if workers share cores. */
static struct number speedup_text(const struct speedup_mark *mark, const struct language *l)
{
    struct number n;
    if (!mark->beyond)
        return number_ratio(l, mark->speedup, mark->interval);
    text_fit_format(n.text, sizeof n.text, "(%s)", number_plain(l, mark->speedup).text);
    return n;
}

/* Writes "1 thread" or "2 ranks, simulated". */
static void put_workers(char *text, size_t size, const struct speedup_mark *mark,
                        const struct language *l)
{
    const char *simulated = mark->source == SPEEDUP_SIMULATED ? message(l, ", simulated") : "";
    if (mark->workers > 1.0)
        text_fit_format(text, size, "%s%s", words_workers(mark->point, l).text, simulated);
    else if (worker_kind_of(mark->record) == WORKERS_RANKS)
        snprintf(text, size, "%s%s", message(l, "1 rank"), simulated);
    else
        snprintf(text, size, "%s%s", message(l, "1 thread"), simulated);
}

/* The texts of a row: one of a mark, or the header. */
struct table_row {
    char cells[COLUMNS][160];
};

/* The efficiency, and the serial fraction that the speedup implies, each with the ends that follow
 * from the speedup's; "-" if workers share cores. */
static struct number efficiency_text(const struct speedup_mark *mark, const struct language *l)
{
    const double workers = mark->workers;
    return number_share(
        l, mark->beyond ? (double)NAN : mark->speedup / workers,
        (struct interval){mark->interval.lower / workers, mark->interval.upper / workers});
}

/* The serial fraction of Karp and Flatt, which lies between 0 and 1; "-" where there is none. */
static struct number serial_text(const struct speedup_mark *mark, const struct language *l)
{
    const struct bounded ends = speedup_karp_flatt(mark);
    const double share = mark->beyond ? (double)NAN : ends.value;
    const bool known = isfinite(ends.lower) && isfinite(ends.upper);
    const double least = known ? ends.lower : share, most = known ? ends.upper : share;
    if (isnan(share) || most < 0.0 || least > 1.0) /* beyond ideal, or slower: no fraction */
        return number_share(l, (double)NAN, no_interval);
    const struct interval inside = {fmax(ends.lower, 0.0), fmin(ends.upper, 1.0)};
    return number_share(l, fmin(fmax(share, 0.0), 1.0), known ? inside : no_interval);
}

/* The speedup by the law of the mark's own series; "-" without one. */
static struct number law_text(const struct speedup_figure *figure, const struct speedup_mark *mark,
                              const struct language *l)
{
    const struct law_line *line = &mark->law;
    if (!line->drawn)
        return number_plain(l, (double)NAN);
    return number_ratio(
        l, speedup_by_law(figure, line->share, mark->workers),
        (struct interval){speedup_by_law(figure, line->interval.lower, mark->workers),
                          speedup_by_law(figure, line->interval.upper, mark->workers)});
}

static struct table_row row_of(const struct speedup_figure *figure, const struct speedup_mark *mark,
                               const struct language *l)
{
    const struct number seconds = number_estimate(l, &mark->point->seconds[METRIC_TOTAL]),
                        speedup = speedup_text(mark, l), efficiency = efficiency_text(mark, l),
                        serial = serial_text(mark, l), law = law_text(figure, mark, l);
    struct table_row row;
    put_workers(row.cells[1], sizeof row.cells[1], mark, l);
    text_fit(row.cells[0], sizeof row.cells[0], worker_method(mark->record, l).text);
    const char *const texts[COLUMNS] = {row.cells[0],    row.cells[1],
                                        seconds.text,    speedup.text,
                                        efficiency.text, figure->weak ? "-" : serial.text,
                                        law.text};
    for (int i = 0; i < COLUMNS; i++)
        if (texts[i] != row.cells[i])
            text_fit(row.cells[i], sizeof row.cells[i], texts[i]);
    return row;
}

static void name_columns(const struct speedup_figure *figure, const struct language *l,
                         const char *names[COLUMNS])
{
    const char *const texts[COLUMNS] = {message(l, "method"),
                                        message(l, "workers"),
                                        message(l, "total time"),
                                        message(l, "speedup"),
                                        message(l, "efficiency"),
                                        "Karp-Flatt",
                                        figure->weak ? "Gustafson" : "Amdahl"};
    memcpy(names, texts, sizeof texts);
}

/* Letters of the first column: those of the longest method, and a gap. */
static int first_width(const struct speedup_figure *figure, const struct language *l)
{
    int most = widths[0];
    for (size_t i = 0; i < figure->count; i++) {
        const struct speedup_mark *mark = &figure->marks[i];
        const int letters = mark->source == SPEEDUP_PREDICTED
                                ? 0
                                : screen_columns(row_of(figure, mark, l).cells[0]);
        most = letters + 2 > most ? letters + 2 : most;
    }
    return most;
}

static void print_mark(const struct speedup_figure *figure, const struct speedup_mark *mark,
                       const struct language *l, int first)
{
    const struct table_row row = row_of(figure, mark, l);
    const char *texts[COLUMNS];
    for (int i = 0; i < COLUMNS; i++)
        texts[i] = row.cells[i];
    print_cells(texts, first);
}

/* What speedups over several workers are: both for the table's text and its caption. */
void speedup_table_base(const struct speedup_figure *figure, const struct language *l, char *text,
                        size_t size)
{
    text[0] = '\0';
    if (figure->base > 1.0)
        message_format(text, size, l,
                       "Speedups are over %{base} workers, which count as %{base} times as fast as "
                       "one; serial fractions are of their time.",
                       WITH({"base", number_text("%.0f", figure->base).text}));
}

void speedup_table_law(const struct speedup_figure *figure, const struct language *l,
                       char text[LAW_TEXT])
{
    bool product = false, fitted = false, none = false;
    const char *name = figure->weak ? "Gustafson" : "Amdahl";
    for (size_t i = 0; i < figure->count; i++) {
        const bool own = figure->product && figure->laws[LAW_PRODUCT].drawn &&
                         strcmp(figure->marks[i].record->method, method_of(figure->product)) == 0;
        product = product || (figure->marks[i].law.drawn && own);
        fitted = fitted || (figure->marks[i].law.drawn && !own);
        none = none || !figure->marks[i].law.drawn;
    }
    text[0] = '\0';
    if (figure->laws[LAW_GIVEN].drawn)
        message_format(
            text, LAW_TEXT, l, "%{law}: for the given f = %{share}.",
            WITH({"law", name}, {"share", number_in(l, "%g", figure->laws[LAW_GIVEN].share).text}));
    else if (product)
        message_format(
            text, LAW_TEXT, l,
            fitted ? N_("%{law}: for %{method} by the product's share of the compute "
                        "time with one worker; for others by a fit to their own worker counts.")
            : none ? N_("%{law}: for %{method} by the product's share of the compute "
                        "time with one worker; others have too few worker counts for a fit.")
                   : N_("%{law}: by the product's share of the compute time with one "
                        "worker."),
            WITH({"law", name}, {"method", method_of(figure->product)}));
    else if (fitted)
        message_format(text, LAW_TEXT, l, "%{law}: by a fit to the worker counts of each series.",
                       WITH({"law", name}));
}

static void print_legend(const struct speedup_figure *figure, const struct language *l)
{
    char base[BASE_TEXT], law[LAW_TEXT];
    speedup_table_base(figure, l, base, sizeof base);
    if (base[0])
        wrap_print("", "", base, "");
    speedup_table_law(figure, l, law);
    if (law[0])
        wrap_print("", "", law, "");
    bool beyond = false;
    for (size_t i = 0; i < figure->count; i++)
        beyond = beyond || figure->marks[i].beyond;
    if (beyond)
        printf("%s\n", message(l, "(In brackets: more workers than cores. Waiting is part of the "
                                  "time, and the ratio is no speedup.)"));
}

/* ---- trust ----------------------------------------------------------------------------------- */

/* How many points have a cause of doubt, and the worst of its reasons. */
struct doubt {
    size_t points;
    const struct reason *worst;
};

/* Counts the causes of doubt of a point; causes that are mere notes are skipped. */
static void count_doubts(struct doubt doubts[CAUSES], const struct point *p)
{
    for (size_t i = 0; i < p->reason_count; i++) {
        const struct reason *why = &p->reasons[i];
        struct doubt *doubt = &doubts[why->kind];
        if (why->trust == TRUST_PRECISE)
            continue;
        doubt->points++;
        if (!doubt->worst || why->amount > doubt->worst->amount)
            doubt->worst = why;
    }
}

/* Writes "SUSPECT: times in two modes, 2 points (measure at a quieter hour)". */
static void describe_doubt(const struct doubt *doubt, const struct language *l,
                           enum sample_source source, char *text, size_t size)
{
    const struct reason *why = doubt->worst;
    message_fill(text, size,
                 message_plural(l, "%{status}: %{cause}, %{points} point (%{remedy})",
                                "%{status}: %{cause}, %{points} points (%{remedy})", doubt->points),
                 WITH({"status", reason_word(why, l)}, {"cause", reason_name(why, l)},
                      {"points", number_of(doubt->points).text},
                      {"remedy", reason_remedy(why, l, source).text}));
}

/* Counts the points of a figure by trust, and their causes of doubt. */
static void count_trust(const struct speedup_figure *figure, size_t trusted[TRUSTS],
                        struct doubt doubts[CAUSES])
{
    for (size_t i = 0; i < figure->count; i++)
        if (figure->marks[i].point) {
            trusted[figure->marks[i].point->trust]++;
            count_doubts(doubts, figure->marks[i].point);
        }
}

static enum sample_source source_of(const struct speedup_figure *figure, const struct experiment *e)
{
    return figure->count ? experiment_source(e, figure->marks[0].record) : SOURCE_SUITE;
}

/* Writes " SUSPECT: times in two modes, 2 points." */
static size_t put_cause(const struct doubt *doubt, const struct language *l, char *text,
                        size_t size)
{
    const struct reason *why = doubt->worst;
    return message_fill(text, size,
                        message_plural(l, " %{status}: %{cause}, %{points} point.",
                                       " %{status}: %{cause}, %{points} points.", doubt->points),
                        WITH({"status", reason_word(why, l)}, {"cause", reason_name(why, l)},
                             {"points", number_of(doubt->points).text}));
}

void speedup_table_trust(const struct speedup_figure *figure, const struct language *l, char *text,
                         size_t size)
{
    size_t trusted[TRUSTS] = {0};
    struct doubt doubts[CAUSES] = {{0}};
    count_trust(figure, trusted, doubts);
    size_t used = message_format(text, size, l, "Points of this table: %{points}.",
                                 WITH({"points", report_trust_words(trusted, l).text}));
    for (size_t i = 0; i < CAUSES && used < size; i++)
        if (doubts[i].points)
            used += put_cause(&doubts[i], l, text + used, size - used);
}

static void print_trust(const struct speedup_figure *figure, const struct experiment *e,
                        const struct language *l)
{
    size_t trusted[TRUSTS] = {0};
    struct doubt doubts[CAUSES] = {{0}};
    count_trust(figure, trusted, doubts);
    printf("%s: %s\n", message(l, "Points"), report_trust_words(trusted, l).text);
    for (size_t i = 0; i < CAUSES; i++)
        if (doubts[i].points) {
            char doubt[REASON_LINE];
            describe_doubt(&doubts[i], l, source_of(figure, e), doubt, sizeof doubt);
            wrap_print("  ", "    ", doubt, "");
        }
}

void speedup_table_print(const struct speedup_figure *figure, const struct experiment *e,
                         const struct language *l)
{
    const char *names[COLUMNS];
    const int first = first_width(figure, l);
    name_columns(figure, l, names);
    print_cells(names, first);
    for (size_t i = 0; i < figure->count; i++)
        if (figure->marks[i].point)
            print_mark(figure, &figure->marks[i], l, first);
    print_legend(figure, l);
    print_trust(figure, e, l);
}

/* ---- where the efficiency went --------------------------------------------------------------- */

static const char *const factor_titles[FACTORS] = {
    N_("waiting for the slowest"), N_("messages"),           N_("idle processors"),
    N_("lower frequency"),         N_("memory's bandwidth"), N_("the rest")};

/* "waiting for the slowest: 0.97 [0.96, 0.98]" */
static void print_factor(const char *name, struct bounded factor, const struct language *l)
{
    const struct number n =
        number_ratio(l, factor.value, (struct interval){factor.lower, factor.upper});
    fputs("    ", stdout);
    screen_left(stdout, name, 28);
    puts(n.text);
}

/* Names the factors that were not measured. */
static void print_missing(const struct efficiency *e, const struct language *l)
{
    char names[400] = "", line[600];
    for (enum factor k = 0; k < FACTOR_REST; k++)
        if (isnan(e->factors[k].value))
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s",
                     names[0] ? ", " : "", message(l, factor_titles[k]));
    if (!names[0])
        return;
    message_format(line, sizeof line, l, "not measured: %{factors}", WITH({"factors", names}));
    wrap_print("    ", "    ", line, "");
}

static void print_efficiency(const struct speedup_mark *mark, const struct efficiency *e,
                             const struct language *l)
{
    char row[160], head[300];
    put_workers(row, sizeof row, mark, l);
    message_format(head, sizeof head, l, "%{method}, %{workers}: efficiency %{share}%{doubt}",
                   WITH({"method", mark->record->method}, {"workers", row},
                        {"share", number_ratio(l, e->total.value,
                                               (struct interval){e->total.lower, e->total.upper})
                                      .text},
                        {"doubt", words_doubt(mark->point, l).text}));
    printf("  %s\n", head);
    for (enum factor k = 0; k < FACTORS; k++)
        if (!isnan(e->factors[k].value))
            print_factor(message(l, factor_titles[k]), e->factors[k], l);
    if (!isnan(e->instructions.value))
        print_factor(message(l, "  of it: more instructions"), e->instructions, l);
    if (!isnan(e->per_cycle.value))
        print_factor(message(l, "  of it: each takes longer"), e->per_cycle, l);
    print_missing(e, l);
}

/* Why instructions were not counted, and what would let them be. */
static void print_counters(const struct efficiency *e, const struct language *l)
{
    static const char *const reasons[COUNTERS_STATES] = {
        [COUNTERS_UNSUPPORTED] =
            N_("(Instructions and cycles were not counted: this machine does not show the counters "
               "of its processor, as many virtual ones.)"),
        [COUNTERS_FORBIDDEN] =
            N_("(Instructions and cycles were not counted: an administrator must allow it by "
               "'sysctl kernel.perf_event_paranoid=2', and a container the system call "
               "perf_event_open.)")};
    if (e->counters != COUNTERS_STATES && reasons[e->counters])
        wrap_print("  ", "  ", message(l, reasons[e->counters]), "");
}

/* What a launch of a program of another used. */
static void print_usage(const struct analysis *a, const struct speedup_mark *mark,
                        const struct language *l)
{
    const struct usage u = point_usage(a, mark->point);
    char row[160], line[400];
    if (isnan(u.user_s))
        return;
    put_workers(row, sizeof row, mark, l);
    message_format(line, sizeof line, l,
                   "%{workers}: user time %{user}, system %{system}, context switches %{voluntary} "
                   "+ %{involuntary} involuntary, peak memory %{memory} MiB",
                   WITH({"workers", row}, {"user", number_seconds(l, u.user_s).text},
                        {"system", number_seconds(l, u.system_s).text},
                        {"voluntary", number_in(l, "%.0f", u.voluntary).text},
                        {"involuntary", number_in(l, "%.0f", u.involuntary).text},
                        {"memory", number_plain(l, u.peak_memory_bytes / 1048576.0).text}));
    wrap_print("  ", "    ", line, "");
}

/* Uses of all worker counts, the base too. */
static void print_usages(const struct speedup_figure *figure, const struct analysis *a,
                         const struct language *l)
{
    if (!figure->count || !point_is_own_program(figure->marks[0].record))
        return;
    printf("\n");
    for (size_t i = 0; i < figure->count; i++)
        if (figure->marks[i].point)
            print_usage(a, &figure->marks[i], l);
}

void speedup_table_factors(const struct speedup_figure *figure, const struct analysis *a,
                           const struct language *l)
{
    const struct speedup_mark *leading = speedup_figure_leading(figure);
    if (!leading)
        return;
    printf("\n");
    wrap_print("", "",
               message(l, "Where the efficiency went: factors whose product it is, with 95 % "
                          "intervals; 1 loses nothing."),
               "");
    for (size_t i = 0; i < figure->count; i++) {
        const struct speedup_mark *mark = &figure->marks[i];
        if (!speedup_mark_counts(mark) || !(mark->workers > figure->base) ||
            !speedup_same_series(mark->record, leading->record))
            continue;
        const struct efficiency e = efficiency_of(figure, a, mark);
        print_efficiency(mark, &e, l);
        if (mark == leading)
            print_counters(&e, l);
    }
    print_usages(figure, a, l);
}

/* ---- LaTeX ----------------------------------------------------------------------------------- */

static void write_rows(const struct document *d, const struct speedup_figure *figure)
{
    for (size_t i = 0; i < figure->count; i++) {
        if (!figure->marks[i].point)
            continue;
        const struct table_row row = row_of(figure, &figure->marks[i], d->language);
        struct cell cells[COLUMNS];
        for (int j = 0; j < COLUMNS; j++)
            cells[j] = (struct cell){row.cells[j], NULL};
        report_latex.row(d, cells, COLUMNS, false);
    }
}

void speedup_table_put(const struct speedup_figure *figure, const struct document *d,
                       const char *caption)
{
    const char *names[COLUMNS];
    name_columns(figure, d->language, names);
    report_latex.table_begin(d, caption, names, COLUMNS);
    write_rows(d, figure);
    report_latex.table_end(d, COLUMNS);
}

enum status speedup_table_write(const struct speedup_figure *figure, const char *place,
                                const char *caption, const struct language *l, const char *path,
                                struct failure *f)
{
    struct output o;
    if (output_open(&o, path, f) != STATUS_OK)
        return f->status;
    const struct document d = {.stream = o.stream, .folder = ".", .place = place, .language = l};
    report_latex.begin(&d, caption);
    speedup_table_put(figure, &d, caption);
    return output_close(&o, f);
}
