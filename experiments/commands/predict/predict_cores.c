#include "experiments/commands/predict/predict_cores.h"

#include "experiments/analysis/cores/core_kernels.h"
#include "experiments/analysis/cores/this_machine.h"
#include "experiments/analysis/numbers.h"
#include "experiments/commands/commands.h"
#include "experiments/common/results.h"
#include "harness/base/suite_files.h"
#include "harness/base/text/integer.h"
#include "harness/base/text/screen.h"
#include "harness/machine/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_MOST = 64 };

struct answering {
    const struct cores_question *question;
    struct multicore machine;
    double threads[THREADS_MOST];
    size_t thread_count;
    const struct analysis *analysis;
    struct core_kernels kernels;
    size_t misses;
};

/* ---- words ---------------------------------------------------------------------------------- */

static const char *const term_names[CORE_TERMS] = {
    [CORE_COMPUTE] = N_("computing"),
    [CORE_MEMORY] = N_("memory"),
    [CORE_REGIONS] = N_("parallel regions"),
    [CORE_SHARING] = N_("false sharing"),
};

static const char *const assumption_names[CORE_TERMS] = {
    [CORE_COMPUTE] = N_("the speed of a core while the others are busy, or equal parts"),
    [CORE_MEMORY] = N_("the bandwidth that the cores share"),
    [CORE_REGIONS] = N_("the cost of a parallel region"),
    [CORE_SHARING] = N_("the cost of false sharing"),
};

static const char *term_text(const struct core_time *t)
{
    return t->largest == CORE_MEMORY && t->in_cache ? screen_text(N_("the last-level caches"))
                                                    : screen_text(term_names[t->largest]);
}

static struct number range_text(double value, double low, double high)
{
    const struct estimate e = {.value = value, .interval = {low, high}};
    return number_known_seconds(screen_language(), &e);
}

static struct number measured_text(const struct summary *s)
{
    const struct estimate e = {.value = s->median, .interval = {s->lower, s->upper}};
    return s->n > 0 ? number_answer_seconds(screen_language(), &e) : number_text("-");
}

static struct number gigabytes(double bytes)
{
    return number_plain(screen_language(), 1e-9 * bytes);
}

/* ---- the table ------------------------------------------------------------------------------ */

enum { COLUMNS = 6, KERNEL_WIDTH = 54 };
static const int widths[COLUMNS] = {KERNEL_WIDTH, 6, 30, 24, 24, 0};

/* One row; in text, columns but the first end at their widths, and the last one follows. */
static void print_row(const struct answering *a, const char *const cells[COLUMNS])
{
    const bool markdown = a->question->markdown;
    for (size_t i = 0; i < COLUMNS; i++) {
        if (!cells[i])
            continue;
        if (markdown)
            printf("| %s ", cells[i]);
        else if (i == 0)
            screen_left(stdout, cells[i], widths[i]);
        else if (widths[i] > 0)
            screen_right(stdout, cells[i], widths[i]);
        else
            printf("  %s", cells[i]);
    }
    puts(markdown ? "|" : "");
}

static void print_heads(const struct answering *a)
{
    const bool check = a->question->check;
    print_row(a, (const char *const[]){
                     screen_text("kernel"), screen_text("cores"), screen_text("predicted"),
                     check ? screen_text("measured") : NULL,
                     check ? NULL : screen_text("predicted speedup"),
                     check ? screen_text("compared") : screen_text("the largest part of it")});
    if (a->question->markdown)
        puts("|---|---|---|---|---|");
}

/* Why a measurement misses: the slowest worker's measured lead over the mean if that is half of
 * what is missing, else the smallest change of one assumption. */
