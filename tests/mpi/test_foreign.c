/* What launchers and Slurm leave in the environment: signs of a launcher of another MPI, and the
 * local rank, by which a rank takes its GPU. */
#include "cuda/ranks/local_rank.h"
#include "harness/base/launcher/foreign.h"
#include "tests/support/unit_test.h"

#include <stdlib.h>
#include <string.h>

#define OPEN_MPI_OWN "OMPI_COMM_WORLD_SIZE"
#define MPICH_OWN    "PMI_SIZE"

struct row {
    const char *own, *set; /* assignments, with blanks between them */
    int64_t copies;        /* 0 and 1: no reason to warn */
    const char *launcher;
};

static const struct row rows[] = {
    {OPEN_MPI_OWN, "", 0, ""},
    {OPEN_MPI_OWN, "PMI_RANK=0 PMI_SIZE=2", 2, "mpirun"},
    {OPEN_MPI_OWN, "OMPI_COMM_WORLD_SIZE=4", 4, "mpirun"},
    {OPEN_MPI_OWN, "MV2_COMM_WORLD_SIZE=3", 3, "mpirun"},
    {MPICH_OWN, "OMPI_COMM_WORLD_SIZE=4", 4, "mpirun"},
    /* one rank, by this MPI's own launcher, inside a larger launch of another */
    {OPEN_MPI_OWN, "PMI_SIZE=2 OMPI_COMM_WORLD_SIZE=1", 1, "mpirun"},
    {MPICH_OWN, "PMI_SIZE=1 OMPI_COMM_WORLD_SIZE=2", 1, "mpirun"},
    {OPEN_MPI_OWN, "OMPI_COMM_WORLD_SIZE=1 SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=8",
     1, "mpirun"},
    /* a step of several tasks */
    {OPEN_MPI_OWN, "SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=8 SLURM_NTASKS=8", 8,
     "srun"},
    {OPEN_MPI_OWN, "SLURM_STEP_ID=3 SLURM_PROCID=0 SLURM_NTASKS=4", 4, "srun"},
    {OPEN_MPI_OWN, "SLURM_STEP_ID=0 SLURM_PROCID=0 PMI_SIZE=2", 2, "srun"},
    /* a step of one task in a job of many, and the job's own script and shell */
    {OPEN_MPI_OWN, "SLURM_STEP_ID=0 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1 SLURM_NTASKS=16", 1,
     "srun"},
    {OPEN_MPI_OWN, "SLURM_NTASKS=16 SLURM_PROCID=0 SLURM_NPROCS=16", 0, ""},
    {OPEN_MPI_OWN, "SLURM_NTASKS=16 SLURM_PROCID=0 SLURM_STEP_ID=4294967291", 0, ""},
    {OPEN_MPI_OWN, "SLURM_NTASKS=16 SLURM_PROCID=0 SLURM_STEP_ID=4294967290", 0, ""},
    {OPEN_MPI_OWN, "SLURM_NTASKS=16 SLURM_STEP_ID=0", 0, ""},
    {OPEN_MPI_OWN, "PMI_SIZE=many", 0, "mpirun"},
};

/* Makes these the only variables. */
static void set_variables(const char *assignments)
{
    char text[256], *rest = NULL;
    clearenv();
    strncpy(text, assignments, sizeof text - 1);
    text[sizeof text - 1] = '\0';
    for (char *at = strtok_r(text, " ", &rest); at; at = strtok_r(NULL, " ", &rest)) {
        char *equals = strchr(at, '=');
        *equals = '\0';
        setenv(at, equals + 1, 1);
    }
}

TEST(signs_are_read)
{
    int failures = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct foreign found;
        set_variables(rows[i].set);
        foreign_find(rows[i].own, &found);
        if (found.copies != rows[i].copies || strcmp(found.launcher, rows[i].launcher) != 0) {
            print_error("'%s': %lld copies by '%s'\n", rows[i].set, (long long)found.copies,
                        found.launcher);
            failures++;
        }
    }
    assert_int_equal(failures, 0);
}

