/* The signs of a launcher of another MPI, as launchers and Slurm leave them in the environment. */
#include "mpi/foreign.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

static void set_variables(const char *assignments)
{
    static const char *const all[] = {"PMI_SIZE",
                                      "PMI_RANK",
                                      "OMPI_COMM_WORLD_SIZE",
                                      "SLURM_STEP_ID",
                                      "SLURM_PROCID",
                                      "MV2_COMM_WORLD_SIZE",
                                      "SLURM_NTASKS",
                                      "SLURM_STEP_NUM_TASKS"};
    char text[256], *rest = NULL;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        unsetenv(all[i]);
    strncpy(text, assignments, sizeof text - 1);
    text[sizeof text - 1] = '\0';
    for (char *at = strtok_r(text, " ", &rest); at; at = strtok_r(NULL, " ", &rest)) {
        char *equals = strchr(at, '=');
        *equals = '\0';
        setenv(at, equals + 1, 1);
    }
}

static void signs_are_read(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(signs_are_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
