#include "harness/base/own_path.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* Reads /proc/self/exe, or else the name that started the program, which the kernel passes in the
 * auxiliary vector. */
bool own_path(char path[PATH_MAX])
{
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length > 0) {
        path[length] = '\0';
        return true;
    }
    const unsigned long address = getauxval(AT_EXECFN);
    const char *started_by;
    memcpy(&started_by, &address,
           sizeof started_by); /* the kernel passes the pointer as an integer */
    return started_by && realpath(started_by, path);
}
