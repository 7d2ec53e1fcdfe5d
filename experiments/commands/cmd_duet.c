/* study duet: two builds in one process, timed alternately. */
#include "classroom/duet/session.h"
#include "experiments/analysis/numbers.h"
#include "experiments/analysis/paired_comparison.h"
#include "experiments/commands/commands.h"
#include "experiments/commands/detectable.h"
#include "experiments/commands/duet/own_duet.h"
#include "experiments/common/arguments.h"
#include "experiments/common/lists.h"
#include "experiments/common/process.h"
#include "experiments/common/progress.h"
#include "experiments/common/temporary.h"
#include "experiments/plan/selection.h"
#include "harness/base/statistics.h"
#include "harness/base/text/screen.h"
#include "harness/base/text/wording.h"
#include "harness/base/whole_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 35, ROUNDS = 6, FEWEST_ROUNDS = 2, COMMON_ROWS = 4, OWN_ROWS = 8 };
static char usual_experiment[] = "ladder";

/* Points come from definitions alone: there are no options for results or a launcher. */
static const unsigned duet_rows =
    SELECT_SCALES | SELECT_ALL | SELECT_BIN | SELECT_DEFINITIONS | SELECT_CORES;

struct duet_command {
    struct selection selection;
    struct duet_request request;
    const char *flags[2], *record;
    double margin;
    char work[PATH_MAX];
    struct duet_build builds[2];
    struct duet_points points;
    struct duet_session session;
};

/* Comparisons of the points that both builds computed correctly; points[i] is the index of all[i]
 * in the session. */
struct verdicts {
    struct comparison *all;
    size_t *points;
    size_t count, tally[COMPARISON_UNDECIDED + 1], only[2], neither, wrong;
};

static const char about[] =
    "Says whether B is slower than A, faster or the same: two commands, two commits of a\n"
    "repository, a function of two shared objects, or two builds of libmaxpool.\n"
    "\n"
    "Commands are launched in rounds: A, B, and A once more, in a random order. A and A differ by\n"
    "chance alone, so that the A/A arm shows what this machine can tell apart. Each command is in\n"
    "quotes, or they follow -- with --- between them. With --commits A B the command after -- is\n"
    "launched in a git worktree of each commit, after --build; worktrees are removed at the end.\n"
    "Ctrl-C loses nothing: the same command goes on. docs/ci.md has a job for pull requests.\n"
    "\n"
    "Builds of libmaxpool are loaded into one process and timed alternately. They are folders of\n"
    "builds, shared libraries, source trees or commits of this folder's repository, and NAME is "
    "an\n"
    "experiment whose serial points are timed (default: ladder). A layout is one process, into\n"
    "which both builds are loaded at new addresses; its ratio counts once.\n"
    "\n"
    "Exit status: 0 nothing is slower, 1 something is slower or its output is wrong, 2 there is "
    "no\n"
    "such build, commit or command, 4 a launch failed.\n"
    "\n"
    "Examples\n"
    "  study duet './sort-old -n 1e6' './sort-new -n 1e6'   as in hyperfine\n"
    "  study duet --same-output -- ./old in.dat --- ./new in.dat\n"
    "  study duet --commits HEAD~1 HEAD --build 'make -j' -- ./bench\n"
    "  study duet --commits main HEAD --build make --file benchmarks.txt --format markdown\n"
    "  study duet ./old ./new --file benchmarks.txt         lines such as  short: {} -n 10\n"
    "  study duet old.so new.so --function 'void f(const float *in, float *out, int n)' --with "
    "n=4096\n"
    "  study duet build-before build             two build folders of libmaxpool\n"
    "  study duet HEAD~1 . matmul_growth         the last commit against the tree as it is\n"
    "  study duet . . --flags-b '-O3 -funroll-loops'   one tree, two sets of flags";

/* ---- preparing ------------------------------------------------------------------------------- */

