#include "experiments/analysis/numbers.h"
#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/lock.h"
#include "experiments/common/progress.h"
#include "experiments/common/results.h"
#include "experiments/plan/command_line.h"
#include "experiments/plan/selection.h"
#include "experiments/samples/point.h"
#include "harness/base/text/screen.h"
#include "harness/base/text/wording.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plan_options {
    struct selection selection;
    bool shell;
    struct numbered_part chunk;
};

static void print_points(const struct plan *plan)
{
    char time_text[32], label[256];
    size_t skipped = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const struct planned *p = &plan->points[i];
        const struct definition *d = &plan->definitions[p->definition];
        point_label(&p->point, label, sizeof label);
        skipped += p->skip != NULL;
        if (p->skip)
            printf("%s: %s: %s: %s\n", d->name, label, screen_text(N_("left out")),
                   wording_on_screen(p->skip).text);
        else
            screen_say(stdout,
                       "%{experiment}: %{point}: %{launches} launches of about %{seconds} s\n",
                       WITH({"experiment", d->name}, {"point", label},
                            {"launches", number_text("%" PRId64, plan_launches(plan, p)).text},
                            {"seconds", number_in(screen_language(), "%.2g", p->estimate_s).text}));
    }
    const size_t distinct = plan_distinct(plan), run = plan->count - skipped;
    duration_text(plan_seconds(plan), time_text, sizeof time_text);
    screen_say_plural(stdout, "%{n} point", "%{n} points", run, NULL);
    if (distinct < run)
        screen_say(stdout, " (%{n} of them apart: experiments share the others)",
                   WITH({"n", number_of(distinct).text}));
    screen_say(stdout, ", %{out} left out, about %{time} in all",
               WITH({"out", number_of(skipped).text}, {"time", time_text}));
    putchar('\n');
}

/* The file for a command's samples: each chunk has its own, so that array jobs on a shared file
 * system do not wait for each other. */
static void record_name(const struct plan_options *o, const char *experiment, char *name,
                        size_t size)
{
    if (o->chunk.count > 1)
        snprintf(name, size, "%s.%" PRId64 ".csv", experiment, o->chunk.index);
    else
        snprintf(name, size, "%s.csv", experiment);
}

/* Prints one command that measures some points of a group. */
static enum status print_command(const struct plan_options *o, const struct plan *plan,
                                 const size_t *points, size_t count, int64_t round,
                                 struct failure *f)
{
    const struct planned *p = &plan->points[points[0]];
    struct sampling sampling = plan_sampling(plan, points, count);
    struct record named = p->point;
    const char *clocked = plan_layers(plan, points, count);
    const char *trained = plan_training(plan, points, count);
    const char *watched = plan_timeline(plan, points, count);
    char file[300], layers[300], training[300], timeline[300];
    char *methods = plan_methods(plan, points, count);
    struct command_line line;
    struct results_path hosts = {""};
    named.round = round;
    if (p->simulated)
        hosts = simulated_hosts(o->selection.results, &p->simulated->platform);
    record_name(o, p->point.experiment, file, sizeof file);
    snprintf(layers, sizeof layers, "%s.layers.csv", clocked ? clocked : "");
    snprintf(training, sizeof training, "%s.training.csv", trained ? trained : "");
    snprintf(timeline, sizeof timeline, "%s.timeline.csv", watched ? watched : "");
    const struct command_request request = {
        .point = &named,
        .methods = methods,
        .sampling = &sampling,
        .bin = o->selection.bin == o->selection.own_folder ? "" : o->selection.bin,
        .launcher = plan_launcher(plan, p),
        .cores = plan->settings.cores,
        .record = file,
        .layers = clocked ? layers : NULL,
        .training = trained ? training : NULL,
        .timeline = watched ? timeline : NULL,
        .simulated = p->simulated,
        .hosts = hosts.text,
    };
    enum status status = command_line_make(&line, &request, f);
    free(methods);
    if (status != STATUS_OK)
        return status;
    char *text = command_line_text(&line);
    if (text)
        puts(text);
    else
        status = fail(f, STATUS_RESOURCE, "not enough memory for a command line");
    free(text);
    command_line_release(&line);
    return status;
}

/* True if the point can run here, or lacks only its program here: the other machine may have it.
 * False for points without a method or with method "all": a program that is missing here cannot
 * list its methods. A program of another records nothing without study. */
static bool runs_on_other_machine(const struct planned *p)
{
    if (point_is_own_program(&p->point))
        return false;
    if (!p->skip)
        return true;
    return strcmp(p->point.method, "all") != 0 && *p->point.method &&
           (strstr(p->skip, "no program") || strstr(p->skip, "cannot run here") ||
            strstr(p->skip, "is not installed"));
}

