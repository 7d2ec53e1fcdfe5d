/* The conditions of samples: involuntary context switches, load by others, the frequency of the
 * CPUs, and the processor's counters. */
#include "harness/machine/counters/counters.h"
#include "harness/machine/cpu_frequency.h"
#include "harness/machine/switches.h"
#include "harness/records/record.h"
#include "tests/harness/busy_child.h"
#include "tests/harness/kept_rows.h"
#include "tests/support/command.h"
#include "tests/support/unit_test.h"

#include <linux/perf_event.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- a planted machine ------------------------------------------------------------------------
 */

/* Two threads that last ran on CPUs 1 and 3; the name of one is misleading to parse. */
static const char threads[] = "mkdir -p $DIR/root/proc/self/task/7 $DIR/root/proc/self/task/8 && "
                              "cd $DIR/root/proc/self/task && "
                              "echo \"7 (a) S 9 (b) S $(seq -s ' ' 4 38) 1 40\" > 7/stat && "
                              "echo \"8 (c) R $(seq -s ' ' 4 38) 3 40\" > 8/stat";

static void the_frequency_is_that_of_the_cpus_in_use(NO_STATE)
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
static void this_machine_has_one_or_none(NO_STATE)
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
static void threads_that_still_run_are_counted(NO_STATE)
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
static void counters_that_are_not_there_say_so(NO_STATE)
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

/* ---- rows -------------------------------------------------------------------------------------
 */

/* The rows that a command records; the caller frees them. */
static struct rows *rows_of(const char *command)
{
    char line[512], path[300];
    struct failure f = {0};
    struct rows *rows = calloc(1, sizeof *rows);
    assert_non_null(rows);
    snprintf(path, sizeof path, "%s/rows.csv", command_folder());
    remove(path);
    snprintf(line, sizeof line, "%s --relative-ci 0 --max-seconds 600000 --record $DIR/rows.csv",
             command);
    command_done("%s", line);
    if (record_read(path, keep_row, rows, NULL, &f) != STATUS_OK)
        fail_msg("%s", f.message);
    return rows;
}

/* Each sample holds exactly the switches between the two readings around it, and its time includes
 * neither reading. */
static void conditions_are_read_beside_the_time(NO_STATE)
{
    struct rows *rows = rows_of("FAULT=1 ./planted_serial -n 16 --samples 5");
    assert_int_equal(rows->count, 6);
    for (size_t i = 0; i < rows->count; i++) {
        const struct record *r = &rows->items[i];
        assert_int_equal(r->involuntary_switches, 3);
        assert_true(r->warmup ? isnan(r->cpu_mhz) : r->cpu_mhz == 1000.0);
        assert_true(r->total_s < 0.01 && r->compute_s < 0.01);
    }
    free(rows);
}

/* Instructions are those of an execution, of all of the time although a counter saw a half, and of
 * samples a tenth of a second apart. */
static void instructions_are_counted_beside_the_time(NO_STATE)
{
    struct rows *rows = rows_of("FAULT=1 ./planted_serial -n 16 --samples 3");
    assert_int_equal(rows->count, 4);
    for (size_t i = 0; i < rows->count; i++) {
        const struct record *r = &rows->items[i];
        assert_string_equal(r->counters, r->warmup ? "" : "read");
        assert_true(r->warmup ? isnan(r->instructions) : r->instructions == 1000.0);
        assert_true(r->warmup ? isnan(r->cycles) : r->cycles == 4000.0);
    }
    free(rows);
    rows = rows_of("./planted_serial -n 16 --method literal,simd --samples 5"); /* at once */
    assert_int_equal(rows->count, 12);
    for (size_t i = 0; i < rows->count; i++) {
        const struct record *r = &rows->items[i];
        const bool counted = !r->warmup && r->sample == 0;
        assert_string_equal(r->counters, counted ? "read" : "");
        assert_int_equal(!isnan(r->instructions) && !isnan(r->cycles), counted);
    }
    free(rows);
}

/* The first timed sample of each method says why they are not counted. */
static void counters_that_cannot_be_read_are_recorded(NO_STATE)
{
    static const struct {
        const char *error, *word;
    } cases[] = {{"13", "not allowed"}, {"1", "not allowed"}, {"2", "not supported"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char command[100];
        snprintf(command, sizeof command,
                 "COUNTERS=%s FAULT=1 ./planted_serial -n 16 --method literal,simd --samples 3",
                 cases[i].error);
        struct rows *rows = rows_of(command);
        assert_int_equal(rows->count, 8);
        for (size_t j = 0; j < rows->count; j++) {
            const struct record *r = &rows->items[j];
            assert_string_equal(r->counters, !r->warmup && r->sample == 0 ? cases[i].word : "");
            assert_true(isnan(r->instructions) && isnan(r->cycles));
        }
        free(rows);
    }
}

/* The load of row i: others kept so many cores busy, and 0.4 more in the first second, between the
 * readings before the first row and behind it. */
static void expect_load(const struct rows *rows, double cores)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct record *r = &rows->items[i];
        const double seconds = (double)i + 1.0;
        assert_true(fabs(r->others_cores - (i == 0 ? cores + 0.4 : cores)) < 1e-5);
        assert_true(fabs(r->launch_others_cores - (cores + 0.4 / seconds)) < 1e-5);
        assert_true(fabs(r->launch_stolen_share - 0.1 * seconds / (1.5 * seconds + 0.4)) < 1e-5);
        assert_true(fabs(r->launch_pressure_share - 0.3) < 1e-5);
    }
}

