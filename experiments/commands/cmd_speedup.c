/* study speedup: from a question to the figure, in one command. */
#include "experiments/commands/commands.h"
#include "experiments/commands/run_words.h"
#include "experiments/commands/speedup_show.h"
#include "experiments/common/arguments.h"
#include "experiments/common/process.h"
#include "experiments/common/results.h"
#include "experiments/plan/selection.h"
#include "experiments/plan/speedup_definition.h"
#include "experiments/report/charts/plots.h"
#include "harness/base/clock.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Without --size: the image of one worker where the work grows, the side of the first try, and the
 * least side; seconds that a study of the default size may take. */
static const int64_t weak_size = 1024, first_size = 2048, least_size = 64;
static const double most_seconds = 75.0;

struct request {
    struct speedup_question question;
    struct selection selection;
    struct drawing drawing;
    const char *language;
    char name[SPEEDUP_NAME], path[PATH_MAX];
};

static const char about[] =
    "Measures how much faster more workers make a kernel, and draws the speedup figure: total\n"
    "time of one worker over that of p workers of the same program, with the ideal line,\n"
    "Amdahl's law for the measured share of the product, the same law fitted where three\n"
    "counts of workers are no more than the cores, and the tesina's f = 0.61. It prints the\n"
    "table: workers, seconds, speedup, efficiency, Karp and Flatt's serial share, Amdahl.\n"
    "\n"
    "Ranks beyond the cores are started with mpirun's --oversubscribe. They share cores, so\n"
    "their ratio is no speedup; the figure shows it pale, in the gray zone.\n"
    "Ctrl-C keeps what was measured; the same command again goes on. The experiment is\n"
    "DIR/NAME.ini: 'study report' and 'study plot NAME' show it too.\n"
    "\n"
    "Examples\n"
    "  study speedup                              maxpool on this machine, about a minute\n"
    "  study speedup --threads 1..cores -n 4096   every number of threads\n"
    "  study speedup --threads none --ranks 1,2,4,8,16\n"
    "  study speedup --operator matmul --method packed,blocked -n 1024\n"
    "  study speedup --network resnet18 --lang es\n"
    "  study speedup --weak                       work grows with the workers (Gustafson)\n"
    "  study speedup --simulate 1,4,16,64         ranks of a cluster, by SimGrid\n";

/* "-n", as the point programs have it. */
static void rename_short(int argc, char **argv)
{
    static char size[] = "--size";
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "-n") == 0)
            argv[i] = size;
}

static enum status parse(struct request *r, int argc, char **argv, bool *help, struct failure *f)
{
    struct speedup_question *q = &r->question;
    struct selection *s = &r->selection;
    const struct option_row options[] = {
        {"threads", OPTION_TEXT, "LIST",
         "threads: 1,2,4 or 1..cores or 1..cores x2, or none (default 1..cores x2 cores)",
         &q->threads},
        {"ranks", OPTION_TEXT, "LIST", "MPI ranks, likewise (default 1..cores x2 cores)",
         &q->ranks},
        {"size", OPTION_COUNT, "N",
         "-n N: rows and columns of the image (default: 2048, or less where that takes long;\n"
         "networks: their own)",
         &q->size},
        {"method", OPTION_TEXT, "NAME,NAME...",
         "methods (default: the first, the one that clocks its product, and a fast one)",
         &q->methods},
        {"operator", OPTION_TEXT, "NAME", "maxpool, matmul, conv, distances, ... (default maxpool)",
         &q->operator_name},
        {"network", OPTION_TEXT, "NAME", "a network in its place: resnet18, mobilenet_v2, ...",
         &q->network},
        {"weak", OPTION_FLAG, NULL, "rows grow with the workers: Gustafson's law", &q->weak},
        {"simulate", OPTION_TEXT, "LIST",
         "ranks of a cluster that SimGrid simulates (default none)", &q->simulated},
        {"platform", OPTION_TEXT, "NAME", "that cluster (default ethernet_10g)", &q->platform},
        {"lang", OPTION_TEXT, "en|es", "language of figure and table (default en)", &r->language},
        {"charts", OPTION_TEXT, "FORMAT", "svg, png, pdf, all or none (default all)",
         &r->drawing.formats},
        {"results", OPTION_TEXT, "DIR", "folder of the results (default results/local)",
         &s->results},
        {"standard", OPTION_FLAG, NULL, "measure more closely (intervals of 3 %)", &s->standard},
        {"full", OPTION_FLAG, NULL, "and more closely still (2 %)", &s->full},
        {"bin", OPTION_TEXT, "DIR", "folder of the point programs (default: that of study)",
         &s->bin},
        {"cores", OPTION_COUNT, "N", "plan for a machine of N cores (default: this one)",
         &s->cores},
    };
    const struct usage usage = {"", about, options, sizeof options / sizeof *options, 0, 0};
    int operands;
    rename_short(argc, argv);
    enum status status = arguments_parse(&usage, argc, argv, &operands, help, f);
    if (status == STATUS_OK && !*help)
        status = language_find(&r->drawing.language, r->language, f);
    return status == STATUS_OK && !*help ? drawing_check(&r->drawing, "charts", f) : status;
}

