/* The folder of definitions: what there is, and finding one by name. */
#include "experiments/definition/definition.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *definition_name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = strdup(slash ? slash + 1 : path);
    char *suffix = name ? strstr(name, ".ini") : NULL;
    if (suffix && suffix[4] == '\0')
        *suffix = '\0';
    return name;
}

const char *definitions_folder(void)
{
    return MAXPOOL_DEFINITIONS;
}

const char *definitions_thesis_folder(void)
{
    return MAXPOOL_DEFINITIONS "/thesis";
}

enum status definitions_check(const char *folder, struct failure *f)
{
    DIR *there = opendir(folder);
    if (!there)
        return fail(f, STATUS_USAGE, "--definitions %s: cannot be read: %s", folder,
                    strerror(errno));
    closedir(there);
    return STATUS_OK;
}

static int is_definition(const struct dirent *item)
{
    size_t length = strlen(item->d_name);
    return item->d_name[0] != '.' && length > 4 && strcmp(item->d_name + length - 4, ".ini") == 0;
}

enum status definition_names(struct texts *out, const char *folder, struct failure *f)
{
    struct dirent **items;
    int count = scandir(folder, &items, is_definition, alphasort);
    *out = (struct texts){0};
    if (count < 0)
        return fail(f, STATUS_USAGE, "%s: cannot be read: %s", folder, strerror(errno));
    bool good = true;
    for (int i = 0; i < count; i++) {
        char *name = definition_name_of(items[i]->d_name);
        good = good && name && texts_add(out, name);
        free(name);
        free(items[i]);
    }
    free(items);
    if (good)
        return STATUS_OK;
    texts_release(out);
    return fail(f, STATUS_RESOURCE, "%s: not enough memory", folder);
}

static enum status no_such(const char *folder, const char *name, struct failure *f)
{
    struct texts names;
    char known[600] = "";
    if (definition_names(&names, folder, NULL) == STATUS_OK) {
        for (size_t i = 0; i < names.count; i++) {
            size_t used = strlen(known);
            snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", names.items[i]);
        }
        texts_release(&names);
    }
    return fail(f, STATUS_USAGE, "no experiment '%s' in %s; there are: %s", name, folder, known);
}

enum status definition_find(char **path, const char *folder, const char *name, struct failure *f)
{
    size_t length = strlen(name);
    bool is_path = strchr(name, '/') || (length > 4 && strcmp(name + length - 4, ".ini") == 0);
    int made = is_path ? asprintf(path, "%s", name) : asprintf(path, "%s/%s.ini", folder, name);
    if (made < 0) {
        *path = NULL;
        return fail(f, STATUS_RESOURCE, "%s: not enough memory", name);
    }
    if (is_path || access(*path, F_OK) == 0)
        return STATUS_OK;
    free(*path);
    made = asprintf(path, "%s/thesis/%s.ini", folder, name);
    if (made >= 0 && access(*path, F_OK) == 0)
        return STATUS_OK;
    if (made >= 0)
        free(*path);
    *path = NULL;
    return no_such(folder, name, f);
}
