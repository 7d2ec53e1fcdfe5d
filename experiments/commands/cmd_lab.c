/* study lab: checks a user's function for correctness first, then measures its speed. */
#include "classroom/lab/page/lab_lines.h"
#include "classroom/lab/starters.h"
#include "experiments/commands/commands.h"
#include "experiments/commands/speedup_show.h"
#include "experiments/common/arguments.h"
#include "experiments/common/process.h"
#include "experiments/common/results.h"
#include "experiments/plan/command_line.h"
#include "harness/base/text/screen.h"
#include "harness/base/text/wording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static const char usual_operator[] = "maxpool";

static const char about[] =
    "Measures a kernel of yours: one function in one file. `study lab new FILE` writes a starter\n"
    "that is correct and slow; its comment explains the arrays. `study lab FILE` then takes four\n"
    "steps:\n"
    "\n"
    "  1. It compiles the file and shows the command.\n"
    "  2. It builds the function with the address and undefined-behaviour sanitizers and checks\n"
    "     it on edge shapes. The first wrong output is shown with its window.\n"
    "  3. It times a correct function, interleaved with our methods: literal, the next faster "
    "step\n"
    "     of the ladder, and the best. Each sample has a new image and is verified.\n"
    "  4. It prints the time, how it compares, and what to try next.\n"
    "\n"
    "The function runs in a process of its own. That process knows neither the clock nor the\n"
    "right result; it cannot start processes, open sockets or write its input.\n"
    "Samples are added to DIR/lab.csv as method lab:NAME.\n"
    "\n"
    "Exit status: 0 correct, 1 not correct, 2 it does not compile or an option is wrong,\n"
    "4 the samples did not decide the grade, or other programs disturbed them.\n"
    "\n"
    "Examples\n"
    "  study lab new mine.c                     a starter of max pooling\n"
    "  study lab mine.c                         check it and measure it, about 15 s\n"
    "  study lab mine.c --check                 check it only\n"
    "  study lab mine.cu --check --device cpu   check a GPU kernel without a GPU\n"
    "  study lab mine.cu --count                count what it asks of the memory\n"
    "  study lab mine.c --watch                 repeat whenever the file is saved\n"
    "  study lab new product.c --operator matmul\n"
    "  study lab product.c --operator matmul -n 1024 -t 1 --against packed,openblas\n"
    "  study lab mine.c --grade rubric.ini --format json";

/* The functions of all operators, with their usual sizes. */
static void print_functions(FILE *out)
{
    const struct operator_row *kind;
    fprintf(
        out, "\n%s\n",
        screen_help("Functions (sizes are int, arrays are stored row by row), and the usual n:"));
    for (size_t i = 0; (kind = lab_kind_at(i)); i++) {
        fprintf(out, "  %s(", kind->name);
        lab_kind_arguments(out, kind, false);
        fprintf(out, ")  %lld\n", (long long)kind->foreign->most);
    }
}

/* The request, and what the command does in addition. */
struct lab_command {
    struct lab_request request;
    const char *grade, *format, *language_code, *page, *sweep, *device, *card;
    const struct language *language;
    bool watch;
};

static struct lab_command asked; /* what the options write */

