/* The CPU mask that the process was given by whoever started it. OpenMP libraries narrow the mask
 * of the first thread as soon as they are loaded (libgomp: OMP_PROC_BIND, OMP_PLACES,
 * GOMP_CPU_AFFINITY), so it is read before any library is initialised. */
#ifndef MAXPOOL_GIVEN_H
#define MAXPOOL_GIVEN_H

#include "harness/machine/machine.h"

/* Reads the mask of the calling thread, bit i for hardware thread i. Safe between fork and exec.
 * False if the system does not say it. */
bool given_read(struct core_set *mask);

/* The mask that the process was given. Where it could not be read before the libraries (a shared
 * library, a simulated cluster), it is that of the calling thread at the first call. Empty if the
 * system does not say it. */
const struct core_set *given_mask(void);

/* Gives the calling thread the mask that the process was given. For the child between fork and
 * exec, whose OpenMP library would otherwise find its parent's first thread's core alone. */
void given_restore(void);

/* Gives the calling thread a mask that given_read() returned. */
void given_return(const struct core_set *mask);

/* Notes that a launcher's library may have bound this process since it began: if the calling
 * thread's mask has changed since the program's libraries were loaded, that mask was given. */
void given_note_change(void);

#endif
