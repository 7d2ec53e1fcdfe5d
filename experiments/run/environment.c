#include "experiments/run/environment.h"

#include "experiments/common/output.h"
#include "experiments/common/process.h"
#include "experiments/common/results.h"
#include "experiments/run/quiet.h"
#include "generated/build_facts.h"
#include "generated/commit.h"
#include "harness/base/clock.h"
#include "harness/base/json_number.h"
#include "harness/machine/cpu_frequency.h"
#include "harness/machine/machine.h"
#include "harness/machine/other_load.h"
#include "kernels/isa.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#ifdef MAXPOOL_HAVE_HWLOC
#include <hwloc.h>
#endif

/* ---- helpers --------------------------------------------------------------------------------- */

/* Reads the first line of a file, "" if it cannot be read. */
static void first_line(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "r");
    line[0] = '\0';
    if (!file)
        return;
    if (!fgets(line, (int)size, file))
        line[0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    fclose(file);
}

/* Adds a text, or null if it is empty. */
static void add_text(cJSON *to, const char *name, const char *text)
{
    if (text && *text)
        cJSON_AddStringToObject(to, name, text);
    else
        cJSON_AddNullToObject(to, name);
}

static void add_file(cJSON *to, const char *name, const char *path)
{
    char line[512];
    first_line(path, line, sizeof line);
    add_text(to, name, line);
}

/* Adds a count, or null if it is not known. */
static void add_count(cJSON *to, const char *name, double count)
{
    if (count > 0)
        cJSON_AddNumberToObject(to, name, count);
    else
        cJSON_AddNullToObject(to, name);
}

/* Returns the output of a command, with `one_line` only its first line; "" if it failed. */
static void output_of(char *const argv[], bool one_line, char *text, size_t size)
{
    const struct process_limits limits = {.seconds = 60, .grace_seconds = 1, .death_signal = 9};
    struct process_result result;
    text[0] = '\0';
    if (process_run(argv, &limits, &result, NULL) != STATUS_OK || !process_succeeded(&result))
        return;
    if (one_line)
        result.output[strcspn(result.output, "\n")] = '\0';
    snprintf(text, size, "%.*s", (int)size - 1, result.output);
}

/* ---- the parts ------------------------------------------------------------------------------ */

static void add_machine(cJSON *to)
{
    static const char *const cache_names[] = {NULL, "cache_1_bytes", "cache_2_bytes",
                                              "cache_3_bytes"};
    struct machine m;
    char line[512];
    cJSON *machine = cJSON_AddObjectToObject(to, "machine");
    machine_describe(&m);
    machine_line(&m, line, sizeof line);
    add_text(machine, "summary", line);
    add_text(machine, "host", m.host);
    add_text(machine, "cpu", m.cpu);
    add_count(machine, "packages", (double)m.packages);
    add_count(machine, "cores", (double)m.cores);
    add_count(machine, "hardware_threads", (double)m.pus);
    add_count(machine, "numa_nodes", (double)m.numa_nodes);
    for (size_t level = 1; level < 4; level++)
        add_count(machine, cache_names[level], (double)m.cache_bytes[level]);
    add_count(machine, "allowed_hardware_threads", (double)m.allowed_pus);
    add_count(machine, "allowed_cores", (double)m.allowed_cores);
    add_count(machine, "quota_cores", m.quota_cores);
    cJSON_AddNumberToObject(machine, "capacity_workers", (double)machine_capacity(&m));
    add_count(machine, "memory_bytes", (double)m.memory_bytes);
    cJSON_AddNumberToObject(machine, "clock_resolution_s", clock_resolution());
    add_text(machine, "unseen", m.unseen);
}

/* Adds the range of frequencies that governors can choose, and the frequency where this program
 * ran. */
static void add_frequency(cJSON *to)
{
    double least_mhz, most_mhz;
    cpu_frequency_limits("", &least_mhz, &most_mhz);
    add_count(to, "frequency_mhz", cpu_frequency_mhz(""));
    add_count(to, "frequency_least_mhz", least_mhz);
    add_count(to, "frequency_most_mhz", most_mhz);
}

