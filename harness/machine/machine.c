#include "harness/machine/machine.h"

#include "harness/base/text/fit.h"
#include "harness/machine/cgroup.h"
#include "harness/machine/cpu_name.h"
#include "harness/machine/crowd.h"
#include "harness/machine/given.h"
#include "harness/machine/memory.h"
#include "harness/machine/simulation.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef MAXPOOL_HAVE_HWLOC
#include <hwloc.h>
#endif

const char *const binding_options[BINDINGS] = {"none", "core", "spread"};

/* ---- without hwloc: /proc, control groups, the scheduler ------------------------------------- */

/* Quota in cores from two numbers, quota and period, both in microseconds; 0 if there is none. */
static double quota_of(const char *quota_path, const char *period_path)
{
    double quota = 0.0, period = 0.0;
    FILE *file = fopen(quota_path, "r");
    if (!file)
        return 0.0;
    int got = fscanf(file, "%lf %lf", &quota, &period); /* version 2 holds both; "max" reads none */
    fclose(file);
    if (got == 1 && period_path && (file = fopen(period_path, "r"))) {
        got += fscanf(file, "%lf", &period) == 1;
        fclose(file);
    }
    return got == 2 && quota > 0.0 && period > 0.0 ? quota / period : 0.0;
}

static void take_least(double quota, double *least)
{
    if (quota > 0.0 && !(*least > 0.0 && *least < quota))
        *least = quota;
}

static void take_quota(const char *folder, void *least)
{
    char path[4300];
    snprintf(path, sizeof path, "%s/cpu.max", folder);
    take_least(quota_of(path, NULL), least);
}

static void take_quota_1(const char *folder, void *least)
{
    char quota[4300], period[4300];
    snprintf(quota, sizeof quota, "%s/cpu.cfs_quota_us", folder);
    snprintf(period, sizeof period, "%s/cpu.cfs_period_us", folder);
    take_least(quota_of(quota, period), least);
}

double machine_quota_cores(void)
{
    double least = 0.0;
    cgroup_visit("cpu", take_quota_1, &least);
    cgroup_visit("", take_quota, &least);
    return least;
}

static double read_load(void)
{
    double load = -1.0;
    FILE *file = fopen("/proc/loadavg", "r");
    if (file) {
        if (fscanf(file, "%lf", &load) != 1)
            load = -1.0;
        fclose(file);
    }
    return load;
}

int64_t machine_allowed_pus(void)
{
    const int64_t given = core_set_count(given_mask());
    return given > 0 ? given : sysconf(_SC_NPROCESSORS_ONLN);
}

/* ---- with hwloc only ------------------------------------------------------------------------- */

#ifdef MAXPOOL_HAVE_HWLOC
static void add_core(struct core_set *cores, unsigned core)
{
    if (core < MACHINE_CORES_MOST)
        cores->words[core / 64] |= UINT64_C(1) << core % 64;
}

static hwloc_topology_t the_topology; /* NULL: hwloc could not read it */

static void load_topology(void)
{
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return;
    if (hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) == 0 &&
        hwloc_topology_load(topology) == 0)
        the_topology = topology;
    else
        hwloc_topology_destroy(topology);
}

/* The topology is read once: with many cores this takes long, and it does not change. Afterwards
 * all threads may read it. */
static hwloc_topology_t topology_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_topology);
    return the_topology;
}

/* Returns the hardware threads of a mask as hwloc's set; NULL if memory is lacking. */
static hwloc_bitmap_t bitmap_of(const struct core_set *mask)
{
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    for (unsigned cpu = 0; set && cpu < MACHINE_CORES_MOST; cpu++)
        if (mask->words[cpu / 64] >> cpu % 64 & 1)
            hwloc_bitmap_set(set, cpu);
    return set;
}

static int64_t count(hwloc_topology_t topology, hwloc_obj_type_t type)
{
    const int n = hwloc_get_nbobjs_by_type(topology, type);
    return n > 0 ? n : 0;
}

/* Counts the objects of a type with at least one hardware thread that this process may run on. */
static int64_t count_allowed(hwloc_topology_t topology, hwloc_obj_type_t type,
                             hwloc_const_bitmap_t allowed)
{
    int64_t n = 0;
    for (hwloc_obj_t one = NULL; (one = hwloc_get_next_obj_by_type(topology, type, one));)
        n += hwloc_bitmap_intersects(one->cpuset, allowed) ? 1 : 0;
    return n;
}

static void read_caches(hwloc_topology_t topology, hwloc_const_bitmap_t allowed, struct machine *m)
{
    static const hwloc_obj_type_t levels[] = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE,
                                              HWLOC_OBJ_L3CACHE};
    for (int i = 0; i < 3; i++) {
        hwloc_obj_t cache = hwloc_get_obj_by_type(topology, levels[i], 0);
        m->cache_bytes[i + 1] = cache ? (int64_t)cache->attr->cache.size : 0;
        m->cache_count[i + 1] = cache ? count_allowed(topology, levels[i], allowed) : 0;
    }
}

