#include "cuda/ranks/local_rank.h"

#include "harness/base/launcher/foreign.h"
#include "harness/base/text/integer.h"

#include <stdlib.h>

/* Returns the number in a variable; -1 if there is none. */
static int64_t number_in(environment_variable *get, const char *variable)
{
    const char *text = get(variable);
    int64_t number = -1;
    if (text)
        integer_read(text, 0, INT64_MAX, &number);
    return number;
}

struct local_rank local_rank_find(environment_variable *get)
{
    static const char *const variables[] = {
        "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK",
        "PALS_LOCAL_RANKID",          "PMI_LOCAL_RANK",  "SLURM_LOCALID"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const int64_t number = number_in(get, variables[i]);
        if (number >= 0)
            return (struct local_rank){number, variables[i]};
    }
    return (struct local_rank){-1, NULL};
}

int64_t local_rank_device(int64_t asked, int64_t number, int64_t devices)
{
    return asked >= 0 ? asked : number % devices;
}

bool local_rank_launched(environment_variable *get)
{
    struct foreign launch;
    foreign_find("OMPI_COMM_WORLD_SIZE", &launch);
    return launch.copies > 1 || (launch.copies == 0 && get("PMIX_RANK"));
}
