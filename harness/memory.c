#include "harness/memory.h"

#include "harness/simulation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { FOLDED_LEAST = 64 * 1024 }; /* bytes: smaller blocks may hold what is read again */

static bool folding;

void memory_fold(void)
{
    folding = true;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The number after `key` in a file of "key number" lines, times `unit`; -1 where there is none. */
static int64_t keyed_number(const char *path, const char *key, int64_t unit)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    char line[256];
    int64_t value = -1;
    const size_t length = strlen(key);
    while (value < 0 && fgets(line, sizeof line, file))
        if (strncmp(line, key, length) == 0 && sscanf(line + length, "%" SCNd64, &value) == 1)
            value *= unit;
    fclose(file);
    return value;
}

/* The single number a file holds, or -1 ("max", or no such file). */
static int64_t lone_number(const char *path)
{
    return keyed_number(path, "", 1);
}

/* Room under a control group's limit: what it does not use, counting reclaimable page cache as
 * free. */
static size_t group_room(const char *folder, const char *limit, const char *usage)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", folder, limit);
    const int64_t most = lone_number(path);
    snprintf(path, sizeof path, "%s/%s", folder, usage);
    const int64_t used = lone_number(path);
    if (most < 0 || used < 0)
        return SIZE_MAX;
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    const int64_t cache = keyed_number(path, "inactive_file ", 1);
    const int64_t room = most - used + (cache > 0 ? cache : 0);
    return room > 0 ? (size_t)room : 0;
}

/* The least room of this process's version-2 control group and its ancestors. */
static size_t group2_room(void)
{
    char line[4096] = "", folder[4096 + 16];
    FILE *file = fopen("/proc/self/cgroup", "r");
    while (file && fgets(line, sizeof line, file) && strncmp(line, "0::", 3) != 0)
        line[0] = 0;
    if (file)
        fclose(file);
    line[strcspn(line, "\n")] = 0;
    if (strncmp(line, "0::/", 4) != 0)
        return SIZE_MAX;
    snprintf(folder, sizeof folder, "/sys/fs/cgroup%s", line + 3);
    const size_t root = strlen("/sys/fs/cgroup");
    size_t room = SIZE_MAX;
    while (strlen(folder) >= root) {
        room = smaller(room, group_room(folder, "memory.max", "memory.current"));
        *strrchr(folder, '/') = 0;
    }
    return room;
}

static size_t address_space_room(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return SIZE_MAX;
    const int64_t used = keyed_number("/proc/self/status", "VmSize:", 1024);
    if (used < 0)
        return limit.rlim_cur;
    return limit.rlim_cur > (rlim_t)used ? limit.rlim_cur - (size_t)used : 0;
}

/* What every process here can take together. */
static size_t machine_room(void)
{
    const int64_t free_now = keyed_number("/proc/meminfo", "MemAvailable:", 1024);
    size_t room = free_now < 0 ? SIZE_MAX : (size_t)free_now;
    room = smaller(room, group2_room());
    room = smaller(room, group_room("/sys/fs/cgroup/memory", "memory.limit_in_bytes",
                                    "memory.usage_in_bytes"));
    return room;
}

size_t memory_available(void)
{
    return smaller(machine_room(), address_space_room());
}

void memory_text(char *buffer, size_t size, double bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t unit = 0;
    while (bytes >= 1024.0 && unit + 1 < sizeof units / sizeof units[0]) {
        bytes /= 1024.0;
        unit++;
    }
    snprintf(buffer, size, unit == 0 ? "%.0f %s" : "%.4g %s", bytes, units[unit]);
}

static enum status check_room(size_t bytes, size_t room, const char *what, struct failure *f)
{
    if (bytes <= room || folding)
        return STATUS_OK;
    char need[32], have[32];
    memory_text(need, sizeof need, (double)bytes);
    memory_text(have, sizeof have, (double)room);
    return fail(f, STATUS_RESOURCE, "no memory for %s: %s are needed and %s are available", what,
                bytes == SIZE_MAX ? "more bytes than can be counted" : need, have);
}

enum status memory_check(size_t bytes, const char *what, struct failure *f)
{
    return check_room(bytes, memory_available(), what, f);
}

enum status memory_check_shared(size_t bytes, size_t together, const char *what, struct failure *f)
{
    enum status status = memory_check(bytes, what, f);
    return status == STATUS_OK ? check_room(together, machine_room(), what, f) : status;
}

enum status memory_allocate(void **out, size_t bytes, const char *what, struct failure *f)
{
    *out = NULL;
    enum status status = memory_check(bytes, what, f);
    if (status != STATUS_OK)
        return status;
    if (folding && bytes >= FOLDED_LEAST)
        *out = simulation_fold(bytes);
    else if (posix_memalign(out, 64, bytes > 0 ? bytes : 1) != 0)
        *out = NULL;
    if (!*out) {
        char need[32];
        memory_text(need, sizeof need, (double)bytes);
        return fail(f, STATUS_RESOURCE, "no memory for %s: the system refuses %s", what, need);
    }
    return STATUS_OK;
}

size_t memory_add(size_t a, size_t b)
{
    size_t sum;
    return __builtin_add_overflow(a, b, &sum) ? SIZE_MAX : sum;
}

size_t memory_multiply(size_t a, size_t b)
{
    size_t product;
    return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}
