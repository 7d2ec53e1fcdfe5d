#include "experiments/commands/duet/own_duet.h"

#include "classroom/duet/function_program.h"
#include "experiments/commands/duet/duet_table.h"
#include "experiments/common/lists.h"
#include "experiments/common/lock.h"
#include "experiments/common/process.h"
#include "experiments/common/results.h"
#include "experiments/common/temporary.h"
#include "experiments/program/launch/own_words.h"
#include "experiments/program/own_rounds.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/screen.h"
#include "harness/base/text/wording.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { USUAL_ROUNDS = 36, TEXT, MARKDOWN, JSON };
static const double usual_timeout_s = 60.0;

struct own_duet own_duet_begin(void)
{
    return (struct own_duet){
        .results = results_default, .language = screen_language()->code, .timeout_s = 0.0};
}

size_t own_duet_options(struct own_duet *d, struct option_row *to, size_t count)
{
    struct own_command *c = &d->options;
    const struct option_row rows[OWN_DUET_ROWS] = {
        {"commits", VALUE_FLAG, NULL, "A and B are commits of a repository, each in a git worktree",
         .target = &d->commits, .group = "Options of commands, commits and functions:"},
        {"repository", VALUE_TEXT, "DIR", "of commits: the repository (default: this folder)",
         .target = &d->repository},
        {"build", VALUE_TEXT, "COMMAND",
         "of commits: run by the shell in each worktree, once; its output is kept in a file",
         .target = &d->build},
        {"cache", VALUE_TEXT, "DIR",
         "of commits: keep built commits there, and take them from there (default: none is kept)",
         .target = &d->cache},
        {"function", VALUE_TEXT, "PROTOTYPE",
         "A and B are shared objects: time their function with this C prototype",
         .target = &d->function},
        {"with", VALUE_TEXTS, "NAME=VALUE",
         "of a function: value of a parameter, or elements of an array; may be repeated",
         .target = &d->values},
        {"file", VALUE_TEXT, "FILE",
         "benchmarks, one a line: NAME: COMMAND; {} in it is A or B, as given", .target = &d->file},
        {"budget", VALUE_DURATION, "TIME",
         "end before this time; what it leaves is used for further rounds", .target = &d->budget_s},
        {"timeout", VALUE_DURATION, "TIME", "time limit of a launch (default 1m)",
         .target = &d->timeout_s},
        {"prepare", VALUE_TEXT, "COMMAND", "run by the shell before each launch, not timed",
         .target = &c->prepare},
        {"cleanup", VALUE_TEXT, "COMMAND", "run by the shell after the last launch of each side",
         .target = &c->cleanup},
        {"check", VALUE_TEXT, "REGEX", "a launch counts only if its output matches this",
         .target = &c->check},
        {"expect-hash", VALUE_TEXT, "SHA256",
         "a launch counts only if its standard output has this hash", .target = &c->expect_hash},
        {"same-output", VALUE_FLAG, NULL,
         "a launch counts only if it prints what the first one of A or B printed",
         .target = &c->same_output},
        {"seconds", VALUE_TEXTS, "REGEX",
         "take the time from the output, from the group of this match: 'Elapsed: ([0-9.]+)'",
         .target = &d->timed},
        {"cpu", VALUE_FLAG, NULL,
         "compare the processor time of the processes and their children, which other programs "
         "change little, instead of the time that passes",
         .target = &d->cpu},
        {"format", VALUE_CHOICE, "text|markdown|json",
         "print the answer as text, markdown or json (default text)", .target = &d->format},
        {"lang", VALUE_TEXT, "en|es", "language of the answer (default: the environment's)",
         .target = &d->language},
        {"results", VALUE_TEXT, "DIR", "launches are kept in DIR/duet (default results/local)",
         .target = &d->results},
        {"again", VALUE_FLAG, NULL,
         "launch everything afresh; what was there is kept as NAME.before", .target = &d->again},
    };
    memcpy(to + count, rows, sizeof rows);
    return count + OWN_DUET_ROWS;
}