static void describe_miss(const struct core_kernel *k, const struct core_time *t,
                          const struct summary *s, double imbalance, char *text, size_t size)
{
    const struct language *l = screen_language();
    const struct interval interval = {s->lower, s->upper};
    double factor;
    const enum core_term term = core_missed(t, s->median, interval, &factor);
    const bool slower = core_compare(t, s->median, interval) == CORE_SLOWER;
    const char *how = slower ? screen_text("slower") : screen_text("faster");
    if (slower && k->point && imbalance > 0.5 * (s->median - t->high))
        message_format(text, size, l, "slower: parts are not equal, the slowest took %{time} more",
                       WITH({"time", number_seconds(l, imbalance).text}));
    else if (term == CORE_TERMS)
        message_format(text, size, l, "%{how}: no single assumption explains it",
                       WITH({"how", how}));
    else
        message_format(text, size, l, "%{how}: %{assumption}, × %{factor}",
                       WITH({"how", how}, {"assumption", screen_text(assumption_names[term])},
                            {"factor", number_plain(l, factor).text}));
}

/* The slowest worker's compute time less the mean; NaN: not measured. */
static double imbalance_of(const struct core_kernel *k, const struct analysis *a, double workers)
{
    const struct point *p = k->point ? core_kernel_point(k, a, workers) : NULL;
    return p ? p->phase[PHASE_IMBALANCE] : NAN;
}

static void print_checked(struct answering *a, const struct core_kernel *k, double threads,
                          const struct core_time *t)
{
    const struct summary s = core_kernel_measured(&a->kernels, k, a->analysis, threads);
    const struct interval interval = {s.lower, s.upper};
    char compared[256];
    if (s.n == 0)
        return;
    if (core_compare(t, s.median, interval) == CORE_MEETS)
        snprintf(compared, sizeof compared, "%s", screen_text("as predicted"));
    else {
        describe_miss(k, t, &s, imbalance_of(k, a->analysis, threads), compared, sizeof compared);
        a->misses++;
    }
    print_row(a, (const char *const[]){k->label, number_text("%g", threads).text,
                                       range_text(t->value, t->low, t->high).text,
                                       measured_text(&s).text, NULL, compared});
}

static void print_predicted(const struct answering *a, const char *label, double threads,
                            const struct core_time *one, const struct core_time *t)
{
    const struct interval speedup = {one->low / t->high, one->high / t->low};
    const struct number ratio =
        number_answer(screen_language(), one->value / t->value,
                      (struct interval){fmax(speedup.lower, one->value / t->high),
                                        fmin(speedup.upper, one->value / t->low)});
    print_row(a, (const char *const[]){label, number_text("%g", threads).text,
                                       range_text(t->value, t->low, t->high).text, NULL, ratio.text,
                                       term_text(t)});
}

static void print_steps(const struct answering *a, const struct core_kernel *k, double threads)
{
    for (size_t i = 0; i < k->count; i++) {
        const struct core_time one = core_step_predict(&k->steps[i], 1.0, &a->machine);
        const struct core_time t = core_step_predict(&k->steps[i], threads, &a->machine);
        char label[200];
        snprintf(label, sizeof label, "%s%s", a->question->markdown ? "" : "  ", k->steps[i].label);
        print_predicted(a, label, threads, &one, &t);
    }
}

static void print_kernel(struct answering *a, const struct core_kernel *k)
{
    const struct core_time one = core_kernel_predict(k, 1.0, &a->machine);
    for (size_t i = 0; i < a->thread_count; i++) {
        const struct core_time t = core_kernel_predict(k, a->threads[i], &a->machine);
        if (a->question->check)
            print_checked(a, k, a->threads[i], &t);
        else
            print_predicted(a, k->label, a->threads[i], &one, &t);
        if (a->question->steps && k->count > 1)
            print_steps(a, k, a->threads[i]);
    }
}

/* ---- assumptions ---------------------------------------------------------------------------- */

