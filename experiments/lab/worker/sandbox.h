/* Prevents a kernel from outside from starting processes and programs, opening sockets, tracing,
 * reading, signalling or limiting other processes, and raising limits. */
#ifndef MAXPOOL_LAB_SANDBOX_H
#define MAXPOOL_LAB_SANDBOX_H

#include <stdbool.h>

/* Drops all capabilities and filters this process's system calls from now on. Starting a process or
 * a program kills the process with SIGSYS; the other forbidden calls fail with EACCES. Returns
 * false if the system cannot filter calls. */
bool sandbox_enter(void);

#endif
