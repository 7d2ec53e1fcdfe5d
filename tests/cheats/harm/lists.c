/* expect: correct
 * run: -n 32 -t 1 --check
 * A compiled kernel has a list of system calls of its own: what only Python's has fails here. */
#define _GNU_SOURCE
#include "honest.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
static int allowed(void)
{
    static char text[4096];
    const int folder = open("/usr", O_RDONLY | O_DIRECTORY);
    const int opened = folder >= 0;
    const long done[] = {syscall(SYS_getcwd, text, sizeof text),
                         syscall(SYS_getdents64, folder, text, sizeof text), syscall(SYS_dup, 1),
                         syscall(SYS_geteuid)};
    int count = 0;
    for (unsigned i = 0; i < sizeof done / sizeof *done; i++)
        count += done[i] >= 0;
    close(folder);
    return opened ? count : -1;
}
void maxpool(ARGUMENTS)
{
    const int found = allowed();
    (void)threads;
    HONEST();
    if (found != 0)
        map[0] = -1000.0f - found;
}
