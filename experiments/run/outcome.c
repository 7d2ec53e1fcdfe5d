#include "experiments/run/outcome.h"

#include "experiments/samples/point.h"
#include "harness/base/text/fit.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

struct launch_rows outcome_rows(const struct samples *fresh, const struct record *point,
                                int64_t round, const struct launch **launch)
{
    struct launch_rows seen = {0};
    *launch = NULL;
    for (size_t i = 0; i < fresh->launch_count; i++) {
        const struct launch *l = &fresh->launches[i];
        if (l->round != round || !point_matches(point, &fresh->points[l->point].identity))
            continue;
        seen.samples += l->count;
        seen.wrong = seen.wrong || strcmp(l->verified, "wrong") == 0;
        seen.finished = seen.finished || l->finished;
        *launch = l;
    }
    return seen;
}

/* Whether the process was ended from outside, as when a batch system cancels a job and this study
 * has not yet received the signal: by the signal itself, or by a launcher that reports it for its
 * ranks. */
static bool was_cancelled(const struct process_result *result)
{
    const int signals[] = {SIGTERM, SIGINT};
    bool cancelled = false;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        cancelled = cancelled || (result->end == PROCESS_KILLED && result->signal == signals[i]) ||
                    (result->end == PROCESS_EXITED && result->exit_status == 128 + signals[i]);
    return cancelled;
}

bool outcome_killed(const struct process_result *result)
{
    return result->end == PROCESS_KILLED ||
           (result->end == PROCESS_EXITED && result->exit_status > 128);
}

bool outcome_wrong(const struct process_result *result, const struct launch_rows *seen, bool direct)
{
    const bool measured = seen->finished && seen->samples > 0;
    return seen->wrong || (direct && !measured && result->end == PROCESS_EXITED &&
                           result->exit_status == STATUS_WRONG);
}

/* Says with which status a launch ended, and what was printed last. */
static void name_exit(const struct process_result *result, char reason[JOURNAL_TEXT])
{
    const char *end = result->output + strlen(result->output);
    while (end > result->output && end[-1] == '\n')
        end--;
    const char *line = end;
    while (line > result->output && line[-1] != '\n')
        line--;
    text_fit_format(reason, JOURNAL_TEXT, "exit status %d%s%.*s", result->exit_status,
                    line < end ? ": " : "", (int)(end - line), line);
}

/* Copies the line in which a program says that its launcher belongs to another MPI, without what
 * follows: every copy says it. False if it does not. */
static bool foreign_launcher(const char *output, char reason[JOURNAL_TEXT])
{
    static const char words[] = " copies of one rank each ran";
    const char *at = strstr(output, words);
    if (!at)
        return false;
    while (at > output && at[-1] >= '0' && at[-1] <= '9')
        at--;
    snprintf(reason, JOURNAL_TEXT, "%.*s", (int)strcspn(at, "\n"), at);
    return true;
}

static const char *classify_exit(const struct process_result *result,
                                 const struct launch_rows *seen, char reason[JOURNAL_TEXT])
{
    if (result->exit_status == STATUS_OUTPUT) { /* not the point's fault: it is run again */
        snprintf(reason, JOURNAL_TEXT, "its samples could not be written");
        return "interrupted";
    }
    if (result->exit_status == STATUS_UNAVAILABLE || result->exit_status == STATUS_RESOURCE) {
        if (!foreign_launcher(result->output, reason))
            text_fit_format(reason, JOURNAL_TEXT, "the program cannot run it here: %s",
                            result->output);
        return "skipped";
    }
    if (result->exit_status != 0) /* 1 too: launchers end with it, and no row is wrong */
        name_exit(result, reason);
    else if (seen->samples == 0)
        snprintf(reason, JOURNAL_TEXT, "exit status 0, but no samples of this point were recorded");
    else
        snprintf(reason, JOURNAL_TEXT, "exit status 0, but its last sample is missing");
    return "failed";
}

const char *outcome_classify(const struct process_result *result, const struct launch_rows *seen,
                             char reason[JOURNAL_TEXT])
{
    reason[0] = '\0';
    if (seen->wrong) {
        snprintf(reason, JOURNAL_TEXT, "a result was wrong");
        return "failed";
    }
    if (seen->finished && seen->samples > 0)
        return "done";
    if (was_cancelled(result)) {
        snprintf(reason, JOURNAL_TEXT, "ended from outside");
        return "interrupted";
    }
    switch (result->end) {
    case PROCESS_STOPPED:
        snprintf(reason, JOURNAL_TEXT, "asked to stop");
        return "interrupted";
    case PROCESS_TIMED_OUT:
        snprintf(reason, JOURNAL_TEXT, "not done within its time limit, after %.1f s",
                 result->seconds);
        return "timeout";
    case PROCESS_NOT_STARTED:
        snprintf(reason, JOURNAL_TEXT, "could not be started");
        return "failed";
    case PROCESS_TERMINAL:
        snprintf(reason, JOURNAL_TEXT, "it waits for a terminal, and there is none");
        return "failed";
    case PROCESS_KILLED:
        snprintf(reason, JOURNAL_TEXT, "ended by signal %d (%s)", result->signal,
                 strsignal(result->signal));
        return "failed";
    case PROCESS_EXITED:
        break;
    }
    return classify_exit(result, seen, reason);
}
