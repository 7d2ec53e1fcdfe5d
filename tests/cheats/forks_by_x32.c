/* expect: process, started a process
 * Starts processes by the system call numbers for programs with 32-bit pointers on x86-64 (x32). */
#include "honest.h"

#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__
enum { OTHER_NUMBERS = 0x40000000 };
#else
enum { OTHER_NUMBERS = 0 };
#endif

#ifdef SYS_fork
enum { FORK = SYS_fork };
#else
enum { FORK = SYS_clone };
#endif

void maxpool(ARGUMENTS)
{
    (void)threads;
    HONEST();
    syscall(FORK | OTHER_NUMBERS, 0, 0, 0, 0, 0);
}
