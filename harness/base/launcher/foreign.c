#include "harness/base/launcher/foreign.h"

#include "harness/base/text/integer.h"

#include <stdbool.h>
#include <stdlib.h>

/* Returns the number in a variable; 0 if there is none. */
static int64_t number_in(const char *variable)
{
    const char *text = getenv(variable);
    int64_t number = 0;
    if (text)
        integer_read(text, 0, INT64_MAX, &number);
    return number;
}

/* Slurm numbers the step of a batch script and that of an interactive shell from this number on
 * (slurm.h: SLURM_BATCH_SCRIPT, SLURM_INTERACTIVE_STEP). */
static const int64_t special_steps = INT64_C(0xfffffff0);

static bool in_slurm_step(void)
{
    return getenv("SLURM_STEP_ID") && getenv("SLURM_PROCID") &&
           number_in("SLURM_STEP_ID") < special_steps;
}

static bool is_first(void)
{
    return number_in("PMI_RANK") == 0 && number_in("OMPI_COMM_WORLD_RANK") == 0 &&
           number_in("MV2_COMM_WORLD_RANK") == 0 &&
           (!in_slurm_step() || number_in("SLURM_PROCID") == 0);
}

void foreign_find(const char *own, struct foreign *found)
{
    static const char srun_advice[] =
        "; try srun --mpi=pmix or --mpi=pmi2 ('srun --mpi=list' names those that exist)";
    const bool step = in_slurm_step();
    const struct {
        const char *variable, *launcher, *advice;
        bool counts;
    } signs[] = {
        {own ? own : "OMPI_COMM_WORLD_SIZE", "mpirun", "", true},
        {"PMI_SIZE", step ? "srun" : "mpirun", step ? srun_advice : "", true},
        {"OMPI_COMM_WORLD_SIZE", "mpirun", "", true},
        {"MV2_COMM_WORLD_SIZE", "mpirun", "", true},
        {"SLURM_STEP_NUM_TASKS", "srun", srun_advice, step},
        {"SLURM_NTASKS", "srun", srun_advice, step},
    };
    *found = (struct foreign){0, "", "", "", is_first()};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (signs[i].counts && getenv(signs[i].variable)) {
            *found = (struct foreign){number_in(signs[i].variable), signs[i].launcher,
                                      signs[i].variable, signs[i].advice, is_first()};
            return;
        }
}
