/* What a kernel from outside may do: read and write its own descriptors, allocate memory, start as
 * many threads as it is allowed, look at clocks, end. Everything else is refused, because only what
 * a numeric kernel needs is on the lists (sandbox.c). */
#ifndef MAXPOOL_LAB_SANDBOX_H
#define MAXPOOL_LAB_SANDBOX_H

#include <stdbool.h>

/* From now on reads only the system's files and the given paths, one per line (readable.h), and
 * gives up all capabilities. Returns LAB_FILES, or 0 if the system can restrict neither. */
int sandbox_files(const char *readable);

/* Gives up all capabilities. */
void sandbox_rights(void);

/* Whose calls are allowed: a compiled kernel's, a Python interpreter's, or those of a process that
 * uses a GPU, whose driver needs calls of all kinds: there only the calls that reach other
 * processes and the network are refused. */
enum sandbox_list { SANDBOX_C, SANDBOX_PYTHON, SANDBOX_DEVICE };

/* Filters the system calls of all threads of this process from now on. Starting a process or a
 * program kills it with SIGSYS; other calls that are not on the list fail with EACCES. The parent
 * is asked for each new thread, if the kernel can do so: this function sends it a note with
 * `already` and what else protects, and waits for an order. Returns the protections, of enum
 * lab_protection; without LAB_CALLS the system cannot filter calls. */
int sandbox_calls(int already, enum sandbox_list list);

#endif