static void read_topology(struct machine *m)
{
    hwloc_topology_t topology = topology_once();
    hwloc_bitmap_t allowed = bitmap_of(given_mask());
    m->unseen = "packages, caches and NUMA nodes: hwloc could not read the topology";
    if (topology && allowed) {
        m->packages = count(topology, HWLOC_OBJ_PACKAGE);
        m->cores = count(topology, HWLOC_OBJ_CORE);
        m->pus = count(topology, HWLOC_OBJ_PU);
        m->numa_nodes = count(topology, HWLOC_OBJ_NUMANODE);
        m->allowed_cores = count_allowed(topology, HWLOC_OBJ_CORE, allowed);
        read_caches(topology, allowed, m);
        m->unseen = "";
    }
    hwloc_bitmap_free(allowed);
}

/* Returns false if hwloc reports no cores. */
static bool topology_cores(const struct core_set *mask, struct core_set *cores)
{
    hwloc_topology_t topology = topology_once();
    if (!topology || count(topology, HWLOC_OBJ_CORE) == 0)
        return false;
    hwloc_bitmap_t allowed = bitmap_of(mask);
    for (hwloc_obj_t core = NULL;
         allowed && (core = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_CORE, core));)
        if (hwloc_bitmap_intersects(core->cpuset, allowed))
            add_core(cores, core->logical_index);
    hwloc_bitmap_free(allowed);
    return allowed != NULL;
}

/* Returns the nth core of a part that intersects `allowed`; NULL: it has fewer. */
static hwloc_obj_t nth_core(hwloc_topology_t topology, hwloc_obj_t part,
                            hwloc_const_bitmap_t allowed, int64_t n)
{
    hwloc_obj_t core = NULL;
    while ((core = hwloc_get_next_obj_inside_cpuset_by_type(topology, part->cpuset, HWLOC_OBJ_CORE,
                                                            core)))
        if (hwloc_bitmap_intersects(core->cpuset, allowed) && n-- == 0)
            return core;
    return NULL;
}

/* Returns the core of a worker, modulo their number: spread, the first of each socket comes before
 * the second of any. */
static hwloc_obj_t worker_core(hwloc_topology_t topology, hwloc_const_bitmap_t allowed,
                               int64_t worker, enum binding binding)
{
    const int64_t cores = count_allowed(topology, HWLOC_OBJ_CORE, allowed),
                  sockets = count(topology, HWLOC_OBJ_PACKAGE);
    int64_t left = cores ? worker % cores : 0;
    if (binding != BIND_SPREAD || sockets < 2)
        return nth_core(topology, hwloc_get_root_obj(topology), allowed, left);
    for (int64_t turn = 0; turn < cores; turn++)
        for (int64_t i = 0; i < sockets; i++) {
            const hwloc_obj_t socket =
                hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, (unsigned)i);
            const hwloc_obj_t core = nth_core(topology, socket, allowed, turn);
            if (core && left-- == 0)
                return core;
        }
    return NULL;
}

static enum status not_bound(int64_t worker, enum binding binding, struct failure *f)
{
    return fail(f, STATUS_RESOURCE, "--bind %s: worker %lld could not be bound",
                binding_options[binding], (long long)worker);
}

/* Returns the hardware threads of the core of a worker that the process was given; NULL, with the
 * status in *f: there is none. */
static hwloc_bitmap_t worker_pus(int64_t worker, enum binding binding, struct failure *f)
{
    hwloc_topology_t topology = topology_once();
    hwloc_bitmap_t target = topology ? bitmap_of(given_mask()) : NULL;
    const hwloc_obj_t core = target ? worker_core(topology, target, worker, binding) : NULL;
    if (!topology)
        fail(f, STATUS_RESOURCE, "--bind %s: hwloc could not read the topology",
             binding_options[binding]);
    else if (!core)
        not_bound(worker, binding, f);
    if (core) {
        hwloc_bitmap_and(target, target, core->cpuset);
        return target;
    }
    hwloc_bitmap_free(target);
    return NULL;
}

enum status machine_bind_thread(int64_t worker, enum binding binding, struct failure *f)
{
    hwloc_bitmap_t target = worker_pus(worker, binding, f);
    if (!target)
        return STATUS_RESOURCE;
    const int failed = hwloc_set_cpubind(topology_once(), target, HWLOC_CPUBIND_THREAD);
    hwloc_bitmap_free(target);
    return failed ? not_bound(worker, binding, f) : STATUS_OK;
}

