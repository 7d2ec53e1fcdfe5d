/* The look at other programs before something is measured: whom it names, and that it waits. */
#include "experiments/run/quiet.h"
#include "harness/base/clock.h"
#include "tests/harness/busy_child.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Pid, processor time and whether it is ours. */
static struct seen_process process(int pid, double seconds, bool ours)
{
    struct seen_process p = {.pid = pid, .seconds = seconds, .ours = ours};
    snprintf(p.command, sizeof p.command, "program%d", pid);
    return p;
}

/* The busiest three of the others, also those that began meanwhile; not those that sleep. */
TEST(the_busiest_programs_are_named)
{
    const struct seen_process before[] = {process(1, 5.0, false), process(2, 7.0, false),
                                          process(3, 9.0, true), process(4, 1.0, false)};
    const struct seen_process after[] = {process(1, 5.06, false), process(2, 9.0, false),
                                         process(3, 11.0, true),  process(4, 1.5, false),
                                         process(5, 1.0, false),  process(6, 0.2, false)};
    struct quiet_look look = {.seconds = 2.0, .cores = 1.86};
    char text[QUIET_TEXT];
    quiet_name(&look, before, 4, after, 6);
    assert_int_equal(look.named_count, 3);
    quiet_text(&look, 2.0, text);
    assert_string_equal(text, "1.86 of 2 cores busy: program2 (pid 2) 1.00, program5 (pid 5) 0.50, "
                              "program4 (pid 4) 0.25");
    quiet_name(&look, after, 6, after, 6);
    assert_int_equal(look.named_count, 0);
    quiet_text(&look, 1.0, text);
    assert_string_equal(text,
                        "1.86 of 1 core busy, by programs that are not visible here or have ended");
}

TEST(quiet_is_what_disturbs_nobody)
{
    assert_true(quiet_is(&(struct quiet_look){.cores = 0.2}, 2.0));
    assert_false(quiet_is(&(struct quiet_look){.cores = 0.3}, 2.0));
    assert_true(quiet_is(&(struct quiet_look){.cores = NAN}, 2.0)); /* not known: no alarm */
}

/* What quiet_look() prints with a value of MAXPOOL_WAIT, in a process of its own. */
static void look_and_listen(const char *value, char printed[2000])
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        setenv("MAXPOOL_WAIT", value, 1);
        quiet_look();
        quiet_look();
        _exit(0);
    }
    close(ends[1]);
    size_t count = 0;
    for (ssize_t got; (got = read(ends[0], printed + count, 1999 - count)) > 0;)
        count += (size_t)got;
    printed[count] = 0;
    close(ends[0]);
    waitpid(child, NULL, 0);
}

/* A value that is no time is named, once; it does not pass for the usual one in silence. */
TEST(a_wait_that_is_no_time_is_named)
{
    static const char *const bad[] = {"abc", "-5", "", "nan", "5s"}, *const good[] = {"0", "0.5"};
    char printed[2000], expected[200];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(expected, sizeof expected,
                 "study: MAXPOOL_WAIT=%s is no number of seconds from 0: up to 20 s are waited\n",
                 bad[i]);
        look_and_listen(bad[i], printed);
        assert_string_equal(printed, expected);
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        look_and_listen(good[i], printed);
        assert_string_equal(printed, "");
    }
}

/* A program that computes on all cores that it may use, and is no child of this one. */
static pid_t busy_stranger(void)
{
    int ends[2];
    pid_t stranger = 0;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        stranger = busy_child();
        _exit(write(ends[1], &stranger, sizeof stranger) == (ssize_t)sizeof stranger ? 0 : 1);
    }
    assert_int_equal(read(ends[0], &stranger, sizeof stranger), sizeof stranger);
    waitpid(child, NULL, 0);
    close(ends[0]);
    close(ends[1]);
    return stranger;
}

/* What quiet_wait() prints; *seconds: how long it took. */
static void wait_and_listen(double most_s, char *printed, size_t size, double *seconds)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    const int before = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    const double began = clock_now();
    quiet_wait(most_s);
    *seconds = clock_now() - began;
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(file);
    printed[fread(printed, 1, size - 1, file)] = '\0';
    fclose(file);
}

/* How many programs the printed line names. */
static size_t count_named(const char *printed)
{
    size_t named = 0;
    for (const char *at = strstr(printed, "(pid "); at; at = strstr(at + 1, "(pid "))
        named++;
    return named;
}

/* It is waited for, at most so long as is asked and as MAXPOOL_WAIT allows. */
TEST(a_busy_program_is_named_and_waited_for)
{
    char printed[2000] = "", pid[32];
    double seconds;
    const pid_t stranger = busy_stranger();
    snprintf(pid, sizeof pid, "(pid %d)", (int)stranger);
    setenv("MAXPOOL_WAIT", "2", 1);
    for (int tries = 0; tries < 10 && !strstr(printed, pid); tries++)
        wait_and_listen(20.0, printed, sizeof printed, &seconds);
    setenv("MAXPOOL_WAIT", "0", 1);
    char at_once[2000];
    wait_and_listen(20.0, at_once, sizeof at_once, &seconds);
    kill(stranger, SIGKILL);
    assert_non_null(strstr(printed, "study: other programs keep "));
    assert_non_null(strstr(printed, "; waiting up to 2 s for quiet\n"));
    assert_true(strstr(printed, "study: going on beside them") ||
                strstr(printed, "study: quiet after"));
    assert_null(strstr(at_once, "waiting"));
    assert_null(strchr(printed, '\r')); /* no terminal: no line that changes */
    if (!strstr(printed, pid)) {
        assert_int_equal(count_named(printed), QUIET_NAMED);
        print_message("skipped, since busier programs took all places: %s", printed);
        skip();
    }
}
