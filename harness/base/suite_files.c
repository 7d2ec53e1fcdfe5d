#include "harness/base/suite_files.h"

#include "harness/base/own_path.h"
#include "harness/base/text/fit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Writes FOLDER/NAME, where FOLDER is the first `length` characters of `own`. Returns true if that
 * file exists. */
static bool join(char path[PATH_MAX], const char *own, size_t length, const char *name)
{
    const int made = snprintf(path, PATH_MAX, "%.*s/%s", (int)length, own, name);
    return made > 0 && made < PATH_MAX && access(path, F_OK) == 0;
}

/* Returns the length of the path of the parent folder; 0 if there is none. */
static size_t above(const char *path, size_t length)
{
    while (length > 0 && path[length - 1] != '/')
        length--;
    return length > 0 ? length - 1 : 0;
}

/* Searches the folders above the program's folder, the nearest first. */
static bool find_above(char path[PATH_MAX], const char *own, const char *name)
{
    for (size_t length = above(own, strlen(own)); length > 0;) {
        length = above(own, length);
        if (join(path, own, length, name))
            return true;
    }
    return false;
}

const char *suite_share(char path[PATH_MAX], const char *name)
{
    char own[PATH_MAX], below[NAME_MAX + 1];
    snprintf(below, sizeof below, "share/maxpool/%s", name);
    if (!own_path(own))
        snprintf(path, PATH_MAX, "%s", below);
    else if (!find_above(path, own, below))
        join(path, own, above(own, above(own, strlen(own))), below);
    return path;
}

const char *suite_input(char path[PATH_MAX], const char *name)
{
    const bool relative = name[0] != '/' && strlen(name) < NAME_MAX - sizeof "share/maxpool/";
    return relative && access(name, F_OK) != 0 && access(suite_share(path, name), F_OK) == 0 ? path
                                                                                             : name;
}

enum status suite_data(char path[PATH_MAX], const char *name, struct failure *f)
{
    char own[PATH_MAX];
    const char *named = getenv("MAXPOOL_DATA");
    const bool given = named && *named;
    const int made =
        snprintf(path, PATH_MAX, "%s/%s", given ? named : suite_share(own, "data"), name);
    if (!given || (made < PATH_MAX && access(path, R_OK) == 0))
        return STATUS_OK;
    return fail(f, STATUS_USAGE, "MAXPOOL_DATA=%s: %s cannot be read: %s",
                text_brief(named, 500).text, name,
                strerror(made < PATH_MAX ? errno : ENAMETOOLONG));
}

bool suite_module(char path[PATH_MAX], const char *name)
{
    char own[PATH_MAX], below[NAME_MAX + 1];
    path[0] = '\0';
    if (!own_path(own))
        return false;
    const size_t folder = above(own, strlen(own));
    snprintf(below, sizeof below, "lib/maxpool/%s", name);
    return join(path, own, folder, name) || find_above(path, own, below) ||
           join(path, own, folder, name);
}
