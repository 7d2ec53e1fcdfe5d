#include "experiments/run/quiet.h"

#include "experiments/common/process.h"
#include "harness/base/clock.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/screen.h"
#include "harness/base/text/wording.h"
#include "harness/machine/machine.h"
#include "harness/machine/other_load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double look_s = 1.0, shortest_look_s = 0.1; /* a hundred ticks, ten */
static const double least_named = 0.05;                  /* cores */
static const double longest_wait_s = 20.0;

/* ---- a look ---------------------------------------------------------------------------------- */

static void pause_for(double seconds)
{
    const struct timespec time = {.tv_sec = (time_t)seconds,
                                  .tv_nsec = (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&time, NULL);
}

/* Processor time that a process had used before; 0 if it was not there. */
static double used_before(const struct seen_process *before, size_t count, int pid)
{
    for (size_t i = 0; i < count; i++)
        if (before[i].pid == pid)
            return before[i].seconds;
    return 0.0;
}

/* Keeps the busiest programs, the busiest first. */
static void name_one(struct quiet_look *look, const struct quiet_program *p)
{
    size_t at = look->named_count;
    while (at > 0 && look->named[at - 1].cores < p->cores)
        at--;
    if (at == QUIET_NAMED)
        return;
    look->named_count += look->named_count < QUIET_NAMED;
    for (size_t i = look->named_count - 1; i > at; i--)
        look->named[i] = look->named[i - 1];
    look->named[at] = *p;
}

void quiet_name(struct quiet_look *look, const struct seen_process *before, size_t before_count,
                const struct seen_process *after, size_t after_count)
{
    look->named_count = 0;
    for (size_t i = 0; i < after_count; i++) {
        struct quiet_program one = {.pid = after[i].pid};
        one.cores = (after[i].seconds - used_before(before, before_count, one.pid)) / look->seconds;
        memcpy(one.command, after[i].command, sizeof one.command);
        if (!after[i].ours && one.cores >= least_named)
            name_one(look, &one);
    }
}

/* Says once that MAXPOOL_WAIT is no time. */
static void warn_of_wait(const char *given)
{
    static bool warned;
    if (!warned)
        wording_warn("study",
                     "MAXPOOL_WAIT=%s is no number of seconds from 0: up to %g s are waited",
                     text_brief(given, 100).text, longest_wait_s);
    warned = true;
}

/* The most that MAXPOOL_WAIT allows to wait. */
static double most_allowed(void)
{
    const char *given = getenv("MAXPOOL_WAIT");
    char *end = NULL;
    const double seconds = given ? strtod(given, &end) : longest_wait_s;
    if (!given || (end > given && !*end && seconds >= 0.0))
        return seconds;
    warn_of_wait(given);
    return longest_wait_s;
}

static struct quiet_look look_for(double seconds)
{
    struct load_reading before, after;
    size_t before_count, after_count;
    struct seen_process *seen_before = family_see("", &before_count);
    other_load_read(&before, "", LOAD_OF_FAMILY);
    pause_for(seconds);
    other_load_read(&after, "", LOAD_OF_FAMILY);
    struct seen_process *seen_after = family_see("", &after_count);
    const struct other_load load = other_load_between(&before, &after);
    struct quiet_look look = {.seconds = load.seconds, .cores = load.cores};
    quiet_name(&look, seen_before, before_count, seen_after, after_count);
    free(seen_before);
    free(seen_after);
    return look;
}

struct quiet_look quiet_look(void)
{
    return look_for(fmin(look_s, fmax(most_allowed(), shortest_look_s)));
}

bool quiet_is(const struct quiet_look *look, double cores)
{
    return !load_disturbs(look->cores, cores, cores);
}

void quiet_text(const struct quiet_look *look, double cores, char text[QUIET_TEXT])
{
    char busy[24], all[24];
    snprintf(busy, sizeof busy, "%.2f", look->cores);
    snprintf(all, sizeof all, "%.0f", cores);
    message_fill(text, QUIET_TEXT,
                 message_plural(screen_language(), "%{busy} of %{all} core busy",
                                "%{busy} of %{all} cores busy", (unsigned long)cores),
                 WITH({"busy", busy}, {"all", all}));
    int length = (int)strlen(text);
    for (size_t i = 0; i < look->named_count && length < QUIET_TEXT; i++)
        length += snprintf(text + length, QUIET_TEXT - (size_t)length, "%s%s (pid %d) %.2f",
                           i ? ", " : ": ", look->named[i].command, look->named[i].pid,
                           look->named[i].cores);
    if (!look->named_count)
        snprintf(text + length, QUIET_TEXT - (size_t)length, "%s",
                 screen_text(N_(", by programs that are not visible here or have ended")));
}

/* ---- waiting --------------------------------------------------------------------------------- */

static void show_waiting(const struct quiet_look *look, double cores, double left_s)
{
    char text[QUIET_TEXT];
    quiet_text(look, cores, text);
    char line[QUIET_TEXT + 100], seconds[24];
    snprintf(seconds, sizeof seconds, "%.0f", left_s);
    message_format(line, sizeof line, screen_language(),
                   "waiting for quiet, at most %{seconds} s more: ", WITH({"seconds", seconds}));
    fprintf(stderr, "\r%s%.48s\033[K", line, text);
    fflush(stderr);
}

/* Prints a line with a number of seconds. */
static void print_seconds(const char *id, double s)
{
    char line[200], seconds[24];
    snprintf(seconds, sizeof seconds, "%.0f", s);
    message_fill(line, sizeof line, screen_text(id), WITH({"seconds", seconds}));
    fprintf(stderr, "study: %s\n", line);
}

/* Looks until it is quiet or the time is over. */
static void look_on(struct quiet_look *look, double cores, double most_s)
{
    const bool live = isatty(STDERR_FILENO);
    const double began = clock_now();
    for (double gone_s = 0.0;
         gone_s < most_s && !quiet_is(look, cores) && process_stop_signal() == 0;
         gone_s = clock_now() - began) {
        if (live)
            show_waiting(look, cores, most_s - gone_s);
        *look = look_for(fmin(look_s, fmax(most_s - gone_s, shortest_look_s)));
    }
    if (live)
        fputs("\r\033[K", stderr);
    if (quiet_is(look, cores))
        print_seconds(N_("quiet after %{seconds} s"), clock_now() - began);
    else
        print_seconds(N_("going on beside them; launches that they disturb are noted"), 0.0);
}

double quiet_wait(double most_s)
{
    struct machine m;
    char text[QUIET_TEXT];
    machine_describe(&m);
    struct quiet_look look = quiet_look();
    const double cores = (double)m.allowed_cores, wait_s = fmin(most_s, most_allowed());
    if (quiet_is(&look, cores))
        return look.cores;
    quiet_text(&look, cores, text);
    char waiting[100] = "", seconds[24];
    snprintf(seconds, sizeof seconds, "%.0f", wait_s);
    if (wait_s >= 1.0)
        message_format(waiting, sizeof waiting, screen_language(),
                       "; waiting up to %{seconds} s for quiet", WITH({"seconds", seconds}));
    fprintf(stderr, "study: %s %s%s\n", screen_text(N_("other programs keep")), text, waiting);
    look_on(&look, cores, wait_s);
    return look.cores;
}
