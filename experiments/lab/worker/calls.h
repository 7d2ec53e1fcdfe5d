/* The lists of system calls of the sandbox. */
#ifndef MAXPOOL_LAB_CALLS_H
#define MAXPOOL_LAB_CALLS_H

#include <stddef.h>

/* Calls that a numeric kernel, the C library and the runtimes of OpenMP, Fortran, Python and Numba
 * make, and that reach nothing but this process whatever their arguments are. */
extern const long calls_allowed[];
extern const size_t calls_allowed_count;

/* Calls that kill the process: they start processes and programs. */
extern const long calls_killed[];
extern const size_t calls_killed_count;

/* For a process that uses a GPU: calls that are refused, while all others are allowed. */
extern const long calls_refused[];
extern const size_t calls_refused_count;

#endif