/* ---- the command line ------------------------------------------------------------------------ */

int own_duet_take(struct own_duet *d, int argc, char **argv)
{
    struct own_command both = {.words = NULL};
    const int before = own_command_take(&both, argc, argv);
    if (!both.words)
        return before;
    d->words[0] = both.words;
    for (int i = before + 1; i < argc; i++)
        if (strcmp(argv[i], "---") == 0) {
            d->words[1] = argv + i + 1;
            argv[i] = NULL;
            break;
        }
    return before;
}

static bool is_shared_object(const char *path)
{
    const char *at = strstr(path, ".so");
    while (at && at[3] && at[3] != '.')
        at = strstr(at + 3, ".so");
    return at != NULL;
}

/* A text with a blank, or an executable file that is no shared object. */
static bool is_command(const char *text)
{
    struct stat info;
    if (strpbrk(text, " \t"))
        return true;
    return stat(text, &info) == 0 && S_ISREG(info.st_mode) && access(text, X_OK) == 0 &&
           !is_shared_object(text);
}

bool own_duet_is_meant(struct own_duet *d, char **operands, int count)
{
    for (int i = 0; i < SIDES && i < count; i++)
        d->names[i] = operands[i];
    if (d->words[0] || d->commits || d->function || d->file)
        return true;
    /* Beside a build, a file that is none is refused as a build. */
    return (count >= 1 && is_command(operands[0])) ||
           (count >= 2 && access(operands[0], F_OK) != 0 && is_command(operands[1]));
}

static enum status check(const struct own_duet *d, int operands, struct failure *f)
{
    const bool two = d->words[1] != NULL, by_name = d->words[0] == NULL || d->commits;
    if (!(d->margin >= 0.0 && d->margin < 1.0))
        return fail(f, STATUS_USAGE, "--margin must be from 0 to below 1");
    if (d->commits && d->function)
        return fail(f, STATUS_USAGE, "--commits and --function are two kinds of A and B");
    if (!d->commits && (d->repository || d->build || d->cache))
        return fail(f, STATUS_USAGE, "%s is of commits: put --commits before A and B",
                    d->repository ? "--repository"
                    : d->build    ? "--build"
                                  : "--cache");
    if (!d->function && d->values.count > 0)
        return fail(f, STATUS_USAGE, "--with is of a function: --function has its prototype");
    if (d->timed.count > 1)
        return fail(f, STATUS_USAGE, "--seconds: one time is compared, and there are %zu",
                    d->timed.count);
    if (d->cpu && (d->timed.count > 0 || d->function))
        return fail(f, STATUS_USAGE, "--cpu: the time is %s here",
                    d->function ? "that of a call" : "what --seconds finds");
    if (d->function && (d->file || d->words[0] || d->timed.count > 0 || d->options.check))
        return fail(f, STATUS_USAGE, "--function has a program of its own: without %s",
                    d->file              ? "--file"
                    : d->words[0]        ? "a command after --"
                    : d->timed.count > 0 ? "--seconds"
                                         : "--check");
    if (d->commits && (d->file != NULL) == (d->words[0] != NULL))
        return fail(f, STATUS_USAGE,
                    "--commits: put the command that is timed in both after --, or several into "
                    "--file");
    if (d->commits ? two : d->words[0] && !two)
        return fail(f, STATUS_USAGE,
                    d->commits
                        ? "--commits: one command is timed in both, and there are two"
                        : "there is one command after --: 'study duet -- A --- B' takes two");
    if (by_name ? operands != SIDES : operands != 0)
        return fail(f, STATUS_USAGE,
                    by_name ? "A and B are two, not %d%s"
                            : "with commands after -- there is no A and B before it, not %d%s",
                    operands,
                    by_name ? ": put each command into quotes, 'study duet \"./a -n 10\" \"./b -n "
                              "10\"'"
                            : "");
    return STATUS_OK;
}

