/* `study run` with fake point programs: order, resumption, failures, limits, budget, and being
 * killed at any moment. */
#include "tests/experiments/run/study_drill.h"

#include "experiments/samples/folder_samples.h"
#include "tests/support/run_program.h"
#include "tests/support/side_by_side.h"
#include "tests/support/unit_test.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define HEAD                                                                                       \
    "[experiment]\ntitle = A drill\nquestion = Does it hold?\nsamples = 4\nlaunches = 3\n"         \
    "[points]\nprograms = maxpool_serial\n"

static struct drill_log log_now;

static void expect_output(const char *part)
{
    if (!strstr(drill_output, part))
        fail_msg("'%s' is not in:\n%s", part, drill_output);
}

static void expect_status(int got, int expected)
{
    if (got != expected)
        fail_msg("exit status %d, not %d:\n%s", got, expected, drill_output);
}

static void test_runs_every_launch_once(NO_STATE)
{
    drill_define(HEAD "method = steady noisy\nsize = 2..8 x2\n");
    expect_status(drill_study("run", "drill"), 0);
    struct drill_samples s = drill_read_samples();
    assert_int_equal(s.finished, 2 * 3 * 3);
    assert_int_equal(s.repeated, 0);
    assert_int_equal(s.rows, 4 * s.finished);
    assert_int_equal(drill_journal("done"), s.finished);

    expect_status(drill_study("run", "drill"), 0); /* nothing is missing */
    drill_read_log(&log_now);
    assert_int_equal(log_now.count, s.finished);
    expect_output("18 of 18 launches were there, 0 done now");
    expect_status(drill_study("status", ""), 0);
    expect_output("18 of 18 launches done, 0 failed, 0 missing");
}

/* Rounds follow each other. Within a round the order is random: it differs between rounds, and is
 * the same for the same seed. */
static void test_order_is_seeded(NO_STATE)
{
    enum { POINTS = 12 };
    static struct drill_log first;
    drill_define(HEAD "method = steady\nsize = 2..13\n");
    expect_status(drill_study("run", "drill"), 0);
    drill_read_log(&first);
    assert_int_equal(first.count, 3 * POINTS);
    bool sorted = true, same_rounds = true;
    for (size_t i = 0; i < first.count; i++) {
        assert_int_equal(first.launches[i].round, i / POINTS);
        sorted = sorted && first.launches[i].rows == (int64_t)(i % POINTS) + 2;
        same_rounds = same_rounds && first.launches[i].rows == first.launches[i % POINTS].rows;
    }
    assert_false(sorted);
    assert_false(same_rounds);

    drill_define(HEAD "method = steady\nsize = 2..13\n");
    expect_status(drill_study("run", "drill"), 0);
    drill_read_log(&log_now);
    assert_memory_equal(log_now.launches, first.launches, first.count * sizeof *first.launches);

    drill_define(HEAD "method = steady\nsize = 2..13\n");
    expect_status(drill_study("run", "drill --seed 36"), 0);
    drill_read_log(&log_now);
    assert_memory_not_equal(log_now.launches, first.launches, first.count * sizeof *first.launches);
}

/* A process measures a failing method and a sound one. Missing launches of the sound one are then
 * measured separately, and so is the failing one, which is not run again afterwards. */
static void test_failures_are_recorded_and_passed(NO_STATE)
{
    static const struct {
        const char *method, *says;
        size_t launches;
    } cases[] = {
        {"crash", "fake: about to crash | fake: second line", 8}, /* a signal: tried three times */
        {"crash", "signal 6", 8},
        {"silent", "no samples of this point", 6},
        {"stranger", "no samples of this point", 5},
        {"rubbish", "rubbish,9999", 6},
        {"usage", "no such option", 6},
        {"usage", "exit status 2", 6},
        {"truncated", "its last sample is missing", 5},
        {"wrong", "a result was wrong", 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, HEAD "method = %s steady\nsize = 4\n", cases[i].method);
        drill_define(text);
        int status = drill_study("run", "drill");
        expect_status(status,
                      strcmp(cases[i].method, "wrong") == 0 ? STATUS_WRONG : STATUS_RESOURCE);
        if (!drill_journal_says("failed", cases[i].says))
            fail_msg("the journal does not say '%s' of %s", cases[i].says, cases[i].method);
        assert_int_equal(drill_journal("done"), 3);   /* the study continued */
        assert_int_equal(drill_journal("failed"), 1); /* and did not repeat the failing method */
        drill_read_log(&log_now);
        if (log_now.count != cases[i].launches)
            fail_msg("%zu launches of %s, not %zu", log_now.count, cases[i].method,
                     cases[i].launches);
        expect_status(drill_study("status", "drill"), 0);
        expect_output("3 of 6 launches done, 1 failed, 2 missing");
    }
}

static void test_failed_points_are_tried_again_when_asked(NO_STATE)
{
    drill_define(HEAD "method = silent steady\nsize = 4\n");
    expect_status(drill_study("run", "drill"), STATUS_RESOURCE);
    expect_status(drill_study("run", "drill"), STATUS_RESOURCE); /* it is still missing */
    expect_output("of 6 launches 1 failed and 2 are missing");
    drill_read_log(&log_now);
    assert_int_equal(log_now.count, 6);
    expect_status(drill_study("run", "drill --retry-failed"), STATUS_RESOURCE);
    drill_read_log(&log_now);
    assert_int_equal(log_now.count, 7);
}