/* ---- what is measured ------------------------------------------------------------------------ */

/* The plan of the question at its size; the definition is written for it. */
static enum status plan_size(struct request *r, struct plan *plan, struct failure *f)
{
    char *names[] = {r->path};
    speedup_definition_name(&r->question, r->name);
    const struct results_path folder = results_file(r->selection.results, "");
    const int length = snprintf(r->path, sizeof r->path, "%s%s.ini", folder.text, r->name);
    if (length < 0 || (size_t)length >= sizeof r->path)
        return fail(f, STATUS_USAGE, "%s: this path is too long", r->selection.results);
    enum status status = speedup_definition_write(&r->question, r->path, f);
    return status == STATUS_OK ? selection_plan(&r->selection, names, 1, false, plan, f) : status;
}

/* Without --size the side is halved until the study takes a minute or so. */
static enum status make_plan(struct request *r, struct plan *plan, struct failure *f)
{
    const bool given = r->question.size > 0 || r->question.network[0]; /* they have their own */
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
    const struct run_settings settings = {.results = r->selection.results, .seed = 35};
    enum status status = results_make(r->selection.results, f);
    if (status == STATUS_OK)
        status = make_plan(r, &plan, f);
    if (status != STATUS_OK)
        return status;
    run_tell_sharing(&plan);
    process_catch_stop_signals();
    const double began = clock_now();
    status = selection_check_points(&r->selection, &plan, f);
    if (status == STATUS_OK)
        status = run_plan(&plan, &settings, summary, f);
    if (status == STATUS_OK)
        run_tell_summary(summary, r->selection.results, clock_now() - began);
    plan_release(&plan);
    return status;
}

enum status command_speedup(int argc, char **argv, struct failure *f)
{
    static const char workers[] = "1..cores x2 cores";
    struct request r = {.question = {.operator_name = "maxpool",
                                     .network = "",
                                     .methods = "",
                                     .threads = workers,
                                     .ranks = workers,
                                     .simulated = "none",
                                     .platform = "ethernet_10g"},
                        .drawing = {.formats = "all"},
                        .language = "en"};
    struct run_summary summary;
    bool help = false;
    selection_begin(&r.selection);
    enum status status = parse(&r, argc, argv, &help, f);
    if (status != STATUS_OK || help)
        return status;
    status = measure(&r, &summary, f);
    if (status != STATUS_OK)
        return status;
    if (summary.planned == 0)
        return fail(f, STATUS_UNAVAILABLE,
                    "nothing of it can be measured here; 'study plan %s' tells why", r.path);
    if (summary.before + summary.done + summary.shared == 0)
        return run_outcome(&summary, r.selection.results, f);
    status = speedup_show(r.selection.results, r.name, &r.drawing, r.question.weak, f);
    return status == STATUS_OK ? run_outcome(&summary, r.selection.results, f) : status;
}
