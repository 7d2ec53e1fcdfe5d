#include "experiments/commands/commands.h"
#include "experiments/commands/run_words.h"
#include "experiments/common/arguments.h"
#include "experiments/common/process.h"
#include "experiments/plan/selection.h"
#include "experiments/run/runner.h"
#include "harness/base/clock.h"

#include <stdio.h>

enum status command_run(int argc, char **argv, struct failure *f)
{
    struct selection selection;
    struct run_settings settings = {.seed = 35};
    struct option_row options[SELECTION_ROWS + 4] = {
        {"budget", VALUE_DURATION, "TIME",
         "stop after TIME, such as 90s, 10m or 1h30m; time left after the plan is spent on further "
         "rounds (default with --all: the time of the scale)",
         .target = &settings.budget_s},
        {"time-limit", VALUE_DURATION, "TIME", "end a launch that takes longer than TIME",
         .target = &settings.time_limit_s},
        {"seed", VALUE_INT, "S", "seed of the random order (default 35)", .target = &settings.seed},
        {"retry-failed", VALUE_FLAG, NULL, "try failed launches again",
         .target = &settings.retry_failed},
    };
    selection_begin(&selection);
    size_t count = 4 + selection_options(&selection, SELECT_EVERY, options + 4);
    const struct usage usage = {
        "NAME...",
        "Measures the points that are missing from experiments. Every round measures all points "
        "in\n"
        "random order, so that slow changes of the machine affect all of them alike. Ctrl-C stops\n"
        "cleanly; the same command continues.",
        options,
        count,
        0,
        -1};
    int operands;
    bool help;
    struct plan plan;
    struct run_summary summary;
    enum status status = arguments_parse(&usage, argc, argv, &operands, &help, f);
    if (status != STATUS_OK || help)
        return status;
    settings.results = selection.results;
    if (selection.all)
        settings.further_until_s = scale_budgets_s[selection_scale(&selection)];
    status = selection_plan(&selection, argv + 1, operands, false, &plan, f);
    if (status != STATUS_OK)
        return status;
    run_print_sharing(&plan);
    process_catch_stop_signals();
    double began = clock_now();
    status = selection_check_points(&selection, &plan, f);
    if (status == STATUS_OK)
        status = run_plan(&plan, &settings, &summary, f);
    plan_release(&plan);
    if (status != STATUS_OK)
        return status;
    run_print_summary(&summary, selection.results, clock_now() - began);
    return run_outcome(&summary, selection.results, f);
}
