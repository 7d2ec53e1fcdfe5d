#include "experiments/analysis/speedup/topology_marks.h"

const char *const topology_place_names[TOPOLOGY_PLACES] = {"node",  "socket",  "fast",    "slow",
                                                           "cores", "threads", "one_each"};

#ifdef MAXPOOL_HAVE_HWLOC

#include <hwloc.h>
#include <stdbool.h>
#include <unistd.h>

/* Adds a mark unless its number is there: the first kind of a number stays. */
static void add(struct topology_mark marks[TOPOLOGY_MARKS], size_t *count,
                enum topology_place place, int workers)
{
    size_t at = 0;
    while (at < *count && marks[at].workers < workers)
        at++;
    if (*count == TOPOLOGY_MARKS || (at < *count && marks[at].workers == workers))
        return;
    for (size_t i = *count; i > at; i--)
        marks[i] = marks[i - 1];
    marks[at] = (struct topology_mark){place, workers};
    (*count)++;
}

static int count_of(hwloc_topology_t t, hwloc_obj_type_t type)
{
    const int count = hwloc_get_nbobjs_by_type(t, type);
    return count > 0 ? count : 0;
}

/* Marks the end of every part of a kind but the last, in the order of the cores. Memories of one
 * node, fast and large, share its cores: these are one part. */
static void add_parts(hwloc_topology_t t, hwloc_obj_type_t type, enum topology_place place,
                      struct topology_mark marks[TOPOLOGY_MARKS], size_t *count)
{
    hwloc_bitmap_t taken = hwloc_bitmap_alloc();
    for (int i = 0; taken && i + 1 < count_of(t, type); i++) {
        const hwloc_obj_t part = hwloc_get_obj_by_type(t, type, (unsigned)i);
        hwloc_bitmap_or(taken, taken, part->cpuset);
        const int cores = hwloc_get_nbobjs_inside_cpuset_by_type(t, taken, HWLOC_OBJ_CORE);
        if (cores > 0 && cores < count_of(t, HWLOC_OBJ_CORE))
            add(marks, count, place, cores);
    }
    hwloc_bitmap_free(taken);
}

/* The hardware threads of the fastest kind of cores, hwloc's last; the caller frees it. NULL: all
 * cores are alike. */
static hwloc_bitmap_t fastest(hwloc_topology_t t)
{
    const int kinds = hwloc_cpukinds_get_nr(t, 0);
    hwloc_bitmap_t set = kinds > 1 ? hwloc_bitmap_alloc() : NULL;
    if (set && hwloc_cpukinds_get_info(t, (unsigned)kinds - 1, set, NULL, NULL, NULL, 0) == 0)
        return set;
    hwloc_bitmap_free(set);
    return NULL;
}

static bool has_core(hwloc_topology_t t, hwloc_const_bitmap_t set, int core)
{
    return hwloc_bitmap_intersects(
        set, hwloc_get_obj_by_type(t, HWLOC_OBJ_CORE, (unsigned)core)->cpuset);
}

/* Marks where the fastest cores end, in the order of the cores, or where they begin: on many Arm
 * processors the small ones come first. No mark where the kinds alternate. */
static void add_kinds(hwloc_topology_t t, struct topology_mark marks[TOPOLOGY_MARKS], size_t *count)
{
    hwloc_bitmap_t fast = fastest(t);
    int changes = 0, last = 0;
    for (int i = 1; fast && i < count_of(t, HWLOC_OBJ_CORE); i++)
        if (has_core(t, fast, i) != has_core(t, fast, i - 1)) {
            changes++;
            last = i;
        }
    if (changes == 1)
        add(marks, count, has_core(t, fast, 0) ? PLACE_FAST : PLACE_SLOW, last);
    hwloc_bitmap_free(fast);
}

static size_t marks_of(hwloc_topology_t t, struct topology_mark marks[TOPOLOGY_MARKS])
{
    size_t count = 0;
    const int cores = count_of(t, HWLOC_OBJ_CORE), threads = count_of(t, HWLOC_OBJ_PU),
              sockets = count_of(t, HWLOC_OBJ_PACKAGE);
    add_parts(t, HWLOC_OBJ_PACKAGE, PLACE_SOCKET, marks, &count);
    add_parts(t, HWLOC_OBJ_NUMANODE, PLACE_NODE, marks, &count);
    add_kinds(t, marks, &count);
    if (threads > cores && cores > 0) {
        add(marks, &count, PLACE_CORES, cores);
        add(marks, &count, PLACE_THREADS, threads);
    }
    if (sockets > 1)
        add(marks, &count, PLACE_ONE_EACH, sockets);
    return count;
}

/* Prepares a topology; the caller destroys it. NULL if that fails. */
static hwloc_topology_t begin(void)
{
    hwloc_topology_t t;
    return hwloc_topology_init(&t) == 0 ? t : NULL;
}

size_t topology_marks_of_file(struct topology_mark marks[TOPOLOGY_MARKS], const char *path)
{
    const hwloc_topology_t t = access(path, R_OK) == 0 ? begin() : NULL;
    size_t count = 0;
    if (!t)
        return 0;
    if (hwloc_topology_set_xml(t, path) == 0 && hwloc_topology_load(t) == 0)
        count = marks_of(t, marks);
    hwloc_topology_destroy(t);
    return count;
}

/* Registers the first cores as a faster kind than the others, or the last ones if `fast` is
 * negative. */
static bool set_fast(hwloc_topology_t t, int fast)
{
    const int cores = count_of(t, HWLOC_OBJ_CORE), end = fast < 0 ? cores + fast : fast;
    hwloc_bitmap_t quick = hwloc_bitmap_alloc(), slow = hwloc_bitmap_alloc();
    for (int i = 0; quick && slow && i < cores; i++) {
        hwloc_bitmap_t to = (i < end) == (fast > 0) ? quick : slow;
        const hwloc_obj_t core = hwloc_get_obj_by_type(t, HWLOC_OBJ_CORE, (unsigned)i);
        hwloc_bitmap_or(to, to, core->cpuset);
    }
    const bool good = quick && slow && hwloc_cpukinds_register(t, quick, 2, 0, NULL, 0) == 0 &&
                      hwloc_cpukinds_register(t, slow, 1, 0, NULL, 0) == 0;
    hwloc_bitmap_free(quick);
    hwloc_bitmap_free(slow);
    return good;
}

size_t topology_marks_of_text(struct topology_mark marks[TOPOLOGY_MARKS], const char *description,
                              int fast)
{
    const hwloc_topology_t t = begin();
    size_t count = 0;
    if (!t)
        return 0;
    if (hwloc_topology_set_synthetic(t, description) == 0 && hwloc_topology_load(t) == 0 &&
        (fast == 0 || set_fast(t, fast)))
        count = marks_of(t, marks);
    hwloc_topology_destroy(t);
    return count;
}

#else

size_t topology_marks_of_file(struct topology_mark marks[TOPOLOGY_MARKS], const char *path)
{
    (void)marks;
    (void)path;
    return 0;
}

size_t topology_marks_of_text(struct topology_mark marks[TOPOLOGY_MARKS], const char *description,
                              int fast)
{
    (void)marks;
    (void)description;
    (void)fast;
    return 0;
}

#endif
