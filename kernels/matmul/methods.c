/* The table of matrix product methods. To add one: write kernels/matmul_NAME.c with a
 * matmul_function that honours block and terms (kernels/call.h), declare it in
 * kernels/matmul/matmul.h, list the file in kernels/CMakeLists.txt and add a row below. */
#include "kernels/matmul/matmul.h"
#include "kernels/order.h"

#include <string.h>

size_t matmul_packed_scratch(int64_t inner, int64_t cols)
{
    const int64_t steps = (smaller(cols, PACKED_COLS) + PACKED_COLS_STEP - 1) / PACKED_COLS_STEP;
    const int64_t panel = smaller(inner, PACKED_TERMS) * steps * PACKED_COLS_STEP;
    return (size_t)(PACKED_ROWS * PACKED_TERMS + panel) * sizeof(float);
}

const struct matmul_method matmul_methods[] = {
    {.name = "naive",
     .kind = SPACE_HOST,
     .idea = "one dot product per element, i-j-k: B is walked down its columns",
     .run = {matmul_naive}},
    {.name = "interchanged",
     .kind = SPACE_HOST,
     .idea = "loops i-k-j: the innermost walks rows of B and C in order and vectorises",
     .run = {matmul_interchanged}},
    {.name = "blocked",
     .kind = SPACE_HOST,
     .idea = "i-k-j over cache tiles: a tile of B is reused from cache by all rows",
     .run = {matmul_blocked}},
    {.name = "packed",
     .kind = SPACE_HOST,
     .idea = "tiles of C in registers, A and B packed into the order they are read (GotoBLAS)",
     .scratch_bytes = matmul_packed_scratch,
     .run = ISA_VARIANTS(matmul_packed)},
    {.name = "naive",
     .kind = SPACE_CUDA,
     .idea = "one thread per element, an if guards the edge (the tesina's first kernel)",
     .unavailable = CUDA_UNAVAILABLE},
    {.name = "loop",
     .kind = SPACE_CUDA,
     .idea = "loops that step by the grid: any grid does for any work (its second kernel)",
     .unavailable = CUDA_UNAVAILABLE},
    {.name = "tiled",
     .kind = SPACE_CUDA,
     .idea = "tiles of A and B in shared memory, read by a whole block (its third)",
     .unavailable = CUDA_UNAVAILABLE},
};

const size_t matmul_method_count = sizeof matmul_methods / sizeof matmul_methods[0];

const struct matmul_method *matmul_method_find(enum space_kind kind, const char *name)
{
    for (size_t i = 0; i < matmul_method_count; i++)
        if (matmul_methods[i].kind == kind && strcmp(matmul_methods[i].name, name) == 0)
            return &matmul_methods[i];
    return NULL;
}

enum isa matmul_method_isa(const struct matmul_method *m, enum isa limit)
{
    while (limit > ISA_BASELINE && !m->run[limit])
        limit--;
    return limit;
}
