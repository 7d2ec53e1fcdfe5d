#include "harness/memory.h"

#include "harness/cgroup.h"
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

/* The files of a control group that tell its limit and its usage, and the least room found. */
struct group_room {
    const char *limit, *usage;
    size_t least;
};

/* What a group does not use, counting reclaimable page cache as free. */
static void take_group_room(const char *folder, void *context)
{
    struct group_room *room = context;
    char path[4300];
    snprintf(path, sizeof path, "%s/%s", folder, room->limit);
    const int64_t most = lone_number(path);
    snprintf(path, sizeof path, "%s/%s", folder, room->usage);
    const int64_t used = lone_number(path);
    if (most < 0 || used < 0)
        return;
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    const int64_t cache = keyed_number(path, "inactive_file ", 1);
    const int64_t left = most - used + (cache > 0 ? cache : 0);
    room->least = smaller(room->least, left > 0 ? (size_t)left : 0);
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
    struct group_room first = {"memory.limit_in_bytes", "memory.usage_in_bytes", SIZE_MAX};
    struct group_room second = {"memory.max", "memory.current", SIZE_MAX};
    cgroup_visit("memory", take_group_room, &first);
    cgroup_visit("", take_group_room, &second);
    return smaller(free_now < 0 ? SIZE_MAX : (size_t)free_now, smaller(first.least, second.least));
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
