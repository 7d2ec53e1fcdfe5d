#include "harness/base/own_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* The kernel leaves the name that the program was started by beside its environment. */
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
           sizeof started_by); /* a word of the kernel's, which is a pointer */
    return started_by && realpath(started_by, path);
}

bool own_path_beside(char path[PATH_MAX], const char *program)
{
    char *file = own_path(path) ? strrchr(path, '/') : NULL;
    const size_t room = file ? (size_t)(path + PATH_MAX - (file + 1)) : 0;
    return file && (size_t)snprintf(file + 1, room, "%s", program) < room &&
           access(path, X_OK) == 0;
}
