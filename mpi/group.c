#include "mpi/group.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static struct rank_group the_group;

const struct rank_group *group(void)
{
    return &the_group;
}

/* Returns the launcher, by what it leaves in the environment; called before MPI_Init adds its own.
 * Slurm's variables are also set under its mpirun, so they are checked last. */
static const char *find_launch(void)
{
    static const struct {
        const char *variable, *launch;
    } signs[] = {
        {"OMPI_COMM_WORLD_SIZE", "mpirun"}, /* Open MPI's orted */
        {"HYDI_CONTROL_FD", "mpirun"},      /* MPICH's hydra */
        {"PMI_FD", "mpirun"},               /* hydra, simple PMI */
        {"SMPI_GLOBAL_SIZE", "simgrid"},    /* smpirun: simulated */
        {"SLURM_STEP_ID", "srun"},
    };
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (getenv(signs[i].variable))
            return signs[i].launch;
    return "plain";
}

static int64_t sum_over_all(int64_t mine)
{
    int64_t sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, the_group.all);
    return sum;
}

/* Reads the cores that the launcher left to the ranks of this computer, if ranks may share
 * cores. */
static enum status read_binding(struct rank_group *g, struct failure *f)
{
    struct core_set mine;
    enum status status = STATUS_OK;
    g->allowed = machine_allowed_pus();
    if (!machine_shares_cores())
        return STATUS_OK;
    machine_cores(&mine);
    g->cores = malloc((size_t)g->node_ranks * sizeof *g->cores);
    if (!g->cores)
        status = fail(f, STATUS_RESOURCE, "no memory for the cores of %d ranks", g->node_ranks);
    status = mpi_processes.common_status(status, f);
    if (status == STATUS_OK)
        MPI_Allgather(&mine, (int)sizeof mine, MPI_BYTE, g->cores, (int)sizeof mine, MPI_BYTE,
                      g->node);
    return status;
}

static enum status begin(int *argc, char ***argv, struct failure *f)
{
    struct rank_group *g = &the_group;
    int provided;
    g->launch = find_launch();
    if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
        return fail(f, STATUS_UNAVAILABLE, "MPI cannot start here");
    MPI_Comm_dup(MPI_COMM_WORLD, &g->all);
    MPI_Comm_rank(g->all, &g->rank);
    MPI_Comm_size(g->all, &g->ranks);
    MPI_Comm_split_type(g->all, MPI_COMM_TYPE_SHARED, g->rank, MPI_INFO_NULL, &g->node);
    MPI_Comm_rank(g->node, &g->node_rank);
    MPI_Comm_size(g->node, &g->node_ranks);
    g->nodes = sum_over_all(g->node_rank == 0);
    MPI_Comm_split(g->all, g->node_rank == 0 ? 0 : MPI_UNDEFINED, g->rank, &g->leaders);
    return read_binding(g, f);
}

static void end(void)
{
    free(the_group.cores);
    MPI_Comm_free(&the_group.node);
    if (the_group.leaders != MPI_COMM_NULL)
        MPI_Comm_free(&the_group.leaders);
    MPI_Comm_free(&the_group.all);
    MPI_Finalize();
}

static bool is_root(void)
{
    return the_group.rank == GROUP_ROOT;
}

static enum status common_status(enum status status, struct failure *f)
{
    int mine = status == STATUS_OK ? INT_MAX : the_group.rank, lowest;
    MPI_Allreduce(&mine, &lowest, 1, MPI_INT, MPI_MIN, the_group.all);
    if (lowest == INT_MAX)
        return STATUS_OK;
    struct failure reported = {.status = status};
    if (f && status != STATUS_OK)
        memcpy(reported.message, f->message, sizeof reported.message);
    MPI_Bcast(&reported, (int)sizeof reported, MPI_BYTE, lowest, the_group.all);
    if (f)
        *f = reported;
    return reported.status;
}

static void broadcast(void *data, size_t bytes)
{
    char *next = data;
    while (bytes > 0) {
        const int piece = bytes < INT_MAX ? (int)bytes : INT_MAX;
        MPI_Bcast(next, piece, MPI_BYTE, GROUP_ROOT, the_group.all);
        next += piece;
        bytes -= (size_t)piece;
    }
}

static int largest(int number)
{
    int most;
    MPI_Allreduce(&number, &most, 1, MPI_INT, MPI_MAX, the_group.all);
    return most;
}

static void place(int *rank, int *ranks)
{
    *rank = the_group.rank;
    *ranks = the_group.ranks;
}

static uint64_t sum_over(MPI_Comm processes, uint64_t number)
{
    uint64_t together;
    MPI_Allreduce(&number, &together, 1, MPI_UINT64_T, MPI_SUM, processes);
    return together;
}

static uint64_t sum_here(uint64_t number)
{
    return sum_over(the_group.node, number);
}

static void join_here(uint64_t *words, int count)
{
    MPI_Allreduce(MPI_IN_PLACE, words, count, MPI_UINT64_T, MPI_BOR, the_group.node);
}

static uint64_t sum(uint64_t number)
{
    return sum_over(the_group.all, number);
}

static void gather(const void *mine, size_t bytes, void *all)
{
    MPI_Gather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, GROUP_ROOT, the_group.all);
}

const struct processes mpi_processes = {.begin = begin,
                                        .end = end,
                                        .is_root = is_root,
                                        .common_status = common_status,
                                        .broadcast = broadcast,
                                        .largest = largest,
                                        .place = place,
                                        .sum_here = sum_here,
                                        .join_here = join_here,
                                        .sum = sum,
                                        .gather = gather};
