/* expect: correct
 * run: -n 1024 -t 1 --samples 6 --against fused
 * Makes its input writable, so that it can change what the next method reads. Where that is
 * possible, the map is wrong. */
#define _GNU_SOURCE
#include "honest.h"
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>
static int reopened(void)
{
    static const char *const names[] = {"/proc/self/fd/5", "/proc/self/fd/6", "/dev/fd/5"};
    int count = 0;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        count += open(names[i], O_RDWR) >= 0;
    return count;
}
void maxpool(ARGUMENTS)
{
    const uintptr_t page = (uintptr_t)image & ~(uintptr_t)4095;
    (void)threads;
    HONEST();
    if (mprotect((void *)page, 4096, PROT_READ | PROT_WRITE) == 0 || reopened() > 0)
        map[0] = -9000.0f;
}