/* Failures with other --cores or at another scale are reported, unless they were repaired since. */
static void test_failures_outside_the_plan_are_reported(NO_STATE)
{
    drill_define(HEAD "method = usage\nsize = cores\n");
    expect_status(drill_study("run", "drill --cores 4"), STATUS_RESOURCE);
    expect_status(drill_study("status", "drill --cores 4"), 0);
    expect_output("0 of 3 launches done, 1 failed, 2 missing");
    expect_status(drill_study("status", "drill --cores 3"), 0);
    expect_output("0 of 3 launches done, 1 failed, 3 missing");
    expect_output("of the failed 1 is of points outside this plan");
    expect_output("exit status 2");
    drill_define(HEAD "method = once\nsize = 2..cores\n"); /* fails at first */
    expect_status(drill_study("run", "drill --cores 3"), 0);
    expect_status(drill_study("status", "drill --cores 2"), 0);
    expect_output("3 of 3 launches done, 0 failed, 0 missing");
}

/* A batch system that cancels a job may end a program before it ends the study. The point is not at
 * fault, and is still missing. */
static void test_a_cancelled_launch_is_missing(NO_STATE)
{
    static const char *const methods[] = {"ended", "step"};
    for (size_t i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text, HEAD "method = %s\nsize = 4\n", methods[i]);
        drill_define(text);
        expect_status(drill_study("run", "drill"), STATUS_RESOURCE);
        expect_output("of 3 launches 3 are missing");
        assert_int_equal(drill_journal("interrupted"), 9); /* three rounds, three tries each */
        assert_int_equal(drill_journal("failed"), 0);
    }
}

/* A launch that a signal killed is run again, and no other round of its point is lost. */
static void test_a_killed_launch_is_run_again(NO_STATE)
{
    drill_define(HEAD "method = once steady\nsize = 2..4\n");
    expect_status(drill_study("run", "drill"), 0);
    struct drill_samples s = drill_read_samples();
    assert_int_equal(s.finished, 2 * 3 * 3);
    assert_int_equal(s.repeated, 0);
    expect_output("0 failed, 0 missing");
    expect_status(drill_study("status", "drill"), 0);
    expect_output("18 of 18 launches done, 0 failed, 0 missing");

    drill_define(HEAD "method = killed\nsize = 4\n"); /* at every run */
    expect_status(drill_study("run", "drill"), STATUS_RESOURCE);
    drill_read_log(&log_now);
    assert_int_equal(log_now.count, 3);
    expect_output("of 3 launches 1 failed and 2 are missing");
    expect_status(drill_study("status", "drill"), 0);
    expect_output("0 of 3 launches done, 1 failed, 2 missing");
}

/* Methods of one point are interleaved in one process; only the one that the program lacks is left
 * out. */
static void test_methods_share_a_process(NO_STATE)
{
    drill_define(HEAD "method = steady noisy slow\nsize = 4 6\n");
    expect_status(drill_study("run", "drill"), 0);
    drill_read_log(&log_now);
    assert_int_equal(log_now.count, 3 * 2 * 3);
    assert_int_equal(log_now.processes, 2 * 3);
    assert_int_equal(drill_read_samples().finished, 18);

    drill_define(HEAD "method = steady nogpu noisy\nsize = 4\n");
    expect_status(drill_study("run", "drill"), 0);
    assert_int_equal(drill_read_samples().finished, 6);
    assert_true(drill_journal_says("skipped", "no GPU here"));
    drill_read_log(&log_now);
    assert_int_equal(log_now.processes, 1 + 3 + 2); /* together, apart, and without it */
    expect_status(drill_study("status", "drill"), 0);
    expect_output("6 of 6 launches done, 0 failed, 0 missing; 1 point left out");
}

/* Two experiments request the same point: one launch is run, and both files get its rows, each
 * under its own experiment's name and without methods that only the other requested. */
static void test_experiments_share_points(NO_STATE)
{
    drill_define(HEAD "method = steady noisy\nsize = 2 4\n");
    drill_define_also("other", HEAD "method = steady slow\nsize = 4\n");
    expect_status(drill_study("run", "drill other"), 0);
    drill_read_log(&log_now);
    assert_int_equal(log_now.count, 3 * (4 + 1));
    assert_int_equal(log_now.processes, 3 * 2);
    assert_int_equal(drill_read_samples().finished, 3 * 4);
    struct drill_samples other = drill_read_samples_of("other");
    assert_int_equal(other.finished, 3 * 2);
    assert_int_equal(other.rows, 4 * other.finished);
    expect_status(drill_study("plan", "drill other"), 0);
    expect_output("6 points (5 of them apart");

    drill_define(HEAD "method = steady noisy\nsize = 2 4\n"); /* one after the other */
    expect_status(drill_study("run", "drill"), 0);
    expect_status(drill_study("run", "other"), 0);
    expect_output("0 of 6 launches were there, 3 done now, 3 taken from other experiments");
    assert_true(drill_journal_of("other", "done", "measured for another experiment") == 3);
    assert_int_equal(drill_read_samples_of("other").finished, 3 * 2);
    expect_status(drill_study("run", "drill other"), 0);
    expect_output("18 of 18 launches were there, 0 done now, 0 failed");
    assert_int_equal(drill_read_samples_of("other").repeated, 0);
}

/* Samples that a killed study left in the file under_way are imported once, whichever experiment is
 * run next. */
static void test_what_is_under_way_is_imported(NO_STATE)
{
    char command[1024];
    drill_define(HEAD "method = steady\nsize = 4\n");
    drill_define_also("other", HEAD "method = steady\nsize = 4\n");
    snprintf(command, sizeof command,
             "mkdir %s/results && cd %s/results && ../bin/maxpool_serial --method steady --rows 4 "
             "--cols 4 --kernel-size 2 --stride 2 --samples 4 --experiment drill --round 1 "
             "--record under_way.samples.csv",
             drill_folder, drill_folder);
    assert_int_equal(system(command), 0);
    expect_status(drill_study("run", "other"), 0);
    expect_output("1 of 3 launches were there, 2 done now");
    assert_int_equal(drill_read_samples_of("other").finished, 3);
    assert_int_equal(drill_read_samples().finished, 3); /* of the same point */
    expect_status(drill_study("run", "drill"), 0);
    expect_output("1 of 3 launches were there, 0 done now");
    struct drill_samples s = drill_read_samples();
    assert_int_equal(s.finished, 3);
    assert_int_equal(s.repeated, 0);
}