static enum status check(const struct duet_command *c, struct failure *f)
{
    if (!(c->margin >= 0.0 && c->margin < 1.0))
        return fail(f, STATUS_USAGE, "--margin must be from 0 to below 1");
    if (c->request.layouts < PAIRED_FEWEST_LAYOUTS)
        return fail(f, STATUS_USAGE,
                    "--layouts must be at least %d, not %lld: fewer have no interval of 95 %%",
                    PAIRED_FEWEST_LAYOUTS, (long long)c->request.layouts);
    if (c->request.rounds < FEWEST_ROUNDS)
        return fail(f, STATUS_USAGE,
                    "--rounds must be at least %d: in one round either build only comes first or "
                    "second",
                    FEWEST_ROUNDS);
    return STATUS_OK;
}

/* Finds both builds; a build that must be compiled gets its own folder. */
static enum status find_builds(struct duet_command *c, char **names, struct failure *f)
{
    for (int i = 0; i < 2 && f->status == STATUS_OK; i++) {
        char folder[PATH_MAX];
        if (text_compose(folder, sizeof folder, f, "%s/%c", c->work, "ab"[i]) == STATUS_OK)
            duet_build_find(&c->builds[i], names[i], c->flags[i], folder, f);
    }
    return f->status;
}

static enum status find_points(struct duet_command *c, char **names, int count, struct failure *f)
{
    char *usual[] = {usual_experiment};
    struct plan plan;
    if (selection_plan(&c->selection, count ? names : usual, count ? count : 1, false, &plan, f) !=
        STATUS_OK)
        return f->status;
    duet_points_take(&c->points, &plan, f);
    plan_release(&plan);
    if (f->status == STATUS_OK && c->points.count == 0)
        return fail(f, STATUS_USAGE,
                    "no serial point of these experiments is one of libmaxpool%s%s: 'study list' "
                    "names others",
                    c->points.why[0] ? ": " : "", c->points.why);
    return f->status;
}

static void remove_folder(const struct duet_command *c)
{
    struct process_result result;
    struct failure ignored = {0};
    const struct process_limits no_limit = {.grace_seconds = 1.0, .even_stopped = true};
    char *const command[] = {"rm", "-rf", "--", (char *)c->work, NULL};
    if (c->work[0])
        process_run(command, &no_limit, &result, &ignored);
}

/* ---- verdicts -------------------------------------------------------------------------------- */

/* Whether a point has a verdict: both builds compute it, and neither output is wrong. */
static bool is_decided(const struct duet_times *t)
{
    return !t->lacks[0] && !t->wrong;
}

static void decide_points(const struct duet_command *c, struct verdicts *v)
{
    for (size_t i = 0; i < c->session.count; i++) {
        struct duet_times *t = &c->session.times[i];
        v->neither += strcmp(t->lacks, "ab") == 0;
        v->only[0] += strcmp(t->lacks, "b") == 0;
        v->only[1] += strcmp(t->lacks, "a") == 0;
        v->wrong += t->wrong != '\0';
        if (!is_decided(t))
            continue;
        compare_paired(&v->all[v->count], t->ratios, t->layouts, c->margin);
        v->points[v->count++] = i;
    }
}

static enum status decide(const struct duet_command *c, struct verdicts *v, struct failure *f)
{
    *v = (struct verdicts){.all = calloc(c->session.count + 1, sizeof *v->all),
                           .points = calloc(c->session.count + 1, sizeof *v->points)};
    if (!v->all || !v->points)
        return fail(f, STATUS_RESOURCE, "not enough memory to compare");
    decide_points(c, v);
    if (compare_together(v->all, v->count) != 0)
        return fail(f, STATUS_RESOURCE, "not enough memory to compare");
    for (size_t i = 0; i < v->count; i++)
        v->tally[v->all[i].verdict]++;
    return STATUS_OK;
}

/* ---- what is printed ------------------------------------------------------------------------- */

static void print_builds(const struct duet_command *c)
{
    for (int i = 0; i < 2; i++)
        printf("%c  %s%s%s: %s\n", "AB"[i], c -> builds[i].name, c->flags[i] ? " " : "",
               c->flags[i] ? c->flags[i] : "",
               screen_text(c->builds[i].linked
                               ? N_("linked anew in each layout")
                               : N_("its code keeps its place, since it has no lib/libmaxpool.a "
                                    "that can be linked here")));
}

