/* study speedup: answers one question with the speedup figure, in one command. */
#include "experiments/commands/commands.h"
#include "experiments/commands/run/run_words.h"
#include "experiments/commands/speedup_show.h"
#include "experiments/common/arguments.h"
#include "experiments/common/process.h"
#include "experiments/common/results.h"
#include "experiments/plan/selection.h"
#include "experiments/plan/speedup_definition.h"
#include "experiments/report/charts/plots.h"
#include "harness/base/clock.h"
#include "harness/machine/machine.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Sides of the image without --size: that of one worker in weak scaling, that of the first attempt,
 * and the smallest one; and the seconds that the study may then take. */
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
    "Measures how much faster a kernel becomes with more workers, and draws the speedup figure:\n"
    "total time of one worker divided by that of p workers of the same program. The figure has\n"
    "the ideal line and Amdahl's law three times: for the measured share of the product, fitted\n"
    "to the times (with three or more worker counts up to the number of cores), and for the\n"
    "tesina's f = 0.61. It also prints a table: time, speedup, efficiency, Karp and Flatt's\n"
    "serial fraction, and Amdahl's speedup for each number of workers.\n"
    "\n"
    "mpirun starts more ranks than cores with --oversubscribe. Such ranks share cores, so their\n"
    "ratio is no speedup; the figure shows it pale, in the gray zone.\n"
    "Ctrl-C keeps what was measured, and the same command continues. The experiment is the file\n"
    "DIR/NAME.ini; 'study report' and 'study plot NAME' use it too.\n"
    "\n"
    "Examples\n"
    "  study speedup                              maxpool on this machine, about a minute\n"
    "  study speedup --threads 1..cores -n 4096   every number of threads\n"
    "  study speedup --threads none --ranks 1,2,4,8,16\n"
    "  study speedup --operator matmul --method packed,blocked -n 1024\n"
    "  study speedup --network resnet18 --lang es\n"
    "  study speedup --weak                       work grows with the workers (Gustafson)\n"
    "  study speedup --simulate 1,4,16,64         ranks of a cluster that SimGrid simulates";

static enum status parse(struct request *r, int argc, char **argv, bool *help, struct failure *f)
{
    struct speedup_question *q = &r->question;
    struct selection *s = &r->selection;
    const struct option_row options[] = {
        {"threads", VALUE_TEXT, "LIST",
         "numbers of threads: 1,2,4 or 1..cores or 1..cores x2, or none (default 1..cores x2 "
         "cores)",
         .target = &q->threads},
        {"ranks", VALUE_TEXT, "LIST",
         "numbers of MPI ranks, in the same form (default 1..cores x2 cores)", .target = &q->ranks},
        {"size", VALUE_INT, "N",
         "rows and columns of the image (default: 2048, or less if that takes long; "
         "networks have a size of their own)",
         .target = &q->size, .least = 1, .letter = 'n'},
        {"method", VALUE_TEXT, "NAME,NAME...",
         "methods (default: the first, the one that times its product separately, and a fast one)",
         .target = &q->methods},
        {"operator", VALUE_TEXT, "NAME", "maxpool, matmul, conv, distances, ... (default maxpool)",
         .target = &q->operator_name},
        {"network", VALUE_TEXT, "NAME",
         "measure a network instead of an operator: resnet18, mobilenet_v2, ...",
         .target = &q->network},
        {"weak", VALUE_FLAG, NULL, "weak scaling: rows grow with the workers (Gustafson's law)",
         .target = &q->weak},
        {"simulate", VALUE_TEXT, "LIST", "numbers of ranks of a simulated cluster (default none)",
         .target = &q->simulated},
        {"platform", VALUE_TEXT, "NAME", "platform of the simulated cluster (default ethernet_10g)",
         .target = &q->platform},
        {"lang", VALUE_TEXT, "en|es", "language of figure and table (default en)",
         .target = &r->language},
        {"charts", VALUE_TEXT, "FORMAT", "svg, png, pdf, all or none (default all)",
         .target = &r->drawing.formats},
        {"results", VALUE_TEXT, "DIR", "folder of the results (default results/local)",
         .target = &s->results},
        {"standard", VALUE_FLAG, NULL, "measure to 3 % instead of 10 %", .target = &s->standard},
        {"full", VALUE_FLAG, NULL, "measure to 2 %", .target = &s->full},
        {"bin", VALUE_TEXT, "DIR", "folder of the point programs (default: that of study)",
         .target = &s->bin},
        {"cores", VALUE_INT, "N", "plan for a machine of N cores (default: this one)",
         .target = &s->cores, .least = 1},
    };
    const struct usage usage = {"", about, options, sizeof options / sizeof *options, 0, 0};
    int operands;
    enum status status = arguments_parse(&usage, argc, argv, &operands, help, f);
    if (status == STATUS_OK && !*help)
        status = language_find(&r->drawing.language, r->language, f);
    return status == STATUS_OK && !*help ? drawing_check(&r->drawing, "charts", f) : status;
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
    const struct run_settings settings = {.results = r->selection.results, .seed = 35};
    enum status status = results_make(r->selection.results, f);
    if (status == STATUS_OK)
        status = make_plan(r, &plan, f);
    if (status != STATUS_OK)
        return status;
    run_print_sharing(&plan);
    process_catch_stop_signals();
    const double began = clock_now();
    status = selection_check_points(&r->selection, &plan, f);
    if (status == STATUS_OK)
        status = run_plan(&plan, &settings, summary, f);
    if (status == STATUS_OK)
        run_print_summary(summary, r->selection.results, clock_now() - began);
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
                    "none of its points can be measured here; 'study plan %s' shows why", r.path);
    if (summary.before + summary.done + summary.shared == 0)
        return run_outcome(&summary, r.selection.results, f);
    status = speedup_show(r.selection.results, r.name, &r.drawing, r.question.weak, f);
    return status == STATUS_OK ? run_outcome(&summary, r.selection.results, f) : status;
}
