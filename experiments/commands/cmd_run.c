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
        {"budget", OPTION_DURATION, "TIME",
         "stop after 90s, 10m, 1h30m; what the plan leaves goes to further rounds\n"
         "(default with --all: what the plan leaves of the scale's minutes)",
         &settings.budget_s},
        {"time-limit", OPTION_DURATION, "TIME", "end a launch that takes longer",
         &settings.time_limit_s},
        {"seed", OPTION_NUMBER, "S", "of the random order (default 35)", &settings.seed},
        {"retry-failed", OPTION_FLAG, NULL, "try again what failed before", &settings.retry_failed},
    };
    selection_begin(&selection);
    size_t count = 4 + selection_options(&selection, options + 4);
    const struct usage usage = {
        "NAME...",
        "Runs what is missing of experiments: rounds over all points in random order, so that the\n"
        "machine's drift spreads evenly. Ctrl-C stops cleanly; running again does what is missing.",
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
    run_tell_sharing(&plan);
    process_catch_stop_signals();
    double began = clock_now();
    status = selection_check_points(&selection, &plan, f);
    if (status == STATUS_OK)
        status = run_plan(&plan, &settings, &summary, f);
    plan_release(&plan);
    if (status != STATUS_OK)
        return status;
    run_tell_summary(&summary, selection.results, clock_now() - began);
    return run_outcome(&summary, selection.results, f);
}