/* A study was killed while it copied rows into the results: finally each row is there once. */
static void test_rows_half_imported_are_not_repeated(NO_STATE)
{
    char command[1024];
    drill_define(HEAD "method = steady\nsize = 4\n");
    snprintf(command, sizeof command,
             "mkdir %s/results && cd %s/results && ../bin/maxpool_serial --method steady --rows 4 "
             "--cols 4 --kernel-size 2 --stride 2 --samples 4 --experiment drill --round 1 "
             "--record under_way.samples.csv && head -n 3 under_way.samples.csv > samples.csv",
             drill_folder, drill_folder);
    assert_int_equal(system(command), 0);
    expect_status(drill_study("run", "drill"), 0);
    struct drill_samples s = drill_read_samples();
    assert_int_equal(s.finished, 3);
    assert_int_equal(s.repeated, 0);
    assert_int_equal(s.rows, 3 * 4);
}

/* Medians use finished launches; an interrupted one is kept and reported. */
static void test_an_interrupted_launch_is_none(NO_STATE)
{
    char folder[128];
    struct samples samples;
    double values[16];
    size_t all = 0;
    drill_define(HEAD "method = half\nsize = 4\n");
    expect_status(drill_study("run", "drill"), 0);
    snprintf(folder, sizeof folder, "%s/results", drill_folder);
    assert_int_equal(folder_samples_of_one(&samples, folder, "drill", NULL), 0);
    assert_int_equal(samples.launch_count, 6);
    assert_int_equal(samples.unfinished, 3);
    for (size_t i = 0; i < samples.launch_count; i++)
        all += samples_phase(&samples, &samples.launches[i], PHASE_TOTAL, values);
    assert_int_equal(all, 3 * 4);
    samples_release(&samples);
    expect_status(drill_study("run", "drill"), 0);
    expect_output("3 of 3 launches were there, 0 done now");
}

/* A network that is trained from several first weights, the default ones too, is several points:
 * each is measured, and found again. Rows of earlier versions have no value for the default. */
static void test_defaults_are_points_too(NO_STATE)
{
    char command[512];
    drill_define("[experiment]\ntitle = A drill\nquestion = Does it hold?\nsamples = 2\n"
                 "launches = 1\n[points]\nprograms = network_serial\nmethod = auto\n"
                 "task = train\ndata = random\nnetwork = mlp:4\nbatch = 4\n"
                 "init = he-uniform glorot-uniform\n");
    snprintf(command, sizeof command, "ln -s '%s/bin/network_serial' '%s/bin'", MAXPOOL_BINARY_DIR,
             drill_folder);
    assert_int_equal(system(command), 0);
    expect_status(drill_study("run", "drill"), 0);
    expect_output("0 of 2 launches were there, 2 done now, 0 failed, 0 missing");
    expect_status(drill_study("run", "drill"), 0);
    expect_output("2 of 2 launches were there, 0 done now, 0 failed, 0 missing");
    snprintf(command, sizeof command, "sed -i s/he-uniform// '%s/results/samples.csv'",
             drill_folder);
    assert_int_equal(system(command), 0);
    expect_status(drill_study("run", "drill"), 0);
    expect_output("2 of 2 launches were there, 0 done now, 0 failed, 0 missing");
}

static void read_environment(char *text, size_t size)
{
    char path[128];
    snprintf(path, sizeof path, "%s/results/environment.json", drill_folder);
    FILE *file = fopen(path, "r");
    text[file ? fread(text, 1, size - 1, file) : 0] = '\0';
    if (file)
        fclose(file);
}

/* The environment belongs to the samples: a run that adds no samples leaves it unchanged. */
static void test_environment_belongs_to_a_run(NO_STATE)
{
    static char first[1 << 16], second[1 << 16];
    drill_define(HEAD "method = steady\nsize = 4\n");
    expect_status(drill_study("run", "drill"), 0);
    read_environment(first, sizeof first);
    assert_int_equal(count_of(first, "\"begin_utc\""), 1);
    assert_int_equal(count_of(first, "\"end_utc\":\tnull"), 0);
    assert_int_equal(count_of(first, "\"governor\":"), 1);
    assert_int_equal(count_of(first, "\"frequency_mhz\":"), 1);
    assert_int_equal(count_of(first, "\"frequency_least_mhz\":"), 1);
    assert_int_equal(count_of(first, "\"frequency_most_mhz\":"), 1);
    sleep(1); /* so that time_utc differs */
    expect_status(drill_study("run", "drill"), 0);
    read_environment(second, sizeof second);
    assert_string_equal(first, second);
    drill_define_also("other", HEAD "method = noisy\nsize = 4\n");
    expect_status(drill_study("run", "other"), 0);
    read_environment(second, sizeof second);
    assert_int_equal(count_of(second, "\"begin_utc\""), 2);
}