/* ---- what is compared ------------------------------------------------------------------------ */

struct running {
    struct own_duet *duet;
    struct side sides[SIDES];
    struct side_build build;
    struct benchmarks benchmarks;
    char folder[PATH_MAX], work[PATH_MAX], path[PATH_MAX], program[PATH_MAX],
        function[FUNCTION_NAME];
    char *lines[SIDES]; /* names of commands given as words; owned */
    struct launches launches;
    struct pair_result *results;
};

/* Compiles the program that calls the function; another prototype or value is another program. */
static enum status make_function(struct running *r, struct failure *f)
{
    struct own_duet *d = r->duet;
    char hash[SHA256_HEX], *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return fail(f, STATUS_RESOURCE, "not enough memory for the prototype");
    fprintf(stream, "%s\n", d->function);
    for (size_t i = 0; i < d->values.count; i++)
        fprintf(stream, "%s\n", d->values.items[i]);
    fclose(stream);
    sha256_hex(text, size, hash);
    free(text);
    if (text_compose(r->program, sizeof r->program, f, "%s/call-%.8s", r->folder, hash) !=
        STATUS_OK)
        return f->status;
    d->timed = (struct text_list){.items = {function_seconds}, .count = 1};
    d->options.seconds = (struct own_expressions){d->timed.items, d->timed.count};
    d->options.check = function_check;
    return function_program_make(r->program, d->function, d->values.items, d->values.count,
                                 r->function, f);
}

/* dlopen() searches a name without a '/' elsewhere. */
static enum status add_function(struct running *r, struct failure *f)
{
    char objects[SIDES][PATH_MAX];
    char *words[SIDES][3];
    for (int i = 0; i < SIDES; i++) {
        const char *name = r->duet->names[i];
        if (text_compose(objects[i], sizeof objects[i], f, "%s%s", strchr(name, '/') ? "" : "./",
                         name) != STATUS_OK)
            return f->status;
        if (access(objects[i], R_OK) != 0)
            return fail(f, STATUS_USAGE, "%s: %s", text_brief(name, 500).text, strerror(errno));
        words[i][0] = r->program;
        words[i][1] = objects[i];
        words[i][2] = NULL;
    }
    char *const *const both[SIDES] = {words[0], words[1]};
    return benchmarks_add_words(&r->benchmarks, r->function, both, &r->duet->options, f);
}

static enum status find_commits(struct running *r, struct failure *f)
{
    const struct own_duet *d = r->duet;
    r->build = (struct side_build){.repository = d->repository ? d->repository : ".",
                                   .line = d->build,
                                   .cache = d->cache,
                                   .work = r->work,
                                   .logs = r->folder};
    enum status status = STATUS_OK;
    for (int i = 0; i < SIDES && status == STATUS_OK; i++)
        status = side_find(&r->sides[i], &r->build, f);
    return status;
}

/* A and B for readers: as they were given, or the words of their commands. */
static enum status name_sides(struct running *r, struct failure *f)
{
    const struct own_duet *d = r->duet;
    for (int i = 0; i < SIDES; i++) {
        r->lines[i] = d->names[i] ? NULL : own_words_line(d->words[i]);
        r->sides[i].name = d->names[i] ? d->names[i] : r->lines[i];
        if (!r->sides[i].name)
            return fail(f, STATUS_RESOURCE, "not enough memory for a command");
    }
    return STATUS_OK;
}

