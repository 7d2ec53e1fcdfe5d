#include "mpi/team.h"

#include "harness/machine/machine.h"
#include "harness/space/oversubscription.h"
#include "mpi/binding.h"
#include "mpi/group.h"
#ifdef MAXPOOL_HAVE_OPENMP
#include "openmp/omp.h"
#endif

#include <string.h>

static enum status make_team(const struct job *job, struct team *team, struct failure *f)
{
    *team = (struct team){.workers = 1, .run = team_alone};
#ifdef MAXPOOL_HAVE_OPENMP
    if (job->threads > 1)
        return omp_team(job->threads, team, f);
#else
    (void)job;
    (void)f;
#endif
    return STATUS_OK;
}

/* If the launcher bound the ranks, each has its own cores. Otherwise, the cores of a computer are
 * numbered on from one rank to the next. */
static enum status bind_team(const struct job *job, struct team team, struct resources *resources,
                             struct failure *f)
{
    resources->bind = machine_binding();
    if (!job->bind_core)
        return STATUS_OK;
    const bool bound = strcmp(resources->bind, "inherited") == 0;
    resources->bind = "core";
    return team_bind(team, bound ? 0 : group()->node_rank * team.workers, f);
}

/* Notes whether workers share cores, on the computer where they share most; the same in all
 * ranks. */
static void note_core_sharing(int64_t threads, struct resources *resources)
{
    const struct rank_group *g = group();
    if (!g->cores)
        return;
    const struct crowd mine = binding_most_crowded(g->cores, g->node_ranks, threads);
    struct {
        double ratio;
        int rank;
    } worst, here = {mine.cores > 0 ? (double)mine.workers / (double)mine.cores : 0.0, g->rank};
    MPI_Allreduce(&here, &worst, 1, MPI_DOUBLE_INT, MPI_MAXLOC, group()->all);
    struct crowd reported = mine;
    MPI_Bcast(&reported, (int)sizeof reported, MPI_BYTE, worst.rank, group()->all);
    if (worst.ratio > 1.0)
        record_oversubscription(resources, reported.ranks, threads, reported.cores);
}

enum status team_open(const struct job *job, struct team *team, struct resources *resources,
                      struct failure *f)
{
    const enum status status = make_team(job, team, f);
    return status == STATUS_OK ? bind_team(job, *team, resources, f) : status;
}

void team_describe(const struct job *job, struct team team, struct resources *resources)
{
    resources->ranks = group()->ranks;
    resources->threads = team.workers;
    resources->nodes = group()->nodes;
    resources->launch = group()->launch;
    resources->distribution = job->distribution == DISTRIBUTE_SCATTER ? "scatter" : "generate";
    note_core_sharing(team.workers, resources);
}

void team_merge_facts(struct image_facts *facts)
{
    double largest = facts->max_abs;
    int integers = facts->integers, all_integers;
    int64_t rounded = facts->rounded;
    MPI_Allreduce(&largest, &facts->max_abs, 1, MPI_DOUBLE, MPI_MAX, group()->all);
    MPI_Allreduce(&integers, &all_integers, 1, MPI_INT, MPI_LAND, group()->all);
    MPI_Allreduce(&rounded, &facts->rounded, 1, MPI_INT64_T, MPI_SUM, group()->all);
    facts->integers = all_integers != 0;
}
