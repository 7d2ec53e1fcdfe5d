/* study speedup: answers one question with the speedup figure, in one command. */
#include "experiments/commands/commands.h"
#include "experiments/commands/own_speedup.h"
#include "experiments/commands/run/again.h"
#include "experiments/commands/run/run_words.h"
#include "experiments/commands/speedup_show.h"
#include "experiments/common/arguments.h"
#include "experiments/common/process.h"
#include "experiments/common/results.h"
#include "experiments/plan/selection.h"
#include "experiments/plan/speedup_definition.h"
#include "experiments/program/launch/own_words.h"
#include "experiments/report/charts/plots.h"
#include "harness/base/clock.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/screen.h"
#include "harness/machine/machine.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Sides of the image without --size: that of one worker in weak scaling, that of the first attempt,
 * and the smallest one; and the seconds that the study may then take. */
static const int64_t weak_size = 1024, first_size = 2048, least_size = 64;
static const double most_seconds = 75.0;

struct request {
    struct text_list seconds; /* of --seconds */
    struct speedup_question question;
    struct own_question own; /* of a command after -- */
    struct selection selection;
    struct drawing drawing;
    const char *language, *csv, *bind;
    bool again;
    char **words; /* owned; of a command that is one text */
    char name[SPEEDUP_NAME], path[PATH_MAX];
};

static const char about[] =
    "Measures how much faster a kernel becomes with more workers, and draws the speedup figure:\n"
    "total time of one worker divided by that of p workers of the same program. The figure has\n"
    "the ideal line and Amdahl's law three times: for the measured share of the product, fitted\n"
    "to the times (with three or more worker counts up to the number of cores), and for the\n"
    "tesina's f = 0.61. It also prints a table: time, speedup, efficiency, Karp and Flatt's\n"
    "serial fraction, and Amdahl's speedup for each number of workers.\n"
    "\n"
    "mpirun starts more ranks than cores with --oversubscribe. Such ranks share cores, so their\n"
    "ratio is no speedup; the figure shows it pale, in the gray zone.\n"
    "'study speedup [OPTION]... -- COMMAND' measures a program of yours instead: each launch is\n"
    "timed as a whole. {threads}, {ranks} and {workers} in the command are their numbers, and\n"
    "{size} is that of --size; OMP_NUM_THREADS is set.\n"
    "\n"
    "Ctrl-C keeps what was measured, and the same command continues. The experiment is the file\n"
    "DIR/NAME.ini; 'study report' and 'study plot NAME' use it too.\n"
    "\n"
    "Examples\n"
    "  study speedup                              maxpool on this machine, about a minute\n"
    "  study speedup --threads 1..cores -n 4096   every number of threads\n"
    "  study speedup --threads none --ranks 1,2,4,8,16\n"
    "  study speedup --operator matmul --method packed,blocked -n 1024\n"
    "  study speedup --network resnet18 --lang es\n"
    "  study speedup --again                      its doubtful points, measured afresh\n"
    "  study speedup --weak                       work grows with the workers (Gustafson)\n"
    "  study speedup --simulate 1,4,16,64         ranks of a cluster that SimGrid simulates\n"
    "  study speedup --threads 1..cores -- ./mine -t {threads} input.dat\n"
    "  study speedup --csv times.csv              times of your program, measured elsewhere\n"
    "  study speedup --ranks 1,2,4 -- mpirun -np {ranks} ./mine";

enum { OPTIONS_MOST = 42 };

/* Adds rows to a table of options. */
static size_t add_rows(struct option_row *to, size_t count, const struct option_row *rows,
                       size_t more)
{
    memcpy(to + count, rows, more * sizeof *rows);
    return count + more;
}