static void test_missing_and_unable_programs_are_left_out(NO_STATE)
{
    drill_define("[experiment]\ntitle = A drill\nquestion = Does it hold?\nlaunches = 2\n"
                 "[points]\nprograms = maxpool_serial maxpool_cuda\nmethod = steady nogpu none "
                 "WARNING:\n"
                 "size = 4 6\nsize_limit = 5\n");
    expect_status(drill_study("run", "drill"), 0);
    assert_true(drill_journal_says("skipped", "no program maxpool_cuda here"));
    assert_true(drill_journal_says("skipped", "maxpool_serial has no method none here"));
    assert_true(drill_journal_says("skipped", "maxpool_serial has no method WARNING: here"));
    assert_true(drill_journal_says("skipped", "no GPU here"));
    assert_true(drill_journal_says("skipped", "limit of 5"));
    assert_int_equal(drill_journal("done"), 2);
    size_t skipped = drill_journal("skipped");
    expect_status(drill_study("run", "drill"), 0);
    assert_int_equal(drill_journal("skipped"), skipped); /* reported once */
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void test_time_limit_ends_the_group(NO_STATE)
{
    drill_define(HEAD "method = hang\nsize = 4\n");
    expect_status(drill_study("run", "drill --time-limit 1s"), STATUS_RESOURCE);
    assert_true(drill_journal_says("timeout", "not done within its time limit"));

    /* The child holds the pipe and outlives this test's limit: a study that did not kill it would
     * wait for it. */
    drill_define(HEAD "method = orphan\nsize = 4\n");
    expect_status(drill_study("run", "drill"), 0);
}

/* A budget repeats whole groups, whatever their intervals: points that are narrow by chance get as
 * many launches as wide ones, and no group has rounds that another one lacks. */
static void test_budget_goes_to_whole_rounds(NO_STATE)
{
    drill_define(HEAD "method = steady noisy slow\nsize = 4 6\n");
    expect_status(drill_study("run", "drill --budget 3600s"), 0);
    drill_read_log(&log_now);
    size_t steady = 0, noisy = 0;
    for (size_t i = 0; i < log_now.count; i++) {
        steady += strcmp(log_now.launches[i].method, "steady") == 0;
        noisy += strcmp(log_now.launches[i].method, "noisy") == 0;
    }
    assert_int_equal(steady, 2 * 9); /* three times as many as planned */
    assert_int_equal(noisy, 2 * 9);
    assert_int_equal(drill_read_samples().repeated, 0);
    expect_output("(36 of them in further rounds)");
    assert_true(drill_journal_says("done", "in a further round"));
    /* Interleaved: each round runs every group once before the next round begins. */
    for (size_t i = 0; i < log_now.count; i += 6)
        for (size_t j = i + 1; j < i + 6; j++)
            assert_int_equal(log_now.launches[j].round, log_now.launches[i].round);
    expect_status(drill_study("run", "drill --budget 3600s"), 0);
    drill_read_log(&log_now);
    assert_int_equal(log_now.count, 54); /* no more launches */
}

static void test_budget_ends_the_run(NO_STATE)
{
    drill_define("[experiment]\ntitle = A drill\nquestion = Does it hold?\nsamples = 2\n"
                 "launches = 100\n[points]\nprograms = maxpool_serial\nmethod = slow\nsize = 4\n");
    expect_status(drill_study("run", "drill --budget 2s"), 0);
    drill_read_log(&log_now);
    assert_true(log_now.count < 100); /* each takes at least 0.3 s */
    expect_output("budget was too short");
}

/* If some experiments are headlines, the rest of a budget goes to them first. */
static void test_budget_goes_to_headlines(NO_STATE)
{
    drill_define(HEAD "method = noisy\nsize = 4\n");
    drill_define_also("other", "[experiment]\ntitle = A drill\nquestion = Does it hold?\n"
                               "samples = 4\nlaunches = 3\nheadline = 1\n[points]\n"
                               "programs = maxpool_serial\nmethod = noisy\nsize = 6\n");
    expect_status(drill_study("run", "drill other --budget 3600s"), 0);
    assert_int_equal(drill_read_samples().finished, 9); /* at most three times as many */
    assert_int_equal(drill_read_samples_of("other").finished, 9);
    expect_output("(12 of them in further rounds)");
    drill_read_log(&log_now);
    assert_int_equal(log_now.count, 18);
    for (size_t i = 6; i < log_now.count; i++) /* beyond the plan */
        assert_int_equal(log_now.launches[i].rows, i < 12 ? 6 : 4);
}

/* Returns the seconds that a plan prints, "about M:SS in all". */
static double reported_seconds(void)
{
    int minutes = 0, seconds = -1;
    const char *about = strstr(drill_output, ", about ");
    assert_non_null(about);
    assert_int_equal(sscanf(about, ", about %d:%d in all", &minutes, &seconds), 2);
    return 60.0 * minutes + seconds;
}

/* Finished launches improve the estimate of the remaining time, also for other points of the same
 * kind. */
static void test_estimates_learn(NO_STATE)
{
    static const char more[] =
        "[experiment]\ntitle = A drill\nquestion = Does it hold?\nsamples = 4\nlaunches = 40\n"
        "[points]\nprograms = maxpool_serial\nmethod = steady\nsize = 4..6\n";
    drill_define(HEAD "method = steady\nsize = 4\n");
    setenv("FAKE_PAUSE", "0.1", 1);
    double began = now_s();
    expect_status(drill_study("run", "drill"), 0);
    double took_s = now_s() - began; /* at least twice the median of three launches */
    unsetenv("FAKE_PAUSE");
    drill_define_also("drill", more);
    expect_status(drill_study("plan", "drill"), 0);
    const double launches = 40 * 3, least_s = launches * 4 * 0.1 - 1.0;
    const double most_s = launches * took_s / 2.0 + 1.0;
    if (reported_seconds() < least_s || reported_seconds() > most_s)
        fail_msg("%.0f s are planned, not %.0f to %.0f", reported_seconds(), least_s, most_s);
}

/* A launcher that starts slowly is noticed, and its time is included in plans. */
static void test_slow_starts_are_reported(NO_STATE)
{
    char tool[160], path[4096], *before = getenv("PATH");
    snprintf(tool, sizeof tool, "%s/bin/mpirun", drill_folder);
    FILE *file = fopen(tool, "w");
    fputs("#!/bin/sh\nsleep 1.6\nwhile [ \"$1\" != \"${1#-}\" ]; do case $1 in -np | --bind-to) "
          "shift ;; "
          "esac; shift; done\nexec \"$@\"\n",
          file);
    fclose(file);
    chmod(tool, 0755);
    snprintf(path, sizeof path, "%s/bin:%s", drill_folder, before);
    before = strdup(before);
    setenv("PATH", path, 1);
    drill_define("[experiment]\ntitle = A drill\nquestion = Does it hold?\nsamples = 4\n"
                 "launches = 3\nlauncher = mpirun\n[points]\nprograms = maxpool_serial\n"
                 "method = steady\nsize = 4\n");
    int status = drill_study("run", "drill");
    setenv("PATH", before, 1);
    free(before);
    expect_status(status, 0);
    expect_output("starting by mpirun takes ");
    expect_output(" s a launch, measuring 0.016 s");
    assert_int_equal(count_of(drill_output, "starting by"), 1);
    assert_int_equal(drill_read_samples().finished, 3);
}

/* Without a terminal, progress is a line every ten seconds. */
static void test_progress_in_a_pipe(NO_STATE)
{
    drill_define("[experiment]\ntitle = A drill\nquestion = Does it hold?\nsamples = 4\n"
                 "launches = 7\n[points]\nprograms = maxpool_serial\nmethod = steady\nsize = 4\n");
    setenv("FAKE_PAUSE", "0.42", 1); /* the seventh begins after 6 x 4 pauses: ten seconds */
    expect_status(drill_study("run", "drill"), 0);
    assert_true(count_of(drill_output, "gone, about") >= 1);
    assert_true(count_of(drill_output, "gone, about") <= 7);
    expect_output("/7, 0:");
}

/* Waits until the fake programs have begun `count` launches. */
static void wait_for_launches(size_t count)
{
    const struct timespec moment = {0, 2000000};
    for (int i = 0; i < 300000; i++) {
        drill_read_log(&log_now);
        if (log_now.count >= count)
            return;
        nanosleep(&moment, NULL);
    }
    fail_msg("no launch within ten minutes");
}

static void test_second_run_is_refused(NO_STATE)
{
    drill_define(HEAD "method = hang\nsize = 4\n");
    pid_t first = drill_start("run", "drill");
    wait_for_launches(1);
    expect_status(drill_study("run", "drill"), STATUS_RESOURCE);
    char holder[64];
    snprintf(holder, sizeof holder, "results: in use by study run, process %ld on", (long)first);
    expect_output(holder);
    int status;
    kill(first, SIGTERM);
    assert_int_equal(waitpid(first, &status, 0), first);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    assert_true(drill_journal_says("interrupted", "asked to stop"));
}

/* The fifth launch waits to be interrupted, however late the signal comes. */
static void test_interrupt_stops_and_resumes(NO_STATE)
{
    drill_define(HEAD "method = steady\nsize = 2..9\n");
    setenv("FAKE_HOLD", "5", 1);
    pid_t run = drill_start("run", "drill");
    unsetenv("FAKE_HOLD");
    wait_for_launches(5);
    int status;
    kill(run, SIGINT);
    assert_int_equal(waitpid(run, &status, 0), run);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    struct drill_samples before = drill_read_samples();
    assert_int_equal(before.finished, 4);
    expect_status(drill_study("run", "drill"), 0);
    struct drill_samples after = drill_read_samples();
    assert_int_equal(after.finished, 24);
    assert_int_equal(after.repeated, 0);
}

/* Kills the study during one of the next launches; occasionally before any. Rows that could be read
 * before must still be there. */
static void test_death_at_any_moment(NO_STATE)
{
    const int deaths = getenv("MAXPOOL_LONG") ? 50 : 5;
    enum { POINTS = 40, LAUNCHES = 3 };
    unsigned seed = 35;
    drill_define(HEAD "method = steady\nsize = 2..41\n");
    setenv("FAKE_PAUSE", "0.003", 1);
    size_t rows = 0, finished = 0;
    for (int i = 0; i < deaths; i++) {
        drill_read_log(&log_now);
        const size_t planned = (size_t)POINTS * LAUNCHES;
        const size_t next = log_now.count + (size_t)rand_r(&seed) % 4;
        pid_t run = drill_start("run", "drill");
        const struct timespec moment = {0, rand_r(&seed) % 20000000};
        wait_for_launches(next < planned ? next : planned);
        nanosleep(&moment, NULL);
        struct drill_samples before = drill_read_samples();
        kill(run, SIGKILL);
        assert_int_equal(waitpid(run, NULL, 0), run);
        struct drill_samples after = drill_read_samples();
        assert_true(before.rows >= rows && before.finished >= finished);
        assert_true(after.rows >= before.rows && after.finished >= before.finished);
        assert_int_equal(after.corrupt, 0);
        rows = after.rows;
        finished = after.finished;
    }
    assert_true(finished > 0); /* some were killed after launches */
    unsetenv("FAKE_PAUSE");
    expect_status(drill_study("run", "drill"), 0);
    struct drill_samples s = drill_read_samples();
    assert_int_equal(s.finished, POINTS * LAUNCHES); /* the whole plan */
    assert_int_equal(s.repeated, 0);                 /* and nothing else */
    drill_read_log(&log_now);
    assert_true(log_now.count <= POINTS * LAUNCHES + (size_t)deaths); /* repeats only killed ones */
}

/* ---- results that cannot be written --------------------------------------------------------- */

static void expect_no_launch(int status)
{
    expect_status(status, STATUS_OUTPUT);
    drill_read_log(&log_now);
    assert_int_equal(log_now.count, 0);
}

/* Root can write to folders without write permission, so other things take the place of the
 * folder. */
static void test_unwritable_results(NO_STATE)
{
    char path[128];
    drill_define(HEAD "method = steady\nsize = 4\n");
    expect_no_launch(drill_study("run", "drill --results /proc/maxpool"));
    expect_no_launch(drill_study("run", "drill --results /dev/null/results"));
    snprintf(path, sizeof path, "%s/results", drill_folder);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/results/samples.csv", drill_folder);
    assert_int_equal(symlink("/dev/full", path), 0);
    expect_no_launch(drill_study("run", "drill"));
    unlink(path);
    mkdir(path, 0777);
    expect_no_launch(drill_study("run", "drill"));
}

/* Mounts a tmpfs with these flags in place of the results; false if this process may not. */
static bool mount_results(unsigned long flags, const char *options)
{
    char path[128];
    snprintf(path, sizeof path, "%s/results", drill_folder);
    mkdir(path, 0777);
    return mount("none", path, "tmpfs", flags, options) == 0;
}

static void unmount_results(void)
{
    char path[128];
    snprintf(path, sizeof path, "%s/results", drill_folder);
    umount(path);
}

static void test_read_only_file_system(NO_STATE)
{
    drill_define(HEAD "method = steady\nsize = 4\n");
    if (!mount_results(MS_RDONLY, "size=64k"))
        skip();
    int status = drill_study("run", "drill");
    unmount_results();
    expect_no_launch(status);
}

/* A disk fills up: status 5, what was written stays whole, and the run resumes when there is space
 * again. */
static void test_full_disk(NO_STATE)
{
    drill_define("[experiment]\ntitle = A drill\nquestion = Does it hold?\nsamples = 50\n"
                 "launches = 20\n[points]\nprograms = maxpool_serial\nmethod = steady\nsize = 4\n");
    if (!mount_results(0, "size=128k,nr_inodes=20"))
        skip();
    int full = drill_study("run", "drill");
    struct drill_samples s = drill_read_samples();
    bool room = mount_results(MS_REMOUNT, "size=8m,nr_inodes=20");
    int status = drill_study("run", "drill");
    struct drill_samples after = drill_read_samples();
    unmount_results();
    expect_status(full, STATUS_OUTPUT);
    assert_true(s.rows > 10 && s.finished < 20);
    assert_int_equal(s.corrupt, 0);
    assert_true(room);
    expect_status(status, 0);
    assert_int_equal(after.finished, 20);
    assert_int_equal(after.repeated, 0);
    assert_int_equal(after.corrupt, 0);
}

/* A study that was killed while it began a file leaves it empty or with a part of its header. */
static void test_files_without_a_header(NO_STATE)
{
    static const char *const begun[] = {"", "exper"};
    static const char *const names[] = {"samples.csv",      "journal.csv",
                                        "drill.csv",        "drill.journal.csv",
                                        "drill.points.csv", "under_way.samples.csv"};
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < sizeof names / sizeof *names; j++) {
            char path[160];
            drill_define(HEAD "method = steady\nsize = 4\n");
            snprintf(path, sizeof path, "%s/results", drill_folder);
            mkdir(path, 0777);
            snprintf(path, sizeof path, "%s/results/%s", drill_folder, names[j]);
            FILE *file = fopen(path, "w");
            fputs(begun[i], file);
            fclose(file);
            expect_status(drill_study("status", "drill"), 0);
            expect_output("0 of 3 launches done, 0 failed, 3 missing");
            expect_status(drill_study("run", "drill"), 0);
            assert_int_equal(drill_read_samples().finished, 3);
            assert_int_equal(drill_journal("done"), 3);
        }
}

