/* Whether a program is asked for its threads: not where others took its cores. The launches are
 * made up: a program on two cores, with one and with two threads. */
#include "experiments/program/launch/own_launch.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LAUNCHES = 5, CORES = 2 };

static const char asks[] = "does it use {threads} or OMP_NUM_THREADS?";
static const char others_did[] = "other programs took the cores";

/* Of each launch: how long it took, how many processors it kept busy, and how many others did. */
struct case_of_use {
    double seconds, busy, others;
};

static struct own_launch made(struct case_of_use use)
{
    struct own_launch l = {.end = OWN_DONE, .seconds = use.seconds, .wall_s = use.seconds};
    l.cpu_s = use.busy * use.seconds;
    l.load = (struct other_load){.seconds = use.seconds,
                                 .hardware_threads = CORES,
                                 .cores = use.others,
                                 .stolen_share = 0.0,
                                 .pressure_share = NAN};
    return l;
}

static struct own_tally one_worker(void)
{
    struct own_tally t = {0};
    const struct own_launch l = made((struct case_of_use){1.0, 1.0, 0.0});
    for (int i = 0; i < LAUNCHES; i++)
        own_tally_add(&t, &l);
    return t;
}

/* What is said on stderr of launches with two threads. */
static void say(const struct own_tally *two, bool warns, char text[2000])
{
    const struct own_tally one = one_worker();
    FILE *to = tmpfile();
    const int before = dup(STDERR_FILENO);
    assert_non_null(to);
    fflush(stderr);
    dup2(fileno(to), STDERR_FILENO);
    const bool warned = own_tally_warn("mine", 2, &one, two);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(to);
    text[fread(text, 1, 1999, to)] = '\0';
    fclose(to);
    assert_int_equal(warned, warns);
    assert_int_equal(text[0] != '\0', warns);
}

static void say_alike(struct case_of_use use, bool warns, char text[2000])
{
    struct own_tally two = {0};
    const struct own_launch l = made(use);
    for (int i = 0; i < LAUNCHES; i++)
        own_tally_add(&two, &l);
    say(&two, warns, text);
}

TEST(a_program_left_alone_is_asked)
{
    char text[2000];
    say_alike((struct case_of_use){1.0, 1.0, 0.0}, true, text);
    assert_non_null(strstr(text, asks));
    assert_null(strstr(text, others_did));
    say_alike((struct case_of_use){1.0, 1.0, NAN}, true, text); /* too short for a count */
    assert_non_null(strstr(text, asks));
    say_alike((struct case_of_use){1.0, 1.0, 0.5}, true, text); /* half a core was idle */
    assert_non_null(strstr(text, asks));
    say_alike((struct case_of_use){0.55, 1.9, 0.0}, false, text);
}

TEST(a_starved_program_is_not_asked)
{
    char text[2000];
    say_alike((struct case_of_use){1.0, 1.0, 1.0}, true, text);
    assert_null(strstr(text, asks));
    assert_non_null(strstr(text, others_did));
    say_alike((struct case_of_use){0.6, 1.0, 1.0}, false, text); /* it gained all the same */
}

TEST(a_host_or_pressure_starves_too)
{
    char text[2000];
    for (int i = 0; i < 2; i++) {
        struct own_tally two = {0};
        struct own_launch l = made((struct case_of_use){1.0, 1.0, i ? NAN : 0.0});
        l.load.stolen_share = i ? NAN : 0.5;
        l.load.pressure_share = i ? 0.9 : NAN;
        own_tally_add(&two, &l);
        say(&two, true, text);
        assert_null(strstr(text, asks));
        assert_non_null(strstr(text, others_did));
    }
}

/* Launches that others left alone answer the question, whatever the others of them did. */
TEST(the_quiet_launches_answer)
{
    const struct own_launch starved = made((struct case_of_use){1.0, 1.0, 1.0}),
                            uses = made((struct case_of_use){0.55, 1.9, 0.0}),
                            ignores = made((struct case_of_use){1.0, 1.0, 0.0});
    char text[2000];
    struct own_tally two = {0};
    for (int i = 0; i < LAUNCHES; i++)
        own_tally_add(&two, &starved);
    struct own_tally other = two;
    own_tally_add(&two, &uses);
    assert_int_equal(own_tally_launches(&two), LAUNCHES + 1);
    say(&two, false, text);
    own_tally_add(&other, &ignores);
    say(&other, true, text);
    assert_non_null(strstr(text, asks));
}
