#include "experiments/program/launch/own_binding.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char places_name[] = "OMP_PLACES", bind_name[] = "OMP_PROC_BIND";

/* How Open MPI maps and binds ranks: version 4, and version 5 with PRRTE. */
static const struct {
    const char *name, *core, *spread;
} of_ranks[] = {{"OMPI_MCA_hwloc_base_binding_policy", "core", "core"},
                {"OMPI_MCA_rmaps_base_mapping_policy", "core", "socket"},
                {"PRTE_MCA_hwloc_default_binding_policy", "core", "core"},
                {"PRTE_MCA_rmaps_default_mapping_policy", "core", "package"}};

/* Writes the hardware threads of a core as a place of OpenMP, "{0,4}", and adds them to the set. */
static void put_place(FILE *stream, const struct core_set *pus, cpu_set_t *all)
{
    const char *before = "{";
    for (int pu = 0; pu < CPU_SETSIZE && pu < MACHINE_CORES_MOST; pu++)
        if (pus->words[pu / 64] >> pu % 64 & 1) {
            fprintf(stream, "%s%d", before, pu);
            before = ",";
            CPU_SET(pu, all);
        }
    putc('}', stream);
}

/* Collects the places of the workers, "{0},{2}", and their hardware threads. A worker beyond the
 * cores shares one. */
static enum status find_places(enum binding binding, int64_t workers, cpu_set_t *all, char **places,
                               struct failure *f)
{
    size_t size;
    enum status status = STATUS_OK;
    FILE *stream = open_memstream(places, &size);
    CPU_ZERO(all);
    if (!stream)
        return fail(f, STATUS_RESOURCE, "not enough memory for the places of threads");
    for (int64_t i = 0; i < workers && status == STATUS_OK; i++) {
        struct core_set pus;
        status = machine_worker_pus(i, binding, &pus, f);
        fputs(i ? "," : "", stream);
        if (status == STATUS_OK)
            put_place(stream, &pus, all);
    }
    fclose(stream);
    return status;
}

static void set_environment(enum binding binding, const struct own_workers *w, const char *places,
                            bool enough)
{
    if (w->ranks == RECORD_NO_INT) {
        setenv(places_name, places, 1);
        setenv(bind_name, "close", 1);
        return;
    }
    for (size_t i = 0; enough && i < sizeof of_ranks / sizeof *of_ranks; i++)
        setenv(of_ranks[i].name, binding == BIND_SPREAD ? of_ranks[i].spread : of_ranks[i].core, 1);
}

enum status own_binding_begin(struct own_binding *b, enum binding binding,
                              const struct own_workers *w, struct failure *f)
{
    cpu_set_t all;
    char *places = NULL;
    struct machine machine;
    const int64_t workers = own_workers_count(w);
    *b = (struct own_binding){.bound = false};
    if (binding == BIND_NONE)
        return STATUS_OK;
    machine_describe(&machine);
    enum status status = find_places(binding, workers, &all, &places, f);
    if (status == STATUS_OK && (sched_getaffinity(0, sizeof b->before, &b->before) != 0 ||
                                sched_setaffinity(0, sizeof all, &all) != 0))
        status =
            fail(f, STATUS_RESOURCE, "--bind %s: %s", binding_options[binding], strerror(errno));
    if (status == STATUS_OK) {
        b->bound = true;
        set_environment(binding, w, places, workers <= machine.allowed_cores);
    }
    free(places);
    return status;
}

void own_binding_end(struct own_binding *b)
{
    if (!b->bound)
        return;
    sched_setaffinity(0, sizeof b->before, &b->before);
    unsetenv(places_name);
    unsetenv(bind_name);
    for (size_t i = 0; i < sizeof of_ranks / sizeof *of_ranks; i++)
        unsetenv(of_ranks[i].name);
    b->bound = false;
}
