#include "experiments/commands/run/run_words.h"

#include "experiments/common/progress.h"
#include "harness/base/text/screen.h"

#include <stdio.h>

struct number_text {
    char text[24];
};

static struct number_text number_of(size_t n)
{
    struct number_text number;
    snprintf(number.text, sizeof number.text, "%zu", n);
    return number;
}

/* What was done before the launches were: points that are measured again. */
static void print_again(const struct run_summary *s)
{
    if (s->again > 0)
        screen_say_plural(
            stdout,
            "%{n} point measured again; new launches replace the old ones of a point once "
            "all are done\n",
            "%{n} points measured again; new launches replace the old ones of a point "
            "once all are done\n",
            s->again, NULL);
    if (s->resumed > 0)
        screen_say_plural(
            stdout,
            "Went on with measuring %{n} point again, as was begun before; nothing else "
            "was chosen\n",
            "Went on with measuring %{n} points again, as was begun before; nothing else "
            "was chosen\n",
            s->resumed, NULL);
}

void run_print_summary(const struct run_summary *s, const char *results, double seconds)
{
    char time_text[32];
    duration_text(seconds, time_text, sizeof time_text);
    print_again(s);
    screen_say(stdout, "%{before} of %{planned} launches were there, %{done} done now",
               WITH({"before", number_of(s->before).text}, {"planned", number_of(s->planned).text},
                    {"done", number_of(s->done).text}));
    if (s->extra > 0)
        screen_say_plural(stdout, " (%{n} of them in further rounds)",
                          " (%{n} of them in further rounds)", s->extra, NULL);
    if (s->shared > 0)
        screen_say_plural(stdout, ", %{n} taken from other experiments",
                          ", %{n} taken from other experiments", s->shared, NULL);
    screen_say(
        stdout, ", %{failed} failed, %{missing} missing; ",
        WITH({"failed", number_of(s->failed).text}, {"missing", number_of(s->missing).text}));
    screen_say_plural(stdout, "%{n} point left out", "%{n} points left out", s->skipped, NULL);
    printf("; %s; %s\n", time_text, results);
    if (s->out_of_budget)
        puts(screen_text(N_("The budget was too short for every launch; run again to go on.")));
    if (s->stop_signal)
        puts(screen_text(N_("Stopped as asked; run again to go on.")));
}

enum status run_outcome(const struct run_summary *s, const char *results, struct failure *f)
{
    if (s->wrong)
        return fail(f, STATUS_WRONG, "a result was wrong; 'study status --results %s' shows where",
                    results);
    if (s->failed_in_all > 0)
        return fail(f, STATUS_RESOURCE,
                    "of %zu launches %zu failed and %zu are missing; 'study status --results %s' "
                    "shows why, and 'study run --retry-failed' tries again",
                    s->planned, s->failed_in_all, s->missing, results);
    if (s->missing > 0 && !s->out_of_budget && !s->stop_signal)
        return fail(f, STATUS_RESOURCE,
                    "of %zu launches %zu are missing; 'study status --results %s' shows why, and "
                    "'study run' continues",
                    s->planned, s->missing, results);
    return STATUS_OK;
}

void run_print_sharing(const struct plan *plan)
{
    const int64_t most = plan_most_sharing(plan);
    if (most > 0)
        screen_say_plural(
            stdout,
            "Some points have more workers than the one core of this machine: up to "
            "%{most} share it\n(mpirun --oversubscribe). Their times include "
            "waiting, so their ratios are no speedup.\n",
            "Some points have more workers than the %{n} cores of this machine: up to "
            "%{most} share them\n(mpirun --oversubscribe). Their times include "
            "waiting, so their ratios are no speedup.\n",
            (size_t)plan->settings.here, WITH({"most", number_of((size_t)most).text}));
}
