/* The space of network_cuda in a build without CUDA. */
#include "cuda/network/space.h"

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

const struct space network_cuda_space = {.name = "cuda",
                                         .kind = SPACE_CUDA,
                                         .open = open_nothing,
                                         .close = close_nothing,
                                         .available = without};