static void test_size_limit_stops_the_run(NO_STATE)
{
    drill_define("[experiment]\ntitle = A drill\nquestion = Does it hold?\nsamples = 50\n"
                 "launches = 50\n[points]\nprograms = maxpool_serial\nmethod = steady\nsize = 4\n");
    struct rlimit before, small;
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 64 * 1024;
    setrlimit(RLIMIT_FSIZE, &small);
    int status = drill_study("run", "drill");
    setrlimit(RLIMIT_FSIZE, &before);
    expect_status(status, STATUS_OUTPUT);
    struct drill_samples s = drill_read_samples();
    assert_true(s.rows > 100);
    assert_int_equal(s.corrupt, 0);
    expect_status(drill_study("run", "drill"), 0); /* with space again it resumes */
    s = drill_read_samples();
    assert_int_equal(s.finished, 50);
    assert_int_equal(s.repeated, 0);
}

static void test_other_schema_is_refused(NO_STATE)
{
    char path[128];
    drill_define(HEAD "method = steady\nsize = 4\n");
    snprintf(path, sizeof path, "%s/results", drill_folder);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/results/samples.csv", drill_folder);
    FILE *file = fopen(path, "w");
    fputs("experiment,program,colour\n", file);
    fclose(file);
    expect_status(drill_study("run", "drill"), STATUS_USAGE);
    expect_output("column 3 is 'colour', ours 'operator'");
}

