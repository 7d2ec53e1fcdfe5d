#include "harness/image/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

bool folder_takes(const char *name)
{
    static const char *const endings[] = {".png", ".jpg", ".jpeg"};
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t tail = strlen(endings[i]);
        if (length > tail && strcasecmp(name + length - tail, endings[i]) == 0)
            return true;
    }
    return false;
}

bool folder_is_one(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static int is_picture(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && folder_takes(entry->d_name);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Appends a path; returns false if memory is short. */
static bool add(struct folder *out, const char *folder, const char *name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (!path)
        return false;
    snprintf(path, size, "%s%s%s", folder, folder[0] ? "/" : "", name);
    out->paths[out->count++] = path;
    return true;
}

static enum status take_names(struct folder *out, const char *path, struct dirent **entries,
                              int count, struct failure *f)
{
    bool fits = true;
    out->paths = calloc((size_t)count, sizeof *out->paths);
    for (int i = 0; out->paths && fits && i < count; i++)
        fits = add(out, path, entries[i]->d_name);
    return out->paths && fits ? STATUS_OK
                              : fail(f, STATUS_RESOURCE, "%s: no memory for its names", path);
}

static enum status list_all(struct folder *out, const char *path, struct failure *f)
{
    struct dirent **entries = NULL;
    const int count = scandir(path, &entries, is_picture, by_name);
    if (count < 0)
        return fail(f, failure_status_of(errno, STATUS_USAGE), "%s: cannot be read: %s", path,
                    strerror(errno));
    const enum status status =
        count > 0 ? take_names(out, path, entries, count, f)
                  : fail(f, STATUS_USAGE, "%s: no .png, .jpg or .jpeg is in this folder", path);
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    return status;
}

enum status folder_list(struct folder *out, const char *path, struct failure *f)
{
    *out = (struct folder){0};
    if (folder_is_one(path))
        return list_all(out, path, f);
    out->paths = calloc(1, sizeof *out->paths);
    return out->paths && add(out, "", path) ? STATUS_OK
                                            : fail(f, STATUS_RESOURCE, "%s: no memory", path);
}

void folder_release(struct folder *folder)
{
    for (int64_t i = 0; i < folder->count; i++)
        free(folder->paths[i]);
    free(folder->paths);
    *folder = (struct folder){0};
}
