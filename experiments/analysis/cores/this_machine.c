#include "experiments/analysis/cores/this_machine.h"

#include "harness/limits/rates.h"
#include "harness/machine/machine.h"

#include <math.h>
#include <stdio.h>

#ifdef MAXPOOL_HAVE_HWLOC
#include <hwloc.h>
#endif

/* Of the order of what is published for cores of one cache, and of one computer: Schweizer, Besta &
 * Hoefler (2015), PACT, 445-456. */
static const double line_near_s = 50e-9, line_far_s = 150e-9;

/* Far beyond every cache; the bandwidth of the largest measured working set counts. */
static const double beyond_caches = 1e15;

/* A method pools: it writes a fifth of the bytes that it moves. */
static const double write_share = 0.2;

static double rate(const struct ceilings *c, double working_set, double workers)
{
    return rates_bandwidth(c, working_set, workers, write_share, RATE_VALUE);
}

static double most_workers(const struct ceilings *c)
{
    double most = 1.0;
    for (size_t i = 0; i < c->count; i++)
        if (!ceiling_is_peak(&c->rows[i]))
            most = fmax(most, c->rows[i].workers);
    return most;
}

bool this_machine_is_measured(const struct ceilings *c)
{
    return rate(c, beyond_caches, 1.0) > 0.0;
}

static int64_t at_least_1(int64_t count)
{
    return count > 1 ? count : 1;
}

#ifdef MAXPOOL_HAVE_HWLOC
/* The number of caches of the last level; 0: unknown. */
static int64_t last_caches(void)
{
    static const hwloc_obj_type_t levels[] = {HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L2CACHE,
                                              HWLOC_OBJ_L1CACHE};
    hwloc_topology_t t;
    int caches = 0;
    if (hwloc_topology_init(&t) != 0)
        return 0;
    const bool loaded = hwloc_topology_load(t) == 0;
    for (size_t i = 0; loaded && caches <= 0 && i < sizeof levels / sizeof *levels; i++)
        caches = hwloc_get_nbobjs_by_type(t, levels[i]);
    hwloc_topology_destroy(t);
    return caches;
}
#else
static int64_t last_caches(void)
{
    return 0;
}
#endif

/* The last level's caches serve all cores in equal parts, nodes likewise. */
static void describe_cores(struct multicore *out, const struct machine *m)
{
    int level = 3;
    while (level > 1 && m->cache_bytes[level] == 0)
        level--;
    out->cores = machine_capacity(m);
    out->nodes = at_least_1(m->numa_nodes);
    if (out->cores % out->nodes != 0)
        out->nodes = 1; /* only some of their cores may be used */
    out->cache_bytes = (double)m->cache_bytes[level];
    out->cache_cores = at_least_1(at_least_1(m->cores) / at_least_1(last_caches()));
}

enum status this_machine_describe(struct multicore *out, const struct ceilings *c,
                                  struct failure *f)
{
    struct machine m;
    machine_describe(&m);
    *out = (struct multicore){
        .speed = 1.0, .clock = 1.0, .line_near_s = line_near_s, .line_far_s = line_far_s};
    snprintf(out->name, sizeof out->name, "this machine");
    snprintf(out->title, sizeof out->title, "%s", m.cpu);
    describe_cores(out, &m);
    if (!this_machine_is_measured(c))
        return fail(f, STATUS_UNAVAILABLE,
                    "the bandwidth of this machine's memory was not measured: run study roofline");
    const double all = rate(c, beyond_caches, most_workers(c));
    out->core_bandwidth = rate(c, beyond_caches, 1.0);
    out->node_bandwidth = fmax(all, out->core_bandwidth) / (double)out->nodes;
    out->cache_bandwidth = fmax(rate(c, 0.5 * out->cache_bytes, 1.0), out->core_bandwidth);
    return STATUS_OK;
}
