#include "experiments/commands/run/run_words.h"

#include "experiments/common/progress.h"
#include "harness/base/text/screen.h"

#include <inttypes.h>
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

/* Prints a text with a count, in the language of the screen. */
static void print_counted(const char *one, const char *many, size_t count)
{
    char text[512];
    message_fill(text, sizeof text, message_plural(screen_language(), one, many, count),
                 WITH({"n", number_of(count).text}));
    fputs(text, stdout);
}

/* What was done before the launches were: points that are measured again. */
static void print_again(const struct run_summary *s)
{
    if (s->again > 0)
        print_counted(
            "%{n} point measured again; new launches replace the old ones of a point once "
            "all are done\n",
            "%{n} points measured again; new launches replace the old ones of a point "
            "once all are done\n",
            s->again);
    if (s->resumed > 0)
        print_counted("Went on with measuring %{n} point again, as was begun before; nothing else "
                      "was chosen\n",
                      "Went on with measuring %{n} points again, as was begun before; nothing else "
                      "was chosen\n",
                      s->resumed);
}

void run_print_summary(const struct run_summary *s, const char *results, double seconds)
{
    char time_text[32], text[512];
    const struct language *l = screen_language();
    duration_text(seconds, time_text, sizeof time_text);
    print_again(s);
    message_format(
        text, sizeof text, l, "%{before} of %{planned} launches were there, %{done} done now",
        WITH({"before", number_of(s->before).text}, {"planned", number_of(s->planned).text},
             {"done", number_of(s->done).text}));
    fputs(text, stdout);
    if (s->extra > 0)
        print_counted(" (%{n} of them in further rounds)", " (%{n} of them in further rounds)",
                      s->extra);
    if (s->shared > 0)
        print_counted(", %{n} taken from other experiments", ", %{n} taken from other experiments",
                      s->shared);
    message_format(
        text, sizeof text, l, ", %{failed} failed, %{missing} missing; ",
        WITH({"failed", number_of(s->failed).text}, {"missing", number_of(s->missing).text}));
    fputs(text, stdout);
    print_counted("%{n} point left out", "%{n} points left out", s->skipped);
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
        printf("Some points have more workers than the %" PRId64 " core%s of this machine: up to "
               "%" PRId64 " share them\n(mpirun --oversubscribe). Their times include waiting, so "
               "their ratios are no speedup.\n",
               plan->settings.here, plan->settings.here == 1 ? "" : "s", most);
}
