/* The table of matrix product methods. To add one: write kernels/matmul_NAME.c with a
 * matmul_function that honours block and terms (kernels/call.h), declare it in kernels/matmul.h,
 * list the file in kernels/CMakeLists.txt and add a row below. */
#include "kernels/matmul.h"

#include <string.h>

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
