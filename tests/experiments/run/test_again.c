/* `study run --again` with fake point programs: a new set of launches replaces the old one as a
 * whole, however the study is interrupted, and clears the words that the machine caused. */
#include "tests/experiments/run/study_drill.h"

#include "experiments/samples/folder_samples.h"
#include "tests/support/unit_test.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#define HEAD                                                                                       \
    "[experiment]\ntitle = A drill\nquestion = Does it hold?\nsamples = 8\nlaunches = 8\n"         \
    "[points]\nprograms = maxpool_serial\n"

enum { LAUNCHES = 8 };

static void expect(const char *arguments, int status, const char *part)
{
    const int got = drill_study("run", arguments);
    if (got != status || !strstr(drill_output, part))
        fail_msg("run %s: exit status %d, not %d, or no '%s' in:\n%s", arguments, got, status, part,
                 drill_output);
}

/* Fails unless every point of the experiment shows `set` with all its launches, beside `others`;
 * ANY: some others. */
enum { ANY = 1000 };
static void expect_set(const char *experiment, int64_t set, size_t others)
{
    struct samples s;
    struct failure f = {0};
    char folder[128];
    snprintf(folder, sizeof folder, "%s/results", drill_folder);
    assert_int_equal(folder_samples_of_one(&s, folder, experiment, &f), STATUS_OK);
    assert_true(s.point_count > 0);
    for (size_t i = 0; i < s.point_count; i++) {
        assert_int_equal(s.points[i].set, set);
        assert_int_equal(s.points[i].count, LAUNCHES);
        if (others != ANY)
            assert_int_equal(s.points[i].others, others);
        for (size_t j = 0; j < LAUNCHES; j++)
            assert_int_equal(s.launches[s.points[i].first + j].set, set);
    }
    samples_release(&s);
}

static void wait_for_launches(size_t count)
{
    static struct drill_log log;
    const struct timespec moment = {0, 2000000};
    for (log.count = 0; log.count < count; nanosleep(&moment, NULL))
        drill_read_log(&log);
}

/* Each trouble makes points doubtful; measured again without it, no word remains, and the old
 * launches are still there. */
static void test_measuring_again_clears(NO_STATE)
{
    static const char *const troubles[] = {"load", "modes", "trend", "drift", "throttle"};
    for (size_t i = 0; i < sizeof troubles / sizeof *troubles; i++) {
        drill_define(HEAD "method = steady slow\nsize = 2 4\n");
        setenv("FAKE_TROUBLE", troubles[i], 1);
        expect("drill", 0, "32 done now");
        setenv("FAKE_TROUBLE", "quiet", 1);
        expect("--again suspect", 0, "4 points measured again");
        if (!strstr(drill_output, "32 done now"))
            fail_msg("after %s:\n%s", troubles[i], drill_output);
        expect_set("drill", 2, LAUNCHES);
        assert_int_equal(drill_journal("again"), 4);
        expect("--again suspect", 0, "No point asks to be measured again.");
        expect_set("drill", 2, LAUNCHES);
    }
}

/* Trouble that lasts leaves the word, and a third set can replace the second. */
static void test_a_lasting_trouble_keeps_its_word(NO_STATE)
{
    drill_define(HEAD "method = steady\nsize = 2\n");
    setenv("FAKE_TROUBLE", "load", 1);
    expect("drill", 0, "8 done now");
    expect("--again suspect", 0, "1 point measured again");
    setenv("FAKE_TROUBLE", "quiet", 1);
    expect("--again suspect,invalid", 0, "1 point measured again");
    expect_set("drill", 3, 2 * LAUNCHES);
    expect("--again suspect", 0, "No point asks");
}

/* Until a set is whole the old one counts; the same command, and a plain one, go on with it. */
static void test_an_interrupted_set_is_gone_on_with(NO_STATE)
{
    static const int signals[] = {SIGINT, SIGKILL};
    static const char *const next[] = {"--again drill", "drill"};
    for (size_t i = 0; i < 4; i++) {
        int status;
        drill_define(HEAD "method = steady\nsize = 2 4\n");
        setenv("FAKE_TROUBLE", "quiet", 1);
        expect("drill", 0, "16 done now");
        setenv("FAKE_HOLD", "22", 1);
        const pid_t run = drill_start("run", "--again drill");
        unsetenv("FAKE_HOLD");
        wait_for_launches(22);
        kill(run, signals[i % 2]);
        assert_int_equal(waitpid(run, &status, 0), run);
        expect_set("drill", 1, ANY); /* of the new set five of sixteen launches are there */
        expect(next[i / 2], 0, "done now");
        expect_set("drill", 2, LAUNCHES);
        assert_int_equal(drill_journal("again"), 2); /* and no third set was begun */
    }
}

/* One point has the same sets in every experiment that shows it. */
static void test_experiments_share_sets(NO_STATE)
{
    setenv("FAKE_TROUBLE", "quiet", 1);
    drill_define(HEAD "method = steady\nsize = 4\n");
    drill_define_also("other", HEAD "method = steady\nsize = 4\n");
    expect("drill other", 0, "16 done now");
    expect("--again drill", 0, "8 done now");
    expect_set("drill", 2, LAUNCHES);
    expect_set("other", 2, LAUNCHES);
    expect("other", 0, "8 taken from other experiments");
    expect_set("other", 2, LAUNCHES);
}

static void test_bad_words(NO_STATE)
{
    setenv("FAKE_TROUBLE", "quiet", 1);
    drill_define(HEAD "method = steady\nsize = 4\n");
    expect("--again suspect", 2, "results: cannot be read");
    expect("drill", 0, "8 done now");
    expect("--again suspect,", 2, "name suspect, invalid or experiments");
    expect("--again nosuch", 2, "nosuch");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define DRILL(test) cmocka_unit_test_setup_teardown(test, drill_setup, drill_teardown)
        DRILL(test_measuring_again_clears), DRILL(test_a_lasting_trouble_keeps_its_word),
        DRILL(test_an_interrupted_set_is_gone_on_with), DRILL(test_experiments_share_sets),
        DRILL(test_bad_words)};
    setenv("MAXPOOL_WAIT", "0", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
