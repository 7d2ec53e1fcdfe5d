/* What everything else on the machine keeps busy: from planted counters, and on this machine with a
 * child that computes. */
#include "harness/machine/family.h"
#include "harness/machine/other_load.h"
#include "tests/harness/busy_child.h"
#include "tests/support/command.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- two readings ---------------------------------------------------------------------------- */

static struct load_reading readings[2];

/* Two readings `seconds` apart, on which `threads` hardware threads are watched, from number 1 on;
 * nothing happened. */
static void planted(double seconds, int threads)
{
    memset(readings, 0, sizeof readings);
    readings[1].at_s = seconds;
    for (int cpu = 1; cpu <= threads; cpu++) {
        readings[0].watched[cpu / 64] |= UINT64_C(1) << cpu % 64;
        readings[1].cpus[cpu].idle_s = seconds;
    }
    readings[0].group_s = readings[1].group_s = NAN;
    readings[0].pressure_s = readings[1].pressure_s = NAN;
}

static void busy(int cpu, double seconds)
{
    readings[1].cpus[cpu].busy_s += seconds;
    readings[1].cpus[cpu].idle_s -= seconds;
}

static struct other_load load(void)
{
    return other_load_between(&readings[0], &readings[1]);
}

TEST(others_are_what_is_not_our_own)
{
    planted(2.0, 2);
    busy(1, 2.0);
    busy(2, 1.5);
    readings[1].own_s = 2.5;
    assert_true(fabs(load().cores - 0.5) < 1e-9);
    assert_int_equal(load().hardware_threads, 2);
    assert_true(load().seconds == 2.0);
    busy(3, 2.0); /* not watched: however busy, it does not count */
    assert_true(fabs(load().cores - 0.5) < 1e-9);
    readings[1].watched[0] |= 1 << 3; /* watched at either reading */
    assert_true(fabs(load().cores - 1.5) < 1e-9);
    assert_int_equal(load().hardware_threads, 3);
}

/* Less than two ticks times the root of the hardware threads is not claimed. */
TEST(errors_of_the_ticks_are_not_claimed)
{
    planted(0.1, 4);
    busy(1, 0.039);
    assert_true(load().cores == 0.0);
    busy(1, 0.002);
    assert_true(fabs(load().cores - 0.41) < 1e-9);
    readings[1].own_s = 0.09; /* the ticks were cut off: ours are more than all */
    assert_true(load().cores == 0.0);
    assert_true(fabs(other_load_error_s(4) - 0.04) < 1e-12);
    planted(0.049, 2);
    busy(1, 0.049);
    assert_true(isnan(load().cores)); /* five ticks are needed */
}

TEST(counters_that_stand_are_unknown)
{
    planted(1.0, 2);
    readings[1].cpus[1].idle_s = readings[1].cpus[2].idle_s = 0.0;
    assert_true(isnan(load().cores) && isnan(load().stolen_share));
    readings[0].group_s = 5.0; /* the control group counts */
    readings[1].group_s = 6.5;
    readings[1].own_s = 1.0;
    assert_true(fabs(load().cores - 0.5) < 1e-9);
    planted(1.0, 0); /* a machine with too many hardware threads: none is watched */
    readings[0].group_s = readings[1].group_s = 1.0;
    assert_true(isnan(load().cores));
}

TEST(stolen_and_pressed_time_are_shares)
{
    planted(2.0, 2);
    busy(1, 1.5);
    assert_true(load().stolen_share == 0.0);
    readings[1].cpus[1].stolen_s = 0.5;
    readings[1].cpus[1].idle_s = 0.0;
    assert_true(fabs(load().stolen_share - 0.25) < 1e-9); /* of 2 s that were not idle */
    assert_true(isnan(load().pressure_share));
    readings[0].pressure_s = 3.0;
    readings[1].pressure_s = 3.5;
    assert_true(fabs(load().pressure_share - 0.25) < 1e-9);
    readings[1].pressure_s = 2.0; /* another group: not a share */
    assert_true(isnan(load().pressure_share));
    planted(2.0, 2);
    assert_true(isnan(load().stolen_share)); /* nothing ran */
}

