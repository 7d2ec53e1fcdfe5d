#include "experiments/commands/run/run_words.h"

#include "experiments/common/progress.h"

#include <inttypes.h>
#include <stdio.h>

/* Prints a count with its word: "1 launch", "2 launches". */
static void print_count(size_t count, const char *one, const char *many)
{
    printf("%zu %s", count, count == 1 ? one : many);
}

void run_print_summary(const struct run_summary *s, const char *results, double seconds)
{
    char time_text[32];
    duration_text(seconds, time_text, sizeof time_text);
    if (s->again > 0) {
        print_count(s->again, "point", "points");
        printf(" measured again; new launches replace the old ones of a point once all are done\n");
    }
    if (s->resumed > 0) {
        printf("Went on with measuring ");
        print_count(s->resumed, "point", "points");
        printf(" again, as was begun before; nothing else was chosen\n");
    }
    printf("%zu of %zu launches were there, %zu done now", s->before, s->planned, s->done);
    if (s->extra > 0)
        printf(" (%zu of them in further rounds)", s->extra);
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
