/* study predict: predicts the time of an experiment's MPI points on more ranks than this machine
 * has, or of its kernels on more cores (predict_cores.h). */
#include "experiments/analysis/inventory.h"
#include "experiments/analysis/numbers.h"
#include "experiments/analysis/speedup/forecast.h"
#include "experiments/analysis/speedup/rank_choices.h"
#include "experiments/commands/commands.h"
#include "experiments/commands/predict/predict_cores.h"
#include "experiments/common/arguments.h"
#include "experiments/plan/plan.h"
#include "experiments/plan/selection.h"
#include "experiments/samples/point.h"
#include "harness/base/text/screen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RANKS_MAX = 65536 };

/* The options for one measured experiment; no ranks are started, so there is no launcher. */
static const unsigned predict_rows =
    SELECT_RESULTS | SELECT_SCALES | SELECT_BIN | SELECT_DEFINITIONS | SELECT_CORES;

struct prediction_options {
    struct selection selection;
    int64_t ranks, size;
    const char *platform; /* NULL: this machine */
    double efficiency;
    bool no_memory;
    struct cores_question cores;
    const char *format; /* of the latter */
};

/* The data that predictions are based on. */
struct basis {
    const struct prediction_options *options;
    const struct plan *plan;
    struct platform platform;
    struct experiment experiment; /* measured on this machine; unused with a platform */
};

/* ---- printing ------------------------------------------------------------------------------- */

/* Columns of the table of ranks. */
enum { RANKS = 10, TIME = 33, SPEEDUP = 11, SHARE = 12, COST = 16, CHOICE = 50 };

static struct number total_text(const struct rank_curve *c, int64_t ranks)
{
    const struct estimate total = {.value = rank_seconds(c, ranks),
                                   .interval = c->at[ranks - 1].total};
    return number_answer_seconds(screen_language(), &total);
}

static void print_line(const struct rank_curve *c, int64_t ranks)
{
    const struct language *l = screen_language();
    printf("%*lld", RANKS, (long long)ranks);
    screen_right(stdout, total_text(c, ranks).text, TIME);
    screen_right(stdout, number_plain(l, rank_speedup(c, ranks)).text, SPEEDUP);
    screen_right(stdout, number_plain(l, rank_efficiency(c, ranks)).text, SHARE);
    screen_right(stdout, number_plain(l, rank_core_seconds(c, ranks)).text, COST);
    putchar('\n');
}

static void print_choice(const char *what, const struct rank_curve *c, int64_t ranks)
{
    fputs("  ", stdout);
    screen_left(stdout, what, CHOICE);
    screen_say_plural(
        stdout, "%{n} rank, %{time}, %{cost} core seconds\n",
        "%{n} ranks, %{time}, %{cost} core seconds\n", (size_t)ranks,
        WITH({"time", total_text(c, ranks).text},
             {"cost", number_plain(screen_language(), rank_core_seconds(c, ranks)).text}));
}

static void print_heads(void)
{
    screen_right(stdout, screen_text("ranks"), RANKS);
    screen_right(stdout, screen_text("predicted total, 95 % interval"), TIME);
    screen_right(stdout, screen_text("speedup"), SPEEDUP);
    screen_right(stdout, screen_text("efficiency"), SHARE);
    screen_right(stdout, screen_text("core seconds"), COST);
    putchar('\n');
}

static void print_curve(const struct rank_curve *c, double share)
{
    const struct language *l = screen_language();
    char what[128];
    print_heads();
    for (int64_t ranks = 1; ranks < c->count; ranks *= 2)
        print_line(c, ranks);
    print_line(c, c->count);
    const struct rank_choices choices = rank_choices_of(c, share);
    print_choice(screen_text("lowest time"), c, choices.lowest_time);
    print_choice(screen_text("least cost"), c, choices.least_cost);
    print_choice(screen_text("most speedup x efficiency"), c,
                 choices.most_speedup_times_efficiency);
    message_format(what, sizeof what, l, "last that pays, at an efficiency of %{share}",
                   WITH({"share", number_plain(l, share).text}));
    print_choice(what, c, choices.last_paying);
    if (choices.last_paying < c->count)
        screen_say_plural(stdout, "  Beyond %{n} rank adding more does not pay.\n",
                          "  Beyond %{n} ranks adding more does not pay.\n",
                          (size_t)choices.last_paying, NULL);
}