enum status machine_worker_pus(int64_t worker, enum binding binding, struct core_set *pus,
                               struct failure *f)
{
    hwloc_bitmap_t target = worker_pus(worker, binding, f);
    *pus = (struct core_set){{0}};
    if (!target)
        return STATUS_RESOURCE;
    for (unsigned pu = 0; pu < MACHINE_CORES_MOST; pu++)
        if (hwloc_bitmap_isset(target, pu))
            add_core(pus, pu);
    hwloc_bitmap_free(target);
    return STATUS_OK;
}

int64_t machine_core_of_text(const char *description, int64_t worker, enum binding binding)
{
    hwloc_topology_t topology;
    int64_t number = -1;
    if (hwloc_topology_init(&topology) != 0)
        return -1;
    if (hwloc_topology_set_synthetic(topology, description) == 0 &&
        hwloc_topology_load(topology) == 0) {
        const hwloc_obj_t core =
            worker_core(topology, hwloc_topology_get_topology_cpuset(topology), worker, binding);
        number = core ? (int64_t)core->logical_index : -1;
    }
    hwloc_topology_destroy(topology);
    return number;
}
#else
static void read_topology(struct machine *m)
{
    m->unseen = "packages, caches and NUMA nodes: built without hwloc";
}

static bool topology_cores(const struct core_set *mask, struct core_set *cores)
{
    (void)mask;
    (void)cores;
    return false;
}

enum status machine_bind_thread(int64_t worker, enum binding binding, struct failure *f)
{
    (void)worker;
    return fail(f, STATUS_UNAVAILABLE, "--bind %s: this build has no hwloc",
                binding_options[binding]);
}

enum status machine_worker_pus(int64_t worker, enum binding binding, struct core_set *pus,
                               struct failure *f)
{
    *pus = (struct core_set){{0}};
    return machine_bind_thread(worker, binding, f);
}

int64_t machine_core_of_text(const char *description, int64_t worker, enum binding binding)
{
    (void)description;
    (void)worker;
    (void)binding;
    return -1;
}
#endif

/* ---- the machine as a whole ------------------------------------------------------------------ */

void machine_describe(struct machine *m)
{
    memset(m, 0, sizeof *m);
    if (gethostname(m->host, sizeof m->host - 1) != 0)
        snprintf(m->host, sizeof m->host, "unknown");
    cpu_name("", m->cpu, sizeof m->cpu);
    m->pus = sysconf(_SC_NPROCESSORS_ONLN);
    m->allowed_pus = m->allowed_cores = machine_allowed_pus();
    m->quota_cores = machine_quota_cores();
    m->memory_bytes = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    m->load = read_load();
    read_topology(m);
}

int64_t machine_capacity(const struct machine *m)
{
    int64_t capacity = m->allowed_cores;
    if (m->quota_cores > 0.0 && floor(m->quota_cores) < (double)capacity)
        capacity = (int64_t)floor(m->quota_cores);
    return capacity > 0 ? capacity : 1;
}

void machine_line(const struct machine *m, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s", m->cpu);
    if (m->packages > 0)
        text_fit_append(buffer, size, ", %lld package%s", (long long)m->packages,
                        m->packages == 1 ? "" : "s");
    if (m->cores > 0)
        text_fit_append(buffer, size, ", %lld core%s", (long long)m->cores,
                        m->cores == 1 ? "" : "s");
    text_fit_append(buffer, size, ", %lld hardware thread%s (%lld allowed)", (long long)m->pus,
                    m->pus == 1 ? "" : "s", (long long)m->allowed_pus);
    for (int level = 1; level <= 3; level++)
        if (m->cache_bytes[level] > 0)
            text_fit_append(buffer, size, ", L%d%s %s", level, level == 1 ? "d" : "",
                            memory_text((double)m->cache_bytes[level]).text);
    if (m->numa_nodes > 0)
        text_fit_append(buffer, size, ", %lld NUMA node%s", (long long)m->numa_nodes,
                        m->numa_nodes == 1 ? "" : "s");
    if (m->quota_cores > 0.0)
        text_fit_append(buffer, size, ", CPU quota %.3g cores", m->quota_cores);
    if (m->unseen[0])
        text_fit_append(buffer, size, " (not seen: %s)", m->unseen);
}

bool machine_shares_cores(void)
{
    return !simulation_is_here();
}

static void cores_of(const struct core_set *mask, struct core_set *cores)
{
    memset(cores, 0, sizeof *cores);
    if (!topology_cores(mask, cores))
        *cores = *mask;
}

void machine_cores(struct core_set *cores)
{
    cores_of(given_mask(), cores);
}

void machine_thread_cores(struct core_set *cores)
{
    struct core_set mask;
    given_read(&mask);
    cores_of(&mask, cores);
}

const char *machine_binding(void)
{
    return machine_allowed_pus() < sysconf(_SC_NPROCESSORS_ONLN) ? "inherited" : "none";
}
