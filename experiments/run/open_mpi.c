#include "experiments/run/open_mpi.h"

#include <glob.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

/* Whether there is a fabric that Open MPI's message transfer layers support, according to Linux:
 * InfiniBand, RoCE and Omni-Path; Slingshot; InfiniPath. */
static bool has_fabric(void)
{
    static const char *const places[] = {"/sys/class/infiniband/*", "/dev/hfi1*",
                                         "/sys/class/cxi/*", "/dev/ipath*"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        glob_t found;
        const int missing = glob(places[i], GLOB_NOSORT, NULL, &found);
        if (missing == 0)
            globfree(&found);
        if (missing != GLOB_NOMATCH)
            return true;
    }
    return false;
}

void open_mpi_prepare(void)
{
    /* Open MPI refuses to start as root unless told to; in a container the user is root */
    if (geteuid() == 0) {
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
    }
    /* every rank would wait 0.2 s for fabrics that do not exist; messages within a computer and
     * over TCP never use this layer */
    if (!has_fabric())
        setenv("OMPI_MCA_mtl", "^ofi,psm,psm2", 0);
}
