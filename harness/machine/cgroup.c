#include "harness/machine/cgroup.h"

#include "harness/base/text/word_list.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LINE = 4096 };

/* Returns the path within the tree from a line "ID:CONTROLLERS:PATH"; NULL if the line is of
 * another tree. */
static const char *path_of(char *line, const char *controller)
{
    line[strcspn(line, "\n")] = 0;
    char *controllers = strchr(line, ':');
    char *path = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!path || path[1] != '/')
        return NULL;
    *path++ = 0;
    return word_list_has(controllers + 1, ",", controller) ? path : NULL;
}

void cgroup_visit_in(const char *root, const char *controller, cgroup_visitor *visit, void *context)
{
    char line[LINE], folder[2 * LINE], list[LINE];
    const char *path = NULL;
    snprintf(list, sizeof list, "%s/proc/self/cgroup", root);
    FILE *file = fopen(list, "r");
    while (file && !path && fgets(line, sizeof line, file))
        path = path_of(line, controller);
    if (file)
        fclose(file);
    if (!path)
        return;
    const int tree =
        snprintf(folder, LINE, "%s/sys/fs/cgroup%s%s", root, *controller ? "/" : "", controller);
    snprintf(folder + tree, sizeof folder - (size_t)tree, "%s", path[1] ? path : "");
    for (;;) {
        visit(folder, context);
        if (strlen(folder) <= (size_t)tree)
            return;
        *strrchr(folder, '/') = 0;
    }
}

void cgroup_visit(const char *controller, cgroup_visitor *visit, void *context)
{
    cgroup_visit_in("", controller, visit, context);
}