static enum status find_benchmarks(struct running *r, struct failure *f)
{
    struct own_duet *d = r->duet;
    enum status status = name_sides(r, f);
    if (status == STATUS_OK && d->function)
        status = make_function(r, f);
    if (status == STATUS_OK && d->commits)
        status = find_commits(r, f);
    if (status != STATUS_OK)
        return status;
    if (d->function)
        return add_function(r, f);
    if (d->file)
        return benchmarks_add_file(&r->benchmarks, d->file, d->names, &d->options, f);
    if (d->commits) {
        char *const *const same[SIDES] = {d->words[0], d->words[0]};
        return benchmarks_add_words(&r->benchmarks, NULL, same, &d->options, f);
    }
    if (d->words[0]) {
        char *const *const both[SIDES] = {d->words[0], d->words[1]};
        return benchmarks_add_words(&r->benchmarks, NULL, both, &d->options, f);
    }
    return benchmarks_add_texts(&r->benchmarks, NULL, d->names, &d->options, f);
}

/* ---- running --------------------------------------------------------------------------------- */

/* Builds the commits, if launches are missing. */
static enum status build_sides(void *context, struct failure *f)
{
    struct running *r = context;
    enum status status = STATUS_OK;
    if (r->duet->commits && !r->duet->cache)
        status = temporary_folder(r->work, sizeof r->work, "duet", f);
    for (int i = 0; i < SIDES && status == STATUS_OK && r->duet->commits; i++)
        status = side_build(&r->sides[i], &r->build, "ab"[i], f);
    return status;
}

