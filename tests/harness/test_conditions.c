/* The conditions of samples: involuntary context switches, the frequency of the CPUs, and the
 * processor's counters. Their columns: test_conditions_cli.py. */
#include "harness/machine/counters/counters.h"
#include "harness/machine/cpu_frequency.h"
#include "harness/machine/switches.h"
#include "tests/support/command.h"
#include "tests/support/unit_test.h"

#include <linux/perf_event.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

/* ---- a planted machine ----------------------------------------------------------------------- */

/* Two threads that last ran on CPUs 1 and 3; the name of one is misleading to parse. */
static const char threads[] = "mkdir -p $DIR/root/proc/self/task/7 $DIR/root/proc/self/task/8 && "
                              "cd $DIR/root/proc/self/task && "
                              "echo \"7 (a) S 9 (b) S $(seq -s ' ' 4 38) 1 40\" > 7/stat && "
                              "echo \"8 (c) R $(seq -s ' ' 4 38) 3 40\" > 8/stat";

TEST(the_frequency_is_that_of_the_cpus_in_use)
{
    double least, most;
    command_done("%s", "rm -rf $DIR/root");
    command_done("%s", threads);
    assert_true(isnan(cpu_frequency_mhz(command_root()))); /* no CPU reports a frequency */
    command_done(
        "%s", "for i in 0 1 2 3; do printf 'processor\\t: %d\\nmodel name\\t: X\\ncpu MHz\\t\\t: "
              "%d.5\\n\\n' $i ${i}000; done > $DIR/root/proc/cpuinfo");
    assert_true(fabs(cpu_frequency_mhz(command_root()) - 2000.5) < 1e-9);
    cpu_frequency_limits(command_root(), &least, &most);
    assert_true(isnan(least) && isnan(most));
    command_done(
        "%s",
        "for i in 0 1 3; do f=$DIR/root/sys/devices/system/cpu/cpu$i/cpufreq && mkdir -p $f && "
        "echo ${i}500000 > $f/scaling_cur_freq && echo ${i}00000 > $f/scaling_min_freq && "
        "echo ${i}900000 > $f/scaling_max_freq; done");
    assert_true(fabs(cpu_frequency_mhz(command_root()) - 2500.0) <
                1e-9); /* cpufreq takes precedence */
    cpu_frequency_limits(command_root(), &least, &most);
    assert_true(least == 0.0 && most == 3900.0);
    command_done("%s", "rm $DIR/root/sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq");
    assert_true(fabs(cpu_frequency_mhz(command_root()) - 3500.0) < 1e-9); /* of those that report */
    command_done("%s", "rm -r $DIR/root/proc/self");
    assert_true(isnan(cpu_frequency_mhz(command_root())));
}

/* If this machine reports a value, it is a plausible frequency. */
TEST(this_machine_has_one_or_none)
{
    const double mhz = cpu_frequency_mhz("");
    assert_true(isnan(mhz) || (mhz > 10.0 && mhz < 100000.0));
    const int64_t before = switches_involuntary();
    assert_true(before >= 0 && switches_involuntary() >= before);
}

/* ---- counters that threads share ------------------------------------------------------------- */

enum { SPIN_NS = 20000000 };
static sem_t spun, leave;

static double thread_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static void *spin_and_stay(void *argument)
{
    while (thread_ns() < SPIN_NS)
        continue;
    sem_post(&spun);
    sem_wait(&leave);
    return argument;
}

/* What threads did that began after the counters were opened is read while they still run. The
 * system's own clock of a task stands in for the processor's counters, which many virtual machines
 * lack. */
TEST(threads_that_still_run_are_counted)
{
    static const uint64_t clocks[COUNTERS] = {PERF_COUNT_SW_TASK_CLOCK, PERF_COUNT_SW_TASK_CLOCK};
    struct counters c;
    struct counter_reading before, after;
    pthread_t thread;
    double first, second;
    counters_open_as(&c, PERF_TYPE_SOFTWARE, clocks);
    if (counters_state(&c) != COUNTERS_READ)
        skip();
    assert_int_equal(sem_init(&spun, 0, 0) + sem_init(&leave, 0, 0), 0);
    counters_read(&c, &before);
    assert_int_equal(pthread_create(&thread, NULL, spin_and_stay, NULL), 0);
    sem_wait(&spun);
    counters_read(&c, &after);
    sem_post(&leave);
    pthread_join(thread, NULL);
    counters_close(&c);
    counters_between(&before, &after, &first, &second);
    assert_true(first >= 0.9 * SPIN_NS && second >= 0.9 * SPIN_NS);
    counters_between(&after, &after, &first, &second);
    assert_true(isnan(first) && isnan(second)); /* no time in which it counted */
}

/* No counters are a value, with the word of their reason; a reading then says nothing. */
TEST(counters_that_are_not_there_say_so)
{
    static const uint64_t none[COUNTERS] = {UINT64_MAX, UINT64_MAX};
    struct counters c;
    struct counter_reading reading;
    double instructions, cycles;
    counters_open_as(&c, UINT32_MAX, none);
    assert_true(counters_state(&c) != COUNTERS_READ && c.files[0] == -1 && c.files[1] == -1);
    counters_read(&c, &reading);
    counters_between(&reading, &reading, &instructions, &cycles);
    assert_true(isnan(instructions) && isnan(cycles));
    counters_close(&c);
    c.error = 13;
    assert_int_equal(counters_state(&c), COUNTERS_FORBIDDEN);
    c.error = 2;
    assert_int_equal(counters_state(&c), COUNTERS_UNSUPPORTED);
}

const struct tests_group tests_group = {command_setup, command_teardown};
