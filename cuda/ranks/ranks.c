#include "cuda/ranks/ranks.h"

#include "cuda/ranks/local_rank.h"

#include <stdlib.h>

/* Without MPI the copies would know nothing of each other: each would compute all of it. */
enum status ranks_space(const struct space *alone, const char *program, struct space *out)
{
    *out = *alone;
#ifdef MAXPOOL_WITHOUT_CUDA
    (void)program;
    return STATUS_OK; /* the space itself says what is missing */
#else
    if (!local_rank_launched(getenv))
        return STATUS_OK;
#ifdef MAXPOOL_HAVE_MPI
    (void)program;
    *out = ranks_among();
    return STATUS_OK;
#else
    fprintf(stderr,
            "%s: a launcher started several copies, but this program was built without MPI: each "
            "would compute the same; build where MPI is, or start one copy\n",
            program);
    return STATUS_UNAVAILABLE;
#endif
#endif
}
