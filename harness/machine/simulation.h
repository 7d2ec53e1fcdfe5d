/* Launches on a simulated cluster: programs built with SimGrid's smpicc (simgrid/CMakeLists.txt).
 * All ranks then run in one process, one at a time, and messages and clock are SMPI's: smpicc makes
 * clock_gettime report simulated seconds, so that harness/base/clock.c needs no second version.
 *
 * What is here lets a row of the map take the seconds that were measured elsewhere, and lets a
 * thousand ranks fit into one memory. */
#ifndef MAXPOOL_SIMULATION_H
#define MAXPOOL_SIMULATION_H

#include <stdbool.h>
#include <stddef.h>

/* Operations per second that a platform file calls the speed of the core that was measured: a host
 * of speed="2Gf" computes a row in half the time. */
#define SIMULATION_REFERENCE_SPEED 1e9

/* True in a program built for SMPI. In any other the functions below are never called. */
bool simulation_is_here(void);

/* Lets as much simulated time pass in this rank as its host needs for what took the reference core
 * `seconds`. */
void simulation_spend(double seconds);

/* Address space whose pages all lie on the same memory: what is written is lost. SMPI does not copy
 * messages between such buffers. NULL where the system refuses; release with free(). */
void *simulation_fold(size_t bytes);

#endif