/* The options of our own programs, and those that a command has too. */
static size_t shared_options(struct request *r, struct option_row *to, size_t count)
{
    struct speedup_question *q = &r->question;
    struct selection *s = &r->selection;
    const struct option_row options[] = {
        {"threads", VALUE_LIST, "LIST",
         "numbers of threads: 1,2,4 or 1..cores or 1..cores x2, or none (default 1..cores x2 "
         "cores)",
         .target = &q->threads},
        {"ranks", VALUE_LIST, "LIST",
         "numbers of MPI ranks, in the same form (default 1..cores x2 cores)", .target = &q->ranks},
        {"size", VALUE_INT, "N",
         "rows and columns of the image (default: 2048, or less if that takes long; "
         "networks have a size of their own); of a command: its {size}",
         .target = &q->size, .least = 1, .letter = 'n'},
        {"method", VALUE_LIST, "NAME,NAME...",
         "methods (default: the first, the one that times its product separately, and a fast one)",
         .target = &q->methods},
        {"operator", VALUE_TEXT, "NAME", "maxpool, matmul, conv, distances, ... (default maxpool)",
         .target = &q->operator_name},
        {"network", VALUE_TEXT, "NAME",
         "measure a network instead of an operator: resnet18, mobilenet_v2, ...",
         .target = &q->network},
        {"bind", VALUE_TEXT, "none|core|spread",
         "core: each worker on a core of its own, one socket after the other; spread: each on the "
         "next socket (default none)",
         .target = &r->bind},
        {"weak", VALUE_FLAG, NULL,
         "weak scaling: rows, or the {size} of a command, grow with the workers (Gustafson's law)",
         .target = &q->weak},
        {"simulate", VALUE_LIST, "LIST", "numbers of ranks of a simulated cluster (default none)",
         .target = &q->simulated},
        {"platform", VALUE_TEXT, "NAME", "platform of the simulated cluster (default ethernet_10g)",
         .target = &q->platform},
        {"laws", VALUE_INT, "N",
         "draw Amdahl's law up to N workers (default: the axis ends at twice the cores, or with "
         "the "
         "simulated ranks)",
         .target = &q->laws, .least = 1, .most = 1 << 20},
        {"lang", VALUE_TEXT, "en|es", "language of figure and table (default: the environment's)",
         .target = &r->language},
        {"charts", VALUE_TEXT, "FORMAT", "svg, png, pdf, all or none (default all)",
         .target = &r->drawing.formats},
        {"results", VALUE_TEXT, "DIR", "folder of the results (default results/local)",
         .target = &s->results},
        {"again", VALUE_FLAG, NULL,
         "measure its doubtful points, or all of a command, afresh; their new launches replace the "
         "old ones once all are done",
         .target = &r->again},
        {"standard", VALUE_FLAG, NULL, "measure to 3 % instead of 10 %", .target = &s->standard},
        {"full", VALUE_FLAG, NULL, "measure to 2 %", .target = &s->full},
        {"bin", VALUE_TEXT, "DIR", "folder of the point programs (default: that of study)",
         .target = &s->bin},
        {"cores", VALUE_INT, "N", "plan for a machine of N cores (default: this one)",
         .target = &s->cores, .least = 1},
    };
    return add_rows(to, count, options, sizeof options / sizeof *options);
}