/* ---- measured on another machine and imported ------------------------------------------------ */

static void test_plan_shell_and_import(NO_STATE)
{
    char command[1024];
    drill_define(HEAD "method = steady noisy\nsize = 2 4\n");
    snprintf(
        command, sizeof command,
        "cd %s && mkdir away && cd away && for i in 1 2 3; do '%s/bin/study' plan drill --shell "
        "--chunk $i/3 --definitions ../definitions --bin ../bin | sh || exit 9; done; "
        "tar -cf ../away.tar .",
        drill_folder, MAXPOOL_BINARY_DIR);
    assert_int_equal(system(command), 0);
    snprintf(
        command, sizeof command,
        "cd %s && '%s/bin/study' import away.tar --results results > /dev/null && '%s/bin/study' "
        "import away away/drill.2.csv --results results > import.out && grep -q '^0 samples' "
        "import.out",
        drill_folder, MAXPOOL_BINARY_DIR, MAXPOOL_BINARY_DIR);
    assert_int_equal(system(command), 0);
    struct drill_samples s = drill_read_samples();
    assert_int_equal(s.finished, 2 * 2 * 3);
    assert_int_equal(s.repeated, 0);
    assert_int_equal(s.rows, 4 * s.finished);
    expect_status(drill_study("run", "drill"), 0);
    expect_output("12 of 12 launches were there, 0 done now");
}

