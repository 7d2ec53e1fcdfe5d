#include "cuda/emulation/programs/compiled.h"

#include "harness/base/suite_files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where kernels' names differ: this machine's compiler marks a function that is static. */
static void nvcc_name(const char *name, char *text, size_t size)
{
    const bool is_static = strncmp(name, "_ZL", 3) == 0;
    snprintf(text, size, "%s%s", is_static ? "_Z" : name, is_static ? name + 3 : "");
}

/* Returns the number before a word of a line, 0 without it. */
static int64_t number_before(const char *line, const char *word)
{
    const char *at = strstr(line, word);
    while (at && at > line && (at[-1] == ' ' || (at[-1] >= '0' && at[-1] <= '9')))
        at--;
    return at ? strtoll(at, NULL, 10) : 0;
}

/* Reads the output of ptxas: a line that names a kernel, and later one with what it uses. `name`
 * NULL: any kernel; *kernels counts those that are meant. */
static struct compiled_kernel read_ptxas(FILE *from, const char *name, int *kernels)
{
    struct compiled_kernel found = {.known = false};
    char line[4096], quoted[600] = "";
    bool meant = false;
    if (name)
        snprintf(quoted, sizeof quoted, "'%s'", name);
    while (fgets(line, sizeof line, from)) {
        if (strstr(line, "Compiling entry function"))
            meant = !name || strstr(line, quoted);
        if (!meant || !strstr(line, "Used ") || !strstr(line, " registers"))
            continue;
        found = (struct compiled_kernel){.known = true,
                                         .registers = number_before(line, " registers"),
                                         .shared_bytes = number_before(line, " bytes smem")};
        meant = false;
        (*kernels)++;
    }
    return found;
}

/* Compiles a file for the card; nothing is kept. */
static struct compiled_kernel ask(const char *root, const char *file, const char *name,
                                  const char *capability)
{
    struct compiled_kernel found = {.known = false};
    char command[3 * PATH_MAX], architecture[8] = "", made[] = "/tmp/maxpool-ptxas-XXXXXX";
    int kernels = 0;
    for (const char *c = capability; *c; c++)
        if (*c != '.')
            strncat(architecture, c, 1);
    if (strchr(root, '\'') || strchr(file, '\'') || access(file, R_OK) != 0)
        return found;
    const int out = mkstemp(made);
    if (out < 0)
        return found;
    close(out);
    snprintf(command, sizeof command,
             "nvcc -std=c++17 -O3 -I'%s' -arch=sm_%s -cubin -Xptxas -v -o %s '%s' 2>&1", root,
             architecture, made, file);
    FILE *pipe = popen(command, "r");
    if (pipe)
        found = read_ptxas(pipe, name, &kernels);
    if (!pipe || pclose(pipe) != 0 || kernels != 1)
        found.known = false;
    unlink(made);
    return found;
}

struct compiled_kernel compiled_own(const struct counted_kernel *kernel, const char *capability)
{
    char share[PATH_MAX], root[PATH_MAX], file[PATH_MAX + 300], name[600];
    nvcc_name(kernel->name, name, sizeof name);
    /* In a build this is a link to the folder of the sources. */
    if (!name[0] || !realpath(suite_share(share, "cuda_emulation/../.."), root))
        return (struct compiled_kernel){.known = false};
    snprintf(file, sizeof file, "%s/%s", root, kernel->file);
    return ask(root, file, name, capability);
}

struct compiled_kernel compiled_outside(const char *file, const char *capability)
{
    return ask(".", file, NULL, capability);
}