static const struct option_row options[] = {
    {"operator", VALUE_TEXT, "NAME", "of the function (default maxpool)",
     .target = &asked.request.operator_name},
    {"size", VALUE_INT, "N", "rows and columns (default: the usual n of the function)",
     .target = &asked.request.size, .least = 1, .letter = 'n'},
    {"threads", VALUE_INT, "N", "number of threads that the function may use (default: all cores)",
     .target = &asked.request.threads, .least = 1, .letter = 't'},
    {"kernel-size", VALUE_INT, "K", "side of the window (default 2; conv 3)",
     .target = &asked.request.kernel, .least = 1, .letter = 'k'},
    {"stride", VALUE_INT, "S", "step from one window to the next (default K; conv 1)",
     .target = &asked.request.stride, .least = 1},
    {"padding", VALUE_INT, "P", "zeros around the image (default 0)",
     .target = &asked.request.padding},
    {"planes", VALUE_INT, "N", "planes of the image; conv: channels",
     .target = &asked.request.planes, .least = 1},
    {"against", VALUE_LIST, "NAME,NAME...",
     "methods to compare with (default: literal, the next step, the best)",
     .target = &asked.request.against},
    {"cflags", VALUE_TEXT, "FLAGS", "flags of the compiler (default -O3 -march=native -fopenmp)",
     .target = &asked.request.flags},
    {"check", VALUE_FLAG, NULL, "check the function and measure nothing",
     .target = &asked.request.check_only},
    {"device", VALUE_TEXT, "cpu",
     "cpu: check a GPU kernel on an emulated device; with --check, since it has no times",
     .target = &asked.device},
    {"count", VALUE_FLAG, NULL,
     "count what a GPU kernel does on an emulated device, beside naive, loop and tiled "
     "(default n 512)",
     .target = &asked.request.count},
    {"card", VALUE_TEXT, "NAME",
     "with --count: predict the least time on this card (docs/tiled.md)", .target = &asked.card},
    {"max-seconds", VALUE_DURATION, "S", "time for the timed rounds (default 8)",
     .target = &asked.request.seconds},
    {"samples", VALUE_INT, "N", "largest number of rounds (default 160)",
     .target = &asked.request.rounds, .least = 1},
    {"relative-ci", VALUE_REAL, "X",
     "stop when all intervals are within X of their medians (default 0.02)",
     .target = &asked.request.relative_ci},
    {"grade", VALUE_TEXT, "RUBRIC.ini",
     "grade the kernel by this rubric, which also sets the sizes (docs/lab.md)",
     .target = &asked.grade},
    {"despite-load", VALUE_FLAG, NULL,
     "grade although other programs were running; the run says so",
     .target = &asked.request.despite_load},
    {"watch", VALUE_FLAG, NULL, "repeat whenever the file is saved, until Ctrl-C",
     .target = &asked.watch},
    {"format", VALUE_TEXT, "text|json", "format of the output (default text)",
     .target = &asked.format},
    {"sweep", VALUE_TEXT, "threads|size",
     "threads: the speedup figure; size: how its time grows up to n", .target = &asked.sweep},
    {"lang", VALUE_TEXT, "en|es", "language of screen and page (default: the environment's)",
     .target = &asked.language_code},
    {"html", VALUE_TEXT, "FILE", "also write an HTML page", .target = &asked.page},
    {"time-limit", VALUE_DURATION, "S", "longest time of one call of the function (default 20)",
     .target = &asked.request.time_limit},
    {"memory", VALUE_INT, "MIB", "memory that the function may allocate (default 4096)",
     .target = &asked.request.memory_mib, .least = 1},
    {"results", VALUE_TEXT, "DIR", "folder of the results (default results/local)",
     .target = &asked.request.results},
};

/* Overwrites what is asked for in *c. */
static enum status parse(struct lab_command *c, int argc, char **argv, int *operands, bool *help,
                         struct failure *f)
{
    const struct usage usage = {
        "new FILE | FILE", about, options, sizeof options / sizeof *options, 1, 2};
    asked = *c;
    const enum status status = arguments_parse(&usage, argc, argv, operands, help, f);
    *c = asked;
    if (status == STATUS_OK && *help)
        print_functions(stdout);
    return status;
}

/* Takes from the rubric what is to be measured. */
static void follow(struct lab_request *q, const struct lab_rubric *r)
{
    q->rubric = r;
    q->operator_name = r->operator_name;
    q->against = r->methods;
    q->size = r->size;
    q->threads = r->threads;
    q->kernel = r->kernel;
    q->stride = r->stride;
    q->padding = r->padding;
    q->planes = r->planes;
    q->check_only = false;
}