/* The options of a program of another. */
static size_t own_options(struct request *r, struct option_row *to, size_t count)
{
    struct own_question *q = &r->own;
    struct own_command *c = &q->command;
    const struct option_row options[] = {
        {"launches", VALUE_INT, "N", "of a command: launches of each worker count (default 9)",
         .target = &q->launches, .least = 1, .most = 3000},
        {"base", VALUE_INT, "N",
         "of a command, or --csv: count speedups from N workers, if one cannot run it (default 1)",
         .target = &q->base, .least = 1, .most = 1e9},
        {"fraction", VALUE_REAL, "F",
         "of a command, or --csv: also draw Amdahl's law for this parallel fraction, between 0 and "
         "1",
         .target = &q->fraction, .least = 1e-6, .most = 0.999999},
        {"budget", VALUE_DURATION, "TIME",
         "of a command: end before this time; what it leaves is used for further launches",
         .target = &q->budget_s},
        {"timeout", VALUE_DURATION, "TIME",
         "of a command: time limit of a launch (default 1m; with --standard 5m, with --full 30m)",
         .target = &q->timeout_s},
        {"prepare", VALUE_TEXT, "COMMAND",
         "of a command: run by the shell before each launch, not timed", .target = &c->prepare},
        {"cleanup", VALUE_TEXT, "COMMAND",
         "of a command: run by the shell after the last launch of each worker count",
         .target = &c->cleanup},
        {"check", VALUE_TEXT, "REGEX",
         "of a command: a launch counts only if its output matches this", .target = &c->check},
        {"expect-hash", VALUE_TEXT, "SHA256",
         "of a command: a launch counts only if its standard output has this hash",
         .target = &c->expect_hash},
        {"same-output", VALUE_FLAG, NULL,
         "of a command: a launch counts only if it prints what the first one printed",
         .target = &c->same_output},
        {"seconds", VALUE_TEXTS, "REGEX",
         "of a command: take the time from its output, from the group of this match: 'Elapsed: "
         "([0-9.]+)'; several times for phases: 'solve=Solve: ([0-9.]+)'",
         .target = &r->seconds},
        {"bytes", VALUE_REAL, "N",
         "of a command: bytes that it moves to and from memory, with --weak those of one worker, "
         "to "
         "compare with the bandwidth that 'study roofline' measured",
         .target = &q->bytes, .least = 1, .most = 1e18},
        {"overhead", VALUE_FLAG, NULL,
         "of a command with {size}: also measure what its start takes, with {size} = 0",
         .target = &q->overhead},
        {"csv", VALUE_TEXT, "FILE",
         "instead of a command: times measured elsewhere, in columns such as threads, time (ms) "
         "and others that make a curve of each value",
         .target = &r->csv},
        {"title", VALUE_TEXT, "NAME",
         "of a command, or --csv: name of the program (default: that of its file)",
         .target = &q->title},
    };
    return add_rows(to, count, options, sizeof options / sizeof *options);
}

/* An option of the other kind of program would do nothing, so it is refused. */
static enum status check_kind(const struct request *r, struct failure *f)
{
    const struct own_question *own = &r->own;
    const struct own_command *c = &own->command;
    const struct speedup_question *q = &r->question;
    const struct {
        const char *option;
        bool given, with_command;
    } rows[] = {{"--operator", q->operator_name != NULL, false},
                {"--method", q->methods[0] != '\0', false},
                {"--network", q->network[0] != '\0', false},
                {"--simulate", q->simulated != NULL, false},
                {"--launches", own->launches > 0, true},
                {"--base", own->base > 0 && !r->csv, true},
                {"--fraction", own->fraction > 0.0 && !r->csv, true},
                {"--budget", own->budget_s > 0.0, true},
                {"--timeout", own->timeout_s > 0.0, true},
                {"--prepare", c->prepare != NULL, true},
                {"--cleanup", c->cleanup != NULL, true},
                {"--check", c->check != NULL, true},
                {"--expect-hash", c->expect_hash != NULL, true},
                {"--same-output", c->same_output, true},
                {"--seconds", c->seconds.count > 0, true},
                {"--bytes", own->bytes > 0.0, true},
                {"--overhead", own->overhead, true},
                {"--title", own->title != NULL && !r->csv, true}};
    if (r->csv && c->words)
        return fail(f, STATUS_USAGE, "--csv reads times, and there is a command after --");
    if (own->base > 1 && q->weak)
        return fail(f, STATUS_USAGE, "--base: weak scaling counts from one worker");
    if (own->fraction > 0.0 && q->weak)
        return fail(f, STATUS_USAGE, "--fraction is that of Amdahl's law: without --weak");
    if (r->csv && r->again)
        return fail(f, STATUS_USAGE, "--csv reads times: --again measures");
    if (r->csv && (q->threads || q->ranks || q->size > 0))
        return fail(f, STATUS_USAGE, "--csv has the numbers of workers: without %s",
                    q->threads ? "--threads"
                    : q->ranks ? "--ranks"
                               : "--size");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].given && rows[i].with_command != (c->words != NULL))
            return fail(f, STATUS_USAGE,
                        rows[i].with_command
                            ? "%s is an option of a program of yours: put its command after --"
                            : "%s is an option of our programs, and there is a command after --",
                        rows[i].option);
    return STATUS_OK;
}

