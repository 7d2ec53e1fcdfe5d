#include "experiments/common/leftovers.h"

#include "experiments/common/results.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The process that a temporary file's name tells; 0 where it is no such name. */
static long writer_of(const char *name)
{
    const char *end = strstr(name, ".tmp");
    const char *at = end && !end[4] ? end : name;
    long writer = 0;
    int number, used = 0;
    while (at > name && at[-1] != '.')
        at--;
    if (at == name || sscanf(at, "%ld-%d.tmp%n", &writer, &number, &used) != 2 || at[used])
        return 0;
    return writer > 0 ? writer : 0;
}

static int is_temporary(const struct dirent *item)
{
    return writer_of(item->d_name) > 0;
}

static bool is_left(const char *path, long writer)
{
    static const double at_rest_s = 600.0;
    struct stat about;
    return kill((pid_t)writer, 0) != 0 && errno == ESRCH && stat(path, &about) == 0 &&
           difftime(time(NULL), about.st_mtime) > at_rest_s;
}

static void clear(const char *folder)
{
    struct dirent **items;
    const int count = scandir(folder, &items, is_temporary, NULL);
    for (int i = 0; i < count; i++) {
        const struct results_path path = results_file(folder, items[i]->d_name);
        if (is_left(path.text, writer_of(items[i]->d_name)))
            unlink(path.text);
        free(items[i]);
    }
    if (count >= 0)
        free(items);
}

void leftovers_remove(const char *results)
{
    static const char *const folders[] = {"analysis", "analysis/unpacked", "charts"};
    clear(results);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        clear(results_file(results, folders[i]).text);
}
