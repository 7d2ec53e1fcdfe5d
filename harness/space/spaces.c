#include "harness/space/spaces.h"

#include <string.h>

const struct space_facts spaces[] = {
    {.name = "serial", .kind = SPACE_HOST, .alone = true},
    {.name = "omp", .kind = SPACE_HOST, .threads = true},
    {.name = "mpi", .kind = SPACE_HOST, .threads = true, .launcher = "mpirun"},
    {.name = "cuda", .kind = SPACE_CUDA},
};
const size_t space_count = sizeof spaces / sizeof *spaces;

const struct space_facts *space_find(const char *name)
{
    for (size_t i = 0; i < space_count; i++)
        if (strcmp(spaces[i].name, name) == 0)
            return &spaces[i];
    return NULL;
}