static void describe_left_out(const struct plan *plan)
{
    size_t left_out = 0, own = 0;
    for (size_t i = 0; i < plan->count; i++) {
        own += point_is_own_program(&plan->points[i].point);
        left_out += !point_is_own_program(&plan->points[i].point) &&
                    !runs_on_other_machine(&plan->points[i]);
    }
    if (own > 0)
        wording_warn("study", "%zu points of your programs are left out: only study launches them",
                     own);
    if (left_out > 0)
        wording_warn("study", "%zu points are left out; 'study plan' without --shell shows why",
                     left_out);
}

/* Prints the commands of a group in one round: one for all points that can run here too, and one
 * for each point that cannot, because a program refuses all methods of a command if it lacks one of
 * them. */
static enum status print_group(const struct plan_options *o, const struct plan *plan,
                               const struct group *g, int64_t round, struct failure *f)
{
    size_t *here = malloc((g->count + 1) * sizeof *here), count = 0;
    enum status status = here ? STATUS_OK : fail(f, STATUS_RESOURCE, "not enough memory");
    for (size_t i = 0; i < g->count && status == STATUS_OK; i++) {
        const struct planned *p = &plan->points[g->points[i]];
        if (!runs_on_other_machine(p) || round >= plan_launches(plan, p))
            continue;
        if (p->skip)
            status = print_command(o, plan, &g->points[i], 1, round, f);
        else
            here[count++] = g->points[i];
    }
    if (status == STATUS_OK && count > 0)
        status = print_command(o, plan, here, count, round, f);
    free(here);
    return status;
}

/* Prints the groups of each round in random order; each of N chunks takes every Nth group. Groups
 * whose points are left out are counted too: points left out for lack of memory today must not
 * shift the other chunks. */
static enum status print_shell(const struct plan_options *o, const struct plan *plan,
                               struct failure *f)
{
    enum { SEED = 35 };
    int64_t rounds = plan_rounds(plan), number = 0;
    size_t *order = malloc((plan->group_count + 1) * sizeof *order);
    enum status status = STATUS_OK;
    if (!order)
        return fail(f, STATUS_RESOURCE, "not enough memory for the order of points");
    describe_left_out(plan);
    for (int64_t round = 0; round < rounds && status == STATUS_OK; round++) {
        plan_order(plan, SEED, round, order);
        for (size_t i = 0; i < plan->group_count && status == STATUS_OK; i++) {
            const bool mine = number++ % o->chunk.count == o->chunk.index - 1;
            if (mine)
                status = print_group(o, plan, &plan->groups[order[i]], round, f);
        }
    }
    free(order);
    return status;
}

/* Calibrates under the lock of the results, because nothing else may be measured meanwhile. A plan
 * without simulated points takes no lock. */
static enum status make_simulated_ready(struct plan *plan, const char *results, struct failure *f)
{
    struct results_lock lock = {-1};
    bool any = false;
    for (size_t i = 0; i < plan->count; i++)
        any |= plan->points[i].simulated && !plan->points[i].skip;
    enum status status = any ? results_make(results, f) : STATUS_OK;
    if (any && status == STATUS_OK)
        status = results_lock(results, "study plan", &lock, f);
    if (status == STATUS_OK)
        status = simulated_make_ready(plan, results, f);
    results_unlock(&lock);
    return status;
}

enum status command_plan(int argc, char **argv, struct failure *f)
{
    struct plan_options o = {.chunk = {1, 1}};
    struct option_row options[SELECTION_ROWS + 2] = {
        {"shell", VALUE_FLAG, NULL, "print the commands, one per line", .target = &o.shell},
        {"chunk", VALUE_PART, "I/N", "with --shell: print part I of N, for array jobs",
         .target = &o.chunk},
    };
    selection_begin(&o.selection);
    size_t count = 2 + selection_options(&o.selection, SELECT_EVERY, options + 2);
    const struct usage usage = {
        "NAME...",
        "Shows the points of experiments, which points are left out and why, and how long the "
        "rest\n"
        "takes. --shell prints commands for a machine that has only the point programs: put their\n"
        "folder into PATH or give --bin, and import the CSV files with `study import`.",
        options,
        count,
        0,
        -1};
    int operands;
    struct plan plan;
    if (!arguments_taken(&usage, argc, argv, &operands, f))
        return f->status;
    if (o.chunk.count > 1 && !o.shell)
        return fail(f, STATUS_USAGE, "plan: --chunk needs --shell");
    o.selection.apart = o.shell; /* the experiments share no commands */
    enum status status = selection_plan(&o.selection, argv + 1, operands, false, &plan, f);
    if (status != STATUS_OK)
        return status;
    if (o.shell)
        status = make_simulated_ready(&plan, o.selection.results, f);
    if (o.shell && status == STATUS_OK)
        status = print_shell(&o, &plan, f);
    else if (!o.shell)
        print_points(&plan);
    plan_release(&plan);
    return status;
}