/* Returns the exit status that an autograder reads. */
static enum status outcome(const struct lab_report *report, struct failure *f)
{
    if (report->verdict != LAB_CORRECT)
        return fail(f, STATUS_WRONG, "%s is not correct: %s", report->file,
                    lab_verdict_word(report->verdict));
    if (report->rubric && report->grade.disturbed)
        return fail(f, STATUS_RESOURCE,
                    "%s: no grade, since other programs kept %.2g of %lld hardware threads busy: "
                    "measure again once they have ended (--despite-load: grade it all the same)",
                    report->file, report->timing.load.cores,
                    (long long)report->timing.load.hardware_threads);
    if (report->rubric && !report->grade.decided)
        return fail(f, STATUS_RESOURCE,
                    "%s: the grade is undecided: more --max-seconds and --samples may decide it",
                    report->file);
    return STATUS_OK;
}

/* Shows the table and chart of the samples that were just recorded. */
static enum status show_sweep(const struct lab_command *c, const struct lab_report *report,
                              struct failure *f)
{
    char name[128];
    struct drawing drawing = {.formats = "all", .language = c->language};
    lab_experiment_name(report, name, sizeof name);
    const char *results = c->request.results;
    return report->sweep == LAB_THREADS_SWEEP ? speedup_show(results, name, &drawing, false, f)
                                              : chart_show(results, name, &drawing, f);
}

static enum status measure(const struct lab_command *c, struct failure *f)
{
    struct lab_report report;
    const bool json = strcmp(c->format, "json") == 0;
    enum status status = lab_run(&report, &c->request, f);
    if (status == STATUS_USAGE && report.verdict == LAB_UNCOMPILED && report.sweep == LAB_POINT) {
        struct failure other = {0}; /* the message is the compiler's */
        if (lab_run_write(&report, c->request.results, &other) == STATUS_OK)
            screen_say(stderr,
                       "%{file}: the verdict is '%{verdict}': %{cause}\n`study pack` packs it all "
                       "the same.\n",
                       WITH({"file", report.file},
                            {"verdict", message(c->language, lab_verdict_word(report.verdict))},
                            {"cause", wording_on_screen(report.trial->cause).text}));
    }
    if (status == STATUS_OK && json)
        status = lab_json(&report, f);
    else if (status == STATUS_OK)
        lab_print(&report, c->language);
    if (status == STATUS_OK && report.counts.numbers[0])
        status =
            lab_counts_show(report.kind, &report.size, report.file, &report.counts, c->card, f);
    if (status == STATUS_OK && c->page)
        status = lab_page(&report, c->language, c->page, f);
    if (status == STATUS_OK && report.verdict == LAB_CORRECT && report.timed)
        status = lab_record(&report, c->request.results, f);
    if (status == STATUS_OK && report.sweep == LAB_POINT &&
        (report.timed || report.verdict != LAB_CORRECT))
        status = lab_run_write(&report, c->request.results, f);
    if (status == STATUS_OK && report.verdict == LAB_CORRECT && report.timed &&
        report.sweep != LAB_POINT && !json)
        status = show_sweep(c, &report, f);
    if (status == STATUS_OK)
        status = outcome(&report, f);
    lab_release(&report);
    return status;
}

/* When a file was last saved, and its inode number. */
struct saved {
    struct timespec when;
    ino_t file;
};

static struct saved saved_at(const char *file)
{
    struct stat now;
    if (stat(file, &now) != 0)
        return (struct saved){{0, 0}, 0};
    return (struct saved){now.st_mtim, now.st_ino};
}

/* Measures each saved version until the user stops the program. A failure of one version is printed
 * and does not end the loop, because the next version may be right. */
static enum status watch(const struct lab_command *c, struct failure *f)
{
    const struct timespec pause = {0, 200000000};
    enum status status = STATUS_OK;
    process_catch_stop_signals();
    while (!process_stop_signal()) {
        const struct saved before = saved_at(c->request.file);
        struct failure wrong = {0};
        status = measure(c, &wrong);
        if (wrong.message[0])
            fprintf(stderr, "study: %s\n", wrong.message);
        screen_say(stdout, "\n%{file} is watched; Ctrl-C ends\n", WITH({"file", c->request.file}));
        if (fflush(stdout) != 0)
            return fail(f, STATUS_OUTPUT, "standard output could not be written");
        for (struct saved now = before;
             memcmp(&now, &before, sizeof now) == 0 && !process_stop_signal();
             now = saved_at(c->request.file))
            nanosleep(&pause, NULL);
    }
    return status;
}