/* Adds what changes between runs on one machine and affects timings; `busy`: cores that others keep
 * busy now. The load average would still include a compiler that ran a minute ago. */
static void add_conditions(cJSON *to, double busy)
{
    cJSON *now = cJSON_AddObjectToObject(to, "conditions");
    struct machine m;
    machine_describe(&m);
    if (isfinite(busy))
        cJSON_AddNumberToObject(now, "busy_cores", busy);
    else
        cJSON_AddNullToObject(now, "busy_cores");
    if (m.load >= 0)
        cJSON_AddNumberToObject(now, "load_1_minute", m.load);
    else
        cJSON_AddNullToObject(now, "load_1_minute");
    add_file(now, "governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    add_file(now, "frequency_driver", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver");
    add_frequency(now);
    add_file(now, "no_turbo", "/sys/devices/system/cpu/intel_pstate/no_turbo");
    add_file(now, "boost", "/sys/devices/system/cpu/cpufreq/boost");
    add_file(now, "hyperthreading", "/sys/devices/system/cpu/smt/control");
    add_file(now, "transparent_huge_pages", "/sys/kernel/mm/transparent_hugepage/enabled");
    add_file(now, "numa_balancing", "/proc/sys/kernel/numa_balancing");
    add_file(now, "clock_source",
             "/sys/devices/system/clocksource/clocksource0/current_clocksource");
    add_file(now, "memory_limit_bytes", "/sys/fs/cgroup/memory.max");
}

/* Reads the value of PRETTY_NAME="value" in /etc/os-release. */
static void system_name(char *name, size_t size)
{
    FILE *file = fopen("/etc/os-release", "r");
    char line[256];
    name[0] = '\0';
    while (file && fgets(line, sizeof line, file)) {
        char *value = strncmp(line, "PRETTY_NAME=", 12) == 0 ? line + 12 : NULL;
        if (!value)
            continue;
        value += *value == '"';
        value[strcspn(value, "\"\n")] = '\0';
        snprintf(name, size, "%s", value);
    }
    if (file)
        fclose(file);
}

static void add_system(cJSON *to)
{
    struct utsname u;
    char name[256];
    cJSON *system = cJSON_AddObjectToObject(to, "system");
    system_name(name, sizeof name);
    add_text(system, "name", name);
    if (uname(&u) == 0) {
        add_text(system, "kernel", u.sysname);
        add_text(system, "release", u.release);
        add_text(system, "architecture", u.machine);
    }
    cJSON_AddBoolToObject(system, "container",
                          access("/.dockerenv", F_OK) == 0 ||
                              access("/run/.containerenv", F_OK) == 0);
}

static void add_build(cJSON *to)
{
    cJSON *build = cJSON_AddObjectToObject(to, "build");
    const char *plus = strstr(MAXPOOL_COMMIT, "+dirty");
    char commit[128];
    snprintf(commit, sizeof commit, "%.*s",
             plus ? (int)(plus - MAXPOOL_COMMIT) : (int)strlen(MAXPOOL_COMMIT), MAXPOOL_COMMIT);
    add_text(build, "commit", commit);
    cJSON_AddBoolToObject(build, "dirty", plus != NULL);
    add_text(build, "compiler", MAXPOOL_COMPILER);
    add_text(build, "type", MAXPOOL_BUILD_TYPE);
    add_text(build, "flags", MAXPOOL_BUILD_FLAGS);
    add_text(build, "sanitizers", MAXPOOL_BUILD_SANITIZERS);
    add_text(build, "instruction_set", isa_name(ISA_BASELINE));
    cJSON *libraries = cJSON_AddObjectToObject(build, "libraries");
    for (size_t i = 0; i < sizeof maxpool_libraries / sizeof *maxpool_libraries; i++)
        add_text(libraries, maxpool_libraries[i].name, maxpool_libraries[i].version);
}

