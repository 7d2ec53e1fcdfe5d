/* A space with an intentional race: two workers of a team write the same outputs. The thread
 * sanitizer must report this program (ctest expects it to fail there), which shows that the silence
 * of the other OpenMP tests means something. */
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