static enum status name_file(struct running *r, struct failure *f)
{
    char identity[SHA256_HEX], name[BENCHMARK_NAME];
    sides_identity(r->sides, &r->build, &r->benchmarks, identity);
    snprintf(name, sizeof name, "%s",
             r->benchmarks.count > 1 ? "several" : r->benchmarks.all->name);
    for (char *at = name; *at; at++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", *at))
            *at = '-';
    return r->duet->record ? text_compose(r->path, sizeof r->path, f, "%s", r->duet->record)
                           : text_compose(r->path, sizeof r->path, f, "%s/%s-%.8s.csv", r->folder,
                                          name, identity);
}

static enum status put_aside(const char *path, struct failure *f)
{
    char before[PATH_MAX + 8];
    snprintf(before, sizeof before, "%s.before", path);
    if (rename(path, before) == 0 || errno == ENOENT)
        return STATUS_OK;
    return fail(f, STATUS_OUTPUT, "%s: %s", text_brief(before, 1000).text, strerror(errno));
}

static enum status launch_all(struct running *r, struct failure *f)
{
    struct own_duet *d = r->duet;
    const struct launches_request request = {.benchmarks = &r->benchmarks,
                                             .sides = r->sides,
                                             .path = r->path,
                                             .rounds = d->rounds > 0 ? d->rounds : USUAL_ROUNDS,
                                             .seed = d->seed,
                                             .budget_s = d->budget_s,
                                             .timeout_s = d->timeout_s > 0.0 ? d->timeout_s
                                                                             : usual_timeout_s,
                                             .cpu = d->cpu,
                                             .begin = build_sides,
                                             .context = r};
    if (request.rounds > OWN_ROUNDS_MOST)
        return fail(f, STATUS_USAGE, "--rounds: at most %d", OWN_ROUNDS_MOST);
    const enum status status = d->again ? put_aside(r->path, f) : STATUS_OK;
    return status == STATUS_OK ? launches_run(&r->launches, &request, f) : status;
}

static enum status decide(struct running *r, struct failure *f)
{
    const size_t count = r->benchmarks.count;
    struct launch_pairs *pairs = calloc(count, sizeof *pairs);
    r->results = calloc(count, sizeof *r->results);
    for (size_t i = 0; pairs && i < count; i++) {
        pairs[i].rounds = r->launches.rounds;
        for (size_t arm = 0; arm < PAIR_ARMS; arm++)
            pairs[i].seconds[arm] = launches_seconds(&r->launches, i, arm);
    }
    const bool good =
        pairs && r->results && launch_pairs_decide(r->results, pairs, count, r->duet->margin) == 0;
    free(pairs);
    return good ? STATUS_OK : fail(f, STATUS_RESOURCE, "not enough memory to compare");
}

static enum status answer(struct running *r, struct failure *f)
{
    const struct own_command *c = &r->duet->options;
    const struct language *language;
    const struct duet_answer a = {.benchmarks = &r->benchmarks,
                                  .sides = r->sides,
                                  .launches = &r->launches,
                                  .results = r->results,
                                  .margin = r->duet->margin,
                                  .cpu = r->duet->cpu,
                                  .checked = (c->check && !r->duet->function) || c->expect_hash ||
                                             c->same_output,
                                  .path = r->path};
    if (language_find(&language, r->duet->language, f) != STATUS_OK)
        return f->status;
    if (r->duet->format == JSON - TEXT)
        return duet_print_json(&a, f);
    if (r->duet->format == MARKDOWN - TEXT)
        duet_print_markdown(&a, language);
    else
        duet_print_text(&a, language);
    return STATUS_OK;
}

/* The exit status, and what is missing. */
static enum status outcome(const struct running *r, struct failure *f)
{
    const struct launches *l = &r->launches;
    size_t slower = 0;
    for (size_t i = 0; i < r->benchmarks.count; i++)
        slower += r->results[i].verdict == PAIR_SLOWER;
    if (l->wrong)
        return fail(f, STATUS_WRONG,
                    "an output was wrong: the first is shown above; its benchmark was left there");
    if (l->failed > 0)
        return fail(f, STATUS_RESOURCE,
                    "a launch failed: the first is shown above; its benchmark was left there, and "
                    "the same command goes on with it");
    if (l->missing > 0)
        wording_warn("study", "%zu launches are missing%s; the same command goes on", l->missing,
                     l->out_of_budget ? ", since the budget is used up" : "");
    if (slower > 0)
        return fail(f, STATUS_WRONG, "%zu of %zu benchmarks are slower in B", slower,
                    r->benchmarks.count);
    return STATUS_OK;
}

static void end(struct running *r)
{
    struct process_result result;
    struct failure ignored = {0};
    const struct process_limits limits = {.grace_seconds = 1.0, .even_stopped = true};
    char *const command[] = {"rm", "-rf", "--", r->work, NULL};
    for (int i = 0; i < SIDES; i++) {
        side_close(&r->sides[i]);
        free(r->lines[i]);
    }
    if (r->work[0])
        process_run(command, &limits, &result, &ignored);
    launches_release(&r->launches);
    benchmarks_release(&r->benchmarks);
    free(r->results);
}

static bool has_ratio(const struct running *r)
{
    bool has = false;
    for (size_t i = 0; i < r->benchmarks.count; i++)
        has = has || r->results[i].rounds > 0;
    return has;
}

static enum status run_locked(struct running *r, struct failure *f)
{
    enum status status = find_benchmarks(r, f);
    if (status == STATUS_OK)
        status = name_file(r, f);
    if (status == STATUS_OK)
        status = launch_all(r, f);
    if (status == STATUS_OK)
        status = decide(r, f);
    if (status == STATUS_OK && has_ratio(r))
        status = answer(r, f);
    return status == STATUS_OK ? outcome(r, f) : status;
}

enum status own_duet_run(struct own_duet *d, int operands, struct failure *f)
{
    static struct running r; /* large */
    const struct language *language;
    struct results_lock lock;
    r = (struct running){.duet = d};
    d->options.seconds = (struct own_expressions){d->timed.items, d->timed.count};
    if (check(d, operands, f) != STATUS_OK ||
        text_compose(r.folder, sizeof r.folder, f, "%s/duet", d->results) != STATUS_OK ||
        language_find(&language, d->language, f) != STATUS_OK ||
        results_make(r.folder, f) != STATUS_OK ||
        results_lock(r.folder, "study duet", &lock, f) != STATUS_OK)
        return f->status;
    process_catch_stop_signals();
    const enum status status = run_locked(&r, f);
    end(&r);
    results_unlock(&lock);
    return status;
}