static void print_cores(const struct multicore *m)
{
    const struct language *l = screen_language();
    screen_say(
        stdout,
        "  a core alone is %{speed} times as fast as the measured one; %{clock} of that while "
        "all are busy\n",
        WITH({"speed", number_plain(l, m->speed).text},
             {"clock", number_percent(l, m->clock).text}));
    screen_say(stdout,
               "  memory gives one core %{core} GB/s, the cores of a node together %{node} GB/s; "
               "nodes: %{nodes}\n",
               WITH({"core", gigabytes(m->core_bandwidth).text},
                    {"node", gigabytes(m->node_bandwidth).text},
                    {"nodes", number_of(m->nodes).text}));
}

static void print_caches(const struct multicore *m)
{
    const struct language *l = screen_language();
    screen_say(
        stdout,
        "  a last-level cache of %{size} for %{cores} cores, %{rate} GB/s for each; data that "
        "fit stay in it\n",
        WITH({"size", memory_text(m->cache_bytes).text}, {"cores", number_of(m->cache_cores).text},
             {"rate", gigabytes(m->cache_bandwidth).text}));
    screen_say(
        stdout,
        "  a cache line takes %{near} ns between cores of one cache, %{far} ns between "
        "others;\n"
        "  a region takes from log2(p) to 3 (p - 1) of them, a slice of less than a line 2 or "
        "more\n",
        WITH({"near", number_plain(l, 1e9 * m->line_near_s).text},
             {"far", number_plain(l, 1e9 * m->line_far_s).text}));
}

static void print_assumptions(const struct answering *a)
{
    screen_say(stdout, "\nAssumptions\n", NULL);
    print_cores(&a->machine);
    print_caches(&a->machine);
    screen_say(stdout,
               "  threads stay on their cores, one node after the other; each touched its part of "
               "the data first,\n"
               "  thread 0 all weights and B\n"
               "  units of work (rows, panels of filters, planes) take equally long and are not "
               "divided\n"
               "  from the low to the high end: computing and memory overlap wholly, or not at "
               "all\n",
               NULL);
}

static void print_title(const struct answering *a, const char *name)
{
    screen_say(stdout, "%{experiment}, predicted on %{machine}: %{cores} cores\n\n",
               WITH({"experiment", name}, {"machine", a->machine.title},
                    {"cores", number_of(a->machine.cores).text}));
}

static void print_end(const struct answering *a)
{
    if (!a->question->markdown)
        print_assumptions(a);
    if (!a->question->check || a->question->markdown)
        return;
    putchar('\n');
    if (a->misses == 0)
        screen_say(stdout, "All measured times are within their predictions.\n", NULL);
    else
        screen_say_plural(
            stdout,
            "%{n} measured time misses its prediction: its row names the assumption "
            "whose smallest change explains it.\n",
            "%{n} measured times miss their predictions: each row names the assumption "
            "whose smallest change explains it.\n",
            a->misses, NULL);
}

/* ---- the question --------------------------------------------------------------------------- */

static enum status add_threads(struct answering *a, long long threads, struct failure *f)
{
    if (threads > a->machine.cores)
        return fail(f, STATUS_USAGE, "--threads: %s has %lld cores, not %lld", a->machine.name,
                    (long long)a->machine.cores, threads);
    if (a->thread_count == THREADS_MOST)
        return fail(f, STATUS_USAGE, "--threads: at most %d numbers", THREADS_MOST);
    a->threads[a->thread_count++] = (double)threads;
    return STATUS_OK;
}

static enum status read_threads(struct answering *a, struct failure *f)
{
    enum status status = STATUS_OK;
    for (const char *at = a->question->threads; status == STATUS_OK;) {
        int64_t threads;
        if (!integer_take(&at, 1, INT64_MAX, &threads) || (*at && *at != ','))
            return fail(f, STATUS_USAGE, "--threads: '%s' is no list of numbers such as 8,16,64",
                        a->question->threads);
        status = add_threads(a, threads, f);
        if (!*at++)
            return status;
    }
    return status;
}

static enum status choose_threads(struct answering *a, struct failure *f)
{
    enum status status = STATUS_OK;
    if (a->question->threads)
        return read_threads(a, f);
    for (int64_t p = a->question->check ? 2 : 1; status == STATUS_OK && p < a->machine.cores;
         p *= 2)
        status = add_threads(a, p, f);
    return status == STATUS_OK ? add_threads(a, a->machine.cores, f) : status;
}

