#include "harness/machine/cpu_frequency.h"

#include "harness/base/text/fit.h"

#include <dirent.h>
#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 512, LINE_BYTES = 1024 };

/* ---- the CPUs of this process ---------------------------------------------------------------- */

/* Returns field 39 of the thread's stat file, counted from field 2, its name in parentheses; -1 if
 * it is not reported. Source: proc_pid_stat(5). */
static int last_cpu(const char *root, const char *thread)
{
    enum { NAME = 2, PROCESSOR = 39 };
    char path[PATH_BYTES], line[LINE_BYTES];
    text_fit_format(path, sizeof path, "%s/proc/self/task/%s/stat", root, thread);
    FILE *file = fopen(path, "r");
    const bool reported = file && fgets(line, sizeof line, file);
    if (file)
        fclose(file);
    const char *at = reported ? strrchr(line, ')') : NULL;
    for (int field = NAME; at && field < PROCESSOR; field++)
        at = strchr(at + 1, ' ');
    return at ? atoi(at + 1) : -1;
}

static void find_cpus(const char *root, cpu_set_t *cpus)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/proc/self/task", root);
    DIR *folder = opendir(path);
    CPU_ZERO(cpus);
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        const int cpu = entry->d_name[0] == '.' ? -1 : last_cpu(root, entry->d_name);
        if (cpu >= 0 && cpu < CPU_SETSIZE)
            CPU_SET(cpu, cpus);
    }
    if (folder)
        closedir(folder);
}

/* ---- their frequencies ----------------------------------------------------------------------- */

struct mean {
    double sum, count;
};

static double mean_of(const struct mean *m)
{
    return m->count > 0.0 ? m->sum / m->count : (double)NAN;
}

static void add(struct mean *m, double mhz)
{
    if (mhz > 0.0) { /* false for NaN too */
        m->sum += mhz;
        m->count += 1.0;
    }
}

/* Reads a file of cpufreq, which is in kHz; NaN if there is none. */
static double read_mhz(const char *root, int cpu, const char *name)
{
    char path[PATH_BYTES];
    double khz;
    snprintf(path, sizeof path, "%s/sys/devices/system/cpu/cpu%d/cpufreq/%s", root, cpu, name);
    FILE *file = fopen(path, "r");
    const bool reported = file && fscanf(file, "%lf", &khz) == 1;
    if (file)
        fclose(file);
    return reported ? 1e-3 * khz : (double)NAN;
}

static double mean_by_cpufreq(const char *root, const cpu_set_t *cpus)
{
    struct mean mean = {0.0, 0.0};
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, cpus))
            add(&mean, read_mhz(root, cpu, "scaling_cur_freq"));
    return mean_of(&mean);
}

/* The value of "key : value"; NaN if the line has another key. */
static double value_of(const char *line, const char *key)
{
    const char *colon = strchr(line, ':');
    return colon && strncmp(line, key, strlen(key)) == 0 ? strtod(colon + 1, NULL) : (double)NAN;
}

static double mean_by_cpuinfo(const char *root, const cpu_set_t *cpus)
{
    char path[PATH_BYTES], line[LINE_BYTES];
    struct mean mean = {0.0, 0.0};
    int cpu = -1;
    snprintf(path, sizeof path, "%s/proc/cpuinfo", root);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        const double number = value_of(line, "processor");
        if (number >= 0.0)
            cpu = (int)number;
        if (cpu >= 0 && cpu < CPU_SETSIZE && CPU_ISSET(cpu, cpus))
            add(&mean, value_of(line, "cpu MHz"));
    }
    if (file)
        fclose(file);
    return mean_of(&mean);
}

double cpu_frequency_mhz(const char *root)
{
    cpu_set_t cpus;
    find_cpus(root, &cpus);
    const double mhz = mean_by_cpufreq(root, &cpus);
    return isnan(mhz) ? mean_by_cpuinfo(root, &cpus) : mhz;
}

void cpu_frequency_limits(const char *root, double *least_mhz, double *most_mhz)
{
    *least_mhz = *most_mhz = (double)NAN;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        *least_mhz = fmin(*least_mhz, read_mhz(root, cpu, "scaling_min_freq"));
        *most_mhz = fmax(*most_mhz, read_mhz(root, cpu, "scaling_max_freq"));
    }
}
