/* study lab: one function from outside, correct first, then fast. */
#include "experiments/commands/commands.h"
#include "experiments/commands/speedup_show.h"
#include "experiments/common/arguments.h"
#include "experiments/common/process.h"
#include "experiments/common/results.h"
#include "experiments/lab/page/telling.h"
#include "experiments/lab/starters.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static const char usual_operator[] = "maxpool";

static const char about[] =
    "Measures a kernel of yours: one function in one file. `new` writes a starter, which is\n"
    "correct and slow, and whose comment explains the arrays. Then\n"
    "\n"
    "  1. the file is compiled, and the command is shown;\n"
    "  2. the function is checked on edge shapes, built with the address and undefined-\n"
    "     behaviour sanitizers; the first wrong output is shown with its window;\n"
    "  3. a correct one is timed interleaved with our methods, each sample on a fresh image\n"
    "     and verified: literal, the next faster step of the ladder, and the best;\n"
    "  4. the screen tells its time, how it compares, and what to try next.\n"
    "\n"
    "The function runs in a process of its own, which knows neither the clock nor the right\n"
    "result, and may not start processes, open sockets or write its input.\n"
    "Samples are added to DIR/lab.csv as method lab:NAME.\n"
    "\n"
    "Functions (int for every size; arrays row by row):\n"
    "  maxpool(image, filter, map, planes, rows, cols, k, stride, padding, threads)\n"
    "  matmul(a, b, c, rows, inner, cols, threads)\n"
    "  conv(image, weights, map, batch, channels, rows, cols, filters, k, stride, padding,\n"
    "       threads)\n"
    "  distances(x, y, map, points_x, points_y, dimensions, threads)\n"
    "\n"
    "Exit status: 0 correct, 1 not correct, 2 it does not compile or an option is wrong,\n"
    "4 a grade that more samples did not decide.\n"
    "\n"
    "Examples\n"
    "  study lab new mine.c                     a starter of max pooling\n"
    "  study lab mine.c                         check it and measure it, about 15 s\n"
    "  study lab mine.c --check                 check it only\n"
    "  study lab mine.c --watch                 again whenever it is saved\n"
    "  study lab new product.c --operator matmul\n"
    "  study lab product.c --operator matmul -n 1024 -t 1 --against packed,openblas\n"
    "  study lab mine.c --grade rubric.ini --format json\n";

/* "-n", "-t", "-k", as the point programs have them. */
static void rename_short(int argc, char **argv)
{
    static char names[][16] = {"--size", "--threads", "--kernel-size"};
    static const char letters[] = "ntk";
    for (int i = 1; i < argc; i++)
        for (size_t j = 0; letters[j]; j++)
            if (argv[i][0] == '-' && argv[i][1] == letters[j] && argv[i][2] == '\0')
                argv[i] = names[j];
}

/* What the command does beside the request. */
struct lab_command {
    struct lab_request request;
    const char *grade, *format, *language_code, *page, *sweep;
    const struct language *language;
    bool watch;
};

static enum status parse(struct lab_command *c, int argc, char **argv, int *operands, bool *help,
                         struct failure *f)
{
    struct lab_request *q = &c->request;
    const struct option_row options[] = {
        {"operator", OPTION_TEXT, "NAME", "maxpool, matmul, conv or distances (default maxpool)",
         &q->operator_name},
        {"size", OPTION_COUNT, "N",
         "-n N: rows and columns (default: 2048; matmul 512, conv 128, distances 1024)", &q->size},
        {"threads", OPTION_COUNT, "N", "-t N: threads allowed (default: all cores)", &q->threads},
        {"kernel-size", OPTION_COUNT, "K", "-k K: side of the window (default 2; conv 3)",
         &q->kernel},
        {"stride", OPTION_COUNT, "S", "elements from one window to the next (default K; conv 1)",
         &q->stride},
        {"padding", OPTION_NUMBER, "P", "zeros around the image (default 0)", &q->padding},
        {"planes", OPTION_COUNT, "N", "planes of the image; conv: channels", &q->planes},
        {"against", OPTION_TEXT, "NAME,NAME...",
         "methods to compare with (default: literal, the next step, the best)", &q->against},
        {"cflags", OPTION_TEXT, "FLAGS",
         "flags of the compiler (default -O3 -march=native -fopenmp)", &q->flags},
        {"check", OPTION_FLAG, NULL, "check it, and measure nothing", &q->check_only},
        {"max-seconds", OPTION_DURATION, "S", "of the timed rounds (default 8)", &q->seconds},
        {"samples", OPTION_COUNT, "N", "rounds at most (default 160)", &q->rounds},
        {"relative-ci", OPTION_REAL, "X", "stop where all intervals are within X (default 0.02)",
         &q->relative_ci},
        {"grade", OPTION_TEXT, "RUBRIC.ini",
         "points by the ratio to a method; sizes are the rubric's (docs/lab.md)", &c->grade},
        {"watch", OPTION_FLAG, NULL, "again whenever the file is saved, until Ctrl-C", &c->watch},
        {"format", OPTION_TEXT, "text|json", "of what is printed (default text)", &c->format},
        {"sweep", OPTION_TEXT, "threads|size",
         "threads: the speedup figure; size: how its time grows up to n", &c->sweep},
        {"lang", OPTION_TEXT, "en|es", "language of screen and page (default en)",
         &c->language_code},
        {"html", OPTION_TEXT, "FILE", "write a page of it, too", &c->page},
        {"time-limit", OPTION_DURATION, "S", "of one call of the function (default 20)",
         &q->time_limit},
        {"memory", OPTION_COUNT, "MIB", "that the function may ask for (default 4096)",
         &q->memory_mib},
        {"results", OPTION_TEXT, "DIR", "folder of the results (default results/local)",
         &q->results},
    };
    const struct usage usage = {
        "new FILE | FILE", about, options, sizeof options / sizeof *options, 1, 2};
    rename_short(argc, argv);
    return arguments_parse(&usage, argc, argv, operands, help, f);
}