static void print_points(const struct duet_command *c, const struct verdicts *v)
{
    const struct language *l = screen_language();
    printf("%-56s %-24s  %10s %10s\n", "", "B / A, 95 %", "A", "B");
    for (size_t i = 0; i < v->count; i++) {
        const struct comparison *r = &v->all[i];
        struct duet_times *t = &c->session.times[v->points[i]];
        printf("%-56s ", c->points.points[v->points[i]].label);
        screen_left(stdout,
                    number_compared(l, r->ratio, (struct interval){r->lower, r->upper}).text, 25);
        screen_right(stdout, number_seconds(l, median_of(t->seconds_a, t->layouts)).text, 11);
        screen_right(stdout, number_seconds(l, median_of(t->seconds_b, t->layouts)).text, 11);
        printf("  %s\n", message(l, comparison_names[r->verdict]));
    }
}

/* Why neither build makes the first of the points that both lack. */
static const char *why_neither(const struct duet_command *c)
{
    size_t i = 0;
    while (strcmp(c->session.times[i].lacks, "ab") != 0)
        i++;
    return c->session.times[i].reason;
}

/* Prints the points without a verdict, and why they have none. */
static void print_others(const struct duet_command *c, const struct verdicts *v)
{
    for (size_t i = 0; i < c->session.count; i++) {
        const struct duet_times *t = &c->session.times[i];
        const bool only = t->lacks[0] && strcmp(t->lacks, "ab") != 0;
        if (!t->wrong && !only)
            continue;
        printf("%-56s ", c->points.points[i].label);
        if (t->wrong)
            screen_say(stdout, "output of %{build} is wrong: %{reason}\n",
                       WITH({"build", t->wrong == 'a' ? "A" : "B"}, {"reason", t->reason}));
        else
            screen_say(stdout, "only in %{build}: %{reason}\n",
                       WITH({"build", t->lacks[0] == 'a' ? "B" : "A"}, {"reason", t->reason}));
    }
    if (c->points.left_out)
        screen_say_plural(stdout, "%{n} point left out: %{reason}\n",
                          "%{n} points left out: %{reason}\n", c->points.left_out,
                          WITH({"reason", wording_on_screen(c->points.why).text}));
    if (v->neither)
        screen_say_plural(stdout, "%{n} point that neither build makes: %{reason}\n",
                          "%{n} points that neither build makes: %{reason}\n", v->neither,
                          WITH({"reason", why_neither(c)}));
}

static void print_counts(const struct duet_command *c, const struct verdicts *v)
{
    char seconds[32];
    duration_text(c->session.seconds, seconds, sizeof seconds);
    putchar('\n');
    screen_say_plural(
        stdout,
        "%{n} point in %{layouts} layouts of %{rounds} rounds: %{faster} faster, %{slower} "
        "slower, %{same} same, %{undecided} undecided; %{a} only in A, %{b} only in B "
        "(%{time})\n",
        "%{n} points in %{layouts} layouts of %{rounds} rounds: %{faster} faster, %{slower} "
        "slower, %{same} same, %{undecided} undecided; %{a} only in A, %{b} only in B "
        "(%{time})\n",
        v->count,
        WITH({"layouts", number_of(c->request.layouts).text},
             {"rounds", number_of(c->request.rounds).text},
             {"faster", number_of(v->tally[COMPARISON_FASTER]).text},
             {"slower", number_of(v->tally[COMPARISON_SLOWER]).text},
             {"same", number_of(v->tally[COMPARISON_SAME]).text},
             {"undecided", number_of(v->tally[COMPARISON_UNDECIDED]).text},
             {"a", number_of(v->only[0]).text}, {"b", number_of(v->only[1]).text},
             {"time", seconds}));
}

