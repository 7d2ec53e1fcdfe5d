#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/process.h"
#include "experiments/common/progress.h"
#include "experiments/plan/selection.h"
#include "experiments/run/runner.h"
#include "harness/base/clock.h"

#include <inttypes.h>
#include <stdio.h>

/* "1 launch", "2 launches": a count with its word. */
static void print_count(size_t count, const char *one, const char *many)
{
    printf("%zu %s", count, count == 1 ? one : many);
}

static void print_summary(const struct run_summary *s, const char *results, double seconds)
{
    char time_text[32];
    duration_text(seconds, time_text, sizeof time_text);
    printf("%zu of %zu launches were there, %zu done now", s->before, s->planned, s->done);
    if (s->extra > 0)
        printf(" (%zu of them where intervals were widest)", s->extra);
    if (s->shared > 0)
        printf(", %zu taken from other experiments", s->shared);
    printf(", %zu failed, %zu missing; ", s->failed, s->missing);
    print_count(s->skipped, "point", "points");
    printf(" left out; %s; %s\n", time_text, results);
    if (s->out_of_budget)
        printf("The budget was too short for every launch; run again to go on.\n");
    if (s->stop_signal)
        printf("Stopped as asked; run again to go on.\n");
}

static enum status outcome(const struct run_summary *s, const char *results, struct failure *f)
{
    if (s->wrong)
        return fail(f, STATUS_WRONG, "a result was wrong; 'study status --results %s' tells where",
                    results);
    if (s->failed_in_all > 0)
        return fail(f, STATUS_RESOURCE,
                    "of %zu launches %zu failed and %zu are missing; 'study status --results %s' "
                    "tells why, and 'study run --retry-failed' tries again",
                    s->planned, s->failed_in_all, s->missing, results);
    if (s->missing > 0 && !s->out_of_budget && !s->stop_signal)
        return fail(f, STATUS_RESOURCE,
                    "of %zu launches %zu are missing; 'study status --results %s' tells why, and "
                    "'study run' goes on",
                    s->planned, s->missing, results);
    return STATUS_OK;
}

/* More workers than cores is measured as asked, and said before it begins. */
static void tell_sharing(const struct plan *plan)
{
    const int64_t most = plan_most_sharing(plan);
    if (most > 0)
        printf("Some points have more workers than the %" PRId64 " core%s here: up to %" PRId64
               " share them\n(mpirun --oversubscribe). Their times include the waiting and are no "
               "speedup.\n",
               plan->settings.here, plan->settings.here == 1 ? "" : "s", most);
}

enum status command_run(int argc, char **argv, struct failure *f)
{
    struct selection selection;
    struct run_settings settings = {.seed = 35};
    struct option_row options[SELECTION_ROWS + 4] = {
        {"budget", OPTION_DURATION, "TIME",
         "stop after 90s, 10m, 1h30m; what the plan leaves goes to the widest intervals\n"
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
        settings.widest_until_s = scale_budgets_s[selection_scale(&selection)];
    status = selection_plan(&selection, argv + 1, operands, false, &plan, f);
    if (status != STATUS_OK)
        return status;
    tell_sharing(&plan);
    process_catch_stop_signals();
    double began = clock_now();
    status = selection_check_points(&selection, &plan, f);
    if (status == STATUS_OK)
        status = run_plan(&plan, &settings, &summary, f);
    plan_release(&plan);
    if (status != STATUS_OK)
        return status;
    print_summary(&summary, selection.results, clock_now() - began);
    return outcome(&summary, selection.results, f);
}
