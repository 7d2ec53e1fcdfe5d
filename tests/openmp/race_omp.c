/* A space with a race in it, on purpose: two workers of a team write the same outputs. Under the
 * thread sanitizer this program must be reported (ctest expects it to fail there), so that a silent
 * pass of the other OpenMP tests is known to mean something. */
#include "harness/space/host.h"

#include <omp.h>
#include <stdio.h>

static void write_the_same(int64_t worker, void *context)
{
    float *map = context;
    for (int i = 0; i < 1000; i++)
        map[i] = (float)worker;
}

int main(void)
{
    float map[1000] = {0};
#pragma omp parallel num_threads(2)
    write_the_same(omp_get_thread_num(), map);
    printf("%g\n", (double)map[0]);
    return 0;
}