static void print_tally(const struct duet_command *c, const struct verdicts *v)
{
    const struct detectable d = {.all = v->all,
                                 .count = v->count,
                                 .decided = v->count,
                                 .margin = c->margin,
                                 .needed = paired_layouts_needed(v->count),
                                 .unit = N_("layouts")};
    print_counts(c, v);
    screen_say(stdout,
               "A change counts beyond %{margin} %. Verdicts are corrected for the number of "
               "points: of equal builds 95 of 100 comparisons call none of them faster or slower.\n"
               "A layout moves code, constants, arrays, heap and stack; the order of functions "
               "within a build stays.\n",
               WITH({"margin", number_in(screen_language(), "%.1f", 100.0 * c->margin).text}));
    detectable_print(&d);
}

/* Other programs slow both builds alike, so they decide nothing; but small differences drown. */
static void print_load(const struct duet_command *c)
{
    const struct duet_session *s = &c->session;
    double most = 0.0;
    for (int64_t i = 0; i < c->request.layouts; i++)
        most = fmax(most, s->others_cores[i]); /* ignores NaN */
    if (s->disturbed > 0)
        screen_say(
            stdout,
            "SUSPECT: during %{disturbed} of %{layouts} layouts other programs kept up to "
            "%{cores} of %{threads} hardware threads busy. End them and run the command again.\n",
            WITH({"disturbed", number_of(s->disturbed).text},
                 {"layouts", number_of(c->request.layouts).text},
                 {"cores", number_in(screen_language(), "%.2f", most).text},
                 {"threads", number_of(s->hardware_threads).text}));
}

static enum status conclude(const struct duet_command *c, struct failure *f)
{
    struct verdicts v;
    if (decide(c, &v, f) == STATUS_OK) {
        print_builds(c);
        print_points(c, &v);
        print_others(c, &v);
        print_tally(c, &v);
        print_load(c);
    }
    if (f->status == STATUS_OK && v.wrong)
        fail(f, STATUS_WRONG, "the output of %zu point%s is wrong", v.wrong,
             v.wrong == 1 ? "" : "s");
    if (f->status == STATUS_OK && v.count == 0)
        fail(f, STATUS_USAGE,
             "no point is in both builds: %zu only in A, %zu only in B, %zu in neither", v.only[0],
             v.only[1], v.neither);
    if (f->status == STATUS_OK && v.tally[COMPARISON_SLOWER])
        fail(f, STATUS_WRONG, "%zu of %zu points are slower in B", v.tally[COMPARISON_SLOWER],
             v.count);
    free(v.all);
    free(v.points);
    return f->status;
}

/* ---- the command ----------------------------------------------------------------------------- */

static enum status measure(struct duet_command *c, struct failure *f)
{
    struct whole_file file;
    if (c->record && whole_file_open(&file, c->record, f) != STATUS_OK)
        return f->status;
    c->request.record = c->record ? file.stream : NULL;
    c->request.work = c->work;
    duet_session_run(&c->session, &c->request, c->builds, &c->points, f);
    if (c->record && f->status == STATUS_OK)
        whole_file_close(&file, f);
    else if (c->record)
        whole_file_abandon(&file);
    return f->status;
}

static enum status play(struct duet_command *c, char **operands, int count, struct failure *f)
{
    process_catch_stop_signals();
    if (check(c, f) == STATUS_OK &&
        temporary_folder(c->work, sizeof c->work, "duet", f) == STATUS_OK &&
        find_builds(c, operands, f) == STATUS_OK &&
        find_points(c, operands + 2, count - 2, f) == STATUS_OK && measure(c, f) == STATUS_OK)
        conclude(c, f);
    for (int i = 0; i < 2; i++)
        duet_build_close(&c->builds[i]);
    duet_session_release(&c->session);
    duet_points_release(&c->points);
    remove_folder(c);
    return f->status;
}

/* Whether a given option changes something: the language that the screen has does not. */
static bool changes(const struct option_row *option, const struct own_duet *own)
{
    return option->target != (const void *)&own->language ||
           strcmp(own->language, screen_language()->code) != 0;
}