/* What was busy, less this program's own time; of the launch as a whole too. */
static void load_by_others_is_recorded(NO_STATE)
{
    struct rows *rows = rows_of("FAULT=1 ./planted_serial -n 16 --method literal,simd --samples 3");
    assert_int_equal(rows->count, 8);
    expect_load(rows, 1.4 - 0.25);
    free(rows);
    rows = rows_of("./planted_serial -n 16 --samples 5"); /* no time passes: nothing is due */
    for (size_t i = 0; i < rows->count; i++)
        assert_true(isnan(rows->items[i].others_cores) &&
                    isnan(rows->items[i].launch_others_cores) &&
                    isnan(rows->items[i].launch_stolen_share) &&
                    isnan(rows->items[i].launch_pressure_share));
    free(rows);
}

/* If no time passes, only the first timed sample of each method is followed by a reading of the
 * frequency. */
static void the_frequency_is_not_read_all_the_time(NO_STATE)
{
    struct rows *rows = rows_of("./planted_serial -n 16 --method literal,simd --samples 5");
    size_t read = 0;
    assert_int_equal(rows->count, 12);
    for (size_t i = 0; i < rows->count; i++) {
        const struct record *r = &rows->items[i];
        assert_int_equal(r->involuntary_switches, 3);
        assert_int_equal(!isnan(r->cpu_mhz), !r->warmup && r->sample == 0);
        read += !isnan(r->cpu_mhz);
    }
    assert_int_equal(read, 2);
    free(rows);
}

#ifdef MAXPOOL_MPIEXEC
/* Switches are summed over ranks, frequencies averaged. The own time of all ranks is subtracted
 * from the hardware threads that any of them may use. */
static void ranks_report_together(NO_STATE)
{
    struct rows *rows = rows_of("$MPIRUN 2 ./planted_mpi -n 16 --samples 3");
    assert_int_equal(rows->count, 4);
    for (size_t i = 0; i < rows->count; i++)
        assert_int_equal(rows->items[i].involuntary_switches, 3 + 6);
    assert_true(rows->items[1].instructions == 1000.0 + 2000.0);
    assert_true(rows->items[1].cycles == 4000.0 + 8000.0);
    assert_true(isnan(rows->items[0].cpu_mhz));
    assert_true(rows->items[1].cpu_mhz == 1500.0);
    expect_load(rows, 1.4 - 0.25 - 0.5);
    free(rows);
}
#endif

/* Beside a child that computes on the only core of this test and of the program that it starts, the
 * columns show what it takes: half of the core, or more where the program waits. */
static void a_busy_child_is_seen(NO_STATE)
{
    cpu_set_t all;
    double launch = 0.0, most = 0.0;
    busy_child_pin(&all);
    const pid_t child = busy_child();
    for (int tries = 0; tries < 10 && !isnan(launch) && !(launch >= 0.3 && most >= 0.3); tries++) {
        struct rows *rows = rows_of("./maxpool_omp -n 1024 -t 1 --samples 200 --verify full");
        most = 0.0;
        for (size_t i = 0; i < rows->count; i++)
            most = fmax(most, rows->items[i].others_cores);
        launch = rows->items[rows->count - 1].launch_others_cores;
        free(rows);
    }
    busy_child_end(child, &all);
    if (isnan(launch))
        skip(); /* this machine does not count */
    assert_true(launch >= 0.3 && launch < 1.5);
    assert_true(most >= 0.3);
}

/* Programs without simulated readings report them too: those with threads, and the steps of a
 * training. */
static void every_program_reports_them(NO_STATE)
{
    static const char *const commands[] = {
        "./maxpool_serial -n 16 --samples 2", "./maxpool_omp -n 64 -t 2 --samples 2",
        "./network_serial --network mlp:9-4 --batch 3 --samples 2",
        "./network_serial --network mlp:9-4 --batch 3 --task train --steps 2"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct rows *rows = rows_of(commands[i]);
        assert_true(rows->count >= 3);
        for (size_t j = 0; j < rows->count; j++)
            assert_true(rows->items[j].involuntary_switches >= 0);
        for (size_t j = 0; j < rows->count; j++)
            if (!rows->items[j].warmup && rows->items[j].sample == 0)
                assert_true(rows->items[j].counters[0] &&
                            isnan(rows->items[j].instructions) ==
                                (strcmp(rows->items[j].counters, "read") != 0));
        for (size_t j = 0; j < rows->count; j++)
            if (!rows->items[j].warmup && rows->items[j].sample == 0)
                assert_int_equal(isnan(rows->items[j].cpu_mhz), isnan(cpu_frequency_mhz("")));
        free(rows);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_frequency_is_that_of_the_cpus_in_use),
        cmocka_unit_test(this_machine_has_one_or_none),
        cmocka_unit_test(threads_that_still_run_are_counted),
        cmocka_unit_test(counters_that_are_not_there_say_so),
        cmocka_unit_test(instructions_are_counted_beside_the_time),
        cmocka_unit_test(counters_that_cannot_be_read_are_recorded),
        cmocka_unit_test(conditions_are_read_beside_the_time),
        cmocka_unit_test(load_by_others_is_recorded),
        cmocka_unit_test(the_frequency_is_not_read_all_the_time),
#ifdef MAXPOOL_MPIEXEC
        cmocka_unit_test(ranks_report_together),
#endif
        cmocka_unit_test(a_busy_child_is_seen),
        cmocka_unit_test(every_program_reports_them),
    };
    return cmocka_run_group_tests_name("conditions", tests, command_setup, command_teardown);
}
