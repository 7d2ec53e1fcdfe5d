#include "experiments/lab/guard/compiler.h"

#include "experiments/lab/call/readable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static const rlim_t most_memory = (rlim_t)2 << 30, most_memory_large = (rlim_t)32 << 30,
                    most_file = (rlim_t)256 << 20; /* bytes */
static const rlim_t most_cpu_s = 60;

void compiler_allow(struct compiler_limits *c, const char *path, int levels)
{
    char folder[PATH_MAX];
    const char *home = getenv("HOME");
    const size_t used = strlen(c->readable);
    snprintf(folder, sizeof folder, "%s", path);
    for (int i = 0; i < levels; i++) {
        char *slash = strrchr(folder, '/');
        if (slash)
            *slash = '\0';
    }
    if (levels != 1 && (!folder[0] || (home && strcmp(folder, home) == 0)))
        return;
    if (used + strlen(folder) + 2 < sizeof c->readable)
        snprintf(c->readable + used, sizeof c->readable - used, "%s\n", folder);
}

/* Allows what lies beside a folder of programs, PREFIX/bin. */
static void allow_beside(struct compiler_limits *c, const char *bin)
{
    static const char *const beside[] = {"lib", "lib64", "libexec", "include"};
    const char *slash = strrchr(bin, '/');
    char path[PATH_MAX];
    if (strcmp(slash, "/bin") != 0)
        return;
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
        if (snprintf(path, sizeof path, "%.*s/%s", (int)(slash - bin), bin, beside[i]) < PATH_MAX)
            compiler_allow(c, path, 0);
}

void compiler_allow_environment(struct compiler_limits *c)
{
    static const char *const lists[] = {"PATH",         "LD_LIBRARY_PATH", "LIBRARY_PATH",
                                        "CPATH",        "C_INCLUDE_PATH",  "CPLUS_INCLUDE_PATH",
                                        "COMPILER_PATH"};
    char folder[PATH_MAX];
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (const char *at = getenv(lists[i]); at && *at;) {
            const size_t length = strcspn(at, ":");
            if (*at == '/' && length < sizeof folder) {
                memcpy(folder, at, length);
                folder[length] = '\0';
                compiler_allow(c, folder, 0);
                allow_beside(c, folder);
            }
            at += length + (at[length] == ':');
        }
}

static void limit(int what, rlim_t most)
{
    const struct rlimit both = {most, most};
    setrlimit(what, &both);
}

void compiler_enter(const void *context)
{
    const struct compiler_limits *c = context;
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_AS, c->large ? most_memory_large : most_memory);
    limit(RLIMIT_FSIZE, most_file);
    limit(RLIMIT_CPU, most_cpu_s);
    setenv("TMPDIR", c->folder, 1);
    readable_only(c->readable, c->folder);
}