static enum status take_binding(struct request *r, struct failure *f)
{
    int binding = BIND_NONE;
    while (r->bind && binding < BINDINGS && strcmp(r->bind, binding_options[binding]) != 0)
        binding++;
    if (binding == BINDINGS)
        return fail(f, STATUS_USAGE, "--bind must be none, core or spread, not '%s'", r->bind);
    if (r->csv && r->bind)
        return fail(f, STATUS_USAGE, "--csv reads times: --bind measures");
    r->question.bind = binding ? binding_options[binding] : NULL;
    r->own.command.bind = (enum binding)binding;
    return STATUS_OK;
}

static enum status parse(struct request *r, int argc, char **argv, bool *help, struct failure *f)
{
    struct option_row options[OPTIONS_MOST] = {{.name = NULL}};
    const size_t count = own_options(r, options, shared_options(r, options, 0));
    const struct usage usage = {"", about, options, count, 0, -1};
    int operands;
    const int own = own_command_take(&r->own.command, argc, argv);
    enum status status = arguments_parse(&usage, own, argv, &operands, help, f);
    if (status == STATUS_OK && !*help && operands > 0)
        return fail(f, STATUS_USAGE,
                    "speedup: '%s' is one argument too many; a program of yours stands behind --: "
                    "study speedup -- %s",
                    argv[1], argv[1]);
    if (status == STATUS_OK && !*help)
        status = language_find(&r->drawing.language, r->language, f);
    if (status == STATUS_OK && !*help)
        status = drawing_check(&r->drawing, "charts", f);
    r->own.command.seconds = (struct own_expressions){r->seconds.items, r->seconds.count};
    if (status == STATUS_OK && !*help)
        status = check_kind(r, f);
    return status == STATUS_OK && !*help ? take_binding(r, f) : status;
}

/* ---- what is measured ------------------------------------------------------------------------ */

static int64_t cores_of(const struct selection *s)
{
    struct machine machine;
    machine_describe(&machine);
    return s->cores > 0 ? s->cores : machine_capacity(&machine);
}

/* Writes the definition of the question at its size and plans it. If planning fails, removes the
 * definition unless it existed before. */
static enum status plan_size(struct request *r, struct plan *plan, struct failure *f)
{
    char *names[] = {r->path};
    speedup_definition_name(&r->question, r->name);
    const struct results_path folder = results_file(r->selection.results, "");
    const int length = snprintf(r->path, sizeof r->path, "%s%s.ini", folder.text, r->name);
    if (length < 0 || (size_t)length >= sizeof r->path)
        return fail(f, STATUS_USAGE, "%s: this path is too long", r->selection.results);
    const bool was_there = access(r->path, F_OK) == 0;
    enum status status =
        speedup_definition_write(&r->question, cores_of(&r->selection), r->path, f);
    if (status == STATUS_OK)
        status = selection_plan(&r->selection, names, 1, false, plan, f);
    if (status != STATUS_OK && !was_there)
        unlink(r->path);
    return status;
}

/* Without --size, halves the side until the study takes at most most_seconds. */
static enum status make_plan(struct request *r, struct plan *plan, struct failure *f)
{
    const bool given = r->question.size > 0 || r->question.network[0]; /* networks have their own
                                                                        * size */
    if (!given)
        r->question.size = r->question.weak ? weak_size : first_size;
    enum status status = plan_size(r, plan, f);
    while (status == STATUS_OK && !given && plan_seconds(plan) > most_seconds &&
           r->question.size / 2 >= least_size) {
        plan_release(plan);
        unlink(r->path);
        r->question.size /= 2;
        status = plan_size(r, plan, f);
    }
    return status;
}

