#include "harness/machine/other_load.h"

#include "harness/base/clock.h"
#include "harness/machine/cgroup.h"
#include "harness/machine/family.h"

#include <dirent.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { PATH_BYTES = 4300, LINE_BYTES = 1024 };

static const double tick_s = 0.01; /* of /proc/stat, whatever the kernel's own (USER_HZ) */

/* ---- the hardware threads -------------------------------------------------------------------- */

static void watch(uint64_t *watched, pid_t thread)
{
    cpu_set_t set;
    if (sched_getaffinity(thread, sizeof set, &set) != 0)
        return;
    for (int cpu = 0; cpu < OTHER_LOAD_CPUS; cpu++)
        if (CPU_ISSET(cpu, &set))
            watched[cpu / 64] |= UINT64_C(1) << cpu % 64;
}

/* A bound team's first thread has fewer than the team: all of them are asked. */
static void watch_all(uint64_t *watched, const char *root)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/proc/self/task", root);
    DIR *folder = opendir(path);
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        if (entry->d_name[0] != '.')
            watch(watched, (pid_t)strtol(entry->d_name, NULL, 10));
    if (folder)
        closedir(folder);
    watch(watched, 0);
}

/* Reads "cpuN user nice system idle iowait irq softirq steal"; guests are part of user and nice.
 * The sum over all, "cpu  user ...", has no number. Source: proc_stat(5). */
static void take_cpu(struct load_reading *r, const char *line)
{
    enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, FIELDS };
    const char *number = line + strlen("cpu");
    double seconds[FIELDS] = {0.0};
    char *at;
    const long cpu = *number == ' ' ? -1 : strtol(number, &at, 10);
    if (cpu < 0 || cpu >= OTHER_LOAD_CPUS)
        return;
    for (int i = 0; i < FIELDS; i++)
        seconds[i] = tick_s * strtod(at, &at);
    r->cpus[cpu] = (struct cpu_time){.busy_s = seconds[USER] + seconds[NICE] + seconds[SYSTEM] +
                                               seconds[IRQ] + seconds[SOFTIRQ],
                                     .idle_s = seconds[IDLE] + seconds[IOWAIT],
                                     .stolen_s = seconds[STEAL]};
}

static void read_cpus(struct load_reading *r, const char *root)
{
    char path[PATH_BYTES], line[LINE_BYTES];
    snprintf(path, sizeof path, "%s/proc/stat", root);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file) && strncmp(line, "cpu", 3) == 0)
        take_cpu(r, line);
    if (file)
        fclose(file);
}

/* ---- control groups, pressure ---------------------------------------------------------------- */

/* The number behind a word in a file, times `unit`; NaN if there is none. */
static double number_behind(const char *path, const char *word, double unit)
{
    char line[LINE_BYTES];
    double number = NAN;
    FILE *file = fopen(path, "r");
    while (file && isnan(number) && fgets(line, sizeof line, file)) {
        const char *at = strstr(line, word);
        if (at && at[strlen(word)] >= '0' && at[strlen(word)] <= '9')
            number = unit * strtod(at + strlen(word), NULL);
    }
    if (file)
        fclose(file);
    return number;
}

/* Where a group's file has its processor time, and the seconds that were found. */
struct usage {
    const char *file, *word;
    double unit, seconds;
};

/* The outermost group is visited last. */
static void take_usage(const char *folder, void *context)
{
    char path[PATH_BYTES];
    struct usage *u = context;
    snprintf(path, sizeof path, "%s/%s", folder, u->file);
    const double seconds = number_behind(path, u->word, u->unit);
    if (!isnan(seconds))
        u->seconds = seconds;
}

static double group_seconds(const char *root)
{
    struct usage first = {"cpuacct.usage", "", 1e-9, NAN};
    struct usage second = {"cpu.stat", "usage_usec ", 1e-6, NAN};
    cgroup_visit_in(root, "cpuacct", take_usage, &first);
    if (isnan(first.seconds))
        cgroup_visit_in(root, "", take_usage, &second);
    return isnan(first.seconds) ? second.seconds : first.seconds;
}

static double pressure_in(const char *path)
{
    char line[LINE_BYTES];
    double total_us = NAN;
    FILE *file = fopen(path, "r");
    const bool read = file && fgets(line, sizeof line, file) && strncmp(line, "some ", 5) == 0;
    const char *total = read ? strstr(line, "total=") : NULL;
    if (total)
        total_us = strtod(total + strlen("total="), NULL);
    if (file)
        fclose(file);
    return 1e-6 * total_us;
}

/* The nearest group is visited first. */
static void take_pressure(const char *folder, void *pressure_s)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/cpu.pressure", folder);
    if (isnan(*(double *)pressure_s))
        *(double *)pressure_s = pressure_in(path);
}

