/* The functions of a program that is not simulated. */
#include "harness/machine/simulation.h"

bool simulation_is_here(void)
{
    return false;
}

void simulation_spend(double seconds)
{
    (void)seconds;
}

void *simulation_fold(size_t bytes)
{
    (void)bytes;
    return NULL;
}
