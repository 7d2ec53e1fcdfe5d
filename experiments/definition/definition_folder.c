/* The folder of definitions: lists them and finds one by name. */
#include "experiments/common/folder_files.h"
#include "experiments/definition/definition.h"
#include "harness/base/nearest_word.h"
#include "harness/base/suite_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *definition_name_of(const char *path)
{
    char *name = strdup(file_name(path));
    char *suffix = name ? strstr(name, ".ini") : NULL;
    if (suffix && suffix[4] == '\0')
        *suffix = '\0';
    return name;
}

const char *definitions_folder(void)
{
    static char path[PATH_MAX];
    return suite_share(path, "definitions");
}

const char *definitions_thesis_folder(void)
{
    static char path[PATH_MAX];
    return suite_share(path, "thesis");
}

enum status definitions_check(const char *folder, struct failure *f)
{
    DIR *there = opendir(folder);
    if (!there)
        return fail(f, failure_status_of(errno, STATUS_USAGE),
                    "--definitions %s: cannot be read: %s", folder, strerror(errno));
    closedir(there);
    return STATUS_OK;
}

enum status definition_names(struct texts *out, const char *folder, struct failure *f)
{
    struct texts paths;
    *out = (struct texts){0};
    enum status status = folder_files(&paths, folder, ".ini", f);
    for (size_t i = 0; i < paths.count && status == STATUS_OK; i++) {
        char *name = definition_name_of(paths.items[i]);
        if (name && texts_have(out, name))
            status = fail(f, STATUS_USAGE, "%s and %s: two definitions of one name",
                          paths.items[i - 1], paths.items[i]);
        else if (!name || !texts_add(out, name))
            status = fail(f, STATUS_RESOURCE, "%s: not enough memory", folder);
        free(name);
    }
    if (status != STATUS_OK)
        texts_release(out);
    texts_release(&paths);
    return status;
}

static enum status no_such(const char *folder, const char *name, struct failure *f)
{
    struct texts names;
    struct stat folder_status;
    struct nearest_word nearest = nearest_word_of(name);
    struct suggestion meant = {""};
    char known[600] = "";
    if (stat(folder, &folder_status) != 0)
        return fail(f, STATUS_USAGE, "there is no folder %s, and so no experiment '%s' in it",
                    folder, name);
    if (definition_names(&names, folder, NULL) == STATUS_OK) {
        for (size_t i = 0; i < names.count; i++) {
            size_t used = strlen(known);
            snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", names.items[i]);
            nearest_word_offer(&nearest, names.items[i]);
        }
        meant = nearest_word_suggest(&nearest, "");
        texts_release(&names);
    }
    return fail(f, STATUS_USAGE, "no experiment '%s' in %s%s; there are: %s", name, folder,
                meant.text, known);
}

/* Returns the path of NAME.ini in the folder, or, if the folder is the suite's own, among the
 * definitions of --thesis. NULL if there is none. */
static char *path_of(const char *folder, const char *name)
{
    char *file;
    if (asprintf(&file, "%s.ini", name) < 0)
        return NULL;
    char *path = folder_file(folder, file);
    if (!path && strcmp(folder, definitions_folder()) == 0)
        path = folder_file(definitions_thesis_folder(), file);
    free(file);
    return path;
}

enum status definition_find(char **path, const char *folder, const char *name, struct failure *f)
{
    const size_t length = strlen(name);
    const bool is_path =
        strchr(name, '/') || (length > 4 && strcmp(name + length - 4, ".ini") == 0);
    *path = is_path ? strdup(name) : path_of(folder, name);
    if (*path)
        return STATUS_OK;
    return is_path ? fail(f, STATUS_RESOURCE, "%s: not enough memory", name)
                   : no_such(folder, name, f);
}
