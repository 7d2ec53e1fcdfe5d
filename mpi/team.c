#include "mpi/team.h"

#include "harness/machine/machine.h"
#include "harness/space/oversubscription.h"
#include "mpi/group.h"
#ifdef MAXPOOL_HAVE_OPENMP
#include "openmp/omp.h"
#endif

#include <stdlib.h>

static enum status make_team(const struct job *job, struct team *team, struct failure *f)
{
    const int64_t threads = job->threads > 0 ? job->threads : group()->threads;
    *team = (struct team){.workers = 1, .run = team_alone};
#ifdef MAXPOOL_HAVE_OPENMP
    if (threads > 1)
        return omp_team(threads, team, f);
#else
    (void)threads;
    (void)f;
#endif
    return STATUS_OK;
}

static const char *binding_now(void)
{
#ifdef MAXPOOL_HAVE_OPENMP
    return omp_binding();
#else
    return machine_binding();
#endif
}

/* The cores of ranks that were given the same cores are numbered on from one rank to the next. */
static enum status bind_team(const struct job *job, struct team team, struct resources *resources,
                             struct failure *f)
{
    resources->bind = job->bind ? binding_options[job->bind] : binding_now();
    return job->bind ? team_bind(team, group()->alike * team.workers, job->bind, f) : STATUS_OK;
}

/* Returns the most crowded cores of this computer: of ranks, or of threads of one rank (0 ranks).
 * No cores if memory is lacking. */
static struct crowd most_crowded(struct team team)
{
    const struct rank_group *g = group();
    struct core_set mine = {{0}};
    struct crowd most = {0}, own = {0};
    struct core_set *all = malloc((size_t)g->node_ranks * sizeof *all);
    struct failure ignored;
    int lacking = !all || team_crowd(team, &mine, &own, &ignored) != STATUS_OK, any;
    MPI_Allreduce(&lacking, &any, 1, MPI_INT, MPI_MAX, g->node);
    if (!any) {
        MPI_Allgather(&mine, (int)sizeof mine, MPI_BYTE, all, (int)sizeof mine, MPI_BYTE, g->node);
        most = binding_most_crowded(all, g->node_ranks, team.workers);
    }
    free(all);
    own.ranks = 0;
    return !any && own.workers * most.cores > most.workers * own.cores ? own : most;
}

/* Notes whether workers share cores, on the computer where they share most; the same in all
 * ranks. */
static void note_core_sharing(struct team team, struct resources *resources)
{
    if (!machine_shares_cores())
        return;
    const struct crowd mine = most_crowded(team);
    struct {
        double ratio;
        int rank;
    } worst,
        here = {mine.cores > 0 ? (double)mine.workers / (double)mine.cores : 0.0, group()->rank};
    MPI_Allreduce(&here, &worst, 1, MPI_DOUBLE_INT, MPI_MAXLOC, group()->all);
    struct crowd reported = mine;
    MPI_Bcast(&reported, (int)sizeof reported, MPI_BYTE, worst.rank, group()->all);
    if (worst.ratio > 1.0)
        record_oversubscription(resources, reported.ranks,
                                reported.ranks > 0 ? team.workers : reported.workers,
                                reported.cores);
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
    note_core_sharing(team, resources);
}

void team_merge_facts(struct image_facts *facts)
{
    double largest = facts->max_abs;
    int integers = facts->integers, all_integers;
    int64_t counts[2] = {facts->rounded, facts->nans}, sums[2];
    MPI_Allreduce(&largest, &facts->max_abs, 1, MPI_DOUBLE, MPI_MAX, group()->all);
    MPI_Allreduce(&integers, &all_integers, 1, MPI_INT, MPI_LAND, group()->all);
    MPI_Allreduce(counts, sums, 2, MPI_INT64_T, MPI_SUM, group()->all);
    facts->rounded = sums[0];
    facts->nans = sums[1];
    facts->integers = all_integers != 0;
}