static void print_costs(const struct scaling_model *m)
{
    const struct language *l = screen_language();
    if (m->platform)
        return;
    for (size_t i = 0; i < MESSAGE_KINDS; i++)
        if (m->costs[i].points > 0)
            screen_say(stdout,
                       "  %{message}: %{each} µs + %{byte} ns per KB, fitted to %{points} points\n",
                       WITH({"message", screen_text(message_names[i])},
                            {"each", number_plain(l, 1e6 * m->costs[i].alpha_s).text},
                            {"byte", number_plain(l, 1e12 * m->costs[i].beta_s_per_byte).text},
                            {"points", number_of(m->costs[i].points).text}));
}

static void print_place(const struct basis *s, const struct scaling_model *m, const char *label)
{
    if (m->platform)
        screen_say(stdout,
                   "%{point}, predicted on %{platform} (%{hosts} hosts of %{cores} cores)\n",
                   WITH({"point", label}, {"platform", s->options->platform},
                        {"hosts", number_of(m->platform->host_count).text},
                        {"cores", number_of(m->platform->cores).text}));
    else
        screen_say(stdout, "%{point}, predicted on this machine\n", WITH({"point", label}));
}

static void print_model(const struct basis *s, const struct scaling_model *m,
                        const struct record *problem)
{
    const struct language *l = screen_language();
    const struct estimate output = {.value = m->output_s, .interval = m->output_interval};
    char label[256];
    point_label(problem, label, sizeof label);
    print_place(s, m, label);
    if (m->platform)
        screen_say_plural(stdout, "  an output takes %{time}, from %{n} launch",
                          "  an output takes %{time}, from %{n} launches", m->output_points,
                          WITH({"time", number_answer_seconds(l, &output).text}));
    else
        screen_say_plural(stdout, "  an output takes %{time}, from %{n} point",
                          "  an output takes %{time}, from %{n} points", m->output_points,
                          WITH({"time", number_answer_seconds(l, &output).text}));
    if (isfinite(m->memory_bandwidth))
        screen_say(stdout, "; the memory of a host gives %{rate} GB/s",
                   WITH({"rate", number_plain(l, 1e-9 * m->memory_bandwidth).text}));
    putchar('\n');
    print_costs(m);
}

/* ---- one problem ---------------------------------------------------------------------------- */

/* One or two numbers of ranks show what a rank costs, but not how the costs grow with the ranks. */
static enum status fit_model(const struct basis *s, const struct record *problem,
                             struct scaling_model *m, struct failure *f)
{
    enum { LEAST = 3 };
    const struct analysis *a = &s->experiment.analysis;
    const enum status status = model_fit(m, a, problem, (double)s->plan->settings.cores, 0, f);
    if (status == STATUS_OK && m->rank_counts < LEAST)
        return fail(f, STATUS_UNAVAILABLE,
                    "%s was measured here with %zu numbers of ranks that the %lld cores can hold; "
                    "a prediction needs %d: measure on a machine with more, or name a --platform",
                    a->name, m->rank_counts, (long long)s->plan->settings.cores, LEAST);
    return status;
}

static enum status make_model(struct basis *s, const struct record *problem,
                              struct scaling_model *m, struct failure *f)
{
    if (!s->options->platform)
        return fit_model(s, problem, m, f);
    struct calibrations c;
    enum status status = calibrations_read(&c, s->options->selection.results, f);
    if (status != STATUS_OK)
        return status;
    struct row_time row = calibrations_find(&c, problem);
    calibrations_release(&c);
    if (row.launches == 0)
        status =
            calibration_measure(problem, s->plan->settings.bin, s->options->selection.results, f);
    if (status == STATUS_OK && row.launches == 0)
        status = calibrations_read(&c, s->options->selection.results, f);
    if (status == STATUS_OK && row.launches == 0) {
        row = calibrations_find(&c, problem);
        calibrations_release(&c);
    }
    if (status == STATUS_OK)
        status = model_of_platform(m, &s->platform, &row, problem, !s->options->no_memory, f);
    return status;
}

static enum status predict(struct basis *s, const struct record *problem, struct failure *f)
{
    struct scaling_model m;
    struct rank_curve c = {calloc((size_t)s->options->ranks, sizeof *c.at), s->options->ranks};
    enum status status = c.at ? make_model(s, problem, &m, f)
                              : fail(f, STATUS_RESOURCE, "not enough memory for the curve");
    for (int64_t i = 0; i < c.count && status == STATUS_OK; i++)
        status = model_predict(&m, problem, i + 1, &c.at[i], f);
    if (status == STATUS_OK) {
        print_model(s, &m, problem);
        print_curve(&c, s->options->efficiency);
    }
    free(c.at);
    return status;
}

/* ---- the problems of an experiment ---------------------------------------------------------- */