static enum status answer(struct answering *a, const struct experiment *e, struct failure *f)
{
    const struct cores_question *q = a->question;
    enum status status = q->machine ? multicore_read(&a->machine, q->machine, f)
                                    : this_machine_describe(&a->machine, &e->analysis.ceilings, f);
    if (status == STATUS_OK)
        status = choose_threads(a, f);
    if (status == STATUS_OK)
        status = core_kernels_make(&a->kernels, e, q->selection->results, q->methods, f);
    if (status != STATUS_OK)
        return status;
    if (a->kernels.count == 0)
        return fail(
            f, STATUS_UNAVAILABLE,
            "%s: none of its kernels was measured with one worker: nothing can be predicted",
            e->name);
    if (!q->markdown)
        print_title(a, e->name);
    print_heads(a);
    for (size_t i = 0; i < a->kernels.count; i++)
        print_kernel(a, &a->kernels.items[i]);
    print_end(a);
    return STATUS_OK;
}

/* ---- measuring ------------------------------------------------------------------------------ */

enum { WORDS_MOST = 12 };

/* Measures the bandwidths of this machine, unless they are there. */
static enum status measure_limits(const struct cores_question *q, struct failure *f)
{
    struct ceilings c;
    char *words[] = {(char[]){"roofline"}, (char[]){"--results"}, (char *)q->selection->results,
                     NULL};
    enum status status =
        ceilings_read(&c, results_file(q->selection->results, "ceilings.csv").text, f);
    const bool there = status == STATUS_OK && this_machine_is_measured(&c);
    if (status == STATUS_OK)
        ceilings_release(&c);
    return status != STATUS_OK || there ? status : command_roofline(3, words, f);
}

/* Measures the points of the experiment that are missing. */
static enum status measure_points(const struct cores_question *q, struct failure *f)
{
    const struct selection *s = q->selection;
    char *words[WORDS_MOST] = {(char[]){"run"},    (char *)q->experiment, (char[]){"--results"},
                               (char *)s->results, (char[]){"--bin"},     (char *)s->bin};
    int count = 6;
    if (s->definitions) {
        words[count++] = (char[]){"--definitions"};
        words[count++] = (char *)s->definitions;
    }
    words[count++] = s->full       ? (char[]){"--full"}
                     : s->standard ? (char[]){"--standard"}
                                   : (char[]){"--quick"};
    words[count] = NULL;
    return command_run(count, words, f);
}

static enum status open_and_answer(struct answering *a, struct failure *f)
{
    struct inventory in;
    struct experiment e;
    char *name = definition_name_of(a->question->experiment);
    if (!name)
        return fail(f, STATUS_RESOURCE, "not enough memory");
    enum status status = inventory_open(&in, a->question->selection->results, &name, 1, f);
    if (status == STATUS_OK) {
        in.definitions = a->question->selection->definitions;
        status = experiment_open(&e, &in, 0, f);
        if (status == STATUS_OK) {
            a->analysis = &e.analysis;
            status = answer(a, &e, f);
            core_kernels_release(&a->kernels);
            experiment_close(&e);
        }
        inventory_close(&in);
    }
    free(name);
    return status;
}

enum status predict_cores(const struct cores_question *asked, struct failure *f)
{
    char folder[PATH_MAX], path[PATH_MAX + 16];
    struct cores_question question = *asked;
    struct cores_question *q = &question;
    struct answering a = {.question = q};
    snprintf(path, sizeof path, "%s/cores.ini", suite_share(folder, "machines"));
    q->experiment = q->experiment ? q->experiment : path;
    enum status status = q->check ? measure_limits(q, f) : STATUS_OK;
    if (status == STATUS_OK && q->check)
        status = measure_points(q, f);
    return status == STATUS_OK ? open_and_answer(&a, f) : status;
}
