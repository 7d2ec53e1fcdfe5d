/* The lists of system calls of the sandbox. */
#ifndef MAXPOOL_LAB_CALLS_H
#define MAXPOOL_LAB_CALLS_H

#include <stddef.h>

/* Calls that a numeric kernel, the C library, the dynamic linker and the runtimes of OpenMP,
 * Fortran and BLAS libraries make, and that reach nothing but this process whatever their arguments
 * are. */
extern const long calls_allowed[];
extern const size_t calls_allowed_count;

/* Those that a Python interpreter with numpy and Numba makes in addition: it looks for modules, and
 * compiles. They show files, and change none. */
extern const long calls_of_python[];
extern const size_t calls_of_python_count;

/* Calls that kill the process: they start processes and programs. */
extern const long calls_killed[];
extern const size_t calls_killed_count;

/* For a process that uses a GPU: calls that are refused, while all others are allowed. */
extern const long calls_refused[];
extern const size_t calls_refused_count;

#endif
