/* Linked into executables only (harness/CMakeLists.txt): .preinit_array runs before the
 * constructors of all libraries, and ld refuses it in a shared library. */
#include "harness/machine/at_start.h"

#include <sys/syscall.h>
#include <unistd.h>

struct at_start at_start;

/* Sanitizers are not initialised yet, and would intercept the wrapper of the C library. */
__attribute__((no_sanitize("address", "thread", "undefined"))) static void
read_mask(int argc, char **argv, char **environment)
{
    (void)argc;
    (void)argv;
    (void)environment;
    at_start.bytes =
        syscall(SYS_sched_getaffinity, 0, sizeof at_start.mask.words, at_start.mask.words);
}

__attribute__((section(".preinit_array"),
               used)) static void (*const before_libraries)(int, char **, char **) = read_mask;