static bool is_wanted(const struct record *r, int64_t size)
{
    return point_has_ranks(r) && model_knows(point_record_kind(r).operator_row) &&
           r->threads == 1 && r->rows == size;
}

static int64_t largest(const struct plan *plan)
{
    int64_t most = 0;
    for (size_t i = 0; i < plan->count; i++)
        if (plan->points[i].point.rows > most &&
            is_wanted(&plan->points[i].point, plan->points[i].point.rows))
            most = plan->points[i].point.rows;
    return most;
}

/* Whether two points differ at most in the ranks and in where they would run. */
static bool same_problem(const struct record *a, const struct record *b)
{
    return point_same(a, b, COLUMN_SIZE) && point_same(a, b, COLUMN_PARAMETER) &&
           strcmp(a->method, b->method) == 0 && strcmp(a->distribution, b->distribution) == 0;
}

static enum status predict_all(struct basis *s, struct failure *f)
{
    const struct plan *plan = s->plan;
    const int64_t size = s->options->size > 0 ? s->options->size : largest(plan);
    size_t reported = 0;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < plan->count && status == STATUS_OK; i++) {
        struct record problem = plan->points[i].point;
        bool known = !is_wanted(&problem, size);
        for (size_t j = 0; j < i && !known; j++)
            known = is_wanted(&plan->points[j].point, size) &&
                    same_problem(&plan->points[j].point, &problem);
        if (known)
            continue;
        problem.ranks = RECORD_NO_INT;
        problem.platform[0] = '\0';
        if (reported++ > 0)
            putchar('\n');
        status = predict(s, &problem, f);
    }
    if (status == STATUS_OK && reported == 0)
        return fail(f, STATUS_USAGE, "%s has no MPI points of max pooling with n = %lld",
                    plan->definitions[0].name, (long long)size);
    return status;
}

static enum status predict_here(struct basis *s, struct failure *f)
{
    struct inventory in;
    char *name = s->plan->definitions[0].name;
    if (inventory_open(&in, s->options->selection.results, &name, 1, f) != STATUS_OK)
        return f->status;
    in.definitions = s->options->selection.definitions;
    enum status status = experiment_open(&s->experiment, &in, 0, f);
    if (status == STATUS_OK) {
        status = predict_all(s, f);
        experiment_close(&s->experiment);
    }
    inventory_close(&in);
    return status;
}

static enum status predict_platform(struct basis *s, struct failure *f)
{
    enum status status = platform_read(&s->platform, s->options->platform, f);
    if (status != STATUS_OK)
        return status;
    if (s->options->ranks > platform_cores(&s->platform))
        status = fail(f, STATUS_USAGE, "--ranks: %s has %lld cores, not %lld", s->options->platform,
                      (long long)platform_cores(&s->platform), (long long)s->options->ranks);
    if (status == STATUS_OK)
        status = results_make(s->options->selection.results, f);
    if (status == STATUS_OK)
        status = predict_all(s, f);
    platform_release(&s->platform);
    return status;
}

static bool asks_for_cores(const struct prediction_options *o)
{
    return o->cores.machine || o->cores.check;
}

/* Options of the other prediction would do nothing. */
static enum status check_cores(const struct prediction_options *o, struct failure *f)
{
    const struct cores_question *q = &o->cores;
    const char *extra = q->threads   ? "--threads"
                        : q->methods ? "--method"
                        : q->steps   ? "--steps"
                        : o->format  ? "--format"
                                     : NULL;
    const char *of_ranks = o->platform    ? "--platform"
                           : o->size > 0  ? "--size"
                           : o->no_memory ? "--no-memory"
                                          : NULL;
    if (!asks_for_cores(o) && extra)
        return fail(f, STATUS_USAGE, "%s: of kernels on more cores, with --machine or --check",
                    extra);
    if (q->machine && q->check)
        return fail(f, STATUS_USAGE, "--check measures this machine: without --machine");
    if (asks_for_cores(o) && of_ranks)
        return fail(f, STATUS_USAGE, "%s: of MPI ranks, without --machine and --check", of_ranks);
    if (o->format && strcmp(o->format, "text") != 0 && strcmp(o->format, "markdown") != 0)
        return fail(f, STATUS_USAGE, "--format must be text or markdown, not '%s'", o->format);
    return STATUS_OK;
}