/* ---- planted files --------------------------------------------------------------------------- */

TEST(the_files_are_read)
{
    struct load_reading *r = &readings[0];
    command_done(
        "%s",
        "rm -rf $DIR/root && mkdir -p $DIR/root/proc/pressure && "
        "printf 'cpu  9 9 9 9 9 9 9 9 9 9\\ncpu0 100 10 20 1000 5 1 2 30 50 5\\n"
        "cpu3 1 0 0 0 0 0 0 0 0 0\\nintr 7 0\\ncpu9 1 1 1 1 1 1 1 1\\n' > $DIR/root/proc/stat && "
        "printf 'some avg10=0.00 avg60=0.00 avg300=0.00 total=1500000\\nfull avg10=0 total=9\\n' "
        "> $DIR/root/proc/pressure/cpu");
    other_load_read(r, command_root(), LOAD_OF_PROCESS);
    assert_true(fabs(r->cpus[0].busy_s - 1.33) < 1e-9); /* guests are part of user and nice */
    assert_true(fabs(r->cpus[0].idle_s - 10.05) < 1e-9);
    assert_true(fabs(r->cpus[0].stolen_s - 0.30) < 1e-9);
    assert_true(fabs(r->cpus[3].busy_s - 0.01) < 1e-9);
    assert_true(r->cpus[1].busy_s == 0.0 && r->cpus[9].busy_s == 0.0);
    assert_true(r->pressure_s == 1.5 && isnan(r->group_s));
    command_done("%s", "rm -r $DIR/root");
    other_load_read(r, command_root(), LOAD_OF_PROCESS);
    assert_true(isnan(r->pressure_s) && isnan(r->group_s) && r->cpus[0].busy_s == 0.0);
}

/* The nearest group that counts pressure, the outermost one that counts time. */
TEST(control_groups_are_read)
{
    struct load_reading *r = &readings[0];
    command_done(
        "%s",
        "rm -rf $DIR/root && g=$DIR/root/sys/fs/cgroup/a/b && mkdir -p $g $DIR/root/proc/self "
        "$DIR/root/proc/pressure && echo 0::/a/b > $DIR/root/proc/self/cgroup && "
        "printf 'some avg10=0.00 total=2000000\\n' > $g/cpu.pressure && "
        "printf 'some avg10=0.00 total=9000000\\n' > $g/../cpu.pressure && "
        "printf 'some avg10=0.00 total=9000000\\n' > $DIR/root/proc/pressure/cpu && "
        "printf 'usage_usec 1000000\\nuser_usec 7\\n' > $g/cpu.stat && "
        "printf 'usage_usec 2500000\\nuser_usec 7\\n' > $g/../cpu.stat");
    other_load_read(r, command_root(), LOAD_OF_PROCESS);
    assert_true(r->pressure_s == 2.0 && r->group_s == 2.5);
    command_done("%s", "echo 4:cpu,cpuacct:/ > $DIR/root/proc/self/cgroup && "
                       "mkdir -p $DIR/root/sys/fs/cgroup/cpuacct && "
                       "echo 3500000000 > $DIR/root/sys/fs/cgroup/cpuacct/cpuacct.usage");
    other_load_read(r, command_root(), LOAD_OF_PROCESS);
    assert_true(r->pressure_s == 9.0 && r->group_s == 3.5);
}

