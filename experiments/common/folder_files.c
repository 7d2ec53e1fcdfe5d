#include "experiments/common/folder_files.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEEPEST = 2 }; /* levels below the folder */

const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool has_suffix(const char *name, const char *suffix)
{
    const size_t length = strlen(name), tail = strlen(suffix);
    return name[0] != '.' && length > tail && strcmp(name + length - tail, suffix) == 0;
}

/* Orders by name, then by path, so that the order does not depend on the file system. */
static int by_name(const void *a, const void *b)
{
    const char *const *p = a, *const *q = b;
    const int order = strcmp(file_name(*p), file_name(*q));
    return order ? order : strcmp(*p, *q);
}

/* Adds the entry if it is a file with the suffix. Does not enter hidden folders, `lib`, and folders
 * that are too deep. False if memory is lacking. */
static bool take(struct texts *paths, FTS *walk, FTSENT *entry, const char *suffix)
{
    if (entry->fts_info == FTS_D && entry->fts_level > 0 &&
        (entry->fts_level >= DEEPEST || entry->fts_name[0] == '.' ||
         strcmp(entry->fts_name, "lib") == 0))
        fts_set(walk, entry, FTS_SKIP);
    return entry->fts_info != FTS_F || !has_suffix(entry->fts_name, suffix) ||
           texts_add(paths, entry->fts_path);
}

enum status folder_files(struct texts *paths, const char *folder, const char *suffix,
                         struct failure *f)
{
    char *top = strdup(folder), *const tops[] = {top, NULL};
    FTS *walk = top ? fts_open(tops, FTS_LOGICAL | FTS_NOCHDIR, NULL) : NULL;
    FTSENT *entry;
    int cause = 0;
    bool good = walk;
    *paths = (struct texts){0};
    while (good && (entry = fts_read(walk))) {
        if (entry->fts_level == 0 && (entry->fts_info == FTS_DNR || entry->fts_info == FTS_NS))
            cause = entry->fts_errno;
        else if (entry->fts_level == 0 && entry->fts_info == FTS_F)
            cause = ENOTDIR;
        else
            good = take(paths, walk, entry, suffix);
    }
    if (walk)
        fts_close(walk);
    free(top);
    if (good && cause == 0) {
        if (paths->count)
            qsort(paths->items, paths->count, sizeof *paths->items, by_name);
        return STATUS_OK;
    }
    texts_release(paths);
    return cause ? fail(f, failure_status_of(cause, STATUS_USAGE), "%s: cannot be read: %s", folder,
                        strerror(cause))
                 : fail(f, STATUS_RESOURCE, "%s: not enough memory", folder);
}

char *folder_file(const char *folder, const char *name)
{
    struct texts paths;
    char *path;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return NULL;
    if (access(path, F_OK) == 0)
        return path;
    free(path);
    path = NULL;
    if (folder_files(&paths, folder, "", NULL) != STATUS_OK)
        return NULL;
    for (size_t i = 0; i < paths.count && !path; i++)
        if (strcmp(file_name(paths.items[i]), name) == 0)
            path = strdup(paths.items[i]);
    texts_release(&paths);
    return path;
}
