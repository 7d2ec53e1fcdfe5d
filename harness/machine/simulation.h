/* Launches on a simulated cluster: programs built with SimGrid's smpicc (simgrid/CMakeLists.txt).
 * All ranks then run in one process, one at a time, with SMPI's messages and clock: smpicc makes
 * clock_gettime report simulated seconds, so that harness/base/clock.c needs no second version.
 *
 * These functions let a row of the map take the seconds that were measured on another machine, and
 * let a thousand ranks fit into one memory. */
#ifndef MAXPOOL_SIMULATION_H
#define MAXPOOL_SIMULATION_H

#include <stdbool.h>
#include <stddef.h>

/* Operations per second that a platform file gives to the core on which the times were measured: a
 * host of speed="2Gf" computes a row in half the time. */
#define SIMULATION_REFERENCE_SPEED 1e9

/* True in a program built for SMPI. Other programs never call the functions below. */
bool simulation_is_here(void);

/* Advances this rank's simulated time by what its host needs for work that took the reference core
 * `seconds`. */
void simulation_spend(double seconds);

/* Returns address space whose pages all map to the same memory: written values are lost. SMPI does
 * not copy messages between such buffers. NULL if the system refuses; release with free(). */
void *simulation_fold(size_t bytes);

#endif