/* Children and theirs are ours, siblings are not. A name may look like fields. */
TEST(a_family_is_distinguished)
{
    char command[900];
    size_t count;
    snprintf(
        command, sizeof command,
        "rm -rf $DIR/root && for p in '%d 1 5' '900001 %d 100' '900002 900001 200' "
        "'900003 1 400'; do set -- $p; mkdir -p $DIR/root/proc/$1 && "
        "echo \"$1 (a) S (b c) R $2 0 0 0 0 0 0 0 0 0 $3 50 7 3 20\" > $DIR/root/proc/$1/stat; "
        "done; mkdir $DIR/root/proc/sys",
        (int)getpid(), (int)getpid());
    command_done("%s", command);
    struct seen_process *all = family_see(command_root(), &count);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(all[i].ours, all[i].pid != 900003);
        assert_string_equal(all[i].command, "a) S (b c");
    }
    free(all);
    assert_true(fabs(family_seconds(command_root()) - (1.5 + 2.5 + 0.1 + 0.1)) < 1e-9);
    command_done("%s", "rm -r $DIR/root");
    assert_true(family_seconds(command_root()) == 0.0);
    assert_null(family_see(command_root(), &count));
    assert_int_equal(count, 0);
}

/* ---- this machine ---------------------------------------------------------------------------- */

/* Processor time; infinity if its process has ended. */
static double seconds_of(clockid_t clock)
{
    struct timespec t;
    return clock_gettime(clock, &t) == 0 ? (double)t.tv_sec + (double)t.tv_nsec * 1e-9 : INFINITY;
}

/* What other programs used between the two readings, in seconds. */
static double others_s(void)
{
    const struct other_load l = load();
    return l.cores * l.seconds;
}

/* Seconds by which two such numbers may differ: readings are taken one after the other, and
 * /proc/stat counts in ticks. */
#define APART_S 0.12

/* Readings for the process alone and for its family around the same time, in which the child
 * computes for at least five times APART_S. */
static struct load_reading alone[2], family[2];

static double seconds_beside(clockid_t child)
{
    const double begin = seconds_of(child);
    other_load_read(&alone[0], "", LOAD_OF_PROCESS);
    other_load_read(&family[0], "", LOAD_OF_FAMILY);
    while (seconds_of(child) < begin + 5.0 * APART_S)
        usleep(10000);
    other_load_read(&alone[1], "", LOAD_OF_PROCESS);
    other_load_read(&family[1], "", LOAD_OF_FAMILY);
    return seconds_of(child) - begin;
}

/* A child is another program to the process alone, and no other to the family: the two differ by
 * what the child used. Somebody else may use this machine too, which both see. */
TEST(a_child_that_computes_is_seen)
{
    cpu_set_t all;
    clockid_t clock;
    double apart = INFINITY;
    busy_child_pin(&all);
    const pid_t child = busy_child();
    assert_int_equal(clock_getcpuclockid(child, &clock), 0);
    for (int tries = 0; tries < 10 && fabs(apart) > APART_S; tries++) {
        const double child_s = seconds_beside(clock);
        memcpy(readings, alone, sizeof readings);
        const double with_child = others_s();
        memcpy(readings, family, sizeof readings);
        apart = with_child - others_s() - child_s;
    }
    busy_child_end(child, &all);
    if (isnan(apart))
        skip(); /* this machine does not count */
    assert_int_equal(load().hardware_threads, 1);
    assert_true(fabs(apart) <= APART_S);
}

/* What this process itself uses is not others': together they use no more than the one hardware
 * thread that both may use. */
TEST(own_time_is_not_that_of_others)
{
    cpu_set_t all;
    double own = 0.0, both = INFINITY;
    busy_child_pin(&all);
    for (int tries = 0; tries < 10 && both > readings[1].at_s - readings[0].at_s + APART_S;
         tries++) {
        const double begin = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        other_load_read(&readings[0], "", LOAD_OF_PROCESS);
        while ((own = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begin) < 5.0 * APART_S)
            burn(0.01);
        other_load_read(&readings[1], "", LOAD_OF_PROCESS);
        both = own + others_s();
    }
    sched_setaffinity(0, sizeof all, &all);
    if (isnan(both))
        skip(); /* this machine does not count */
    assert_true(both <= readings[1].at_s - readings[0].at_s + APART_S);
    assert_true(readings[1].own_s - readings[0].own_s >= own - APART_S);
    other_load_join(&readings[1], NULL); /* a process alone */
    assert_true(readings[1].own_s > readings[0].own_s);
}

const struct tests_group tests_group = {command_setup, command_teardown};
