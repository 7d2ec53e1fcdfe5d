#include "harness/machine/memory.h"

#include "harness/machine/cgroup.h"
#include "harness/machine/simulation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { FOLDED_LEAST = 64 * 1024 }; /* bytes: smaller blocks may hold values that are read again */

static bool folding;
static enum pages chosen_pages;

void memory_fold(void)
{
    folding = true;
}

bool memory_folds(void)
{
    return folding;
}

void memory_choose_pages(enum pages pages)
{
    chosen_pages = pages;
}

const char *pages_option(enum pages pages)
{
    return pages == PAGES_ORDINARY ? "ordinary" : "huge";
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Returns the number after `key` in a file of "key number" lines, times `unit`; -1 if there is
 * none. */
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

/* Returns the single number in a file; -1 for "max" or a missing file. */
static int64_t lone_number(const char *path)
{
    return keyed_number(path, "", 1);
}

/* The names of the files with a control group's limit and usage, and the least free memory
 * found. */
struct group_room {
    const char *limit, *usage;
    size_t least;
};

/* What a group has left, counting reclaimable page cache as free. */
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

/* What all processes of this machine can still take together. */
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

struct memory_text memory_text(double bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    struct memory_text t;
    size_t unit = 0;
    while (bytes >= 1024.0 && unit + 1 < sizeof units / sizeof units[0]) {
        bytes /= 1024.0;
        unit++;
    }
    snprintf(t.text, sizeof t.text, unit == 0 ? "%.0f %s" : "%.4g %s", bytes, units[unit]);
    return t;
}

static enum status check_room(size_t bytes, size_t room, const char *what, struct failure *f)
{
    if (bytes <= room || folding)
        return STATUS_OK;
    return fail(f, STATUS_RESOURCE, "no memory for %s: %s are needed and %s are available", what,
                bytes == SIZE_MAX ? "more bytes than can be counted"
                                  : memory_text((double)bytes).text,
                memory_text((double)room).text);
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

/* ---- pages ---------------------------------------------------------------------------------- */

size_t memory_page(size_t bytes)
{
    return bytes >= MEMORY_LARGE ? MEMORY_HUGE_PAGE : 4096;
}

#if defined MADV_HUGEPAGE && defined MADV_NOHUGEPAGE
enum { PAGES_CAN_BE_CHOSEN = 1 };

/* A system without huge pages refuses; the block is then unchanged. */
static void advise(void *block, size_t bytes)
{
    madvise(block, bytes, chosen_pages == PAGES_HUGE ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
}
#else
enum { PAGES_CAN_BE_CHOSEN = 0 };

static void advise(void *block, size_t bytes)
{
    (void)block;
    (void)bytes;
}
#endif

/* The size of the block with its last huge page filled: the system backs only whole huge pages. */
static size_t whole_pages(size_t bytes)
{
    const size_t pages = memory_add(bytes, MEMORY_HUGE_PAGE - 1) / MEMORY_HUGE_PAGE;
    return memory_multiply(pages, MEMORY_HUGE_PAGE);
}

/* Allocates a block with `before` bytes in front of it and `after` behind it; returns NULL on
 * failure. The choice of pages changes nothing else: a large block has the same alignment with
 * both. The bytes behind it fill its last huge page, and those that do not fit get none. */
static void *take(size_t before, size_t bytes, size_t after)
{
    void *base = NULL;
    const size_t all = memory_add(memory_add(before, bytes), after);
    if (bytes >= MEMORY_LARGE || before >= MEMORY_HUGE_PAGE) {
        const size_t whole = whole_pages(bytes);
        if (posix_memalign(&base, MEMORY_HUGE_PAGE, larger(all, memory_add(before, whole))) == 0) {
            advise((char *)base + before, whole);
            return base;
        }
    }
    return posix_memalign(&base, 64, all > 0 ? all : 1) == 0 ? base : NULL;
}

/* KiB of mappings that are in memory, and in huge pages; -1: unknown. */
struct backing {
    int64_t resident, huge;
};

/* Adds the number of a line "key number kB". */
static void add_keyed(const char *line, const char *key, int64_t *sum)
{
    const size_t length = strlen(key);
    int64_t value;
    if (strncmp(line, key, length) == 0 && sscanf(line + length, "%" SCNd64, &value) == 1)
        *sum = value + (*sum < 0 ? 0 : *sum);
}

/* Sums over the mappings that contain the block. Adjacent mappings of one kind are one mapping, so
 * that the sums may include neighbouring blocks. */
static struct backing backing_of(const void *block, size_t bytes)
{
    struct backing backing = {-1, -1};
    FILE *file = fopen("/proc/self/smaps", "r");
    if (!file)
        return backing;
    const uintptr_t first = (uintptr_t)block;
    bool inside = false;
    char line[512];
    while (fgets(line, sizeof line, file)) {
        uintptr_t from, to;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &from, &to) == 2)
            inside = from < first + bytes && first < to;
        else if (inside) {
            add_keyed(line, "Rss:", &backing.resident);
            add_keyed(line, "AnonHugePages:", &backing.huge);
        }
    }
    fclose(file);
    return backing;
}

const char *memory_pages(const void *block, size_t bytes)
{
    if (simulation_is_here())
        return NULL;
    const struct backing backing = backing_of(block, bytes);
    if (backing.huge < 0) /* advised blocks begin at a huge page */
        return PAGES_CAN_BE_CHOSEN && chosen_pages == PAGES_HUGE &&
                       (uintptr_t)block % MEMORY_HUGE_PAGE == 0
                   ? "advised"
                   : "ordinary";
    return backing.huge > 0 && 2 * backing.huge >= backing.resident ? "huge" : "ordinary";
}

/* ---- allocating ----------------------------------------------------------------------------- */

enum status memory_allocate_between(void **base, size_t before, size_t bytes, size_t after,
                                    const char *what, struct failure *f)
{
    *base = NULL;
    enum status status = memory_check(bytes, what, f);
    if (status != STATUS_OK)
        return status;
    *base = folding && bytes >= FOLDED_LEAST ? simulation_fold(bytes) : take(before, bytes, after);
    return *base ? STATUS_OK
                 : fail(f, STATUS_RESOURCE, "no memory for %s: the system refuses %s", what,
                        memory_text((double)bytes).text);
}

enum status memory_allocate(void **out, size_t bytes, const char *what, struct failure *f)
{
    return memory_allocate_between(out, 0, bytes, 0, what, f);
}

void memory_drop(void *block, size_t bytes)
{
#ifdef MADV_DONTNEED
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)block;
    const uintptr_t first = (at + page - 1) / page * page, end = (at + bytes) / page * page;
    if (first < end)
        madvise((char *)block + (first - at), end - first, MADV_DONTNEED);
#else
    (void)block;
    (void)bytes;
#endif
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