static void add_mpi(cJSON *to)
{
    char program[] = "mpirun", option[] = "--version", text[512];
    char *const argv[] = {program, option, NULL};
    output_of(argv, true, text, sizeof text);
    add_text(to, "mpi", text);
}

static void add_gpus(cJSON *to)
{
    char program[] = "nvidia-smi", format[] = "--format=csv,noheader";
    char query[] = "--query-gpu=name,driver_version,memory.total,pci.bus_id";
    char *const argv[] = {program, query, format, NULL};
    char text[2048], *rest = NULL;
    output_of(argv, false, text, sizeof text);
    cJSON *gpus = cJSON_AddArrayToObject(to, "gpus");
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        cJSON_AddItemToArray(gpus, cJSON_CreateString(line));
}

/* Adds variables that affect measurements; no others, because they may be private. */
static void add_variables(cJSON *to)
{
    static const char *const prefixes[] = {
        "OMP_",         "GOMP_",       "KMP_",           "SLURM_JOB_",
        "SLURM_NTASKS", "SLURM_CPUS_", "SLURM_NODELIST", "CUDA_VISIBLE_DEVICES"};
    cJSON *variables = cJSON_AddObjectToObject(to, "variables");
    for (char **variable = environ; *variable; variable++) {
        char name[128];
        size_t length = strcspn(*variable, "=");
        bool wanted = false;
        for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
            wanted = wanted || strncmp(*variable, prefixes[i], strlen(prefixes[i])) == 0;
        if (!wanted || length >= sizeof name || !(*variable)[length])
            continue;
        snprintf(name, sizeof name, "%.*s", (int)length, *variable);
        add_text(variables, name, *variable + length + 1);
    }
}

static void add_now(cJSON *to, const char *name)
{
    char now[32];
    clock_utc(now, sizeof now);
    add_text(to, name, now);
}

/* Returns NULL if memory is lacking. */
static cJSON *describe(double busy)
{
    cJSON *root = cJSON_CreateObject();
    add_now(root, "time_utc");
    add_machine(root);
    add_conditions(root, busy);
    add_system(root);
    add_build(root);
    add_mpi(root);
    add_gpus(root);
    add_variables(root);
    return root;
}

/* Returns the text of an object and releases the object. */
static enum status print(cJSON *root, char **text, struct failure *f)
{
    *text = root ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    return *text ? STATUS_OK : fail(f, STATUS_RESOURCE, "not enough memory for the environment");
}

enum status environment_text(char **text, struct failure *f)
{
    return print(describe(quiet_look().cores), text, f);
}

/* ---- runs ----------------------------------------------------------------------------------- */

/* Returns the object in R/environment.json; NULL if the file does not exist or is no JSON. */
static cJSON *read_object(const char *results)
{
    struct results_path path = results_environment(results);
    FILE *file = fopen(path.text, "rb");
    char *text = NULL;
    size_t length = 0;
    ssize_t got = file ? getdelim(&text, &length, '\0', file) : -1;
    cJSON *object = got > 0 ? cJSON_Parse(text) : NULL;
    free(text);
    if (file)
        fclose(file);
    return object;
}

/* Copies an item; null if it does not exist. */
static void copy_item(cJSON *to, const char *name, const cJSON *from, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(from, key);
    cJSON_AddItemToObject(to, name, item ? cJSON_Duplicate(item, 1) : cJSON_CreateNull());
}

/* Makes a run from a description of this machine. */
static cJSON *run_of(const cJSON *description)
{
    const cJSON *now = cJSON_GetObjectItemCaseSensitive(description, "conditions");
    cJSON *run = cJSON_CreateObject();
    copy_item(run, "begin_utc", description, "time_utc");
    cJSON_AddNullToObject(run, "end_utc");
    cJSON_AddNullToObject(run, "stolen_share");
    cJSON_AddNullToObject(run, "others_busy_cores");
    copy_item(run, "busy_before", now, "busy_cores");
    copy_item(run, "load_1_minute", now, "load_1_minute");
    copy_item(run, "commit", cJSON_GetObjectItemCaseSensitive(description, "build"), "commit");
    return run;
}