static enum status measure(struct request *r, struct run_summary *summary, struct failure *f)
{
    struct plan plan;
    struct run_settings settings = {.results = r->selection.results, .seed = 35};
    struct again again = {.suspect = true, .invalid = true};
    if (speedup_check_methods(&r->question, r->selection.bin, f) != STATUS_OK ||
        results_make(r->selection.results, f) != STATUS_OK || make_plan(r, &plan, f) != STATUS_OK)
        return f->status;
    run_print_sharing(&plan);
    process_catch_stop_signals();
    const double began = clock_now();
    enum status status = selection_check_points(&r->selection, &plan, f);
    if (status == STATUS_OK && r->again)
        status = again_choose(&again, &r->selection, &plan, f);
    settings.again = again.chosen > 0 ? again.points : NULL; /* else what is missing is measured */
    if (status == STATUS_OK)
        status = run_plan(&plan, &settings, summary, f);
    if (status == STATUS_OK && r->again && summary->resumed == 0)
        again_print(&again);
    if (status == STATUS_OK)
        run_print_summary(summary, r->selection.results, clock_now() - began);
    again_release(&again);
    plan_release(&plan);
    return status;
}

/* What is measured where the options do not say. */
static void set_usual(struct speedup_question *q)
{
    static const char workers[] = "1..cores x2 cores";
    q->operator_name = q->operator_name ? q->operator_name : "maxpool";
    q->threads = q->threads ? q->threads : workers;
    q->ranks = q->ranks ? q->ranks : workers;
    q->simulated = q->simulated ? q->simulated : "none";
}

/* A command that is one text of several words, and no file, is split as in a definition: by a
 * shell, where only that can read it. */
static enum status split_text(struct request *r, struct failure *f)
{
    struct own_command *c = &r->own.command;
    if (c->count != 1 || !strpbrk(c->words[0], " \t|&;<>") || access(c->words[0], F_OK) == 0)
        return STATUS_OK;
    const enum status status = own_words_split(c->words[0], &r->words, f);
    if (status == STATUS_OK) {
        c->words = r->words;
        c->count = own_words_number(r->words);
    }
    return status;
}

static enum status measure_own(struct request *r, struct failure *f)
{
    struct own_question *q = &r->own;
    if (q->title && strlen(q->title) >= OWN_TITLE)
        return fail(f, STATUS_USAGE, "--title '%s' is not a title of at most %d bytes",
                    text_brief(q->title, 100).text, OWN_TITLE - 1);
    q->threads = r->question.threads;
    q->ranks = r->question.ranks;
    q->size = r->question.size;
    q->weak = r->question.weak;
    q->again = r->again;
    q->scale = selection_scale(&r->selection);
    if (r->csv)
        return own_times(r->csv, q, &r->selection, &r->drawing, f);
    return own_speedup(q, &r->selection, &r->drawing, f);
}

enum status command_speedup(int argc, char **argv, struct failure *f)
{
    struct request r = {.question = {.network = "", .methods = "", .platform = "ethernet_10g"},
                        .drawing = {.formats = "all"},
                        .language = screen_language()->code};
    struct run_summary summary;
    bool help = false;
    selection_begin(&r.selection);
    enum status status = parse(&r, argc, argv, &help, f);
    if (status != STATUS_OK || help)
        return status;
    if (r.own.command.words || r.csv) {
        status = split_text(&r, f);
        if (status == STATUS_OK)
            status = measure_own(&r, f);
        own_words_free(r.words);
        return status;
    }
    set_usual(&r.question);
    status = measure(&r, &summary, f);
    if (status != STATUS_OK)
        return status;
    if (summary.planned == 0)
        return fail(f, STATUS_UNAVAILABLE,
                    "none of its points can be measured here; 'study plan %s' shows why", r.path);
    if (summary.before + summary.done + summary.shared == 0)
        return run_outcome(&summary, r.selection.results, f);
    status = speedup_show(r.selection.results, r.name, &r.drawing, r.question.weak, f);
    return status == STATUS_OK ? run_outcome(&summary, r.selection.results, f) : status;
}
