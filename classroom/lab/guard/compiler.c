#include "classroom/lab/guard/compiler.h"

#include "classroom/lab/call/readable.h"
#include "experiments/common/apart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static const rlim_t most_memory = (rlim_t)2 << 30, most_memory_large = (rlim_t)32 << 30,
                    most_file = (rlim_t)256 << 20; /* bytes */
static const rlim_t most_cpu_s = 60;

static void add(struct compiler_limits *c, const char *path)
{
    const size_t used = strlen(c->readable);
    if (used + strlen(path) + 2 < sizeof c->readable)
        snprintf(c->readable + used, sizeof c->readable - used, "%s\n", path);
}

void compiler_allow(struct compiler_limits *c, const char *path)
{
    const char *home = getenv("HOME");
    if (path[0] && strcmp(path, "/") != 0 && (!home || strcmp(path, home) != 0))
        add(c, path);
}

/* "" for a path in the root. */
static void folder_of(const char *path, char folder[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    snprintf(folder, PATH_MAX, "%.*s", slash ? (int)(slash - path) : 0, path);
}

void compiler_allow_beside_source(struct compiler_limits *c, const char *source)
{
    char folder[PATH_MAX];
    folder_of(source, folder);
    add(c, folder[0] ? folder : source); /* of a source in the root, itself */
}

/* Allows what lies beside a folder of programs, PREFIX/bin. */
static void allow_beside(struct compiler_limits *c, const char *bin)
{
    static const char *const beside[] = {"lib",     "lib64", "libexec", "include",
                                         "targets", "nvvm",  "share"};
    const char *slash = strrchr(bin, '/');
    char path[PATH_MAX];
    if (!slash || strcmp(slash, "/bin") != 0)
        return;
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
        if (snprintf(path, sizeof path, "%.*s/%s", (int)(slash - bin), bin, beside[i]) < PATH_MAX)
            compiler_allow(c, path);
}

void compiler_allow_program(struct compiler_limits *c, const char *program)
{
    char folder[PATH_MAX];
    folder_of(program, folder);
    compiler_allow(c, folder);
    allow_beside(c, folder);
    compiler_allow(c, program);
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
                compiler_allow(c, folder);
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
    if (c->folder)
        setenv("TMPDIR", c->folder, 1);
    if (!readable_by_landlock())
        apart_take_root();
    readable_only(c->readable, c->folder);
}
