#include "harness/machine/family.h"

#include "harness/base/text/fit.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double tick_s = 0.01; /* USER_HZ */

/* Reads "pid (command) state ppid ...": fields 14 to 17 are the ticks of the process, in user and
 * in kernel mode, then those of the children that it has waited for. A command may contain any
 * character. Source: proc_pid_stat(5). */
static bool read_stat(const char *path, struct seen_process *seen)
{
    char line[1024];
    double own[2], waited[2];
    FILE *file = fopen(path, "r");
    const bool read = file && fgets(line, sizeof line, file);
    if (file)
        fclose(file);
    const char *open = read ? strchr(line, '(') : NULL, *close = read ? strrchr(line, ')') : NULL;
    if (!open || !close || close < open ||
        sscanf(close + 1, " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lf %lf %lf %lf",
               &seen->parent, &own[0], &own[1], &waited[0], &waited[1]) != 5)
        return false;
    seen->pid = atoi(line);
    seen->seconds = tick_s * (own[0] + own[1]);
    seen->waited_s = tick_s * (waited[0] + waited[1]);
    snprintf(seen->command, sizeof seen->command, "%.*s", (int)(close - open - 1), open + 1);
    return true;
}

static size_t read_all(DIR *folder, const char *root, struct seen_process **all)
{
    size_t count = 0, capacity = 0;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        char path[4300];
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        if (count == capacity) {
            capacity = capacity ? 2 * capacity : 256;
            struct seen_process *grown = realloc(*all, capacity * sizeof *grown);
            if (!grown)
                break;
            *all = grown;
        }
        (*all)[count] = (struct seen_process){0};
        text_fit_format(path, sizeof path, "%s/proc/%s/stat", root, entry->d_name);
        count += read_stat(path, &(*all)[count]);
    }
    return count;
}

/* Marks this process and, generation by generation, its descendants. */
static void mark_ours(struct seen_process *all, size_t count)
{
    for (size_t i = 0; i < count; i++)
        all[i].ours = all[i].pid == (int)getpid();
    for (bool found = true; found;) {
        found = false;
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < count && !all[i].ours; j++)
                if (all[j].ours && all[i].parent == all[j].pid)
                    found = all[i].ours = true;
    }
}

struct seen_process *family_see(const char *root, size_t *count)
{
    char path[4300];
    struct seen_process *all = NULL;
    snprintf(path, sizeof path, "%s/proc", root);
    DIR *folder = opendir(path);
    *count = folder ? read_all(folder, root, &all) : 0;
    if (folder)
        closedir(folder);
    mark_ours(all, *count);
    return all;
}

double family_seconds(const char *root)
{
    size_t count;
    double seconds = 0.0;
    struct seen_process *all = family_see(root, &count);
    for (size_t i = 0; i < count; i++)
        if (all[i].ours && all[i].pid != (int)getpid())
            seconds += all[i].seconds + all[i].waited_s;
    free(all);
    return seconds;
}