/* A folder of results is imported without its journals, of either name. */
static void test_journals_are_no_samples(NO_STATE)
{
    char command[1024];
    drill_define(HEAD "method = steady\nsize = 4\n");
    expect_status(drill_study("run", "drill"), 0);
    snprintf(command, sizeof command,
             "cd %s && cp results/journal.csv results/before.points.csv && "
             "cp results/journal.csv results/before.journal.csv && "
             "'%s/bin/study' import results --results other && "
             "cmp results/samples.csv other/samples.csv && "
             "test \"$(ls other/*.csv | tr '\\n' ' ')\" = 'other/journal.csv other/samples.csv '",
             drill_folder, MAXPOOL_BINARY_DIR);
    assert_int_equal(system(command), 0);
}

/* True if no folder of unpacked files is left. */
#define NOTHING_LEFT " && ! ls -d results/import-* 2> /dev/null"

/* A tar file contains a FIFO, a link and, if this user may make one, a device, in a folder that
 * its owner may not even list. They are left out and reported; the samples next to them are
 * imported. */
static void test_import_leaves_special_files_out(NO_STATE)
{
    char command[1024];
    snprintf(
        command, sizeof command,
        "cd %s && mkdir -p results away/closed && cd away && mkfifo a.csv && ln -s /dev/zero "
        "b.csv && (mknod c.csv c 1 5 2> /dev/null || :) && printf "
        "'experiment,run_id,sample\ndrill,a,0\n' | tee closed/d.csv > ../e.csv && chmod 0 "
        "closed && (tar -cf ../away.tar . 2> /dev/null || { chmod 700 closed; tar -cf "
        "../away.tar .; }) && chmod 700 closed && cd .. && timeout 600 '%s/bin/study' import "
        "away.tar --results results > said 2> reported && grep -q '^1 samples' said && grep -q "
        "'csv is a .*, not a regular file: left out, as others' reported && ! grep import- "
        "reported" NOTHING_LEFT,
        drill_folder, MAXPOOL_BINARY_DIR);
    assert_int_equal(system(command), 0);
    static const char *const refused[] = {"away/a.csv", "/dev/zero", "fifo.tar"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        snprintf(command, sizeof command,
                 "cd %s && { test -p fifo.tar || mkfifo fifo.tar; } && timeout 600 '%s/bin/study' "
                 "import e.csv %s --results results > said 2> reported; test $? = 2 && grep -q "
                 "'%s: is a .*, not a regular file' reported" NOTHING_LEFT,
                 drill_folder, MAXPOOL_BINARY_DIR, refused[i], refused[i]);
        assert_int_equal(system(command), 0);
    }
}

/* However an import ends, no folder of unpacked files stays: after a refused file, a signal, and
 * even SIGKILL, then once the next import runs. */
static void test_import_leaves_no_folder(NO_STATE)
{
    char command[2048];
    snprintf(command, sizeof command,
             "cd %s && mkdir -p results away bin && printf 'colour\nred\n' > away/bad.csv && tar "
             "-cf bad.tar away && ! '%s/bin/study' import bad.tar --results results 2> "
             "/dev/null" NOTHING_LEFT,
             drill_folder, MAXPOOL_BINARY_DIR);
    assert_int_equal(system(command), 0);
    /* a tar that unpacks and then takes an hour */
    static const struct {
        const char *signal, *then;
        int status;
    } ends[] = {{"TERM", ":", 143}, {"HUP", ":", 129}, {"KILL", "test -d results/import-*", 137}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(
            command, sizeof command,
            "cd %s && printf '#!/bin/sh\n/bin/tar \"$@\"; : > began; exec sleep 3600\n' > "
            "bin/tar && chmod +x bin/tar && rm -f began && { PATH=$PWD/bin:$PATH "
            "'%s/bin/study' import bad.tar --results results 2> reported & p=$!; n=0; until test "
            "-e began || test $n = 12000; do sleep 0.05; n=$((n + 1)); done; kill -s %s $p; "
            "wait $p; test $? = %d; } 2> /dev/null && %s",
            drill_folder, MAXPOOL_BINARY_DIR, ends[i].signal, ends[i].status, ends[i].then);
        assert_int_equal(system(command), 0);
    }
    snprintf(command, sizeof command,
             "cd %s && printf 'experiment,run_id,sample\ndrill,a,0\n' > e.csv && '%s/bin/study' "
             "import e.csv --results results > /dev/null" NOTHING_LEFT,
             drill_folder, MAXPOOL_BINARY_DIR);
    assert_int_equal(system(command), 0);
}

