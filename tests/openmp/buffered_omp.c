/* Prints a line, which stays in the buffer if the standard output is a pipe, and then starts a team
 * of two threads (test_threads_cli.py). */
#include "openmp/omp.h"

#include <stdio.h>

int main(void)
{
    struct team team;
    struct failure f = {0};
    puts("printed before");
    return omp_team(2, &team, &f);
}
