/* What a kernel from outside may not do: start processes and programs, open sockets, trace, read
 * or signal other processes, change limits. */
#ifndef MAXPOOL_LAB_SANDBOX_H
#define MAXPOOL_LAB_SANDBOX_H

#include <stdbool.h>

/* Gives up all capabilities and filters this process's system calls from here on. Starting a
 * process or a program kills it by SIGSYS; the other calls fail with EACCES. False where the system
 * filters none. */
bool sandbox_enter(void);

#endif