static void test_import_refuses_other_rows(NO_STATE)
{
    static const struct {
        const char *content, *says;
    } cases[] = {
        {"colour,taste\n1,2\n", "none of our columns"},
        {"experiment,run_id,sample,colour\ndrill,a,0,red\n",
         "1 columns that this version does not"},
        {"experiment,run_id,sample\n../evil,a,0\n", "'../evil' cannot be the name"},
        {"experiment,run_id,sample\n,a,0\n", "names no experiment"},
        {"experiment,run_id\ndrill,a\n", "no run_id or no sample number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[128], command[512];
        snprintf(path, sizeof path, "%s/home.csv", drill_folder);
        FILE *file = fopen(path, "w");
        fputs(cases[i].content, file);
        fclose(file);
        snprintf(
            command, sizeof command,
            "cd %s && '%s/bin/study' import home.csv --results results 2> error; test $? = 2 && "
            "grep -qF \"%s\" error && ! ls results/*.csv 2> /dev/null",
            drill_folder, MAXPOOL_BINARY_DIR, cases[i].says);
        if (system(command) != 0)
            fail_msg("not refused with '%s'", cases[i].says);
    }
}

#define DRILL(function) cmocka_unit_test_setup_teardown(function, drill_setup, drill_teardown)

/* An experiment may begin at a larger scale: alone it has nothing to run, with others it is
 * skipped. */
static void test_an_experiment_without_points_at_the_scale(NO_STATE)
{
    drill_define(HEAD "scales = standard full\nmethod = steady\nsize = 4\n");
    expect_status(drill_study("run", "drill --quick"), 2);
    expect_output("drill: no points at --quick; try --standard");
    drill_define_also("other", HEAD "method = steady\nsize = 8\n");
    expect_status(drill_study("run", "drill other --quick"), 0);
    expect_output("drill: no points at --quick; try --standard");
    expect_output("0 of 3 launches were there, 3 done now");
    expect_status(drill_study("run", "--all --quick"), 0);
    expect_output("3 of 3 launches were there, 0 done now");
    expect_status(drill_study("plan", "drill --quick"), 0);
    expect_output("0 points");
    expect_status(drill_study("run", "drill --standard"), 0);
    expect_output("3 done now");
}

/* A program that ends without a message is reported with the way it ended. */
static void test_programs_that_say_nothing(NO_STATE)
{
    char path[160];
    drill_define("[experiment]\ntitle = A drill\nquestion = Does it hold?\nlaunches = 1\n"
                 "[points]\nprograms = mute dead\nmethod = steady\nsize = 4\n");
    static const char *const programs[][2] = {{"mute", "#!/bin/sh\nexit 3\n"},
                                              {"dead", "#!/bin/sh\nkill -9 $$\n"}};
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/bin/%s", drill_folder, programs[i][0]);
        FILE *file = fopen(path, "w");
        fputs(programs[i][1], file);
        fclose(file);
        chmod(path, 0755);
    }
    expect_status(drill_study("run", "drill"), 0);
    assert_true(drill_journal_says("skipped", "mute cannot run here: exit status 3, no message"));
    assert_true(drill_journal_says("skipped", "dead cannot run here: ended by signal 9"));
}

/* With --all, experiments without points at the scale neither crash nor fail. */
static void test_all_experiments_without_points(NO_STATE)
{
    drill_define(HEAD "scales = full\nmethod = steady\nsize = 4\n");
    expect_status(drill_study("run", "--all --quick"), 0);
    expect_output("0 of 0 launches were there, 0 done now");
}

int main(void)
{
    enum { PROCESSES = 4 }; /* a run observes the machine for a second before it begins */
    const struct CMUnitTest tests[] = {
        /* the longest ones first */
        DRILL(test_failures_are_recorded_and_passed),
        DRILL(test_progress_in_a_pipe),
        DRILL(test_files_without_a_header),
        DRILL(test_death_at_any_moment),
        DRILL(test_budget_goes_to_whole_rounds),
        DRILL(test_slow_starts_are_reported),
        DRILL(test_a_cancelled_launch_is_missing),
        /* all others */
        DRILL(test_runs_every_launch_once),
        DRILL(test_an_experiment_without_points_at_the_scale),
        DRILL(test_all_experiments_without_points),
        DRILL(test_programs_that_say_nothing),
        DRILL(test_order_is_seeded),
        DRILL(test_failures_outside_the_plan_are_reported),
        DRILL(test_failed_points_are_tried_again_when_asked),
        DRILL(test_a_killed_launch_is_run_again),
        DRILL(test_methods_share_a_process),
        DRILL(test_experiments_share_points),
        DRILL(test_what_is_under_way_is_imported),
        DRILL(test_rows_half_imported_are_not_repeated),
        DRILL(test_an_interrupted_launch_is_none),
        DRILL(test_defaults_are_points_too),
        DRILL(test_environment_belongs_to_a_run),
        DRILL(test_missing_and_unable_programs_are_left_out),
        DRILL(test_time_limit_ends_the_group),
        DRILL(test_budget_ends_the_run),
        DRILL(test_budget_goes_to_headlines),
        DRILL(test_estimates_learn),
        DRILL(test_second_run_is_refused),
        DRILL(test_interrupt_stops_and_resumes),
        DRILL(test_unwritable_results),
        DRILL(test_read_only_file_system),
        DRILL(test_full_disk),
        DRILL(test_size_limit_stops_the_run),
        DRILL(test_other_schema_is_refused),
        DRILL(test_plan_shell_and_import),
        DRILL(test_journals_are_no_samples),
        DRILL(test_import_refuses_other_rows),
        DRILL(test_import_leaves_special_files_out),
        DRILL(test_import_leaves_no_folder),
    };
    /* A shell's background job ignores these signals, and its children would too. */
    signal(SIGINT, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    return run_side_by_side(tests, sizeof tests / sizeof *tests, PROCESSES);
}