static enum status make_starter(const struct lab_request *q, const char *code, struct failure *f)
{
    const enum status status = lab_starter_write(q->operator_name, code, q->file, f);
    const bool usual = strcmp(q->operator_name, usual_operator) == 0;
    char *words[] = {(char *)"study", (char *)"lab", (char *)q->file, (char *)"--operator",
                     (char *)q->operator_name};
    const struct command_line line = {.words = words, .count = usual ? 3 : 5};
    char *next = status == STATUS_OK ? command_line_text(&line) : NULL;
    if (next)
        screen_say(stdout, "Written: %{file}. Next: %{command}\n",
                   WITH({"file", q->file}, {"command", next}));
    free(next);
    return status;
}

static enum status take_sweep(struct lab_command *c, struct failure *f)
{
    static const char *const words[] = {"", "threads", "size"};
    for (int i = LAB_POINT; i <= LAB_SIZE_SWEEP; i++)
        if (strcmp(c->sweep, words[i]) == 0) {
            c->request.sweep = (enum lab_sweep)i;
            return c->grade && i != LAB_POINT
                       ? fail(f, STATUS_USAGE, "--sweep %s: a grade is of one point", c->sweep)
                       : STATUS_OK;
        }
    return fail(f, STATUS_USAGE, "--sweep %s: threads or size", c->sweep);
}

static enum status check_words(const struct lab_command *c, struct failure *f)
{
    const struct operator_row *kind = lab_kind_find(c->request.operator_name);
    if (!kind)
        return fail(f, STATUS_USAGE, "--operator %s: the laboratory has %s",
                    c->request.operator_name, lab_kind_names().text);
    if (c->device && strcmp(c->device, "cpu") != 0)
        return fail(f, STATUS_USAGE, "--device %s: only cpu, an emulated device, can be chosen",
                    c->device);
    if (c->device && !c->request.check_only)
        return fail(f, STATUS_USAGE,
                    "--device cpu: an emulated device has no times: it needs --check");
    if (c->request.count && kind->foreign->counted_sizes == 0)
        return fail(f, STATUS_USAGE,
                    "--count: naive, loop and tiled are kernels of maxpool and "
                    "matmul, not of %s",
                    c->request.operator_name);
    if (c->request.count && strcmp(c->format, "text") != 0)
        return fail(f, STATUS_USAGE, "--count prints a table: it needs --format text");
    if (c->card && !c->request.count)
        return fail(f, STATUS_USAGE, "--card goes with --count");
    if (strcmp(c->format, "text") != 0 && strcmp(c->format, "json") != 0)
        return fail(f, STATUS_USAGE, "--format %s: text or json", c->format);
    return STATUS_OK;
}

enum status command_lab(int argc, char **argv, struct failure *f)
{
    struct lab_command c = {.request = {.operator_name = usual_operator,
                                        .flags = lab_default_flags,
                                        .results = results_default},
                            .format = "text",
                            .language_code = screen_language()->code,
                            .sweep = ""};
    struct lab_rubric rubric;
    int operands;
    bool help = false;
    enum status status = parse(&c, argc, argv, &operands, &help, f);
    if (status != STATUS_OK || help)
        return status;
    const bool starter = strcmp(argv[1], "new") == 0;
    if (operands != (starter ? 2 : 1))
        return fail(f, STATUS_USAGE, "which file? 'study lab mine.c', or 'study lab new mine.c'");
    c.request.file = argv[operands];
    c.request.emulated = c.device || c.request.count;
    c.request.check_only = c.request.check_only || c.request.count;
    status = check_words(&c, f);
    if (status == STATUS_OK)
        status = take_sweep(&c, f);
    if (status == STATUS_OK)
        status = language_find(&c.language, c.language_code, f);
    if (status == STATUS_OK && c.grade)
        status = lab_rubric_read(&rubric, "--grade", c.grade, f);
    if (status != STATUS_OK)
        return status;
    if (c.grade)
        follow(&c.request, &rubric);
    if (starter)
        return make_starter(&c.request, c.language->code, f);
    return c.watch ? watch(&c, f) : measure(&c, f);
}