static enum status check(const struct prediction_options *o, int operands, struct failure *f)
{
    if (operands > 1 || (operands == 0 && !asks_for_cores(o)))
        return fail(f, STATUS_USAGE, "predict: one experiment, please");
    if (o->ranks > RANKS_MAX)
        return fail(f, STATUS_USAGE, "--ranks must be at most %d", RANKS_MAX);
    if (!(o->efficiency > 0.0 && o->efficiency <= 1.0))
        return fail(f, STATUS_USAGE, "--efficiency must be above 0 and at most 1");
    return check_cores(o, f);
}

static enum status answer_cores(struct prediction_options *o, const char *experiment,
                                struct failure *f)
{
    o->cores.selection = &o->selection;
    o->cores.experiment = experiment;
    o->cores.markdown = o->format && strcmp(o->format, "markdown") == 0;
    return predict_cores(&o->cores, f);
}

static const char about[] =
    "Predicts how long an experiment's MPI points take on more ranks. The model adds rows "
    "times\n"
    "seconds per row, the memory bandwidth that the ranks of a host share, and messages of\n"
    "alpha + beta x bytes. It takes its numbers from a platform file and calibrated rows, or,\n"
    "for this machine, from a fit to measured points.\n"
    "\n"
    "With --machine or --check it predicts the kernels on the cores of one computer instead,\n"
    "from their times on one core: docs/details/many_cores.md has the model and its assumptions.\n"
    "\n"
    "Examples\n"
    "  study predict scale --platform ethernet_10g       MPI on 1,024 cores of a cluster\n"
    "  study predict threads --machine server_64         threads on two sockets of 32 cores\n"
    "  study predict --check                             measures here, and compares";

enum { RANK_ROWS = 5, CORE_ROWS = 6 };

/* The options of the prediction for more cores. */
static void core_options(struct prediction_options *p, struct option_row *to)
{
    struct cores_question *q = &p->cores;
    const struct option_row options[CORE_ROWS] = {
        {"machine", VALUE_TEXT, "FILE",
         "predict the kernels on more cores: path of a machine file, or a name in "
         "experiments/plan/machines (laptop_8, desktop_16, server_64)",
         .target = &q->machine},
        {"check", VALUE_FLAG, NULL,
         "predict the kernels on the cores of this machine, measure what is missing, and compare",
         .target = &q->check},
        {"threads", VALUE_LIST, "LIST",
         "numbers of cores: 8,16,64 (default: powers of two up to those of the machine)",
         .target = &q->threads},
        {"method", VALUE_LIST, "NAME,NAME...", "kernels of these methods alone (default: all)",
         .target = &q->methods},
        {"steps", VALUE_FLAG, NULL, "also each step of a network", .target = &q->steps},
        {"format", VALUE_TEXT, "text|markdown", "of the kernels (default text)",
         .target = &p->format},
    };
    memcpy(to, options, sizeof options);
}

enum status command_predict(int argc, char **argv, struct failure *f)
{
    struct prediction_options o = {.ranks = 1024, .efficiency = 0.5};
    struct option_row options[SELECTION_ROWS + RANK_ROWS + CORE_ROWS] = {
        {"ranks", VALUE_INT, "N", "largest number of ranks (default 1024)", .target = &o.ranks,
         .least = 1},
        {"platform", VALUE_TEXT, "FILE",
         "path of a platform file, or a name in experiments/plan/platforms (default: this machine, "
         "fitted)",
         .target = &o.platform},
        {"size", VALUE_INT, "N", "rows of the image (default: the largest that was measured)",
         .target = &o.size, .least = 1},
        {"efficiency", VALUE_REAL, "X",
         "name the largest number of ranks with at least this efficiency (default 0.5)",
         .target = &o.efficiency},
        {"no-memory", VALUE_FLAG, NULL, "ignore memory bandwidth, as SMPI does",
         .target = &o.no_memory},
    };
    selection_begin(&o.selection);
    core_options(&o, options + RANK_ROWS);
    size_t count = RANK_ROWS + CORE_ROWS;
    count += selection_options(&o.selection, predict_rows, options + count);
    const struct usage usage = {"[NAME]", about, options, count, 0, -1};
    int operands;
    struct plan plan;
    if (!arguments_taken(&usage, argc, argv, &operands, f))
        return f->status;
    enum status status = check(&o, operands, f);
    if (status == STATUS_OK && asks_for_cores(&o))
        return answer_cores(&o, operands > 0 ? argv[1] : NULL, f);
    if (status == STATUS_OK)
        status = selection_plan(&o.selection, argv + 1, operands, false, &plan, f);
    if (status != STATUS_OK)
        return status;
    struct basis s = {.options = &o, .plan = &plan};
    status = o.platform ? predict_platform(&s, f) : predict_here(&s, f);
    plan_release(&plan);
    return status;
}