/* Returns the runs of a file. A file older than the list describes one run. */
static cJSON *runs_of(const cJSON *old)
{
    const cJSON *runs = cJSON_GetObjectItemCaseSensitive(old, "runs");
    if (cJSON_IsArray(runs))
        return cJSON_Duplicate(runs, 1);
    cJSON *list = cJSON_CreateArray();
    if (cJSON_IsObject(old))
        cJSON_AddItemToArray(list, run_of(old));
    return list;
}

/* ---- time taken by the hypervisor and other programs ----------------------------------------- */

static struct load_reading at_begin; /* of the only run that a process can have */

static void put_number(cJSON *run, const char *name, double value)
{
    cJSON_DeleteItemFromObjectCaseSensitive(run, name);
    json_add_number(run, name, value);
}

/* Adds stolen_share and others_busy_cores of the run. Null if the system does not report them. */
static void add_shares(cJSON *run)
{
    struct load_reading now;
    other_load_read(&now, "", LOAD_OF_FAMILY);
    const struct other_load load = other_load_between(&at_begin, &now);
    put_number(run, "stolen_share", load.stolen_share);
    put_number(run, "others_busy_cores", load.cores);
}

/* ---- files ---------------------------------------------------------------------------------- */

#ifdef MAXPOOL_HAVE_HWLOC
static enum status write_topology(const char *results, struct failure *f)
{
    hwloc_topology_t topology;
    char *xml = NULL;
    int length = 0;
    enum status status = STATUS_OK;
    if (hwloc_topology_init(&topology) != 0)
        return STATUS_OK; /* the JSON says what is not known */
    if (hwloc_topology_load(topology) == 0 &&
        hwloc_topology_export_xmlbuffer(topology, &xml, &length, 0) == 0) {
        struct results_path path = results_topology(results);
        status = output_write(path.text, xml, strnlen(xml, (size_t)length), f);
        hwloc_free_xmlbuffer(topology, xml);
    }
    hwloc_topology_destroy(topology);
    return status;
}
#else
static enum status write_topology(const char *results, struct failure *f)
{
    (void)results;
    (void)f;
    return STATUS_OK;
}
#endif

/* Writes and releases the description. */
static enum status write_root(const char *results, cJSON *root, struct failure *f)
{
    const struct results_path path = results_environment(results);
    char *text;
    enum status status = print(root, &text, f);
    if (status != STATUS_OK)
        return status;
    status = output_write(path.text, text, strlen(text), f);
    free(text);
    return status;
}

static enum status write_description(const char *results, bool begins, double busy,
                                     struct failure *f)
{
    cJSON *root = describe(busy), *old = read_object(results), *runs = runs_of(old);
    if (begins && root)
        cJSON_AddItemToArray(runs, run_of(root));
    cJSON_AddItemToObject(root, "runs", runs);
    cJSON_Delete(old);
    const enum status status = write_root(results, root, f);
    return status == STATUS_OK ? write_topology(results, f) : status;
}

enum status environment_write(const char *results, struct failure *f)
{
    return write_description(results, false, quiet_look().cores, f);
}

enum status environment_begin(const char *results, double busy, struct failure *f)
{
    other_load_read(&at_begin, "", LOAD_OF_FAMILY);
    return write_description(results, true, busy, f);
}

enum status environment_end(const char *results, struct failure *f)
{
    cJSON *root = read_object(results);
    cJSON *runs = cJSON_GetObjectItemCaseSensitive(root, "runs");
    cJSON *last = cJSON_GetArrayItem(runs, cJSON_GetArraySize(runs) - 1);
    if (!last) {
        cJSON_Delete(root);
        return STATUS_OK; /* the file was removed meanwhile */
    }
    cJSON_DeleteItemFromObjectCaseSensitive(last, "end_utc");
    add_now(last, "end_utc");
    add_shares(last);
    return write_root(results, root, f);
}