static const struct {
    const char *set;
    bool launched; /* as one of several */
    int64_t number;
    const char *variable;
} local_rows[] = {
    {"", false, -1, NULL},
    {"OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_LOCAL_RANK=3 PMIX_RANK=3", true, 3,
     "OMPI_COMM_WORLD_LOCAL_RANK"},
    {"OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_LOCAL_RANK=0 PMIX_RANK=0", false, 0,
     "OMPI_COMM_WORLD_LOCAL_RANK"},
    {"PMI_SIZE=4 PMI_RANK=2 MPI_LOCALRANKID=1", true, 1, "MPI_LOCALRANKID"},
    {"MV2_COMM_WORLD_SIZE=8 MV2_COMM_WORLD_LOCAL_RANK=5", true, 5, "MV2_COMM_WORLD_LOCAL_RANK"},
    {"PMI_SIZE=8 PALS_LOCAL_RANKID=2", true, 2, "PALS_LOCAL_RANKID"},
    {"PMI_SIZE=8 PMI_LOCAL_RANK=6", true, 6, "PMI_LOCAL_RANK"},
    {"SLURM_STEP_ID=0 SLURM_PROCID=5 SLURM_STEP_NUM_TASKS=8 SLURM_NTASKS=8 SLURM_LOCALID=1", true,
     1, "SLURM_LOCALID"},
    /* the PMIx plugin of Slurm; PMIx without another sign, whose local rank MPI must tell */
    {"SLURM_STEP_ID=0 SLURM_PROCID=5 SLURM_STEP_NUM_TASKS=8 SLURM_LOCALID=1 PMIX_RANK=5", true, 1,
     "SLURM_LOCALID"},
    {"PMIX_RANK=2", true, -1, NULL},
    /* a batch script of a job of many tasks is one process, and what it starts by mpirun inherits
     * its number */
    {"SLURM_NTASKS=16 SLURM_PROCID=0 SLURM_LOCALID=0", false, 0, "SLURM_LOCALID"},
    {"SLURM_LOCALID=0 OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_LOCAL_RANK=1", true, 1,
     "OMPI_COMM_WORLD_LOCAL_RANK"},
    {"SLURM_STEP_ID=0 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1 SLURM_LOCALID=0 PMIX_RANK=0", false, 0,
     "SLURM_LOCALID"},
    {"PMI_SIZE=2 MPI_LOCALRANKID=first PMI_LOCAL_RANK=", true, -1, NULL},
};

TEST(local_ranks_are_read)
{
    int failures = 0;
    for (size_t i = 0; i < sizeof local_rows / sizeof *local_rows; i++) {
        set_variables(local_rows[i].set);
        const struct local_rank found = local_rank_find(getenv);
        const char *expected = local_rows[i].variable;
        const bool same = found.variable && expected ? strcmp(found.variable, expected) == 0
                                                     : found.variable == expected;
        if (found.number != local_rows[i].number || !same ||
            local_rank_launched(getenv) != local_rows[i].launched) {
            print_error("'%s': local rank %lld by %s\n", local_rows[i].set, (long long)found.number,
                        found.variable ? found.variable : "nothing");
            failures++;
        }
    }
    assert_int_equal(failures, 0);
}

/* Four ranks and two GPUs; the option; one GPU, as Slurm shows each task its own. */
TEST(devices_follow_local_ranks)
{
    for (int64_t rank = 0; rank < 4; rank++) {
        assert_int_equal(local_rank_device(-1, rank, 2), rank % 2);
        assert_int_equal(local_rank_device(-1, rank, 4), rank);
        assert_int_equal(local_rank_device(-1, rank, 1), 0);
        assert_int_equal(local_rank_device(1, rank, 2), 1);
        assert_int_equal(local_rank_device(7, rank, 2),
                         7); /* which does not exist: refused later */
    }
}
