/* A CUDA space of a build without CUDA. The build defines its name, MAXPOOL_SPACE_WITHOUT. */
#include "harness/space/space.h"

extern const struct space MAXPOOL_SPACE_WITHOUT; /* the header of each space declares it too */

static enum status without(struct failure *f)
{
    return fail(f, STATUS_UNAVAILABLE, "built without CUDA: build where nvcc is");
}

static enum status open_nothing(const struct job *job, struct instance **out,
                                struct resources *resources, struct failure *f)
{
    (void)job;
    (void)resources;
    *out = NULL;
    return without(f);
}

static void close_nothing(struct instance *in)
{
    (void)in;
}

const struct space MAXPOOL_SPACE_WITHOUT = {.name = "cuda",
                                            .kind = SPACE_CUDA,
                                            .open = open_nothing,
                                            .close = close_nothing,
                                            .available = without};
