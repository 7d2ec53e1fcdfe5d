#include "mpi/group.h"

#include "harness/base/launcher/foreign.h"
#include "harness/machine/given.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 65536 };

/* The variable in which the launchers of this MPI write the number of ranks. */
#ifdef OPEN_MPI
#define OWN_SIZE "OMPI_COMM_WORLD_SIZE"
#else
#define OWN_SIZE "PMI_SIZE"
#endif

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

/* Reads what the launcher left to this rank: its cores, which MPI_Init may have bound, and how many
 * ranks before it on this computer have the same. */
static enum status read_binding(struct rank_group *g, struct failure *f)
{
    struct core_set mine, *all;
    enum status status = STATUS_OK;
    if (machine_shares_cores())
        given_note_change();
    g->allowed = machine_allowed_pus();
    machine_cores(&mine);
    all = malloc((size_t)g->node_ranks * sizeof *all);
    if (!all)
        status = fail(f, STATUS_RESOURCE, "no memory for the cores of %d ranks", g->node_ranks);
    status = mpi_processes.common_status(status, f);
    if (status == STATUS_OK)
        MPI_Allgather(&mine, (int)sizeof mine, MPI_BYTE, all, (int)sizeof mine, MPI_BYTE, g->node);
    for (int r = 0; status == STATUS_OK && r < g->node_rank; r++)
        g->alike += memcmp(&all[r], &mine, sizeof mine) == 0;
    free(all);
    return status;
}

/* All ranks take the root's OMP_NUM_THREADS: launchers do not always pass it on. */
static void read_threads(struct rank_group *g)
{
    const char *text = getenv("OMP_NUM_THREADS");
    const long threads = text ? strtol(text, NULL, 10) : 1; /* "4,2": of the outer level */
    g->threads = threads > 0 && threads <= MOST_THREADS ? threads : 1;
    MPI_Bcast(&g->threads, 1, MPI_INT64_T, GROUP_ROOT, g->all);
}

/* Status 3 if a launcher of another MPI started several copies, each of which would measure
 * alone. */
static enum status check_launcher(const struct foreign *foreign, char **argv, struct failure *f)
{
    const char *slash = argv[0] ? strrchr(argv[0], '/') : NULL;
    const char *name = slash ? slash + 1 : argv[0];
    if (the_group.ranks > 1 || foreign->copies < 2)
        return STATUS_OK;
    return fail(f, STATUS_UNAVAILABLE,
                "%lld copies of one rank each ran: this %s does not belong to the MPI of %s (ldd); "
                "%s is %lld, but MPI has one rank%s",
                (long long)foreign->copies, foreign->launcher, name, foreign->variable,
                (long long)foreign->copies, foreign->advice);
}

static enum status begin(int *argc, char ***argv, struct failure *f)
{
    struct rank_group *g = &the_group;
    struct foreign foreign;
    int provided;
    g->launch = find_launch();
    foreign_find(OWN_SIZE, &foreign);
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
    read_threads(g);
    const enum status status = read_binding(g, f);
    return status == STATUS_OK && machine_shares_cores() ? check_launcher(&foreign, *argv, f)
                                                         : status;
}

static void end(void)
{
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
