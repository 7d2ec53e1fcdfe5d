#include "experiments/run/open_mpi.h"

#include <glob.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

/* Where Linux shows the fabrics that Open MPI's message transfer layers are for: InfiniBand, RoCE
 * and Omni-Path; Slingshot; InfiniPath. */
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
    /* it does not start as root unless asked to: in a container that is who runs it */
    if (geteuid() == 0) {
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
    }
    /* every rank waits 0.2 s for fabrics that are not there; messages within a computer and by TCP
     * never go that way */
    if (!has_fabric())
        setenv("OMPI_MCA_mtl", "^ofi,psm,psm2", 0);
}
