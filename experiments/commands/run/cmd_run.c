#include "experiments/commands/commands.h"
#include "experiments/commands/run/again.h"
#include "experiments/commands/run/run_words.h"
#include "experiments/common/arguments.h"
#include "experiments/common/process.h"
#include "experiments/plan/selection.h"
#include "experiments/run/runner.h"
#include "harness/base/clock.h"

#include <stdio.h>

/* Plans and runs the named experiments; `again`: what of them is measured afresh, or NULL. */
static enum status run_names(char **names, int count, struct again *again,
                             const struct selection *selection, struct run_settings *settings,
                             struct failure *f)
{
    struct plan plan;
    struct run_summary summary;
    settings->results = selection->results;
    if (selection->all && !again)
        settings->further_until_s = scale_budgets_s[selection_scale(selection)];
    if (selection_plan(selection, names, count, false, &plan, f) != STATUS_OK)
        return f->status;
    run_print_sharing(&plan);
    process_catch_stop_signals();
    double began = clock_now();
    enum status status = selection_check_points(selection, &plan, f);
    if (status == STATUS_OK && again)
        status = again_choose(again, selection, &plan, f);
    if (again)
        settings->again = again->points;
    if (status == STATUS_OK)
        status = run_plan(&plan, settings, &summary, f);
    plan_release(&plan);
    if (status != STATUS_OK)
        return status;
    if (again && summary.resumed == 0)
        again_print(again);
    run_print_summary(&summary, selection->results, clock_now() - began);
    return run_outcome(&summary, selection->results, f);
}

static enum status run_again(const char *text, char **operands, int count,
                             struct selection *selection, struct run_settings *settings,
                             struct failure *f)
{
    struct again again;
    if (again_begin(&again, text, operands, count, selection, f) != STATUS_OK)
        return f->status;
    enum status status =
        run_names(again.names.items, (int)again.names.count, &again, selection, settings, f);
    again_release(&again);
    return status;
}

enum status command_run(int argc, char **argv, struct failure *f)
{
    struct selection selection;
    struct run_settings settings = {.seed = 35};
    const char *again_text = NULL;
    struct option_row options[SELECTION_ROWS + 5] = {
        {"budget", VALUE_DURATION, "TIME",
         "stop after TIME, such as 90s, 10m or 1h30m; time left after the plan is spent on further "
         "rounds (default with --all: the time of the scale)",
         .target = &settings.budget_s},
        {"time-limit", VALUE_DURATION, "TIME", "end a launch that takes longer than TIME",
         .target = &settings.time_limit_s},
        {"seed", VALUE_INT, "S", "seed of the random order (default 35)", .target = &settings.seed},
        {"retry-failed", VALUE_FLAG, NULL, "try failed launches again",
         .target = &settings.retry_failed},
        {"again", VALUE_TEXT, "WHAT", again_help, .target = &again_text},
    };
    selection_begin(&selection);
    size_t count = 5 + selection_options(&selection, SELECT_EVERY, options + 5);
    const struct usage usage = {
        "NAME...",
        "Measures the points that are missing from experiments. Every round measures all points "
        "in\n"
        "random order, so that slow changes of the machine affect all of them alike. Ctrl-C stops\n"
        "cleanly; the same command continues. With --again, NAME is optional: it then means all\n"
        "experiments of DIR. NAME may be a file of yours, FILE.ini, and its section [points] may\n"
        "launch a program of yours: 'program = ./mine -t {threads} {size}' (docs/own_program.md).",
        options,
        count,
        0,
        -1};
    int operands;
    if (!arguments_taken(&usage, argc, argv, &operands, f))
        return f->status;
    if (again_text)
        return run_again(again_text, argv + 1, operands, &selection, &settings, f);
    return run_names(argv + 1, operands, NULL, &selection, &settings, f);
}