static double pressure_seconds(const char *root)
{
    char path[PATH_BYTES];
    double seconds = NAN;
    cgroup_visit_in(root, "", take_pressure, &seconds);
    snprintf(path, sizeof path, "%s/proc/pressure/cpu", root);
    return isnan(seconds) ? pressure_in(path) : seconds;
}

/* ---- a reading ------------------------------------------------------------------------------- */

static double seconds_used(int whose)
{
    struct rusage use;
    if (getrusage(whose, &use) != 0)
        return 0.0;
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

void other_load_read(struct load_reading *r, const char *root, enum load_owner owner)
{
    memset(r, 0, sizeof *r);
    watch_all(r->watched, root);
    r->pressure_s = pressure_seconds(root);
    r->group_s = group_seconds(root);
    read_cpus(r, root);
    r->at_s = clock_now();
    r->own_s = seconds_used(RUSAGE_SELF);
    if (owner == LOAD_OF_FAMILY)
        r->own_s += seconds_used(RUSAGE_CHILDREN) + family_seconds(root);
}

void other_load_join(struct load_reading *r, const struct processes *processes)
{
    r->own_s = 1e-6 * (double)processes_sum_here(processes, (uint64_t)llround(1e6 * r->own_s));
    processes_join_here(processes, r->watched, OTHER_LOAD_CPUS / 64);
}

/* ---- two readings ---------------------------------------------------------------------------- */

double other_load_error_s(int64_t hardware_threads)
{
    return 2.0 * tick_s * sqrt((double)hardware_threads);
}

static bool is_watched(const struct load_reading *r, int cpu)
{
    return r->watched[cpu / 64] >> cpu % 64 & 1;
}

/* Sums over the watched hardware threads; returns their number. */
static int64_t add_up(const struct load_reading *before, const struct load_reading *after,
                      struct cpu_time *sum)
{
    int64_t threads = 0;
    *sum = (struct cpu_time){0.0, 0.0, 0.0};
    for (int cpu = 0; cpu < OTHER_LOAD_CPUS; cpu++) {
        if (!is_watched(before, cpu) && !is_watched(after, cpu))
            continue;
        threads++;
        sum->busy_s += after->cpus[cpu].busy_s - before->cpus[cpu].busy_s;
        sum->idle_s += after->cpus[cpu].idle_s - before->cpus[cpu].idle_s;
        sum->stolen_s += after->cpus[cpu].stolen_s - before->cpus[cpu].stolen_s;
    }
    return threads;
}

/* Whether the counters advance with the clock; in some sandboxes they stand. */
static bool are_counted(const struct cpu_time *sum, double seconds, int64_t threads)
{
    const double counted = sum->busy_s + sum->idle_s + sum->stolen_s;
    return counted > 0.5 * seconds * (double)threads;
}

static double share(double part, double all)
{
    return all > 0.0 && part >= 0.0 ? fmin(part / all, 1.0) : (double)NAN;
}

struct other_load other_load_between(const struct load_reading *before,
                                     const struct load_reading *after)
{
    struct cpu_time sum;
    struct other_load load = {.seconds = after->at_s - before->at_s, .cores = NAN};
    load.hardware_threads = add_up(before, after, &sum);
    const bool counted = are_counted(&sum, load.seconds, load.hardware_threads);
    const double busy_s = counted ? sum.busy_s : after->group_s - before->group_s;
    const double others_s = busy_s - (after->own_s - before->own_s);
    if (load.seconds >= OTHER_LOAD_LEAST_S && !isnan(others_s) && load.hardware_threads > 0)
        load.cores =
            others_s < other_load_error_s(load.hardware_threads) ? 0.0 : others_s / load.seconds;
    load.stolen_share = counted ? share(sum.stolen_s, sum.busy_s + sum.stolen_s) : (double)NAN;
    load.pressure_share = share(after->pressure_s - before->pressure_s, load.seconds);
    return load;
}

double other_load_counted_on(const struct other_load *l)
{
    return isnan(l->cores) ? l->cores : (double)l->hardware_threads;
}

/* ---- a rule ---------------------------------------------------------------------------------- */

/* Thresholds, with their reasons. */
static const double busy_core = 0.25; /* of a core: slows a team that fills the cores by a tenth */
static const double idle_core = 0.25; /* of a core: with less, a worker soon waits */
static const double services = 1.0 / 200; /* of the cores: what a large computer does for itself */

bool load_disturbs(double others, double workers, double cores)
{
    return others > fmax(busy_core, services * cores) && workers + others > cores - idle_core;
}

bool other_load_disturbs(const struct other_load *l, int64_t workers)
{
    return load_disturbs(l->cores, (double)workers, (double)l->hardware_threads);
}