/* An option of commands does nothing for builds, and the other way round: refuses the first one
 * given of the options `first` to `end`, which are of the other kind. */
static enum status check_kind(const struct option_row *options, const bool *given, size_t first,
                              size_t end, bool of_commands, const struct own_duet *own,
                              struct failure *f)
{
    while (first < end && !(given[first] && changes(&options[first], own)))
        first++;
    if (first == end)
        return STATUS_OK;
    return fail(f, STATUS_USAGE,
                of_commands ? "--%s is of builds of libmaxpool, and these are commands"
                            : "--%s is of commands: put each into quotes, or both after --, as in "
                              "'study duet -- ./a --- ./b'",
                options[first].name);
}

static enum status run_own(struct own_duet *own, const struct duet_command *c, int operands,
                           struct failure *f)
{
    own->margin = c->margin;
    own->rounds = c->request.rounds;
    own->seed = c->request.seed;
    own->record = c->record;
    return own_duet_run(own, operands, f);
}

static void set_usual(struct duet_request *q)
{
    q->layouts = q->layouts ? q->layouts : PAIRED_USUAL_LAYOUTS;
    q->rounds = q->rounds ? q->rounds : ROUNDS;
    q->threads = q->threads ? q->threads : 1;
}

enum status command_duet(int argc, char **argv, struct failure *f)
{
    struct duet_command c = {.request = {.seed = SEED, .least_s = 0.001}, .margin = 0.02};
    struct own_duet own = own_duet_begin();
    struct option_row options[SELECTION_ROWS + OWN_ROWS + OWN_DUET_ROWS] = {
        {"margin", VALUE_REAL, "M",
         "largest relative change that still counts as the same (default 0.02)",
         .target = &c.margin},
        {"rounds", VALUE_INT, "N",
         "rounds of commands (default 36), or of each point within a layout (default 6)",
         .target = &c.request.rounds, .least = 1},
        {"seed", VALUE_INT, "N", "seed of the layouts (default 35)", .target = &c.request.seed,
         .least = 1},
        {"record", VALUE_TEXT, "FILE", "write every sample, or every launch, as CSV",
         .target = &c.record},
        {"layouts", VALUE_INT, "N", "number of processes, each with other addresses (default 36)",
         .target = &c.request.layouts, .least = 1, .group = "Options of builds of libmaxpool:"},
        {"threads", VALUE_INT, "N", "threads of each operation (default 1)",
         .target = &c.request.threads, .least = 1},
        {"flags-a", VALUE_TEXT, "FLAGS",
         "compiler flags for A, if it is built (default -O3 -DNDEBUG)", .target = &c.flags[0]},
        {"flags-b", VALUE_TEXT, "FLAGS", "compiler flags for B", .target = &c.flags[1]},
    };
    selection_begin(&c.selection);
    const size_t of_builds =
        OWN_ROWS + selection_options(&c.selection, duet_rows, options + OWN_ROWS);
    const size_t count = own_duet_options(&own, options, of_builds);
    bool given[sizeof options / sizeof *options];
    const struct usage usage = {"A B [NAME...]", about, options, count, 0, -1};
    int operands;
    bool help = false;
    const int before = own_duet_take(&own, argc, argv);
    enum status status = arguments_parse_given(&usage, before, argv, given, &operands, &help, f);
    if (status != STATUS_OK || help)
        return status;
    const bool of_commands = own_duet_is_meant(&own, argv + 1, operands);
    status = of_commands ? check_kind(options, given, COMMON_ROWS, of_builds, true, &own, f)
                         : check_kind(options, given, of_builds, count, false, &own, f);
    if (status == STATUS_OK && of_commands)
        return run_own(&own, &c, operands, f);
    if (status == STATUS_OK && operands < 2)
        status = fail(f, STATUS_USAGE, "duet: something is missing, the usage is: study duet %s",
                      usage.operands);
    set_usual(&c.request);
    return status == STATUS_OK ? play(&c, argv + 1, operands, f) : status;
}