/* The rubric says what is measured. */
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

/* The exit status that an autograder looks at. */
static enum status outcome(const struct lab_report *report, struct failure *f)
{
    if (report->verdict != LAB_CORRECT)
        return fail(f, STATUS_WRONG, "%s is not correct: %s", report->file,
                    lab_verdict_word(report->verdict));
    if (report->rubric && !report->grade.decided)
        return fail(f, STATUS_RESOURCE,
                    "%s: the grade is undecided: more --max-seconds and --samples may decide it",
                    report->file);
    return STATUS_OK;
}

/* Table and chart of the samples that were just recorded. */
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
    if (status == STATUS_OK && json)
        status = lab_json(&report, f);
    else if (status == STATUS_OK)
        lab_print(&report, c->language);
    if (status == STATUS_OK && c->page)
        status = lab_page(&report, c->language, c->page, f);
    if (status == STATUS_OK && report.verdict == LAB_CORRECT && report.raced)
        status = lab_record(&report, c->request.results, f);
    if (status == STATUS_OK && report.sweep == LAB_POINT &&
        (report.raced || report.verdict != LAB_CORRECT))
        status = lab_run_write(&report, c->request.results, f);
    if (status == STATUS_OK && report.verdict == LAB_CORRECT && report.raced &&
        report.sweep != LAB_POINT && !json)
        status = show_sweep(c, &report, f);
    if (status == STATUS_OK)
        status = outcome(&report, f);
    lab_release(&report);
    return status;
}

/* When and as which file it was saved. */
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

/* Until somebody asks to stop. What is wrong with one version is printed, and the next one may be
 * right. */
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
        printf("\n%s is watched; Ctrl-C ends\n", c->request.file);
        if (fflush(stdout) != 0)
            return fail(f, STATUS_OUTPUT, "standard output could not be written");
        for (struct saved now = before;
             memcmp(&now, &before, sizeof now) == 0 && !process_stop_signal();
             now = saved_at(c->request.file))
            nanosleep(&pause, NULL);
    }
    return status;
}

static enum status make_starter(const struct lab_request *q, struct failure *f)
{
    const enum status status = lab_starter_write(q->operator_name, q->file, f);
    const bool usual = strcmp(q->operator_name, usual_operator) == 0;
    if (status == STATUS_OK)
        printf("Written: %s. Next: study lab %s%s%s\n", q->file, q->file,
               usual ? "" : " --operator ", usual ? "" : q->operator_name);
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
    if (!lab_kind_find(c->request.operator_name))
        return fail(f, STATUS_USAGE,
                    "--operator %s: the laboratory has maxpool, matmul, conv and distances",
                    c->request.operator_name);
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
                            .language_code = "en",
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
    status = check_words(&c, f);
    if (status == STATUS_OK)
        status = take_sweep(&c, f);
    if (status == STATUS_OK)
        status = language_find(&c.language, c.language_code, f);
    if (status == STATUS_OK && c.grade)
        status = lab_rubric_read(&rubric, c.grade, f);
    if (status != STATUS_OK)
        return status;
    if (c.grade)
        follow(&c.request, &rubric);
    if (starter)
        return make_starter(&c.request, f);
    return c.watch ? watch(&c, f) : measure(&c, f);
}
